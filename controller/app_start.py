"""What a controller needs before it can begin, taken from its configuration.

Everything here either works or raises Refusal with the remedy, before anything runs.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from calibration.profile import Fixed, Profile, checksum_of
from calibration.profile import load as load_profile
from calibration.refusal import Refusal
from controller.broker_address import signed_in
from controller.calibration_work import TRUSTED
from controller.config import BrokerSettings, CameraSettings, Config
from controller.events import Recalibrated
from controller.feed.broker import EmbeddedBroker
from controller.feed.connection import Address
from vision.setup import CameraSetup, Setup
from vision.sources.v4l2 import stable

SOFTWARE = "carrom-umpire"
VERSION = version("carrom-umpire")
ANSWER_S = 3.0
"""How long somebody else's broker may take to answer at the start."""
KERNEL_BOOT = Path("/proc/sys/kernel/random/boot_id")


def eyes_setup(config: Config) -> Setup:
    """What the eyes are told. Raises Refusal for a camera that cannot be used.

    A table that names no profile and has none yet starts all the same: its
    calibration page makes one.
    """
    camera, profile = camera_setup(config.camera), config.profile
    if config.calibration is None and not profile.exists():
        if config.camera.source == "rendered" and not config.camera.device:
            raise Refusal(
                "calibration is not set and the simulated table is not there: set "
                "camera.source to the table's camera, or use carrom demo"
            )
    else:
        load_profile(profile, size_px=camera.size_px, camera=config.camera.identity)
    return Setup(camera=camera, profile=profile, identity=config.camera.identity)


def calibration_of(config: Config) -> str:
    """What names the calibration in use in the record; empty: there is none yet."""
    if config.calibration is None and not config.profile.exists():
        return ""
    return checksum_of(config.profile)


def profile_in_use(config: Config) -> Profile | None:
    """The profile of this camera and size; None when none can be read."""
    camera = config.camera
    size_px = camera.width_px, camera.height_px
    try:
        return load_profile(config.profile, size_px=size_px, camera=camera.identity)
    except Refusal:
        return None


def replaced(config: Config, known: str, at_s: float) -> Recalibrated | None:
    """The calibration that lies in the place of the `known` one; None: none that fits.

    `carrom calibrate` or a copied file may replace it while a match runs. A file of
    another camera or size, or a damaged one, is left to the eyes to refuse.
    """
    profile = profile_in_use(config)
    if profile is None:
        return None
    calibration = checksum_of(config.profile)
    if calibration == known:
        return None
    made = profile.certificate
    trusted = TRUSTED[made.verdict] if made else "not measured"
    return Recalibrated(at_s, calibration, trusted, profile.by)


def camera_setup(camera: CameraSettings) -> CameraSetup:
    """The camera as configured. Raises Refusal when it is plainly not there."""
    if camera.source == "usb":
        stable(camera.address)
    if camera.source == "recording" and not Path(camera.address).is_file():
        raise Refusal(f"no recording at {camera.address}: correct camera.file")
    return CameraSetup(
        source=camera.source,
        address=camera.address,
        size_px=(camera.width_px, camera.height_px),
        rate_hz=camera.rate_hz,
        exposure_us=camera.exposure_us,
        gain=camera.gain,
        driver_gain=camera.driver_gain,
        white_balance_k=camera.white_balance_k,
        colour_gains=camera.colour_gains,
        mains_hz=camera.mains_hz,
        pixels=camera.sent_pixels,
    )


def camera_name(camera: CameraSettings) -> str:
    """What a profile made with this camera calls it, as `carrom run` asks for it."""
    return camera.identity or f"recording {camera.address}"


def fixed_in(camera: CameraSettings) -> Fixed:
    """What the configuration fixes in the camera, for the profile."""
    if camera.source in ("recording", "network"):
        return Fixed()
    balance = camera.white_balance_k and f"{camera.white_balance_k} K"
    if camera.colour_gains is not None:
        balance = "red {:g}, blue {:g}".format(*camera.colour_gains)
    gain = camera.driver_gain if camera.source == "usb" else camera.gain
    return Fixed(
        exposure_us=camera.exposure_us, gain=gain, white_balance=balance or None
    )


@asynccontextmanager
async def broker_for(settings: BrokerSettings, store: Path) -> AsyncIterator[str]:
    """The URL we write to: the embedded broker, started, or somebody else's.

    Raises Refusal when the embedded one cannot run or the other does not answer.
    """
    if not settings.url:
        broker = EmbeddedBroker(store=store, port=settings.port, host=settings.host)
        async with broker:
            yield broker.writing_url
        return
    url = signed_in(settings)
    await _answers(Address.parse(url))
    yield url


def same_kernel_boot(kept: Path) -> bool:
    """Whether the host still runs since we last asked; times compare only then."""
    try:
        now = KERNEL_BOOT.read_text().strip()
    except OSError:
        return False
    before = kept.read_text().strip() if kept.exists() else ""
    if now != before:
        kept.write_text(now)
    return now == before


async def _answers(address: Address) -> None:
    try:
        async with asyncio.timeout(ANSWER_S):
            _, writer = await asyncio.open_connection(address.host, address.port)
    except (OSError, TimeoutError) as error:
        why = getattr(error, "strerror", None) or "no answer"
        raise Refusal(
            f"no message broker at {address} ({why}): start it, correct broker.url, "
            "or leave broker.url out to use the embedded one"
        ) from None
    writer.close()
