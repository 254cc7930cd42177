"""What the simulated people can play, from what is configured."""

from dataclasses import replace

from pydantic import ValidationError

from calibration.refusal import Refusal
from calibration.table import Seat
from controller.config_match import MatchSettings, PlayerSettings
from controller.rules.counting_match import each_for_himself
from controller.rules.counting_state import playing_order
from controller.rules.rule_sets import ICF
from controller.simulator.counting_referee import Points
from controller.simulator.tableside import Habits

NAMES = ("Asha Kulkarni", "Nuwan Perera", "Chitra Devi", "Milan Okafor")
FACE_TO_FACE = (Seat.SOUTH, Seat.NORTH)
USUAL = {2: "icf", 3: "basic", 4: "point"}
"""What so many play unless told otherwise."""


def match_of(players: int, rules: str | None) -> MatchSettings:
    """A match of simulated people; raises Refusal for one they cannot play.

    Two play the ICF laws; three or four play for points, each for himself.
    """
    named = rules or USUAL[players]
    seats = FACE_TO_FACE if players == len(FACE_TO_FACE) else tuple(Seat)
    people = zip(NAMES[:players], seats, strict=False)
    try:
        match = MatchSettings(
            rules=named,
            players=tuple(PlayerSettings(name=n, seat=seat) for n, seat in people),
        )
    except ValidationError as error:
        said = error.errors(include_url=False)[0]["msg"]
        raise Refusal(said.removeprefix("Value error, ")) from None
    _refuse_unplayable(match)
    return match


def with_game(habits: Habits, match: MatchSettings) -> Habits:
    """The habits of as many people as play, and what counts for them."""
    laws, number = match.effective_laws(), len(match.players)
    if not each_for_himself(laws, number):
        return habits
    seats = tuple(player.seat for player in match.players)
    points = Points(
        white=laws.white_points,
        black=laws.black_points,
        queen=laws.queen_points,
        striker=laws.striker_points,
        target=laws.game_points,
        boards=laws.boards_per_game,
        seats=tuple(seats[i] for i in playing_order(seats, match.first_breaker - 1)),
    )
    return replace(habits, skill=habits.skill[:1] * number, points=points)


def _refuse_unplayable(match: MatchSettings) -> None:
    laws, number = match.effective_laws(), len(match.players)
    if each_for_himself(laws, number) or (number == 2 and laws == ICF):
        return
    raise Refusal(
        f"{number} simulated players cannot play {laws.name}: two play icf, three "
        "basic, point, family or freestyle, four point, family or freestyle"
    )
