"""Is bad configuration refused with one line that names the remedy?"""

from pathlib import Path

import pytest

from calibration.refusal import Refusal
from calibration.table import Seat
from controller.config import Config, configured, load, parse
from controller.rules.choices import MixedPot

_TWO = """[[match.players]]
name = "{}"
seat = "south"
[[match.players]]
name = "{}"
seat = "north"
"""
REFUSED = {
    "side = 740\n[table]\n": "unknown key side: remove it or correct its spelling",
    "[table]\nside = 740": "unknown key table.side: remove it",
    "[table]\nside_mm = 'big'": "table.side_mm = 'big': should be a valid number",
    "[table]\nside_mm = 5000": "table.side_mm = 5000: should be less than or equal",
    "[table]\nside_mm = 100": "table: side_mm must be 300 to 1200, got 100",
    "[table]\nname = 'Table One'": "table.name = 'Table One'",
    "[match]\nrules = 'olympic'": "no rule set is called 'olympic'; choose one of icf",
    "[match.laws]\ngame_point = 29": "no law is called 'game_point': carrom laws icf",
    "[match.laws]\nmixed_pot = 'maybe'": "laws.mixed_pot = 'maybe': should be 'keeps'",
    "[match.laws]\ngame_points = 'x'": "laws.game_points = 'x': should be a valid int",
    "[match.laws]\ngame_points = -5": "law game_points should be a number from 1",
    "[match.laws]\ngame_points = true": "game_points should be no truth value, got",
    "[match.laws]\nqueen_points = 9999999999999999": "should be a number from 0 to",
    "[match.laws]\nstroke_limit_s = nan": "law stroke_limit_s should be a number",
    "[match.laws]\nstroke_limit_s = 0.0": "law stroke_limit_s should be above 0",
    "[match.laws]\nbreak_attempts = 0": "law break_attempts should be a number from 1",
    "[match.laws]\ngames_per_match = 2": "law games_per_match is 1, 3, 5 ...: a match",
    "[match.laws]\nfoul_coins = 10": "law foul_coins is a number of coins, 0 to 9",
    "[match.laws]\ncentury_board = 'yes'": "century_board should be true or false",
    "[match.laws]\ncolour_by_first_pot = 'yes'": "pot should be true or false, got",
    "[match.laws]\ngame_limit_s = 60.0\ngame_warning_s = 90.0": "comes before the bell",
    _TWO.format("A", "A"): "two players are called 'A': add what tells them apart",
    _TWO.format("  ", "B"): "match.players.0.name = '  ': should say something",
    _TWO.format("A\\u001b[31m", "B"): "should have no control characters",
    _TWO.format("A\\nB", "C"): "should have no control characters",
    _TWO.format("A\\u202eB", "C"): "should have no control characters",
    "[[match.players]]\nname = 'A'\nseat = 'south'": "at least 2 items",
    "[match]\nfirst_breaker = 3": "match.first_breaker = 3: should be 1 or 2",
    "[match.toss]\nwinner = 1\nchoice = 'black'": "icf offers the winner of the toss no",
    "[match.toss]\nwinner = 3\nchoice = 'break'": "match.toss.winner = 3: should be 1",
    "[match]\nfirst_breaker = 2\n[match.toss]\nwinner = 1\nchoice = 'break'": (
        "match: give first_breaker or toss"
    ),
    "[camera]\nsource = 'film'": "camera.source = 'film': should be 'rendered'",
    "[camera]\nsource = 'recording'": "camera: source recording needs file",
    "[camera]\nsource = 'usb'": "camera: source usb needs device, the camera's stable",
    "[camera]\nsource = 'network'": "camera: source network needs url, the address",
    "[camera]\nurl = 'http://me:secret@cam/'": "camera.url = 'http://me:secret@cam/'",
    "[camera]\nurl = 'rtsp://cam/1'": "camera.url = 'rtsp://cam/1': ",
    "[camera]\npixels = 'MJPG'": "pixels MJPG does not fit source rendered; none",
    "[camera]\nsource = 'picamera2'\npixels = 'YUYV'": "picamera2; YUV420 or NV12",
    "[camera]\nwidth_px = 641": "camera.width_px = 641: should be a multiple of 2",
    "[camera]\ncolour_gains = [1.9]": "camera.colour_gains.1 is missing",
    "[camera]\nmains_hz = 55": "camera.mains_hz = 55: should be 50 or 60",
    "[pockets]\ndevice = 'nano'": "pockets.device = 'nano': ",
    "[pockets]\nchannels = ['north-east', 'north-east', 'south-west', 'north-west']": (
        "pockets: channels must name each of the four pockets once"
    ),
    "[broker]\nport = 99999": "broker.port = 99999: should be less than",
    "[broker]\nurl = 'localhost'": "broker.url = 'localhost'",
    "[observer]\naccept = 0.2": "observer.accept = 0.2: should be greater than 0.5",
    "[observer]\nacept = 0.9": "unknown key observer.acept: remove it",
    "[scoreboard\n": "is not TOML",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=REFUSED.values())
def test_a_bad_value_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(text, "carrom.toml")
    line = str(refused.value)
    assert line.startswith("carrom.toml")
    assert said in line
    assert "\n" not in line


PLAYERS = """
[[match.players]]
name = "Asha"
seat = "south"
[[match.players]]
name = "Ben"
seat = "{seat}"
"""


@pytest.mark.parametrize(
    ("seat", "said"), [("east", "face to face"), ("south", "share a seat")]
)
def test_players_must_sit_as_the_laws_want(seat: str, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        parse(PLAYERS.format(seat=seat), "carrom.toml")


def test_an_empty_file_is_the_simulated_table() -> None:
    assert parse("", "carrom.toml") == Config()


def test_a_law_changed_by_name_is_effective_and_recorded() -> None:
    text = "[match]\nrules = 'icf'\n[match.laws]\nmixed_pot = 'passes'"
    entry = configured(parse(text, "carrom.toml"), at_s=0.0, software="test")
    assert entry.laws.mixed_pot is MixedPot.PASSES
    assert '"mixed_pot":"passes"' in entry.settings


def test_sizes_left_out_are_those_of_the_equipment_laws() -> None:
    entry = configured(parse("[table]\nside_mm = 720", "c"), at_s=0.0, software="test")
    assert (entry.geometry.side_mm, entry.geometry.pocket_radius_mm) == (720.0, 22.25)


def test_players_are_recorded_with_their_seats() -> None:
    entry = configured(
        parse("[match]\nfirst_breaker = 2\n" + PLAYERS.format(seat="north"), "c"),
        at_s=0.0,
        software="test",
    )
    assert entry.players == ("Asha", "Ben")
    assert entry.seats == (Seat.SOUTH, Seat.NORTH)
    assert entry.first_breaker == 1


@pytest.mark.parametrize(
    ("rules", "winner", "choice", "breaks"),
    [
        ("icf", 1, "break", 0),
        ("icf", 1, "side", 1),
        ("standard", 2, "black", 0),
        ("tournament", 2, "break", 1),
    ],
)
def test_the_toss_says_who_breaks_first(
    rules: str, winner: int, choice: str, breaks: int
) -> None:
    text = (
        f"[match]\nrules = '{rules}'\n"
        f"[match.toss]\nwinner = {winner}\nchoice = '{choice}'"
    )
    entry = configured(parse(text, "c"), at_s=0.0, software="test")
    assert entry.first_breaker == breaks


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="name an existing TOML file"):
        load(tmp_path / "none.toml")


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "carrom.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refusal, match="cannot be read"):
        load(path)


def test_a_configuration_survives_its_own_json() -> None:
    config = parse("[table]\nname = 'hall-2'\n[observer]\naccept = 0.99", "c")
    assert Config.model_validate_json(config.model_dump_json()) == config


def players(*seats: str) -> str:
    return "".join(
        f"[[match.players]]\nname = '{name}'\nseat = '{seat}'\n"
        for name, seat in zip("ABCD", seats, strict=False)
    )


@pytest.mark.parametrize("rules", ["basic", "point", "family", "freestyle"])
def test_three_play_for_points_on_any_seats(rules: str) -> None:
    text = f"[match]\nrules = '{rules}'\n" + players("south", "west", "east")
    assert parse(text, "c").match.effective_laws().players_collect


def test_a_law_changed_for_three_players_is_in_force() -> None:
    text = "[match]\nrules = 'basic'\n[match.laws]\nstriker_points = 10\n"
    laws = parse(text + players("south", "west", "east"), "c").match.effective_laws()
    assert (laws.striker_points, laws.white_points) == (10, 2)


def test_four_by_a_rule_set_of_points_sit_where_they_like() -> None:
    text = "[match]\nrules = 'point'\nfirst_breaker = 4\n"
    seated = parse(text + players("south", "north", "east", "west"), "c")
    assert seated.match.breaker() == 3


THREE_REFUSED = {
    "[match]\n": "icf is played by 2 or 4, got 3 players",
    "[match]\nrules = 'point'\nfirst_breaker = 4\n": "should be 1 or 2 or 3",
    "[match]\nrules = 'basic'\n[match.laws]\ngames_per_match = 3\n": "play one game",
    "[match]\nrules = 'point'\n[match.toss]\nwinner = 1\nchoice = 'break'\n": (
        "toss is between two sides"
    ),
}


@pytest.mark.parametrize(
    ("text", "said"), THREE_REFUSED.items(), ids=THREE_REFUSED.values()
)
def test_what_three_cannot_play_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(text + players("south", "west", "east"), "carrom.toml")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_two_pairs_break_first_or_second() -> None:
    text = "[match]\nfirst_breaker = 3\n" + players("south", "east", "north", "west")
    with pytest.raises(Refusal, match="first_breaker = 3: two pairs play"):
        parse(text, "c")


def test_a_name_may_join_letters_as_its_script_does() -> None:
    name = "\u0936\u094d\u200d\u0930\u0940"  # Devanagari with a zero-width joiner
    players = parse(_TWO.format(name, " B "), "carrom.toml").match.players
    assert [player.name for player in players] == [name, "B"]
