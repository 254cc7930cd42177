"""What the observer knows between two pieces of evidence, and what it can find."""

from dataclasses import dataclass, replace

from calibration.table import Piece, Pocket, Table
from controller.events import PocketHealth, PocketReport, StrokeFacts
from controller.observer_census import is_clear
from controller.outcomes import (
    CalibratedAnew,
    CameraFollowed,
    Doubt,
    FellLive,
    LedgerMismatch,
    PiecesPlaced,
    Reading,
    SourceDissent,
    StrokeLive,
    TableCertified,
    Watching,
)
from controller.trust import Trust
from vision.sightings import Census, ColoursLearned, StrokeSeen, StrokeStarted


@dataclass(frozen=True, slots=True)
class StrokeDone:
    """One stroke as the evidence settles it, and the entries it rests on."""

    facts: StrokeFacts
    probability: float
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """The evidence does not settle what happened; the likeliest reading first."""

    at_s: float
    doubt: Doubt
    text: str
    readings: tuple[Reading, ...]
    evidence: tuple[int, ...]


Finding = (
    StrokeDone
    | Unclear
    | FellLive
    | StrokeLive
    | LedgerMismatch
    | SourceDissent
    | PiecesPlaced
    | Watching
    | CameraFollowed
    | CalibratedAnew
    | TableCertified
)


@dataclass(frozen=True, slots=True)
class Gap:
    """A time nobody watched: since when, and what was known when it began.

    `stroke`: a stroke was running. `book_lay`: the table was then as the record
    said, nothing was still to be placed.
    """

    since_s: float
    stroke: StrokeStarted | None
    before: Census | None
    book_lay: bool

    @property
    def from_s(self) -> float:
        """When what nobody watched may have begun.

        A stroke may have run already that was not told yet, so nothing is known from
        the last count on.
        """
        if self.stroke is not None:
            return self.stroke.at_s
        return self.since_s if self.before is None else self.before.at_s


@dataclass(frozen=True, slots=True)
class LiveFall:
    """A fall already on display, and which sources have told of it."""

    shown: FellLive
    by_sensor: bool
    by_camera: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """What the evidence so far says about the table.

    `unwatched`: why nobody watches, or watched when last nobody did. `rest`: the last
    clear census. `held`: a stroke seen but not yet settled.
    `unfelt`: pockets of falls in the last stroke that no sensor reported.
    `settled_s`: no report older than this can belong to a new stroke.
    """

    table: Table
    trust: Trust
    health: tuple[tuple[Pocket, PocketHealth], ...] = ()
    watching: bool = True
    unwatched: str = ""
    rest: Census | None = None
    running: StrokeStarted | None = None
    held: StrokeSeen | None = None
    gap: Gap | None = None
    pulses: tuple[PocketReport, ...] = ()
    live: tuple[LiveFall, ...] = ()
    unfelt: tuple[Pocket, ...] = ()
    settled_s: float | None = None
    entries: tuple[int, ...] = ()
    colours: ColoursLearned | None = None
    """What the coins look like: for eyes that start again."""

    @property
    def fit(self) -> frozenset[Pocket]:
        """Pockets whose sensors count."""
        return frozenset(p for p, h in self.health if h is PocketHealth.CLEAR)

    @property
    def wake_s(self) -> float | None:
        """When the session wants to be told `Elapsed`; None: not waiting."""
        if self.held is None or not is_clear(self.held.rest):
            return None
        return self.held.to_s + self.trust.pulse_wait_s

    @property
    def blind(self) -> bool:
        """Whether the eyes are down, or what went on meanwhile is not yet known."""
        return not self.watching


Observed = tuple[Observer, tuple[Finding, ...]]


def show(
    observer: Observer, at_s: float, pocket: Pocket, piece: Piece | None
) -> Observed:
    """Show a fall at once, or say more of one that is shown already."""
    by_camera = piece is not None
    for i, fall in enumerate(observer.live):
        near = abs(fall.shown.at_s - at_s) <= observer.trust.pulse_match_s
        told = fall.by_camera if by_camera else fall.by_sensor
        if fall.shown.pocket is not pocket or not near or told:
            continue
        shown_now = replace(fall.shown, piece=piece or fall.shown.piece)
        both = LiveFall(shown_now, True, True)
        live = (*observer.live[:i], both, *observer.live[i + 1 :])
        found = (shown_now,) if shown_now != fall.shown else ()
        return replace(observer, live=live), found
    new = FellLive(at_s, len(observer.live) + 1, pocket, piece)
    fall = LiveFall(new, not by_camera, by_camera)
    return replace(observer, live=(*observer.live, fall)), (new,)
