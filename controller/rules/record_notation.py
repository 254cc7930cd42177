"""A finished board on the score card, as one line of text, exact both ways.

    1.3 first / second 4+3+1 cleared slam / queen second / 12-9

Game and board; who broke; who won, with the points for coins, for the queen and
demanded besides, and how; who had covered the queen; the game's scores afterwards.
"""

from controller.rules.board import Finish
from controller.rules.match_state import BoardRecord
from controller.rules.notation import NotationError
from controller.rules.order import ByPlayer, Player


def write_record(record: BoardRecord) -> str:
    """The board record as text; `read_record` gives the same record back."""
    points = f"{record.coin_points}+{record.queen_points}+{record.demanded}"
    slam = " slam" if record.slam else ""
    holder = record.queen_by.value if record.queen_by else "-"
    return (
        f"{record.game}.{record.number} {record.breaker.value} / "
        f"{record.winner.value} {points} {record.finish.value}{slam} / "
        f"queen {holder} / {record.totals.first}-{record.totals.second}"
    )


def read_record(text: str) -> BoardRecord:
    """The board record a text describes. Raises NotationError."""
    try:
        opening, won, queen, totals = (part.strip() for part in text.split("/"))
        return _read(opening, won, queen, totals)
    except ValueError as error:
        raise NotationError(f"cannot read the board record {text!r}") from error


def _read(opening: str, won: str, queen: str, totals: str) -> BoardRecord:
    place, breaker = opening.split()
    game, number = place.split(".")
    winner, points, finish, *slam = won.split()
    coins, for_queen, demanded = points.split("+")
    if slam not in ([], ["slam"]):
        raise NotationError(f"after how a board was won may stand slam, got {slam}")
    word, holder = queen.split()
    if word != "queen":
        raise NotationError(
            f"who covered the queen is written queen WHO, got {queen!r}"
        )
    # A score of a counting game may be negative, so only the middle hyphen parts them.
    cut = totals.index("-", 1)
    return BoardRecord(
        int(game),
        int(number),
        Player(breaker),
        Player(winner),
        int(coins),
        int(for_queen),
        int(demanded),
        Finish(finish),
        bool(slam),
        None if holder == "-" else Player(holder),
        ByPlayer(int(totals[:cut]), int(totals[cut + 1 :])),
    )
