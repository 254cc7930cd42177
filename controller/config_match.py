"""`[match]` of the configuration: the rule set, what a club changes, who plays where."""

from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from calibration.table import Seat
from controller.plain_text import Name
from controller.rules.choices import Round
from controller.rules.counting_match import each_for_himself
from controller.rules.laws import Laws
from controller.rules.order import Player
from controller.rules.overrides import for_points, refuse_unsound, values
from controller.rules.rule_sets import rule_set
from controller.rules.toss import Choice, toss

EACH_FOR_HIMSELF = 3
"""So many never form sides, whatever the rule set."""
LAWS = TypeAdapter(Laws)
"""Checks overridden laws against the types the rules engine declares."""


class PlayerSettings(BaseModel, extra="forbid", frozen=True):
    """One `[[match.players]]`: a name and a seat, in the order of the score card."""

    name: Annotated[Name, Field(min_length=1, max_length=40)]
    seat: Seat


class TossSettings(BaseModel, extra="forbid", frozen=True):
    """`[match.toss]`: who won it and what he chose; the players sit as they chose."""

    winner: Literal[1, 2]
    """Which player (or pair) of the score card."""
    choice: Choice


class MatchSettings(BaseModel, extra="forbid", frozen=True):
    """`[match]`: the rule set, single laws changed in it, who plays."""

    rules: str = "icf"
    laws: dict[str, bool | int | float | str] = {}
    """Single fields of the rule set, as `carrom laws NAME` lists them; "none": no limit."""
    round: Round = Round.LEAGUE
    """The stage of the tournament: the board limit ends with the pre-quarters."""
    players: Annotated[
        tuple[PlayerSettings, ...], Field(min_length=2, max_length=4)
    ] = (
        PlayerSettings(name="South", seat=Seat.SOUTH),
        PlayerSettings(name="North", seat=Seat.NORTH),
    )
    """Two for singles, face to face; four for doubles, partners face to face.

    Three, and four by a rule set of points, play each for himself: any seats, the
    turn goes to the right.
    """
    first_breaker: int = 1
    """Which player (or pair) of the score card breaks first, without a toss."""
    toss: TossSettings | None = None
    """None: first_breaker stands until a toss is entered on the console."""

    def breaker(self) -> int:
        """Who breaks first, from 0; raises ValueError for a choice not offered."""
        if self.toss is None:
            return self.first_breaker - 1
        laws = self.effective_laws()
        if each_for_himself(laws, len(self.players)):
            raise ValueError("toss is between two sides: give first_breaker instead")
        winner = Player.FIRST if self.toss.winner == 1 else Player.SECOND
        follows = toss(laws, winner, self.toss.choice)
        return 0 if follows.breaker is Player.FIRST else 1

    def effective_laws(self) -> Laws:
        """The named rule set with the overrides; raises ValueError naming the law."""
        named = rule_set(self.rules)
        number = len(self.players)
        if number == EACH_FOR_HIMSELF and number in named.players:
            named = for_points(named)
        laws = LAWS.validate_python(values(named, self.laws))
        refuse_unsound(laws)
        return laws

    @model_validator(mode="after")
    def _playable(self) -> Self:
        try:
            self.effective_laws()
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            key = ".".join(str(part) for part in fault["loc"])
            raise ValueError(
                f"laws.{key} = {fault['input']!r}: {fault['msg'].removeprefix('Input ')}"
            ) from None
        return self

    @field_validator("first_breaker")
    @classmethod
    def _breaks(cls, number: int, info: ValidationInfo) -> int:
        players = info.data.get("players", ())
        # Four are two pairs here: whether they play so is for the rule set to say.
        most = max(2, len(players))
        if not 1 <= number <= most:
            known = " or ".join(str(each) for each in range(1, most + 1))
            raise PydanticCustomError("breaker", f"should be {known}")
        return number

    @model_validator(mode="after")
    def _tossed(self) -> Self:
        if self.toss is not None and "first_breaker" in self.model_fields_set:
            raise ValueError("give first_breaker or toss: the toss says who breaks")
        self.breaker()
        return self

    @model_validator(mode="after")
    def _seated(self) -> Self:
        seats, laws = [player.seat for player in self.players], self.effective_laws()
        if len(set(seats)) != len(seats):
            raise ValueError("two players share a seat")
        names = [player.name for player in self.players]
        if doubled := [name for name in names if names.count(name) > 1]:
            raise ValueError(
                f"two players are called {doubled[0]!r}: add what tells them apart"
            )
        if len(seats) not in laws.players:
            known = " or ".join(str(number) for number in laws.players)
            raise ValueError(
                f"{laws.name} is played by {known}, got {len(seats)} players: "
                "three play basic, point, family or freestyle"
            )
        if each_for_himself(laws, len(seats)):
            if laws.games_per_match != 1:
                raise ValueError(
                    f"{len(seats)} players each for himself play one game: "
                    "leave laws.games_per_match at 1"
                )
            return self
        if self.first_breaker > 2:
            raise ValueError(f"first_breaker = {self.first_breaker}: two pairs play")
        if len(seats) == 2 and seats[0].opposite is not seats[1]:
            raise ValueError("the two players must sit face to face")
        if len(seats) == 4 and seats[0].opposite is not seats[2]:
            raise ValueError("players 1 and 3 are partners and must sit face to face")
        return self
