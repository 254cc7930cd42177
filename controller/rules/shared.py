"""What every rule set shares, and where each text says so; fields hold the rest.

The rows of the laws in which no source differs, so that nothing had to be chosen.
"""

from typing import NamedTuple

from controller.rules.laws import Laws


class Row(NamedTuple):
    """One common law: its name, what is done, the article, other texts that say it."""

    name: str
    rule: str
    article: str
    own: tuple[tuple[str, str], ...] = ()

    def source(self, laws: Laws) -> str:
        """Where this rule set has it from."""
        own = dict(self.own).get(laws.name)
        if own is not None:
            return own
        if laws.name in ("icf", "icf-1993"):
            return f"ICF {self.article}"
        return f"silent, so ICF {self.article}"


ROWS = (
    Row("outstanding dues at the end", "written off, never points", "55"),
    Row(
        "breaker's colour",
        "white",
        "43",
        (
            ("basic", "beginning of the game"),
            ("arena", "the break"),
            ("tournament", "section 2"),
            ("standard", "the toss"),
        ),
    ),
    Row(
        "break made",
        "as soon as any piece is touched",
        "44",
        (("basic", "beginning of the game"), ("arena", "the break")),
    ),
    Row(
        "after the last failed break",
        "the opponent breaks with black, the rack stays",
        "45b",
        (("basic", "beginning of the game"),),
    ),
    Row("striker lost at a failed break", "turn lost, nothing owed", "45c"),
    Row("break before Play", "pieces out, a foul, turn lost", "47"),
    Row("who breaks next", "alternately, each game the other player first", "49a"),
    Row("doubles order", "to the player on the right, the break too", "49b"),
    Row("more owed than is down", "what is down is paid, the rest waits", "72c, 83"),
    Row("own debt and the opponent's", "never cancel", "89a"),
    Row(
        "where coins owed are placed",
        "inside the outer circle, off the centre circle",
        "9, 85, 89b, 114",
        (
            ("basic", "the game and the striker"),
            ("arena", 'due and penalties, "centre of the board"'),
            ("tournament", 'section 5, "center circle"'),
        ),
    ),
    Row("waiving coins owed", "all or nothing", "87a"),
    Row(
        "order of pieces off the table",
        "queen, own coins, then the rest",
        "65b to d",
        (("basic", "the game and the striker"),),
    ),
    Row("jumped and landed back", "to the centre, but not off the lamp", "66"),
    Row(
        "on edge, overlapping",
        "left alone",
        "67, 68",
        (("basic", "the game and the striker"),),
    ),
    Row(
        "striker on a coin",
        "lifted, the coin restored",
        "69",
        (("basic", "the game and the striker"),),
    ),
    Row("coin on the striker", "lifted, put where it would rest", "70"),
    Row("hanging piece falls later", "properly pocketed", "71, 113"),
    Row(
        "striker's place",
        "both lines touched, circle all or nothing, arrow clear",
        "130",
        (
            ("basic", "the game and the striker"),
            ("arena", "striking position"),
            ("tournament", "section 3"),
        ),
    ),
    Row("slip that stays on the line", "no stroke", "127b"),
    Row(
        "touching a coin",
        "restored, a foul",
        "134",
        (("arena", "fouls & penalties"),),
    ),
    Row("playing on during an appeal", "the board is lost", "121b"),
    Row("board disturbed beyond repair", "the board is lost", "126b"),
    Row("errors nobody noticed", "stand once the next stroke is made", "51, 82b, 96"),
    Row("three passes of each running", "board void, played again", "137"),
    Row("base line blocked", "board void, played again", "142"),
    Row("damaged coin", "the larger piece decides", "141"),
    Row("distraction after two warnings", "the match is lost", "143h"),
)
"""The laws all sets have in common."""
