"""A table's certificate before a match: what was measured, against the laws.

Sizes, light and the accuracy of places come from the calibration profile; speed,
level, friction and the frame rate from a recording of play, when there is one. What
was not measured is said, never taken for good.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from calibration.accuracy import Verdict
from calibration.profile import Profile
from calibration.table import Seat, Table
from vision.slides import Surface


class Finding(StrEnum):
    """What a measurement says of its limit."""

    GOOD = "good"
    CLOSE = "too close to tell"
    DIFFERS = "differs"
    UNKNOWN = "not measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that was checked: as measured, its limit, what follows."""

    part: str
    name: str
    measured: str
    limit: str
    finding: Finding
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What a recording of play showed; `runs` of its longest free striker way.

    `alone` is whether the striker met no piece and no pocket on that way: only then
    is `runs` the whole of it.
    """

    name: str
    rate_hz: float
    strokes: int
    runs: float | None
    alone: bool
    fastest_mm_s: float | None
    surface: Surface | None


SIZE_DOUBT_MM, POCKET_DOUBT_MM, CIRCLE_DOUBT_MM = 1.0, 1.5, 3.0
"""How far sizes out of a picture may be off (measured on rendered tables): a pocket's
worn rim and the outer edge of a circle's ink are seen, not their middle."""
RUNS = 3.5
HARD_MM_S = 3000.0
"""A way that began slower than this was no hard stroke."""
MOST_LEVEL_MM_M = 2.0
"""No law says how level: a builder's level shows this much."""
LEAST_RATE_HZ = 55.0
FAST_MM_S, MOST_SMEAR_MM = 8000.0, 8.0
"""A break's fastest piece, and a quarter of a coin: more smear than this hides it."""
MOST_BLUR_PX = 1.8


def certify(profile: Profile, play: Play | None) -> tuple[Item, ...]:
    """Every item of the certificate, in the order of the page."""
    sizes = _sizes(profile.table)
    if profile.certificate is None:
        sizes = tuple(map(_not_seen, sizes))
    return (*sizes, *_surface(play), *_picture(profile, play))


def _not_seen(size: Item) -> Item:
    """A size nobody measured: the profile was made without looking at the table."""
    if size.finding is Finding.UNKNOWN:
        return size
    note = "as entered, not measured: carrom calibrate"
    return replace(size, finding=Finding.UNKNOWN, note=note)


def shortfalls(items: Sequence[Item]) -> tuple[str, ...]:
    """What differs from its limit, in words."""
    return tuple(
        f"{item.name}: {item.measured}, should be {item.limit}"
        for item in items
        if item.finding is Finding.DIFFERS
    )


def _sizes(table: Table) -> tuple[Item, ...]:
    line, _ = table.base_lines(Seat.SOUTH)
    length = 2 * abs(line.start.x_mm) + 2 * table.base_circle_radius_mm
    centre = 2 * table.centre_circle_radius_mm
    outer = 2 * table.outer_circle_radius_mm
    sizes = (
        ("pockets, diameter", 2 * table.pocket_radius_mm, 44.5, 1.5, POCKET_DOUBT_MM),
        ("frame to lower base line", table.base_line_inset_mm, 101.5, 0, SIZE_DOUBT_MM),
        ("lower to upper base line", table.base_line_gap_mm, 31.8, 0, SIZE_DOUBT_MM),
        ("base lines, end to end", length, 470.0, 3.0, SIZE_DOUBT_MM),
        ("centre circle, diameter", centre, 31.8, 0.0, CIRCLE_DOUBT_MM),
        ("outer circle, diameter", outer, 170.0, 3.0, CIRCLE_DOUBT_MM),
    )
    side = table.side_mm
    given = Finding.GOOD if 735.0 <= side <= 740.0 else Finding.DIFFERS
    return (
        Item(
            part="Table",
            name="playing surface, side",
            measured=f"{side:.1f} mm",
            limit="735 to 740 mm",
            finding=given,
            note="as entered: a picture cannot tell it",
        ),
        *(_size(*size) for size in sizes),
        Item(
            part="Table",
            name="frame, height and breadth; pieces, weights",
            measured="",
            limit="19.0 to 25.4 mm, 63.5 to 76.0 mm",
            finding=Finding.UNKNOWN,
            note="by gauge and scales: one camera from above cannot tell",
        ),
    )


def _size(
    name: str, value: float, right: float, tolerance: float, doubt: float
) -> Item:
    off = abs(value - right) - tolerance
    finding = Finding.GOOD if off <= 0 else Finding.CLOSE
    if off > doubt:
        finding = Finding.DIFFERS
    limit = f"{right:g} mm" + (f" +/- {tolerance:g}" if tolerance else "")
    note = (
        "" if off <= 0 else f"{value - right:+.1f} mm; the picture tells {doubt:g} mm"
    )
    return Item(
        part="Table",
        name=name,
        measured=f"{value:.1f} mm",
        limit=limit,
        finding=finding,
        note=note,
    )


def _surface(play: Play | None) -> tuple[Item, ...]:
    return _speed(play), *_level(None if play is None else play.surface)


def _speed(play: Play | None) -> Item:
    name, limit = "speed: runs of a hard stroke", f"at least {RUNS}"
    if play is None or play.runs is None or play.fastest_mm_s is None:
        note = "record one hard stroke of the striker alone and name it: --recording"
        return _unknown("Surface", name, limit, note)
    measured = f"{play.runs:.1f} runs from {play.fastest_mm_s / 1000:.1f} m/s"
    note = "" if play.alone else "at least: the striker met a piece or fell"
    finding = Finding.GOOD if play.runs >= RUNS else Finding.DIFFERS
    if finding is Finding.DIFFERS and (not play.alone or play.fastest_mm_s < HARD_MM_S):
        finding = Finding.UNKNOWN
        note = "no hard stroke of the striker alone: it proves nothing"
    return Item(
        part="Surface",
        name=name,
        measured=measured,
        limit=limit,
        finding=finding,
        note=note,
    )


def _level(surface: Surface | None) -> tuple[Item, ...]:
    limit = f"within {MOST_LEVEL_MM_M:g} mm a metre"
    if surface is None:
        note = "too few free slides: record a board of play (--recording)"
        return (
            _unknown("Surface", "level", limit, note),
            _unknown("Surface", "friction", "no law", note),
        )
    doubt = surface.level_doubt_mm_m
    slope = max(abs(surface.east_mm_m), abs(surface.north_mm_m))
    finding = Finding.CLOSE
    if slope + doubt <= MOST_LEVEL_MM_M:
        finding = Finding.GOOD
    elif slope - doubt > MOST_LEVEL_MM_M:
        finding = Finding.DIFFERS
    level = Item(
        part="Surface",
        name="level",
        measured=(
            f"rises {surface.east_mm_m:+.1f} mm/m to the east, "
            f"{surface.north_mm_m:+.1f} to the north"
        ),
        limit=limit,
        finding=finding,
        note=f"+/- {doubt:.1f} mm/m, of {surface.slides} slides",
    )
    quarters = ", ".join(
        f"{name} {'-' if value is None else format(value, '.3f')}"
        for name, value in zip(("NE", "SE", "SW", "NW"), surface.quarters, strict=True)
    )
    friction = Item(
        part="Surface",
        name="friction",
        measured=f"{surface.friction:.3f} +/- {surface.friction_doubt:.3f}",
        limit="no law",
        finding=Finding.GOOD,
        note=quarters,
    )
    return level, friction


def _picture(profile: Profile, play: Play | None) -> tuple[Item, ...]:
    return _places(profile), *_light(profile), _rate(play), _exposure(profile)


def _places(profile: Profile) -> Item:
    name, limit = "places of pieces", "placement calls"
    made = profile.certificate
    if made is None:
        return _unknown("Camera", name, limit, "calibrate again: carrom calibrate")
    good = made.verdict is Verdict.PLACEMENT
    return Item(
        part="Camera",
        name=name,
        measured=(
            f"{made.accuracy.mean_mm:.2f} mm, 95 of 100 within "
            f"{made.accuracy.p95_mm:.2f} mm"
        ),
        limit=limit,
        finding=Finding.GOOD if good else Finding.DIFFERS,
        note=f"trusted for {made.verdict}; lens from {made.lens}",
    )


def _light(profile: Profile) -> tuple[Item, ...]:
    light = profile.light
    if light is None:
        note = "calibrate again: carrom calibrate"
        return (_unknown("Camera", "light", "bright, even, steady", note),)
    darkest = min(share for row in light.evenness for share in row)
    flicker = "not told" if light.flicker is None else f"{light.flicker:.1%}"
    even = Item(
        part="Camera",
        name="light",
        measured=(
            f"wood {light.wood_grey:.0f} of 255, darkest part {darkest:.0%}, "
            f"flicker {flicker}"
        ),
        limit="bright, even, steady",
        finding=Finding.DIFFERS if light.remedies else Finding.GOOD,
        note="; ".join(light.remedies),
    )
    limit = f"at most {MOST_BLUR_PX} px"
    if light.blur_px is None:
        return even, _unknown("Camera", "sharpness", limit, "no edge was seen")
    sharp = light.blur_px <= MOST_BLUR_PX
    blur = Item(
        part="Camera",
        name="sharpness",
        measured=f"edges {light.blur_px:.1f} px soft",
        limit=limit,
        finding=Finding.GOOD if sharp else Finding.DIFFERS,
    )
    return even, blur


def _rate(play: Play | None) -> Item:
    name, limit = "frame rate", f"at least {LEAST_RATE_HZ:.0f} a second"
    if play is None:
        return _unknown("Camera", name, limit, "name a recording: --recording")
    good = play.rate_hz >= LEAST_RATE_HZ
    return Item(
        part="Camera",
        name=name,
        measured=f"{play.rate_hz:.1f} a second",
        limit=limit,
        finding=Finding.GOOD if good else Finding.DIFFERS,
        note=f"median of {play.name}",
    )


def _exposure(profile: Profile) -> Item:
    most_us = round(MOST_SMEAR_MM / FAST_MM_S * 1e6)
    name, limit = "exposure", f"at most {most_us} us"
    exposure_us = profile.fixed.exposure_us
    if exposure_us is None:
        note = "the camera was not told: set camera.exposure_us"
        return _unknown("Camera", name, limit, note)
    smear = exposure_us * 1e-6 * FAST_MM_S
    return Item(
        part="Camera",
        name=name,
        measured=f"{exposure_us} us",
        limit=limit,
        finding=Finding.GOOD if exposure_us <= most_us else Finding.DIFFERS,
        note=f"a piece at {FAST_MM_S / 1000:.0f} m/s smears {smear:.1f} mm",
    )


def _unknown(part: str, name: str, limit: str, note: str) -> Item:
    return Item(
        part=part,
        name=name,
        measured="",
        limit=limit,
        finding=Finding.UNKNOWN,
        note=note,
    )
