"""Errors that become valid once the next stroke is made: ICF 51, 82b, 83, 96, 125b.

A late detection of one of these is recorded as lapsed and not applied. That is a
different thing from a sensor's mistake, which is always put right.
"""

from dataclasses import dataclass

LAPSING: dict[str, str] = {
    "turn.out": "51",
    "due.misplaced": "82b",
    "due.forfeited": "83",
    "queen.missed": "96",
    "turn.rival-coin": "125b",
}
"""Laws whose breach nobody can claim after the next stroke, with the article."""


@dataclass(frozen=True, slots=True)
class Lapsed:
    """A claim that came too late: recorded, not applied."""

    law: str
    article: str
    strokes_since: int


def lapse(law: str, strokes_since: int) -> Lapsed | None:
    """Whether a claim has lapsed; `strokes_since` strokes followed the error."""
    article = LAPSING.get(law)
    if article is None or strokes_since < 1:
        return None
    return Lapsed(law, article, strokes_since)
