"""The simulated hall: two players, one table, four pockets, in stepped time.

It runs on simulated seconds from 0, never sleeps and never reads a clock. It asks
nobody what the laws say: its own naive referee decides what is returned and who
plays next, and `truth` records it, apart from all the product can see (`scene_at`
and `take_pulses`).
"""

from dataclasses import dataclass

from calibration.table import Piece, Pocket, Table
from controller.simulator.truth import Pulse, Truth
from vision.sources.rendering_scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the simulated people and sensors behave.

    `skill` (0 to 1) per player; `pace` 1.0 is brisk club play, 2.0 twice as fast
    (hands only: pieces slide as they must). The sensor rates are chances per
    piece: `miss` no pulse, `ghost` a further pulse in that stroke's time, and
    pulses of one pocket nearer than `merge_s` become one long one.
    """

    skill: tuple[float, float] = (0.8, 0.8)
    pace: float = 1.0
    miss: float = 0.0
    ghost: float = 0.0
    merge_s: float = 0.0
    first_breaker: int = 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where all 20 pieces are; the counts of one piece always add up to its stock."""

    on_table: tuple[Piece, ...]
    in_pockets: tuple[tuple[Pocket, Piece], ...]
    in_hand: tuple[Piece, ...]


class World:
    """One table's match as a machine that is stepped to any later time."""

    def __init__(
        self,
        table: Table,
        *,
        seed: int,
        boards: int | None = None,
        habits: Habits | None = None,
    ) -> None:
        """`boards` ends the match after so many boards; None plays best of three."""
        raise NotImplementedError

    @property
    def truth(self) -> Truth:
        """What really happened up to now; not for the product's eyes."""
        raise NotImplementedError

    @property
    def now_s(self) -> float:
        """Simulated seconds since the start."""
        raise NotImplementedError

    @property
    def finished(self) -> bool:
        """Whether the match (or the last board asked for) is over."""
        raise NotImplementedError

    def advance(self, to_s: float) -> None:
        """Let time pass up to `to_s`; ValueError when that lies in the past."""
        raise NotImplementedError

    def scene_at(self, at_s: float) -> Scene:
        """Advance to a time and say what a camera sees then."""
        raise NotImplementedError

    def next_change_s(self) -> float:
        """When the picture changes next: `now_s` while anything moves.

        A headless runner may skip frames of a still table up to then (after it
        has seen enough of them to call it still). Infinity when finished.
        """
        raise NotImplementedError

    def take_pulses(self) -> tuple[Pulse, ...]:
        """Pocket pulses that began up to now and were not yet taken, by time."""
        raise NotImplementedError

    def ledger(self) -> Ledger:
        """Where every piece is now."""
        raise NotImplementedError
