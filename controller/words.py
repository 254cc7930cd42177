"""Facts and counts as an umpire says them."""

from typing import assert_never

from calibration.table import Piece
from controller.events import ClockAction, ClockSet, Counts, StrokeFacts


def facts_in_words(facts: StrokeFacts) -> str:
    """What went down, as an umpire says it: "fell 1 white in north-east"."""
    fell = [
        f"{fall.piece.value} in {fall.pocket.value}"
        if fall.pocket
        else fall.piece.value
        for fall in facts.fell
    ]
    said = [f"fell {', '.join(fell)}" if fell else "nothing fell"]
    if facts.jumped:
        said.append(f"off the table {', '.join(p.value for p in facts.jumped)}")
    if facts.striker_off:
        said.append("striker off the table")
    if facts.improper:
        said.append("improper stroke")
    said += [fault.value.replace("-", " ") for fault in facts.faults]
    return "; ".join(said)


def words(counts: Counts) -> str:
    """Counts as an umpire says them: "8 white, 9 black, the queen"."""
    said = [
        f"{n} {piece.value}"
        for piece, n in zip(Piece, counts.each, strict=True)
        if n and piece in (Piece.WHITE, Piece.BLACK)
    ]
    said += ["the queen"] if counts.queen else []
    said += ["the striker"] if counts.striker else []
    return ", ".join(said) or "nothing"


def clock_words(entry: ClockSet) -> str:
    """What an entry says on the record."""
    match entry.action:
        case ClockAction.START:
            return f"game clock started at {minutes(entry.elapsed_s)}"
        case ClockAction.PAUSE:
            return "clocks paused"
        case ClockAction.RESUME:
            return "clocks resumed"
        case ClockAction.PLAY:
            return "Play called"
        case ClockAction.CUT:
            return "game clock stopped: the computer was restarted"
        case _:
            assert_never(entry.action)


def minutes(seconds: float) -> str:
    """`12:05`, in whole seconds."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
