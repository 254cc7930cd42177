"""The card of a match, whatever was played and whatever file it is kept in."""

from pathlib import Path
from typing import assert_never

from calibration.refusal import Refusal
from controller.journal_rows import read_rows, recorded
from controller.rules.counting_state import CountingMatch
from controller.rules.match import Match
from controller.rules.match_notation import read_match
from controller.scoresheet.card import Card, Head, card_of
from controller.scoresheet.counting_card import CountingCard, counting_card_of
from controller.scoresheet.history import History, of_journal, of_text

SQLITE = b"SQLite format 3\0"
"""How every journal begins."""


def card_of_match(path: Path, head: Head) -> Card | CountingCard:
    """The card of a journal or of a match in the text notation.

    Raises Refusal when the file is neither, or holds no match.
    """
    return card(_history(path), head)


def card(history: History, head: Head) -> Card | CountingCard:
    """The card that belongs to what was played."""
    match history.contest:
        case Match():
            return card_of(history, head)
        case CountingMatch() as counted:
            return counting_card_of(counted, history, head)
        case _:
            assert_never(history.contest)


def _history(path: Path) -> History:
    text = _text(path)
    if text is None:
        return of_journal(recorded(read_rows(path)))
    try:
        return of_text(read_match(text))
    except Refusal:
        raise
    except ValueError as error:
        raise Refusal(
            f"{path} cannot be read as a match ({error}); "
            "docs/notation.md says how one is written"
        ) from None


def _text(path: Path) -> str | None:
    """The file's text; None for a journal, and for what only a journal could be."""
    try:
        content = path.read_bytes()
        return None if content.startswith(SQLITE) else content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
