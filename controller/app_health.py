"""How the controller is: one sentence for each thing that is wrong, and numbers."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path

from calibration.table import Pocket
from controller.app_keeper import Keeper
from controller.events import PocketHealth
from controller.eyes import Eyes
from controller.feed.delivery import Delivery
from controller.feed.models_table import (
    Health,
    PictureShown,
    PocketLinkShown,
    PocketShown,
    Status,
    StatusWord,
)
from controller.machine import read_machine
from controller.pockets.port import PocketPort
from vision.picture_report import PictureHealth

LOW_DISK_MB = 200.0
DELIVERY_STALE_S = 10.0
"""Without an acknowledgement for so long the feed is not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What health asks; a table without pocket nodes has no port."""

    keeper: Keeper
    eyes: Eyes
    delivery: Delivery
    port: PocketPort | None
    folder: Path


def health_of(parts: Parts) -> Health:
    """Everything health knows now."""
    sight = parts.eyes.sight
    machine = read_machine(parts.folder)
    told = len(parts.keeper.events)
    return Health(
        watching=sight.watching,
        problems=tuple(_problems(parts)),
        fps_in=_rounded(sight.fps_in),
        fps_processed=_rounded(sight.fps_processed),
        fps_skipped=_rounded(sight.fps_skipped),
        frame_age_s=_rounded(sight.frame_age_s, 3),
        frames_lost=sight.frames_lost,
        frame_doubt_s=_rounded(sight.doubt_s, 3),
        picture=_shown(sight.picture),
        pockets=tuple(
            PocketShown(pocket=pocket, health=health)
            for pocket, health in parts.keeper.session.observer.health
        ),
        pocket_link=_link_shown(parts.port),
        temperature_c=machine.temperature_c,
        throttled=machine.throttled,
        disk_free_mb=machine.disk_free_mb,
        events_waiting=max(0, told - parts.delivery.health.last_seq),
    )


def _link_shown(port: PocketPort | None) -> PocketLinkShown | None:
    if port is None:
        return None
    counts = asdict(port.health)
    return PocketLinkShown(**{k: counts[k] for k in PocketLinkShown.model_fields})


def _shown(picture: PictureHealth | None) -> PictureShown | None:
    if picture is None:
        return None
    return PictureShown(
        light=round(picture.light),
        clipped=round(picture.clipped, 4),
        blur_px=_rounded(picture.blur_px, 2),
        flicker=_rounded(picture.flicker, 4),
        drift_mm=_rounded(picture.drift_mm, 2),
        marks=picture.marks,
    )


def status_of(health: Health) -> Status:
    """Ready, or degraded and why."""
    if health.problems:
        reason = "; ".join(health.problems)
        return Status(status=StatusWord.DEGRADED, reason=reason)
    return Status(status=StatusWord.READY)


def _problems(parts: Parts) -> list[str]:
    found = []
    sight = parts.eyes.sight
    if not sight.watching:
        found.append(f"not watching: {sight.reason or 'the eyes are starting'}")
    found += sight.faults
    if parts.keeper.trouble:
        found.append(parts.keeper.trouble)
    found += _pocket_problems(parts)
    delivery = parts.delivery.health
    if delivery.trouble:
        found.append(delivery.trouble)
    elif (delivery.acknowledged_at_s or time.monotonic()) < (
        time.monotonic() - DELIVERY_STALE_S
    ):
        found.append("the broker has not acknowledged anything for 10 s")
    machine = read_machine(parts.folder)
    if machine.throttled:
        found.append("the power supply is too weak or the board too hot")
    if machine.disk_free_mb is not None and machine.disk_free_mb < LOW_DISK_MB:
        found.append(f"only {machine.disk_free_mb:.0f} MB free on the journal's disk")
    return found


def _pocket_problems(parts: Parts) -> list[str]:
    if parts.port is None:
        return []
    known = dict(parts.keeper.session.observer.health)
    unfit = [p for p in Pocket if known.get(p) is not PocketHealth.CLEAR]
    if len(unfit) == len(Pocket) and not parts.port.health.up:
        return ["no pocket node answers"]
    return [
        f"pocket {pocket.value} is {known[pocket].value}"
        for pocket in unfit
        if pocket in known
    ]


def _rounded(value: float | None, digits: int = 1) -> float | None:
    return None if value is None else round(value, digits)
