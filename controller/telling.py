"""From what the session tells to what the feed and the umpire's page say. Pure.

Everything told is one numbered event or several (`Told`); here each gets its words,
its law and its tallies. Snapshot and page are drawn from the session alone, so that
a restarted controller says the same.
"""

from typing import assert_never

from calibration.table import Piece
from controller.events import Counts, StrokeFacts
from controller.feed.models import Alert, Severity
from controller.feed.models_match import (
    DecisionShown,
    FallShown,
    GameClock,
    MatchEvent,
    MatchProposal,
    MatchState,
    Phase,
    PieceShown,
    Wait,
    WaitFor,
)
from controller.feed.models_match import Question as QuestionShown
from controller.feed.scene import Scene
from controller.feed.views import headline, match_event, match_state, shown
from controller.outcomes import (
    Asked,
    CalibratedAnew,
    Called,
    CameraFollowed,
    Failed,
    FellLive,
    Ignored,
    Judged,
    LedgerMismatch,
    PiecesPlaced,
    Question,
    RecordChanged,
    RulingRefused,
    SourceDissent,
    StrokeLive,
    TableCertified,
    Told,
    Verdict,
    Watching,
    What,
)
from controller.rules.articles import article
from controller.rules.choices import AtBell
from controller.rules.entries import NextBoard
from controller.rules.laws import Laws
from controller.rules.time_limits import GAME_CALLS, Call, limit_s
from controller.session import Session
from controller.session_deadlines import deadlines
from vision.sightings import Where


def events_of(told: Told, session: Session) -> list[MatchEvent]:
    """The numbered events of one thing told: as many as `told.events` says."""
    match told.what:
        case Judged(verdict=verdict) if verdict.decisions:
            return _decided(verdict)
        case what:
            return [_plain(what, session)]


def words(told: What) -> str:
    """What happened, in one sentence without a full stop."""
    match told:
        case Judged(verdict=verdict):
            if verdict.facts is None:
                return ruling_words(verdict)
            return verdict.note or facts_words(verdict.facts)
        case Asked(question=question):
            return f"the umpire is asked: {question.text}"
        case RecordChanged(by=by, text=text, effect=effect, warnings=warnings):
            against = "".join(f"; warning: {warning}" for warning in warnings)
            return f"{by}: {text}; {effect}{against}"
        case RulingRefused(by=by, text=text):
            return f"ruling of {by} refused: {text}"
        case FellLive(pocket=pocket, piece=piece):
            what = "a piece" if piece is None else f"{piece.value}"
            return f"{what} falls {pocket.value}"
        case StrokeLive():
            return "a stroke runs"
        case PiecesPlaced(pieces=pieces):
            return f"placed: {_listed(Counts.of(pieces))}"
        case Watching(ok=ok, source=source, reason=reason):
            return f"{source} {'watching again' if ok else 'not watching'}" + (
                f": {reason}" if reason else ""
            )
        case CameraFollowed(shift_mm=shift_mm):
            return f"the camera has moved by {shift_mm:.1f} mm and is followed"
        case CalibratedAnew(calibration=name, trusted=trusted, by=by):
            who = f" by {by}" if by else ""
            return f"the table was calibrated anew{who}: {trusted} ({name[:8]})"
        case TableCertified(by=by, summary=summary, shortfalls=lacking):
            who = f" by {by}" if by else ""
            return f"table certified{who}: {summary}" + (
                f" ({'; '.join(lacking)})" if lacking else ""
            )
        case SourceDissent(source=source, text=text):
            return f"{source}: {text}"
        case (
            LedgerMismatch(text=text)
            | Ignored(text=text)
            | Called(text=text)
            | Failed(text=text)
        ):
            return text
        case _:
            assert_never(told)


def ruling_words(verdict: Verdict) -> str:
    """What a ruling did of which the laws decide nothing more."""
    begins = any(isinstance(each, NextBoard) for each in verdict.rulings)
    return verdict.note or ("next board" if begins else "ruling")


def facts_words(facts: StrokeFacts) -> str:
    """What went down in a stroke: `white and queen, north-east`."""
    if not facts.fell:
        return "nothing down"
    pockets = {fall.pocket.value for fall in facts.fell if fall.pocket is not None}
    where = f", {' and '.join(sorted(pockets))}" if pockets else ""
    return f"{_listed(facts.fallen)}{where}"


def _listed(counts: Counts) -> str:
    """Pieces in words: `2 white, black and queen`."""
    names = [
        piece.value if counts[piece] == 1 else f"{counts[piece]} {piece.value}"
        for piece in Piece
        if counts[piece]
    ]
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def state_of(session: Session) -> MatchState:
    """The snapshot for topic `match/state`."""
    observer = session.observer
    rest = observer.rest
    lying = () if rest is None else rest.pieces
    question = session.question
    phase = Phase(session.phase.value)
    live = phase in (Phase.STROKE_RUNNING, Phase.ASKING_UMPIRE)
    scene = Scene(
        phase=phase,
        reason=observer.unwatched if phase is Phase.NOT_WATCHING else "",
        pieces=tuple(
            PieceShown(
                piece=seen.piece,
                x_mm=round(seen.at.x_mm, 1),
                y_mm=round(seen.at.y_mm, 1),
            )
            for seen in lying
            if seen.where is Where.TABLE
        ),
        fallen=tuple(
            FallShown(piece=fall.shown.piece, pocket=fall.shown.pocket)
            for fall in (observer.live if live else ())
        ),
        question=None if question is None else question_shown(question),
        last=last_decision(session),
    )
    shown = match_state(session.match, scene)
    return shown.model_copy(
        update={"game_clock": _clock(session), "wait": _wait(session)}
    )


def _clock(session: Session) -> GameClock | None:
    """The running game's clock; None where there is no limit and none was started."""
    clock, laws = session.clock, session.match.laws
    if laws.game_limit_s is None and not clock.known and clock.paused_s is None:
        return None
    since_s = clock.shown_since_s
    at_s = session.timing.now_s if since_s is None else since_s
    return GameClock(
        running=since_s is not None,
        started=clock.known,
        paused=clock.paused_s is not None,
        elapsed_s=clock.elapsed_s(at_s),
        since_s=since_s,
        limit_s=laws.game_limit_s,
        warning_s=laws.game_warning_s,
    )


def _wait(session: Session) -> Wait | None:
    """The stroke or the placing that has a limit and is waited for now."""
    running = deadlines(session.timing, session.clock, session.match, session.phase)
    for one in running:
        if one.call not in GAME_CALLS:
            placing = one.call is Call.PLACING_LATE
            return Wait(
                what=WaitFor.PLACING if placing else WaitFor.STROKE,
                until_s=one.at_s,
                limit_s=limit_s(session.match.laws, one.call) or 0.0,
            )
    return None


def question_shown(question: Question) -> QuestionShown:
    """A question in words, with a choice for each reading."""
    return QuestionShown(
        id=str(question.number),
        text=question.text,
        choices=tuple(facts_words(reading.facts) for reading in question.readings),
    )


def last_decision(session: Session) -> DecisionShown | None:
    """The most telling decision of the last line that led to any."""
    numbers = dict(session.first_told)
    for verdict in reversed(session.verdicts):
        decision = headline(verdict.decisions)
        if decision is not None:
            seq = numbers[verdict.entry] + verdict.decisions.index(decision)
            return shown(decision, seq, session.configured.laws)
    return None


def proposal_of(question: Question) -> MatchProposal:
    """What the umpire is asked, for topic `match/proposal`."""
    best = max((r.probability for r in question.readings), default=0.0)
    return MatchProposal(question=question_shown(question), confidence=best)


def alert_of(told: What) -> Alert | None:
    """What the umpire should look at before the next stroke, if this is such."""
    match told:
        case Asked() | LedgerMismatch() | CameraFollowed():
            return Alert(severity=Severity.WARNING, text=words(told))
        case Watching(ok=False) | Failed():
            return Alert(severity=Severity.STOP_PLAY, text=words(told))
        case RecordChanged(warnings=warnings) if warnings:
            return Alert(severity=Severity.WARNING, text=words(told))
        case SourceDissent():
            return Alert(severity=Severity.NOTICE, text=words(told))
        case _:
            return None


def called_alert(called: Called, laws: Laws) -> Alert:
    """What a clock calls, for topic `alert`: most bells stop play, the rest warns."""
    stops = called.call is Call.BELL and laws.at_bell is AtBell.STOP
    return Alert(
        severity=Severity.STOP_PLAY if stops else Severity.WARNING,
        text=called.text[:1].upper() + called.text[1:],
        law=called.law,
        article=article(called.law, laws),
        deadline_s=None if called.left_s is None else called.at_s + called.left_s,
    )


def _decided(verdict: Verdict) -> list[MatchEvent]:
    stroke = None if verdict.facts is None else verdict.entry
    return [
        match_event(
            decision,
            verdict.before,
            verdict.after,
            stroke=stroke,
            evidence=tuple(str(entry) for entry in verdict.evidence),
            confidence=verdict.probability,
        )
        for decision in verdict.decisions
    ]


def _plain(what: What, session: Session) -> MatchEvent:
    text = words(what)
    law = what.law if isinstance(what, Called) else ""
    return MatchEvent(
        kind=_KINDS[type(what)],
        text=text[:1].upper() + text[1:],
        law=law,
        article=article(law, session.configured.laws) if law else "",
        game=session.match.game,
        board=session.match.board_number,
        supersedes=what.supersedes if isinstance(what, RecordChanged) else None,
    )


_KINDS: dict[type[What], str] = {
    Judged: "judged",
    Asked: "umpire-asked",
    RecordChanged: "record-changed",
    RulingRefused: "ruling-refused",
    FellLive: "fell",
    StrokeLive: "stroke-running",
    LedgerMismatch: "ledger-mismatch",
    SourceDissent: "source-dissent",
    PiecesPlaced: "pieces-placed",
    Watching: "watching",
    CameraFollowed: "camera-moved",
    CalibratedAnew: "calibrated",
    TableCertified: "certified",
    Ignored: "ignored",
    Called: "called",
    Failed: "failed",
}
