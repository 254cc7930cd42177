"""Facts and counts as an umpire says them."""

from calibration.table import Piece
from controller.events import Counts, StrokeFacts


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
