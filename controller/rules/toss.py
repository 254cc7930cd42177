"""What the toss decides: ICF 39 and its variants."""

from dataclasses import dataclass
from enum import StrEnum

from calibration.refusal import Refusal
from controller.rules.choices import Toss
from controller.rules.laws import Laws
from controller.rules.order import Player


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
