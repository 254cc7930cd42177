"""The calibration page's bench: the camera's pictures, the last fit, the profile.

The eyes own the camera and are asked for pictures. Fitting and saving run in
processes of their own, so the match goes on meanwhile; only the last fit is kept,
as bytes this process never opens. A saved profile is told to the record and the eyes
start again with it: a gap of seconds that is weighed like any other.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import Protocol

from calibration.profile import load
from calibration.refusal import Refusal
from calibration.series import Series
from calibration.table import Pocket
from controller.apart import apart
from controller.app_certificate import CertificateBench
from controller.app_lens import LensBench, Look, PlateCamera
from controller.app_start import (
    SOFTWARE,
    VERSION,
    camera_name,
    fixed_in,
    profile_in_use,
)
from controller.calibration_work import (
    TRUSTED,
    Keeping,
    Kept,
    Result,
    Wanted,
    fit,
    keep,
)
from controller.config import Config
from controller.console.calibration import FitAsked, SaveAsked
from controller.events import Certified, PocketReport, Recalibrated
from controller.pocket_proofs import PocketProofs, south_of


class Camera(PlateCamera, Protocol):
    """What the bench needs of the eyes."""

    async def picture(self) -> bytes:
        """The newest picture, JPEG; raises Refusal."""
        ...

    async def series(self) -> Series:
        """A series to calibrate with; raises Refusal."""
        ...

    def renew(self, why: str) -> None:
        """Start again with the profile as it now is."""
        ...

    @property
    def watching(self) -> bool:
        """Whether pictures are fresh and the table is watched."""
        ...


class CalibrationBench:
    """One table's calibration as the page works on it."""

    def __init__(
        self,
        config: Config,
        camera: Camera,
        record: Callable[[Recalibrated | Certified], str],
        *,
        do_fit: Callable[[Wanted], Awaitable[Result]] | None = None,
        do_keep: Callable[[Keeping], Awaitable[Kept]] | None = None,
        do_look: Look | None = None,
    ) -> None:
        """`record` takes an event; it answers why it waits, or nothing.

        `do_fit`, `do_keep` and `do_look` do the heavy work; left out, apart from
        this process.
        """
        self.lens = LensBench(config, camera, do_look=do_look)
        size_px = config.camera.width_px, config.camera.height_px
        self.certificate = CertificateBench(config.profile, size_px, record)
        self._config = config
        self._camera = camera
        self._record = record
        self._fit = do_fit or _fit_apart
        self._keep = do_keep or _keep_apart
        self._busy = False
        self._last: Result | None = None
        self._numbers = 0
        wired = config.pockets.source != "none"
        channels = config.pockets.channels if wired else None
        self._proofs = PocketProofs(channels, profile_in_use(config))

    async def picture(self) -> bytes:
        """The newest picture, JPEG; raises Refusal."""
        return await self._camera.picture()

    async def fit(self, asked: FitAsked) -> object:
        """Find or refine the table in new pictures; raises Refusal."""
        self._begin()
        try:
            wanted = self._wanted(asked, await self._camera.series())
            self._last = await self._fit(wanted)
        finally:
            self._busy = False
        self._numbers += 1
        self._proofs.seat(asked.south)
        return {**self._last.shown, "number": self._numbers}

    async def save(self, asked: SaveAsked) -> str:
        """Write the profile, tell the record, start the eyes with it."""
        last = self._last
        if last is None:
            raise Refusal("there is nothing to save: find the table first")
        if asked.number != self._numbers:
            raise Refusal(
                "another page has fitted the table since: look at its fit (load this "
                "page again), or find the table again"
            )
        if last.shown["verdict"] == "nothing":
            raise Refusal(f"this is not to be trusted: {last.shown['reason']}")
        self._begin()
        try:
            kept = await self._keep(self._keeping(asked, last))
        finally:
            self._busy = False
        event = Recalibrated(time.monotonic(), kept.checksum, kept.trusted, asked.by)
        waits = self._record(event)
        self._camera.renew("calibrated anew: the eyes start again")
        former = "" if kept.former is None else f"; the old one is {kept.former.name}"
        said = f"Saved {self._config.profile.name}, {kept.trusted}{former}."
        return said if not waits else f"{said} Not on record yet: {waits}"

    def expect(self, pocket: Pocket | None) -> None:
        """A coin is about to be dropped into this pocket; raises Refusal."""
        self._proofs.expect(pocket)

    def feel(self, report: PocketReport) -> None:
        """A pocket node felt something: perhaps the coin that was expected."""
        self._proofs.feel(report)

    def shown(self) -> dict[str, object]:
        """Camera, profile in use, last fit, pockets."""
        config, last = self._config, self._last
        size = config.camera.width_px, config.camera.height_px
        return {
            "table": config.table.name,
            "camera": camera_name(config.camera),
            "size_px": list(size),
            "watching": self._camera.watching,
            "busy": self._busy,
            "profile": self._profile(size),
            "certificate": self.certificate.shown(),
            "lens": self.lens.kept(),
            "side_mm": config.table.geometry().side_mm,
            "coin_height_mm": config.table.geometry().coin_height_mm,
            "striker_height_mm": config.table.geometry().striker_height_mm,
            "fit": last and {**last.shown, "number": self._numbers},
            "pockets": self._proofs.shown(),
        }

    def _begin(self) -> None:
        if self._busy:
            raise Refusal("a calibration is being worked on: wait until it is done")
        self._busy = True

    def _wanted(self, asked: FitAsked, series: Series) -> Wanted:
        geometry = self._config.table.geometry()
        told = ("side_mm", "coin_height_mm", "striker_height_mm")
        sizes = {n: v for n in told if (v := getattr(asked, n)) is not None}
        try:
            table = replace(geometry, **sizes)
        except ValueError as error:
            raise Refusal(f"{error}: measure again") from None
        last = self._last
        good = last is not None and last.shown["verdict"] != "nothing"
        corners = asked.corners_px
        kept = asked.kept_lens and self._config.lens.exists()
        return Wanted(
            series=series,
            table=table,
            corners_px=corners,
            height_mm=asked.height_mm,
            south=asked.south,
            lens_folder=asked.lens_folder,
            paper=asked.paper,
            lens_file=self._config.lens if kept else None,
            camera=camera_name(self._config.camera),
            fitted=last.kept if last and good and corners is not None else None,
        )

    def _keeping(self, asked: SaveAsked, last: Result) -> Keeping:
        config = self._config
        return Keeping(
            kept=last.kept,
            path=config.profile,
            camera=camera_name(config.camera),
            by=asked.by,
            software=f"{SOFTWARE} {VERSION}",
            fixed=fixed_in(config.camera),
            cleared=not last.shown["pieces"],
            pockets=self._proofs.whole,
        )

    def _profile(self, size_px: tuple[int, int]) -> dict[str, object]:
        """The profile in use: who made it and when, or why there is none."""
        path = self._config.profile
        if not path.exists():
            return {"exists": False, "path": str(path), "fault": ""}
        try:
            profile = load(path, size_px=size_px)
        except Refusal as refusal:
            return {"exists": False, "path": str(path), "fault": str(refusal)}
        certificate = profile.certificate
        return {
            "exists": True,
            "path": str(path),
            "made_utc": profile.made_utc,
            "by": profile.by,
            "trusted": TRUSTED[certificate.verdict]
            if certificate
            else "how good it is was not measured",
            "south": south_of(profile.mapping),
            "light": profile.light and asdict(profile.light),
        }


async def _fit_apart(wanted: Wanted) -> Result:
    return await apart(fit, wanted)


async def _keep_apart(keeping: Keeping) -> Kept:
    return await apart(keep, keeping)
