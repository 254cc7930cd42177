"""What an umpire may rule, grouped as it is looked for, each with its law.

Nothing is left out because it does not fit: what the laws refuse just now is shown
with the reason. The page draws the forms from `fields`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from pydantic import TypeAdapter

from controller.console.entered import COUNTING_FORMS, entered
from controller.console.law_forms import AnyLawForm
from controller.records import Json
from controller.rules.articles import LAWS, article
from controller.rules.contest import Contest, Entry, advance, names_of
from controller.rules.lapse import LAPSING
from controller.rules.match import Match
from controller.rules.toss import OFFERED
from controller.session import Session
from controller.session_rulings import ruled_as

FORM: TypeAdapter[AnyLawForm] = TypeAdapter(AnyLawForm)


@dataclass(frozen=True, slots=True)
class Offer:
    """One kind of ruling: `entry` names its form, `law` the law it rests on.

    `fields`: what the form asks, in order. `sample`: values besides the player with
    which to try whether it fits.
    """

    entry: str
    group: str
    title: str
    law: str | None = None
    fields: tuple[str, ...] = ("player",)
    sample: tuple[tuple[str, Json], ...] = ()


DEBTOR = ("debtor",)
ABOUT_A_PLAYER = frozenset({"player", "debtor", "winner", "winner-or-shared"})

OFFERS = (
    Offer("toss", "Toss and board", "Toss", None, ("player", "choice", "seat")),
    Offer("passed", "Toss and board", "Turn given up", "turn.given-up", ()),
    Offer(
        "colour",
        "Toss and board",
        "Colour chosen",
        "colour.mixed-pot",
        ("colour",),
        (("colour", "white"),),
    ),
    Offer(
        "fell-later",
        "Toss and board",
        "Hanging piece fell later",
        "fall.later",
        ("piece",),
        (("piece", "white"),),
    ),
    Offer("void", "Toss and board", "Board void, play it again", "board.void", ()),
    Offer("bell", "Toss and board", "Count at the bell", "time.bell", ()),
    Offer("waived", "Coins owed", "Coins owed are waived", "due.waived", DEBTOR),
    Offer("forfeited", "Coins owed", "Not placed in time", "due.forfeited", DEBTOR),
    Offer(
        "no-room",
        "Coins owed",
        "No room to place",
        "due.no-room",
        ("debtor", "coins"),
        (("coins", 1),),
    ),
    Offer("misplaced", "Coins owed", "Coin placed wrongly", "due.misplaced"),
    Offer("seat-left", "Conduct", "Left the seat", "seat.left"),
    Offer("played-on", "Conduct", "Played on during an appeal", "appeal.played-on"),
    Offer("disturbed", "Conduct", "Disturbed the board", "board.disturbed"),
    Offer(
        "noticed-late",
        "Conduct",
        "Error noticed too late",
        None,
        ("player", "law"),
        (("law", "turn.out"),),
    ),
    Offer("conceded", "Result", "Board conceded", "match.conceded"),
    Offer(
        "demand",
        "Result",
        "Additional points demanded",
        None,
        ("points",),
        (("points", 0),),
    ),
    Offer("tie", "Result", "Level game decided", None, ("winner-or-shared",)),
    Offer("award", "Result", "Match awarded", "match.conceded", ("winner",)),
    Offer(
        "rule-board",
        "Result",
        "Board decided by ruling",
        "ruling.result",
        ("winner", "board-points"),
        (("coin_points", 0), ("queen_points", 0)),
    ),
    Offer(
        "set-board",
        "Result",
        "Board set by hand",
        "ruling.result",
        ("position",),
        (
            ("white", 9),
            ("black", 9),
            ("queen", "table"),
            ("on_turn", 0),
        ),
    ),
)
"""In the order of the page."""
PROPER_ARTICLES = {
    "demand": "87b",
    "toss": "39",
    "tie": "56",
    "noticed-late": "51, 82b",
}
"""ICF articles of rulings that no decision of the judge rests on."""


def offers(session: Session) -> list[Json]:
    """Every kind of ruling for the page; `why_not` where the laws refuse it now."""
    match = session.match
    two_sides = isinstance(match, Match)
    return [
        {
            "entry": offer.entry,
            "group": offer.group,
            "title": offer.title,
            "words": LAWS[offer.law].words if offer.law else "",
            "article": _article(offer, match),
            "fields": list(offer.fields),
            "why_not": _why_not(offer, session),
        }
        for offer in OFFERS
        if two_sides or offer.entry in COUNTING_FORMS
    ]


def choices(match: Contest) -> dict[str, Json]:
    """What the forms' lists hold under this rule set."""
    if not isinstance(match, Match):
        return {"toss": [], "lapsing": [], "claim": 0, "shared": False}
    return {
        "toss": [choice.value for choice in OFFERED[match.laws.toss]],
        "lapsing": [{"law": law, "words": LAWS[law].words} for law in LAPSING],
        "claim": match.claim,
        "shared": match.laws.tie.value in ("shared", "more-points"),
    }


def _article(offer: Offer, match: Contest) -> str:
    if offer.law is not None:
        return article(offer.law, match.laws)
    return f"ICF {PROPER_ARTICLES[offer.entry]}"


def _why_not(offer: Offer, session: Session) -> str:
    """Why the laws refuse it, whoever it is about; empty when they do not."""
    refused = ""
    for entry in _samples(offer, session.match):
        match = session.match
        try:
            for each in ruled_as(session, entry):
                match, _ = advance(match, each)
        except ValueError as error:
            refused = refused or str(error)
        else:
            return ""
    return refused


def _samples(offer: Offer, match: Contest) -> Iterator[Entry]:
    """The ruling about each player, so far as it is about one."""
    about_player = not ABOUT_A_PLAYER.isdisjoint(offer.fields)
    players: list[dict[str, Json]] = [
        {"player": i} for i in range(len(names_of(match)))
    ]
    tosses: list[dict[str, Json]] = [
        {"choice": choice.value} for choice in OFFERED[match.laws.toss]
    ]
    for player, more in product(
        players if about_player else [{}], tosses if offer.entry == "toss" else [{}]
    ):
        form = {"entry": offer.entry, **dict(offer.sample), **player, **more}
        yield entered(FORM.validate_python(form), match, "")
