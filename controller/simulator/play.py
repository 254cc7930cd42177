"""One board as the simulated hall sees it, by player instead of by striker."""

from dataclasses import dataclass, replace
from typing import Self

from calibration.table import Piece
from controller.simulator.referee import MatchScore, Queen, Ruling, Standing
from controller.simulator.truth import QueenState

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The state of a board between strokes; pairs are by player 0 and 1.

    `queen_by` is who has covered her or must cover her now.
    """

    breaker: int
    turn: int
    left: Pair = (9, 9)
    due: Pair = (0, 0)
    ever: tuple[bool, bool] = (False, False)
    queen: QueenState = QueenState.ON_BOARD
    queen_by: int | None = None
    attempt: int = 1

    def side(self, player: int) -> Piece:
        """43: the breaker plays white."""
        return Piece.WHITE if player == self.breaker else Piece.BLACK

    def player(self, side: Piece) -> int:
        """Whose colour this is."""
        return self.breaker if side is Piece.WHITE else 1 - self.breaker

    def standing(self, score: MatchScore) -> Standing:
        """The board as the referee asks for it: the player on turn is X."""
        x, y = self.turn, 1 - self.turn
        return Standing(
            x=self.left[x],
            y=self.left[y],
            queen=self._queen_for(x),
            due_x=self.due[x],
            due_y=self.due[y],
            score_x=score.points[x],
            score_y=score.points[y],
            ever=self.ever[x],
            attempt=self.attempt,
        )

    def ruled(self, ruling: Ruling) -> Self:
        """The board after a ruling on the player on turn."""
        x, after = self.turn, ruling.after
        queen, by = self._queen_after(after.queen)
        # A coin that went straight back for a due has been down all the same (95c).
        other_ever = self.ever[1 - x] or after.y - ruling.back_y < 9
        return replace(
            self,
            turn=1 - x if ruling.turn_passes else x,
            left=_pair(x, after.x, after.y),
            due=_pair(x, after.due_x, after.due_y),
            ever=(after.ever, other_ever) if x == 0 else (other_ever, after.ever),
            queen=queen,
            queen_by=by,
            attempt=after.attempt,
        )

    def _queen_for(self, x: int) -> Queen:
        match self.queen:
            case QueenState.ON_BOARD:
                return Queen.ON
            case QueenState.AWAITS_COVER:
                return Queen.AWAIT
            case QueenState.COVERED:
                return Queen.COVERED_X if self.queen_by == x else Queen.COVERED_Y

    def _queen_after(self, queen: Queen) -> tuple[QueenState, int | None]:
        match queen:
            case Queen.ON:
                return QueenState.ON_BOARD, None
            case Queen.AWAIT:
                return QueenState.AWAITS_COVER, self.turn
            case Queen.COVERED_X:
                return QueenState.COVERED, self.turn
            case Queen.COVERED_Y:
                return QueenState.COVERED, 1 - self.turn


def _pair(x: int, of_x: int, of_y: int) -> Pair:
    return (of_x, of_y) if x == 0 else (of_y, of_x)
