"""A finished stroke in the laws' words: what went down and whether it was proper.

No positions and no clock: the observer (or the umpire) has already turned what
was seen into these facts.
"""

from dataclasses import dataclass

from calibration.table import Piece
from controller.rules.board import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """One stroke of the side on turn, from the striker's start until all rests.

    `white`, `black`: coins pocketed. `proper`: the umpire (or a sensor) found no
    breach; what a rule set itself forbids (thumb, back stroke, ...) is told by
    the facts below and judged from the rule set. `touched`: any piece was
    touched (decides the break). `left_table`: pieces that jumped off or left the
    playing surface and have to go to the centre circle (ICF 65), in any order.
    `landed_back`: pieces that jumped up and landed on the surface again, not off
    the lamp; they go to the centre circle too (ICF 66).
    `seconds`: time taken, where it was measured. `struck_by`: the side that
    struck when it was not the one on turn (ICF 51), else None.
    """

    white: int = 0
    black: int = 0
    queen: bool = False
    striker: bool = False
    proper: bool = True
    touched: bool = True
    left_table: tuple[Piece, ...] = ()
    landed_back: tuple[Piece, ...] = ()
    striker_left_table: bool = False
    thumb: bool = False
    back_stroke: bool = False
    hand_over_arrow: bool = False
    rival_first: bool = False
    """The striker hit an opponent's coin first, and not as a combination."""
    arrow_coin: bool = False
    """A coin on the striking side's own arrow or base line was hit directly."""
    passes_on: bool = False
    """After own coins and striker the player pays one coin and passes (events)."""
    before_play: bool = False
    """The break was struck before the umpire's "Play" (ICF 47)."""
    fouled: bool = False
    """A foul was called during the stroke that is no improper stroke (ICF 64b)."""
    seconds: float | None = None
    struck_by: Side | None = None

    def __post_init__(self) -> None:
        if not (0 <= self.white <= 9 and 0 <= self.black <= 9):
            raise ValueError(
                f"coins pocketed must be 0 to 9, got {self.white} and {self.black}"
            )

    @property
    def missed(self) -> bool:
        """Whether nothing was touched; a coin or queen that fell was."""
        return not (self.touched or self.white or self.black or self.queen)

    def coins(self, side: Side) -> int:
        """How many coins of a side went down."""
        return self.white if side is Side.WHITE else self.black

    @property
    def pocketed(self) -> dict[Piece, int]:
        """All that fell, the striker too."""
        return {
            Piece.WHITE: self.white,
            Piece.BLACK: self.black,
            Piece.QUEEN: int(self.queen),
            Piece.STRIKER: int(self.striker),
        }
