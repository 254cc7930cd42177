"""What the toss decides: ICF 39 and its variants."""

from dataclasses import dataclass, replace
from enum import StrEnum

from calibration.refusal import Refusal
from calibration.table import Seat
from controller.rules.choices import Toss
from controller.rules.laws import Laws
from controller.rules.match_state import Match, Phase
from controller.rules.order import ByPlayer, Player, board_limit, next_seat


class Choice(StrEnum):
    """What the winner of the toss may choose."""

    BREAK = "break"
    SIDE = "side"
    """The seat; the opponent then breaks."""
    BLACK = "black"
    """The colour; the opponent then breaks with white."""


@dataclass(frozen=True, slots=True)
class Tossed:
    """Who breaks (with white), and who says where he sits, if anybody does."""

    breaker: Player
    chooses_seat: Player | None


OFFERED: dict[Toss, tuple[Choice, ...]] = {
    Toss.SIDE_OR_BREAK: (Choice.BREAK, Choice.SIDE),
    Toss.BREAK_OR_COLOUR: (Choice.BREAK, Choice.BLACK),
    Toss.COLOUR_BY_LOT: (Choice.BREAK, Choice.BLACK),
    Toss.COLOUR_BY_FIRST_POT: (Choice.BREAK,),
}
"""What each kind of toss offers its winner; nobody may hand the choice over."""


def toss(laws: Laws, winner: Player, choice: Choice) -> Tossed:
    """What follows from the winner's choice.

    Raises Refusal for a choice the rule set does not offer.
    """
    offered = OFFERED[laws.toss]
    if choice not in offered:
        raise Refusal(
            f"{laws.name} offers the winner of the toss no {choice.value!r}; "
            f"choose {' or '.join(offered)}"
        )
    breaker = winner if choice is Choice.BREAK else winner.opponent
    if laws.toss is not Toss.SIDE_OR_BREAK:
        return Tossed(breaker, None)
    return Tossed(breaker, breaker.opponent)


def with_toss(match: Match, winner: Player, choice: Choice, seat: Seat | None) -> Match:
    """The match as the toss has it: who breaks (49, 56b), and who sits where (39).

    The first player is whoever breaks the first board, so the players may change
    places in everything shown. `seat` is where whoever may choose his seat wants to
    sit; None: as they sit. Raises ValueError when no toss is due or it offers nobody
    that choice.
    """
    if match.phase is not Phase.BREAK or match.board.break_attempt != 1:
        raise ValueError("the toss comes before the break of its board")
    if is_extra_board(match):
        return _extra_board(match, winner, choice, seat)
    if (match.game, match.board_number) != (1, 1):
        raise ValueError(
            "the toss is for the first board and for an extra board: "
            f"{match.names[match.breaker]} breaks this one"
        )
    follows = toss(match.laws, winner, choice)
    if seat is not None and follows.chooses_seat is None:
        raise ValueError(f"this toss of {match.laws.name} gives nobody his seat")
    if follows.breaker is Player.SECOND:
        match = _exchanged(match)
    if seat is not None:
        match = replace(match, first_seat=_seat_beside(match, seat))
    return replace(match, seat=match.first_seat, break_seat=match.first_seat)


def is_extra_board(match: Match) -> bool:
    """Whether this board is one more than a game of this stage has (56b)."""
    limit = board_limit(match.laws, match.round)
    return limit is not None and match.board_number > limit


def _extra_board(
    match: Match, winner: Player, choice: Choice, seat: Seat | None
) -> Match:
    if choice is not Choice.BREAK or seat is not None:
        raise ValueError("the toss before an extra board is for the break alone (56b)")
    if match.breaker is winner:
        return match
    to_break = next_seat(match.break_seat, doubles=match.doubles)
    board, scores = match.board, match.board.scores
    board = replace(
        board, scores=replace(scores, white=scores.black, black=scores.white)
    )
    return replace(
        match, breaker=winner, seat=to_break, break_seat=to_break, board=board
    )


def _exchanged(match: Match) -> Match:
    """The players change names and seats: the second becomes the first."""
    names = ByPlayer(match.names.second, match.names.first)
    return replace(match, names=names, first_seat=match.seats_of(Player.SECOND)[0])


def _seat_beside(match: Match, seat: Seat) -> Seat:
    """Where the breaker sits when the other, who chooses, takes this seat."""
    return seat.right.opposite if match.doubles else seat.opposite
