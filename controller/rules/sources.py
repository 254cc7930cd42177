"""Where each number and choice of a rule set comes from.

The first table is the international article behind every field; the second what
a rule set's own text says instead. A field that a set changes without a source
would be our invention: a test forbids it.
"""

from controller.rules.laws import Laws
from controller.rules.rule_sets import ICF, RULE_SETS

DESCRIPTION = ("name", "title", "edition", "aliases")
"""Fields that describe the set and decide nothing."""

COUNTING_ONLY = ("white_points", "black_points", "striker_points")
"""Fields that only counting games use."""

BOARDS_ONLY = frozenset(
    {
        *("coin_points", "queen_counts_to", "bare_queen_points", "mixed_pot"),
        *("rival_coin_is_foul", "striker_with_own", "striker_with_own_due"),
        *("striker_returns_rival", "queen_with_striker", "queen_while_owing"),
        *("two_to_cover_at_nine", "own_last_before_queen", "both_last"),
        *("both_his_reduced", "foul_coins", "striker_is_foul", "unpayable"),
        *("improper_striker_coins", "improper_queen_striker_coins"),
        *("improper_queen_coins", "placer", "century_board"),
        *("jumped_turn", "change_at_points", "change_at_board"),
    }
)
"""Fields that a counting game does not read."""

ARTICLES: dict[str, str] = {
    "counting": "53a",
    "coin_points": "53a",
    "queen_points": "52b",
    "queen_counts_to": "52b, 54",
    "bare_queen_points": "102 to 112",
    "board_points_max": "55",
    "game_points": "56a",
    "boards_per_game": "56a",
    "limit_ends_before": "56b; AICF FAQ",
    "games_per_match": "57",
    "shown_points_max": "results practice, reading 4.9.9",
    "tie": "56b",
    "side_change": "58 to 61",
    "change_at_points": "60",
    "change_at_board": "60a",
    "boards_to_win": "56a counts points; an option of events",
    "stops_when_uncatchable": "56a plays every board; an option of clubs",
    "century_board": "no article; an option of events",
    "players": "21",
    "toss": "39",
    "trial_board": "40",
    "break_attempts": "45a",
    "rebreak": "45a",
    "mixed_pot": "48, 75; reading 4.9.1",
    "rival_coin_is_foul": "48, 125a",
    "striker_with_own": "73",
    "striker_with_own_due": "73",
    "striker_returns_rival": "74, 75",
    "queen_with_striker": "99a",
    "early_queen": "95a",
    "queen_while_owing": "95b",
    "two_to_cover_at_nine": "97b",
    "cover": "15, 96",
    "own_last_before_queen": "107, 108",
    "both_last": "102 to 112",
    "both_his_reduced": "112",
    "foul_coins": "63, 64",
    "technical_keeps_turn": "63",
    "striker_is_foul": "72 names a due, no foul",
    "improper_striker_coins": "72b, 77b",
    "improper_queen_striker_coins": "98b to 101b",
    "improper_queen_coins": "64b",
    "unpayable": "72c",
    "placer": "78b",
    "off_table": "65",
    "striker_off_table": "116",
    "jumped_turn": "65a, 48",
    "thumb_allowed": "17, 34",
    "back_shots_allowed": "no article forbids them",
    "hand_over_arrow_allowed": "37b; reading 4.9.10",
    "rival_first_allowed": "no article forbids it",
    "arrow_coin_allowed": "no article forbids it",
    "own_striker": "115",
    "leaving": "91",
    "out_of_turn": "51; reading 4.9.5",
    "stroke_limit_s": "46, 50, 124",
    "placing_limit_s": "87, 88",
    "overtime": "62 to 64; reading 4.9.7",
    "overtime_warns_first": "reading 4.9.7",
    "game_limit_s": "no article sets one",
    "game_warning_s": "no article sets one",
    "at_bell": "no article sets a bell",
}
"""The international article (or our reading) behind each field of `Laws`."""

_NO_TRIAL = "the document names none"
_SILENT_CLOCK = "the document sets no clock"
_COUNTING = "counting games as their players print them"

OWN_SOURCES: dict[str, dict[str, str]] = {
    "icf-1993": {
        "improper_striker_coins": "ICF 1993 72, 77b",
        "improper_queen_coins": "ICF 1993 64b",
        "both_his_reduced": "ICF 1993 112",
    },
    "basic": {
        "limit_ends_before": "how to score names no stage",
        "games_per_match": 'how to score, "final victory"',
        "side_change": "one game only",
        "toss": "choice of carrommen; reading r6",
        "players": "number of players",
        "mixed_pot": "the game and the striker",
        "queen_with_striker": "the game and the striker; reading r16",
        "jumped_turn": "the game and the striker",
        "striker_with_own_due": "the game and the striker; reading r12",
        "stroke_limit_s": _SILENT_CLOCK,
        "placing_limit_s": _SILENT_CLOCK,
        "trial_board": _NO_TRIAL,
        "game_points": "how to score",
        "boards_per_game": "how to score",
        "queen_counts_to": "how to score",
        "break_attempts": "beginning of the game",
    },
    "arena": {
        "limit_ends_before": "match scoring names no stage",
        "rebreak": "the break; reading r7",
        "mixed_pot": "fouls & penalties; reading r10",
        "striker_returns_rival": "fouls & penalties; reading r13",
        "queen_with_striker": "fouls & penalties; reading r13",
        "early_queen": "covering the queen",
        "queen_while_owing": "covering the queen",
        "two_to_cover_at_nine": "covering the queen",
        "own_last_before_queen": "winning a board; reading r18",
        "technical_keeps_turn": "due and penalties; silent on the turn, so lost",
        "striker_is_foul": "fouls & penalties",
        "placer": "match officials",
        "off_table": "fouls & penalties",
        "hand_over_arrow_allowed": "thumbing and finger use",
        "thumb_allowed": "thumbing and finger use",
        "stroke_limit_s": _SILENT_CLOCK,
        "placing_limit_s": _SILENT_CLOCK,
        "trial_board": _NO_TRIAL,
        "board_points_max": "winning a board; reading r2",
        "games_per_match": "duration; reading r4",
        "queen_counts_to": "match scoring",
    },
    "tournament": {
        "queen_points": "section 5",
        "queen_counts_to": "reading r1",
        "board_points_max": "nine coins and the queen, 9 + 5",
        "game_points": "reading r3",
        "boards_per_game": "section 6; reading r3",
        "limit_ends_before": "reading r3",
        "games_per_match": "reading r3",
        "shown_points_max": "reading r3, no target",
        "tie": "section 7; reading r5",
        "side_change": "section 8",
        "toss": "section 2",
        "mixed_pot": "section 5",
        "striker_with_own": "section 5; reading r14",
        "queen_with_striker": "section 5",
        "own_last_before_queen": "section 5",
        "both_last": "reading r19",
        "improper_striker_coins": "section 5; reading r20",
        "improper_queen_striker_coins": "section 5; reading r20",
        "foul_coins": "section 5; reading r20",
        "technical_keeps_turn": "section 5; reading r20",
        "striker_is_foul": "section 5",
        "unpayable": "section 5",
        "thumb_allowed": "section 5",
        "back_shots_allowed": "section 5",
        "rival_first_allowed": "section 5",
        "arrow_coin_allowed": "section 5",
        "own_striker": "section 1",
        "at_bell": "section 6",
        "trial_board": _NO_TRIAL,
        "leaving": "section 8",
        "out_of_turn": "section 9",
        "stroke_limit_s": "section 6",
        "overtime": "section 6",
        "game_limit_s": "section 6",
        "game_warning_s": "section 6",
    },
    "standard": {
        "toss": "the toss; reading r8",
        "thumb_allowed": "shooting",
        "hand_over_arrow_allowed": "shooting",
        "foul_coins": "shooting; reading r11",
        "striker_is_foul": "shooting",
        "stroke_limit_s": _SILENT_CLOCK,
        "placing_limit_s": _SILENT_CLOCK,
    },
    "club-29": {
        "queen_points": "29-point club rules",
        "queen_counts_to": "29-point club rules, nothing from 24",
        "board_points_max": "9 + 5",
        "game_points": "29-point club rules",
        "boards_per_game": "29-point club rules",
        "games_per_match": "29-point club rules",
        "shown_points_max": "29-point club rules",
        "side_change": "the sources are silent",
        "off_table": "29-point club rules, a foul",
        "striker_off_table": "29-point club rules, a foul",
        "hand_over_arrow_allowed": "forbidden in many clubs",
        "trial_board": "three minutes of practice instead",
        "leaving": "29-point club rules, a warning",
        "out_of_turn": "29-point club rules, replayed",
        "stroke_limit_s": "the sources are silent",
        "placing_limit_s": "the sources are silent",
    },
    "premier-league": {
        "queen_points": "shorter rules",
        "queen_counts_to": "shorter rules, no cut-off",
        "board_points_max": "9 + 2",
        "game_points": "shorter rules, 23 points",
        "boards_per_game": "shorter rules, 4 boards",
        "limit_ends_before": "shorter rules",
        "shown_points_max": "shorter rules",
        "tie": "shorter rules, three alternate attempts",
        "side_change": "shorter rules, third set",
        "cover": "shorter rules, not needed",
        "own_last_before_queen": "shorter rules, the queen may be the last piece",
        "stroke_limit_s": "shorter rules, 10 s",
        "placing_limit_s": "shorter rules, 10 s",
    },
    "point": {},
    "age-group": {
        "queen_counts_to": "age-group preset, always counts",
        "game_points": "age-group preset",
        "boards_per_game": "age-group preset",
        "limit_ends_before": "age-group preset",
        "games_per_match": "age-group preset",
        "shown_points_max": "age-group preset",
        "tie": "age-group preset, no 7th board",
    },
}
"""What a rule set's own text (or our numbered reading of it) says on a field."""

_OF_THE_FAMILY = {
    "uk": OWN_SOURCES["club-29"]
    | {
        "early_queen": "UK recreational rules, back at the end of the turn",
        "off_table": "UK recreational rules are silent",
        "striker_off_table": "UK recreational rules are silent",
        "back_shots_allowed": "UK recreational rules, forwards over the front line",
    }
}


def source(laws: Laws, field: str) -> str:
    """Where the rule set's value of a field comes from; a club's own may differ."""
    published = RULE_SETS.get(laws.name)
    if published is None or getattr(published, field) != getattr(laws, field):
        return "your configuration"
    own = (OWN_SOURCES | _OF_THE_FAMILY).get(laws.name, {}).get(field)
    if own is not None:
        return own
    if laws.players_collect and field in BOARDS_ONLY:
        return "not used: there each side has its colour"
    if laws.players_collect and getattr(laws, field) != getattr(ICF, field):
        return _COUNTING
    if field in COUNTING_ONLY:
        return "not used: counting games only"
    article = ARTICLES[field]
    where = f"ICF {article}" if article[0].isdigit() else article
    return where if laws.name in ("icf", "icf-1993") else f"silent, so {where}"
