"""Errors that become valid once the next stroke is made: ICF 51, 82b, 83, 96, 125b.

A late detection of one of these is recorded as lapsed and not applied. That is a
different thing from a sensor's mistake, which is always put right.
"""

from controller.rules.board import Side
from controller.rules.decisions import Lapsed

LAPSING: dict[str, str] = {
    "turn.out": "51",
    "due.misplaced": "82b",
    "due.forfeited": "83",
    "queen.missed": "96",
    "turn.rival-coin": "125b",
}
"""Laws whose breach nobody can claim after the next stroke, with the article."""


def lapsed(law: str, side: Side) -> Lapsed:
    """The record of a claim that came too late; nothing else follows from it.

    Raises ValueError for a law whose breach can be claimed later too.
    """
    if law not in LAPSING:
        raise ValueError(
            f"{law!r} does not lapse with the next stroke: correct the record instead"
        )
    return Lapsed(law, side)
