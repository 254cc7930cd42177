"""The rule sets by name: two editions of the international laws, four documents,
and the club families. Each is a `replace` of the set it falls back on.

Where a source is silent the international laws hold; where it contradicts itself one
of the readings r1 to r20 of docs/laws/readings.md is taken.
"""

from dataclasses import replace

from calibration.refusal import Refusal
from controller.rules.choices import (
    BothLast,
    Counting,
    Cover,
    EarlyQueen,
    JumpedTurn,
    Leaving,
    MixedPot,
    OffTable,
    OutOfTurn,
    Overtime,
    OwnLast,
    Placer,
    QueenWithStriker,
    Rebreak,
    SideChange,
    StrikerWithOwn,
    Tie,
    Toss,
    Unpayable,
)
from controller.rules.laws import Laws

ICF = Laws(name="icf", title="International laws (ICF, later edition)", edition="icf")

ICF_1993 = replace(
    ICF,
    name="icf-1993",
    title="International laws (ICF, edition of 1993)",
    edition="icf-1993",
    aliases=("icf93",),
    improper_striker_coins=0,
    improper_queen_coins=0,
    both_his_reduced=False,
)

BASIC = replace(
    ICF,
    name="basic",
    title="Basic rules (source document 000)",
    edition="basic",
    aliases=("s000",),
    limit_ends_before=False,
    games_per_match=1,
    side_change=SideChange.NEVER,
    toss=Toss.COLOUR_BY_LOT,
    players=(2, 3, 4),
    mixed_pot=MixedPot.PASSES,
    queen_with_striker=QueenWithStriker.PASSES,
    jumped_turn=JumpedTurn.OWN_COIN_ONLY,
    trial_board=False,
    stroke_limit_s=None,
    placing_limit_s=None,
)

ARENA = replace(
    ICF,
    name="arena",
    title="Arena rules (source document 001)",
    edition="arena",
    aliases=("s001",),
    limit_ends_before=False,
    rebreak=Rebreak.OPPONENT_ASKS,
    mixed_pot=MixedPot.PASSES,
    striker_returns_rival=True,
    queen_with_striker=QueenWithStriker.PASSES,
    early_queen=EarlyQueen.NEVER_EARLY,
    queen_while_owing=True,
    two_to_cover_at_nine=False,
    own_last_before_queen=OwnLast.WINS_COINS,
    technical_keeps_turn=False,
    striker_is_foul=True,
    placer=Placer.UMPIRE,
    off_table=OffTable.FOUL,
    hand_over_arrow_allowed=False,
    trial_board=False,
    stroke_limit_s=None,
    placing_limit_s=None,
)

TOURNAMENT = replace(
    ICF,
    name="tournament",
    title="Tournament rules (source document 002)",
    edition="tournament",
    aliases=("s002",),
    queen_points=5,
    queen_counts_to=None,
    board_points_max=14,
    game_points=None,
    boards_per_game=1,
    limit_ends_before=False,
    games_per_match=1,
    shown_points_max=None,
    tie=Tie.COIN_RACE,
    side_change=SideChange.NEVER,
    toss=Toss.BREAK_OR_COLOUR,
    mixed_pot=MixedPot.PASSES,
    striker_with_own=StrikerWithOwn.ONE_BACK_PASSES,
    queen_with_striker=QueenWithStriker.PASSES,
    own_last_before_queen=OwnLast.LOSES_QUEEN_AND_COINS,
    both_last=BothLast.STRIKER_WINS,
    improper_striker_coins=0,
    improper_queen_striker_coins=0,
    technical_keeps_turn=False,
    striker_is_foul=True,
    unpayable=Unpayable.WAIVED,
    thumb_allowed=False,
    back_shots_allowed=False,
    rival_first_allowed=False,
    arrow_coin_allowed=False,
    own_striker=False,
    trial_board=False,
    leaving=Leaving.WARNING,
    out_of_turn=OutOfTurn.UMPIRE,
    stroke_limit_s=12.0,
    overtime=Overtime.TURN_LOST,
    game_limit_s=25 * 60.0,
    game_warning_s=20 * 60.0,
)

STANDARD = replace(
    ICF,
    name="standard",
    title="Standard rules (source document 003)",
    edition="standard",
    aliases=("s003",),
    toss=Toss.BREAK_OR_COLOUR,
    striker_is_foul=True,
    thumb_allowed=False,
    hand_over_arrow_allowed=False,
    stroke_limit_s=None,
    placing_limit_s=None,
)

CLUB_29 = replace(
    ICF,
    name="club-29",
    title="29-point club game",
    edition="club-29",
    aliases=("c29",),
    queen_points=5,
    queen_counts_to=23,
    board_points_max=14,
    game_points=29,
    boards_per_game=None,
    games_per_match=1,
    shown_points_max=29,
    side_change=SideChange.NEVER,
    off_table=OffTable.FOUL,
    striker_off_table=OffTable.FOUL,
    hand_over_arrow_allowed=False,
    leaving=Leaving.WARNING,
    out_of_turn=OutOfTurn.REPLAY,
    trial_board=False,
    stroke_limit_s=None,
    placing_limit_s=None,
)

UK = replace(
    CLUB_29,
    name="uk",
    title="UK recreational rules",
    edition="uk",
    aliases=(),
    early_queen=EarlyQueen.BACK_AT_TURN_END,
    off_table=OffTable.FREE,
    striker_off_table=OffTable.FREE,
    back_shots_allowed=False,
)

PREMIER_LEAGUE = replace(
    ICF,
    name="premier-league",
    title="Premier league (short federation format)",
    edition="premier-league",
    aliases=("cpl",),
    queen_points=2,
    queen_counts_to=None,
    board_points_max=11,
    game_points=23,
    boards_per_game=4,
    limit_ends_before=False,
    shown_points_max=None,
    tie=Tie.ALTERNATE_ATTEMPTS,
    side_change=SideChange.THIRD_AFTER_TWO,
    cover=Cover.NOT_NEEDED,
    own_last_before_queen=OwnLast.PLAYS_ON,
    stroke_limit_s=10.0,
    placing_limit_s=10.0,
)

POINT = replace(
    ICF,
    name="point",
    title="Point carrom (1, 2 and 5)",
    edition="point",
    counting=Counting.POINTS,
    black_points=1,
    white_points=2,
    queen_points=5,
    queen_counts_to=None,
    board_points_max=32,
    game_points=17,
    boards_per_game=None,
    games_per_match=1,
    shown_points_max=None,
    tie=Tie.SHARED,
    side_change=SideChange.NEVER,
    players=(2, 3, 4),
    early_queen=EarlyQueen.NEVER_EARLY,
    stroke_limit_s=None,
    placing_limit_s=None,
)

FAMILY = replace(
    POINT,
    name="family",
    title="Family carrom (5, 10 and 25)",
    edition="family",
    black_points=5,
    white_points=10,
    queen_points=25,
    board_points_max=160,
    game_points=None,
    boards_per_game=1,
    striker_points=10,
)

FREESTYLE = replace(
    POINT,
    name="freestyle",
    title="Freestyle (10, 20 and 50)",
    edition="freestyle",
    black_points=10,
    white_points=20,
    queen_points=50,
    board_points_max=320,
    game_points=170,
    boards_per_game=1,
    striker_points=20,
    tie=Tie.MORE_POINTS,
    stroke_limit_s=10.0,
    overtime=Overtime.THREE_LOSE,
    game_limit_s=10 * 60.0,
)

AGE_GROUP = replace(
    ICF,
    name="age-group",
    title="Age groups (21 points or 6 boards)",
    edition="age-group",
    aliases=("age-group-21",),
    queen_counts_to=None,
    game_points=21,
    boards_per_game=6,
    limit_ends_before=False,
    games_per_match=1,
    shown_points_max=21,
    tie=Tie.SUDDEN_DEATH,
)

RULE_SETS: dict[str, Laws] = {
    laws.name: laws
    for laws in (
        ICF,
        ICF_1993,
        BASIC,
        ARENA,
        TOURNAMENT,
        STANDARD,
        CLUB_29,
        UK,
        PREMIER_LEAGUE,
        POINT,
        FAMILY,
        FREESTYLE,
        AGE_GROUP,
    )
}
"""Every rule set under its name."""


def rule_set(name: str) -> Laws:
    """The rule set of that name or alias. Raises Refusal, listing the names."""
    wanted = name.strip().lower()
    for laws in RULE_SETS.values():
        if wanted == laws.name or wanted in laws.aliases:
            return laws
    raise Refusal(
        f"no rule set is called {name!r}; choose one of {', '.join(RULE_SETS)}"
    )
