"""The score card of a match: the official rows, and the trail of corrections."""

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner
from typer.testing import Result as Ran

from calibration.refusal import Refusal
from controller.commands.sheet import sheet
from controller.events import Input, Ruled
from controller.journal_rows import read_rows, recorded
from controller.rules.board import Finish, Result, Side
from controller.rules.entries import MatchAwarded, TossDecided
from controller.rules.happenings import BoardRuled, NoticedLate
from controller.rules.order import Player
from controller.rules.toss import Choice
from controller.scoresheet import printing
from controller.scoresheet.card import Card, Entry, Head, card_of
from controller.scoresheet.history import of_journal
from controller.scoresheet.page import page
from tests.sheets.evening import (
    NEXT,
    added,
    corrected,
    demand,
    journal,
    lying,
    score,
    taken_back,
)

WON_BY_WHITE = [lying("1w 5b q=white / white"), added("w")]
LOST_BEFORE_QUEEN = [lying("1w 4b q / white"), added("w")]


def card(folder: Path, heard: list[Input], rules: str = "") -> Card:
    kept = of_journal(recorded(read_rows(journal(folder, heard, rules))))
    return card_of(kept, Head())


def carrom_sheet(*arguments: str) -> Ran:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(sheet)
    return CliRunner().invoke(app, arguments)


def test_a_board_is_won_by_coins_and_queen(tmp_path: Path) -> None:
    (row,) = card(tmp_path, WON_BY_WHITE).games[0].rows
    assert row.break_by == "Asha <Rao>"
    assert row.first == Entry(queen=3, coins=5, total=8, won=True, covered=True)
    assert row.second == Entry()


def test_a_board_is_won_by_three_for_a_queen_never_sunk(tmp_path: Path) -> None:
    (row,) = card(tmp_path, LOST_BEFORE_QUEEN).games[0].rows
    assert row.second == Entry(queen=3, coins=0, total=3, won=True, covered=False)
    assert row.first == Entry()
    assert row.remark == "last coin before the queen"


def test_the_loser_keeps_the_mark_of_the_queen_he_covered(tmp_path: Path) -> None:
    (row,) = card(tmp_path, [lying("1w 4b q=black / white"), added("w")]).games[0].rows
    assert row.first == Entry(queen=0, coins=4, total=4, won=True)
    assert row.second == Entry(covered=True)


def test_demanded_points_stand_apart_and_count(tmp_path: Path) -> None:
    both_last = [lying("1w 1b q=white / white"), added("wbs"), demand(1)]
    (row,) = card(tmp_path, both_last).games[0].rows
    assert row.second == Entry(queen=1, coins=0, added=1, total=2, won=True)


def test_totals_run_and_breaks_alternate(tmp_path: Path) -> None:
    rows = card(tmp_path, [*WON_BY_WHITE, NEXT, *LOST_BEFORE_QUEEN]).games[0].rows
    assert [row.break_by for row in rows] == ["Asha <Rao>", "Bimal"]
    assert [(row.first.total, row.second.total) for row in rows] == [(8, 0), (11, 0)]


def test_a_game_has_times_and_a_winner_when_it_is_decided(tmp_path: Path) -> None:
    won = [lying("1w 9b q=white / white / score 20-0"), added("w")]
    drawn = card(tmp_path, [score(20, 0), *won])
    first, second, third = drawn.games
    assert first.winner == "Asha <Rao>"
    assert first.start is not None
    assert first.finish is not None
    assert (second.winner, second.start, third.rows) == (None, None, ())
    assert drawn.games_won == (1, 0)


def test_a_correction_leaves_a_trail_of_what_it_changed(tmp_path: Path) -> None:
    change = card(tmp_path, [*WON_BY_WHITE, corrected(3, "")]).trail[-1]
    assert (change.entry, change.by) == (4, "chief")
    assert change.what == "stroke 3 corrected: seen on video"
    assert "game 1 board 1: Asha <Rao> by 8, now not won" in change.effect
    assert "score 8:0, now 0:0" in change.effect
    assert "on turn nobody, now Bimal" in change.effect


def test_what_became_impossible_is_shown_not_forbidden(tmp_path: Path) -> None:
    opened = [lying("1w 5b q=white / white"), added(""), added("b"), added("bbbb")]
    change = card(tmp_path, [*opened, corrected(3, "w")]).trail[-1]
    assert "entry 4 not possible" in change.effect


def test_a_taking_back_and_a_score_by_hand_are_on_the_trail(tmp_path: Path) -> None:
    trail = card(tmp_path, [added("w"), score(5, 1), taken_back(None)]).trail
    assert [change.what for change in trail] == [
        "score set by hand: card was wrong",
        "last entry taken back: wrong button",
    ]
    assert trail[0].effect == "score 0:0, now 5:1"


def test_an_error_noticed_too_late_is_on_the_trail_and_changes_nothing(
    tmp_path: Path,
) -> None:
    late = Ruled(1.0, "chief", NoticedLate(Side.WHITE, "turn.out"), "seen on video")
    (change,) = card(tmp_path, [added(""), added(""), late]).trail
    assert change.what.startswith("noticed too late and stands (a stroke out of turn")
    assert change.what.endswith(": seen on video")
    assert change.effect == "standing unchanged"


def test_a_board_and_a_match_decided_by_ruling_are_on_the_trail(tmp_path: Path) -> None:
    counted = BoardRuled(Result(Side.BLACK, 4, 0, 0, Finish.RULED))
    board = Ruled(1.0, "chief", counted, "light failed")
    match = Ruled(1.0, "chief", MatchAwarded(Player.FIRST, "143"), "misconduct")
    seen = card(tmp_path, [board, match])
    assert [change.what for change in seen.trail] == [
        "board decided by ruling: light failed",
        "match awarded: misconduct",
    ]
    assert seen.winner == "Asha <Rao>"
    assert seen.games[0].rows[0].remark == "umpire's ruling"


def test_a_refused_ruling_is_on_the_trail(tmp_path: Path) -> None:
    (change,) = card(tmp_path, [corrected(40, "w")]).trail
    assert change.effect == "refused, nothing changed"


def test_a_club_game_shows_its_own_number_of_rows(tmp_path: Path) -> None:
    (game,) = card(tmp_path, [], "rules = 'tournament'").games
    assert game.rows_on_paper == 1


def test_the_page_shows_names_as_text_and_open_rows(tmp_path: Path) -> None:
    html = page(card(tmp_path, LOST_BEFORE_QUEEN))
    assert "Asha &lt;Rao&gt;" in html
    assert "Asha <Rao>" not in html
    assert html.count('class="blank"') == 7 + 8 + 8
    assert '<td>3</td><td>nil</td><td class="total won">3</td>' in html


def test_the_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    html = page(card(tmp_path, WON_BY_WHITE))
    assert "http" not in html
    assert "<script" not in html
    assert "<link" not in html


def test_the_toss_on_record_stands_in_the_head(tmp_path: Path) -> None:
    toss = TossDecided(Player.SECOND, Choice.BREAK)
    head = card(tmp_path, [Ruled(1.0, "u", toss, "")]).head
    winner = card(tmp_path / "none", []).second
    assert (head.toss_won_by, head.toss_choice) == (winner, "break")


def test_a_match_without_corrections_says_so(tmp_path: Path) -> None:
    assert "No entry of this match was corrected" in page(card(tmp_path, [added("w")]))


def test_the_command_writes_page_and_json(tmp_path: Path) -> None:
    kept, out = journal(tmp_path, WON_BY_WHITE), tmp_path / "card.html"
    result = carrom_sheet(str(kept), "--html", str(out), "--json", "--umpire", "Uma")
    assert json.loads(result.stdout)["games"][0]["rows"][0]["first"]["coins"] == 5
    assert "Uma" in out.read_text(encoding="utf-8")


def test_the_command_asks_where_to_write(tmp_path: Path) -> None:
    result = carrom_sheet(str(journal(tmp_path, [])))
    assert isinstance(result.exception, Refusal)
    assert "--html FILE" in str(result.exception)


def test_a_page_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    kept = journal(tmp_path, [])
    result = carrom_sheet(str(kept), "--html", str(tmp_path / "no" / "card.html"))
    assert "cannot write" in str(result.exception)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium installed")
def test_the_card_is_printed_as_pdf(tmp_path: Path) -> None:
    kept, out = journal(tmp_path, WON_BY_WHITE), tmp_path / "card.pdf"
    assert carrom_sheet(str(kept), "--pdf", str(out)).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_without_a_browser_the_pdf_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "BROWSERS", ("no-such-browser",))
    with pytest.raises(Refusal, match="install chromium, or take --html"):
        printing.print_page("<p>", tmp_path / "card.pdf")


def test_a_browser_that_prints_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "BROWSERS", ("true",))
    with pytest.raises(Refusal, match="printed nothing"):
        printing.print_page("<p>", tmp_path / "card.pdf")
