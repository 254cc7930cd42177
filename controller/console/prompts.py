"""What the match waits for from the umpire, each with its one-tap answers.

A question about evidence is not among these: `AppDesk` shows it by itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.records import Json
from controller.rules.articles import article
from controller.rules.board import Side
from controller.rules.choices import Overtime
from controller.rules.contest import leading
from controller.rules.counting_state import CountingMatch
from controller.rules.decisions import Disputed
from controller.rules.happenings import leader
from controller.rules.match import Match, Phase
from controller.rules.time_limits import Call, law_of
from controller.rules.toss import OFFERED, is_extra_board
from controller.session import Session

PLAYERS = (0, 1)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is open, by which law, and the answers: label and request."""

    text: str
    article: str
    answers: tuple[tuple[str, dict[str, Json]], ...]

    def shown(self) -> Json:
        """The prompt as the page gets it."""
        return {
            "text": self.text,
            "article": self.article,
            "answers": [
                {"label": label, "request": request} for label, request in self.answers
            ],
        }


def prompts(session: Session) -> list[Json]:
    """All that is open now, the most pressing first."""
    match session.match:
        case Match() as two_sides:
            found = tuple(_two_sides(session, two_sides))
        case CountingMatch() as counted:
            found = tuple(_each_for_himself(session, counted))
    return [prompt.shown() for prompt in found]


def _two_sides(session: Session, match: Match) -> Iterator[Prompt]:
    yield from _claim(match)
    yield from _tie(match)
    yield from _colour(session, match)
    yield from _bell(session, match)
    yield from _too_late(session, match)
    yield from _toss(match)


def _each_for_himself(session: Session, match: CountingMatch) -> Iterator[Prompt]:
    if match.phase is Phase.TIE:
        how = match.laws.tie.value.replace("-", " ")
        answers = tuple((n, law("award", player=i)) for i, n in enumerate(match.names))
        yield Prompt(f"Level ({how}): who wins?", "ICF 56", answers)
    if match.phase is Phase.PLAY and _was_given(session, Call.BELL):
        text = f"Time: {leading(match) or 'nobody alone'} leads"
        where = article("time.bell", match.laws)
        yield Prompt(text, where, (("Count the board", law("bell")),))
    if not match.board.over and _was_given(session, Call.STROKE_LATE):
        where = article("time.turn-lost", match.laws)
        late: dict[str, Json] = {"faults": ["late"], "touched": match.board.broken}
        request: dict[str, Json] = {"ruling": "insert", "facts": late}
        answer = ("Turn lost", request)
        yield Prompt(f"{match.on_turn.name} is too late", where, (answer,))


def law(entry: str, **fields: Json) -> dict[str, Json]:
    """A request for a ruling of the laws."""
    return {"ruling": "rule", "rule": {"entry": entry, **fields}}


def _names(match: Match) -> tuple[str, str]:
    return match.names.first, match.names.second


def _claim(match: Match) -> Iterator[Prompt]:
    if match.phase is not Phase.CLAIM:
        return
    winner = match.names[match.records[-1].winner]
    label = {0: "None", match.claim: f"All ({match.claim})"}
    yield Prompt(
        f"{winner} may demand additional points",
        "ICF 87b",
        tuple(
            (label.get(points, str(points)), law("demand", points=points))
            for points in range(match.claim, -1, -1)
        ),
    )


def _tie(match: Match) -> Iterator[Prompt]:
    if match.phase is not Phase.TIE:
        return
    how = match.laws.tie.value
    answers = [(n, law("tie", player=i)) for i, n in enumerate(_names(match))]
    if how in ("shared", "more-points"):
        answers.append(("Shared", law("tie", player=None)))
    text = f"Level after the last board ({how.replace('-', ' ')}): who wins?"
    yield Prompt(text, "ICF 56", tuple(answers))


def _colour(session: Session, match: Match) -> Iterator[Prompt]:
    last = session.last
    if last is None or not isinstance(last.before, Match) or not match.colours_open:
        return
    disputes = (each.law for each in last.decisions if isinstance(each, Disputed))
    if "colour.mixed-pot" not in disputes:
        return
    potter = last.before.board.turn
    who = match.names[match.player_of(potter)]
    # The entry names the colour of whoever is on turn now, which may be the other.
    kept = match.board.turn is potter
    answers = tuple(
        (side.value.capitalize(), law("colour", colour=side if kept else side.opponent))
        for side in Side
    )
    yield Prompt(
        f"{who} pocketed both colours: which one is played?",
        article("colour.mixed-pot", match.laws),
        answers,
    )


def _bell(session: Session, match: Match) -> Iterator[Prompt]:
    if match.phase is not Phase.PLAY or not _was_given(session, Call.BELL):
        return
    where = article("time.bell", match.laws)
    side = leader(match.board, match.laws)
    if side is not None:
        text = f"Time: {match.names[match.player_of(side)]} leads"
        yield Prompt(text, where, (("Count the board", law("bell")),))
        return
    how = match.laws.tie.value.replace("-", " ")
    answers = tuple((n, law("tie", player=i)) for i, n in enumerate(_names(match)))
    yield Prompt(f"Time, and level: who won the {how}?", where, answers)


def _too_late(session: Session, match: Match) -> Iterator[Prompt]:
    """A stroke or a placing whose time has run out."""
    laws = match.laws
    if match.phase not in (Phase.PLAY, Phase.BREAK):
        return
    owes = match.board.turn
    if _was_given(session, Call.PLACING_LATE):
        answers = tuple(
            (f"{name}'s coins stay down", law("forfeited", player=i))
            for i, name in enumerate(_names(match))
        )
        where = article("due.forfeited", laws)
        yield Prompt("Coins owed were not placed in time", where, answers)
    if _was_given(session, Call.STROKE_LATE):
        first = match.board.turn_strokes == 0
        where = article(law_of(laws, Call.STROKE_LATE, first_stroke=first), laws)
        name = match.names[match.player_of(owes)]
        yield Prompt(f"{name} is too late", where, _lateness(match, first=first))


def _lateness(match: Match, *, first: bool) -> tuple[tuple[str, dict[str, Json]], ...]:
    if match.laws.overtime is not Overtime.BREACH:
        stroke: dict[str, Json] = {"faults": ["late"], "touched": match.board.broken}
        return (("Turn lost", {"ruling": "insert", "facts": stroke}),)
    foul: dict[str, Json] = {"ruling": "foul", "technical": first, "reason": "late"}
    return (("Technical foul" if first else "Foul, turn lost", foul),)


def _was_given(session: Session, call: Call) -> bool:
    return any(given is call for given, _ in session.timing.given)


def _toss(match: Match) -> Iterator[Prompt]:
    """Before the first board and before an extra one."""
    extra = match.extra_board_next
    fresh = match.phase is Phase.BREAK and match.board.break_attempt == 1
    first = fresh and (match.game, match.board_number) == (1, 1)
    if not (extra or first or (fresh and is_extra_board(match))):
        return
    offered = OFFERED[match.laws.toss] if first else OFFERED[match.laws.toss][:1]
    answers = tuple(
        (f"{name}: {choice.value}", law("toss", player=i, choice=choice.value))
        for i, name in enumerate(_names(match))
        for choice in offered
    )
    what = "" if first else " for the break of the extra board"
    yield Prompt(f"Toss{what}: who won it, and chose what?", "ICF 39, 56b", answers)
