"""Every law we obey: its id, our words for it, its article in each edition.

Decisions carry the id; pages, alerts and score cards print the article of the
rule set in force. An edition or document that names no article of its own falls
back on the international one, which is said so.
"""

from dataclasses import dataclass
from typing import assert_never

from controller.rules.counting_decisions import CountingDecision, spoken
from controller.rules.decisions import (
    BoardVoid,
    BoardWon,
    BreakFailed,
    BreakMade,
    Decision,
    Disputed,
    DueIncurred,
    DuePaid,
    DuePostponed,
    DueWaived,
    FoulCalled,
    Lapsed,
    PenaltyIncurred,
    PiecesReplaced,
    PiecesReturned,
    PointsLost,
    QueenAwaitsCover,
    QueenCovered,
    QueenReturned,
    QueenToReturn,
    TurnKept,
    TurnPassed,
)
from controller.rules.editions import EDITIONS
from controller.rules.laws import Laws


@dataclass(frozen=True, slots=True)
class Law:
    """One law: what it says in our words and its ICF article, if it has one."""

    words: str
    article: str | None


LAWS: dict[str, Law] = {
    "turn.own-coin": Law("an own coin keeps the turn", "48"),
    "turn.nothing": Law("nothing pocketed, the turn passes", "48"),
    "turn.rival-coin": Law("an opposing coin stays down and passes the turn", "125a"),
    "turn.mixed": Law("own and opposing coins in one stroke", "48, 75"),
    "turn.queen": Law("the queen keeps the turn", "48"),
    "turn.off-table": Law("a piece off the table and no own coin costs the turn", None),
    "turn.rival-foul": Law("pocketing an opposing coin is a foul", None),
    "turn.out": Law("a stroke out of turn costs the board", "51"),
    "colour.mixed-pot": Law("a mixed first pot leaves the colour to choose", None),
    "break.made": Law("any piece touched makes the break", "44"),
    "break.repeat": Law("nothing touched, the break is repeated", "45a"),
    "break.lost": Law("after the last attempt the opponent breaks", "45b"),
    "break.striker": Law("striker lost or improper at a missed break", "45c"),
    "break.before-play": Law("the break was struck before Play", "47"),
    "striker.alone": Law("the striker alone costs a due and the turn", "72a"),
    "striker.with-own": Law("own coins with the striker come back, one due", "73"),
    "striker.with-rival": Law("an opposing coin with the striker stays down", "74"),
    "striker.mixed": Law("own and opposing coins with the striker", "75"),
    "striker.double-foul": Law("own coin and striker, two coins or the turn", None),
    "striker.one-back": Law("the striker costs the turn and one coin", None),
    "due.paid": Law("a coin owed is placed as soon as one is down", "78a"),
    "due.waived": Law("the opponent gives up every coin owed to him", "87a"),
    "due.forfeited": Law("coins not placed in time need not be paid", "80, 83, 87"),
    "due.misplaced": Law("a coin placed wrongly is put right, and a foul", "82, 85"),
    "due.no-room": Law("no room to place it, the coin waits", "79, 81"),
    "turn.given-up": Law("a turn given up passes", "137"),
    "due.none-down": Law("no coin down, so nothing is owed", None),
    "queen.sunk": Law("the queen pocketed, the next stroke must cover", "92"),
    "queen.after-dues": Law("allowed, all nine are up only for paid dues", "95c"),
    "queen.early": Law("the queen before any own coin comes back", "95a"),
    "queen.while-owing": Law("no queen while a due is outstanding", "95b"),
    "queen.striker-nine-up": Law("queen and striker with all nine up", "95d"),
    "queen.missed": Law("not covered, the queen comes back", "96"),
    "queen.cover": Law("an own coin covers the queen", "15"),
    "queen.cover-together": Law("queen and own coin together, she is covered", "97a"),
    "queen.all-nine-up": Law("with all nine up one coin does not cover yet", "97b"),
    "queen.striker-own": Law("queen, own coin and striker all come back", "98a"),
    "queen.striker": Law("queen and striker, she comes back with one due", "99a"),
    "queen.free": Law("the queen needs no cover", None),
    "cover.striker": Law("the striker falls instead of the cover", "100a"),
    "cover.striker-own": Law("striker and cover, one more chance to cover", "101a"),
    "stroke.improper": Law("an improper stroke", "64"),
    "stroke.thumb": Law("the thumb may not be used", "17"),
    "stroke.back": Law("no back shots", None),
    "stroke.hand": Law("the hand may not cross the arrow", "37"),
    "stroke.rival-first": Law("an opposing coin may not be hit first", None),
    "stroke.arrow-coin": Law("a coin on the own arrow may not be hit directly", None),
    "improper.nothing": Law("an improper stroke costs a penalty and the turn", "64a"),
    "improper.own": Law("own coins of an improper stroke come back", "77a"),
    "improper.rival": Law("opposing coins of an improper stroke stay down", "76"),
    "improper.striker": Law("the striker by an improper stroke", "72b"),
    "improper.striker-own": Law("own coins and striker, improper", "77b"),
    "improper.queen": Law("pieces of an improper stroke come back", "64b"),
    "improper.queen-striker": Law("queen and striker, improper", "99b"),
    "improper.queen-striker-own": Law("queen, own coin, striker, improper", "98b"),
    "improper.cover-striker": Law("striker while covering, improper", "100b"),
    "improper.cover-striker-own": Law("striker and cover, improper", "101b"),
    "foul.technical": Law("a breach before the first stroke or off turn", "63a"),
    "foul.later": Law("a breach during the turn", "64a"),
    "time.first-stroke": Law("the first stroke came too late", "46, 63a"),
    "time.stroke": Law("a stroke came too late", "50, 64"),
    "time.turn-lost": Law("too late, the turn is lost", None),
    "time.third": Law("late for the third time, the game is lost", None),
    "time.bell": Law("the clock ran out, most coins down wins", None),
    "off-table.placing": Law("pieces off the table go to the centre", "65"),
    "off-table.foul": Law("a piece off the table is a foul", None),
    "off-table.striker-foul": Law("the striker off the table is a foul", None),
    "fall.later": Law("a hanging piece is properly pocketed when it falls", "71"),
    "fall.later-queen": Law("the hanging queen falls later", "113"),
    "end.cleared": Law("all own coins down wins the board", "52a, 53"),
    "end.covering": Law("the last coin covers the queen and wins", "15, 97a"),
    "end.own-last": Law("own last coin with the queen on the table", "107"),
    "end.own-last-striker": Law("the same with the striker", "108"),
    "end.own-last-back": Law("the own last coin comes back before the queen", None),
    "end.rivals-last": Law("the opponent's last coin before the queen", "106"),
    "end.rivals-last-covering": Law("the opponent's last instead of a cover", "103"),
    "end.rivals-last-striker": Law("the opponent's last coin and striker", "111"),
    "end.rivals-last-settled": Law("the opponent has cleared", "52a, 53"),
    "end.both-covering": Law("both last coins cover the queen", "102"),
    "end.both-and-queen": Law("both last coins and the queen", "104"),
    "end.both-before-queen": Law("both last coins, the queen on the table", "105"),
    "end.both-mine": Law("both last coins, own queen", "52a"),
    "end.both-his": Law("both last coins, the opponent's queen", "52a"),
    "end.both-and-queen-striker": Law("both last, queen and striker", "109"),
    "end.both-mine-striker": Law("both last and striker, own queen", "110"),
    "end.both-his-striker": Law("both last and striker, his queen", "112"),
    "end.both-before-queen-striker": Law("both last and striker, queen up", "105, 108"),
    "end.century": Law("cleared before the opponent began, the game is won", None),
    "end.free-queen": Law("the queen as the very last piece wins", None),
    "seat.left": Law("leaving the seat costs the board", "91"),
    "seat.warning": Law("leaving the seat is warned", None),
    "appeal.played-on": Law("playing on during an appeal costs the board", "121b"),
    "board.disturbed": Law("a board disturbed beyond repair is lost", "126b"),
    "board.void": Law("the board is void and played again", "137, 140, 142"),
    "match.conceded": Law("a player may concede", "139"),
    "ruling.result": Law("the umpire decides how the board counts", "19"),
    "points.piece": Law("every piece counts for whoever pockets it", None),
    "points.striker": Law("the striker costs what the rule set says", None),
    "points.board": Law("the table is cleared or the points are reached", None),
    "points.foul": Law("a foul costs a coin collected before", None),
    "points.out-of-turn": Law("what fell out of turn comes back", None),
}
"""Every law id that a decision can carry."""


def article(law: str, laws: Laws) -> str:
    """Where the law stands in the rule set's own text, as people cite it.

    The rule set's fall-back is named where its own text is silent. Raises KeyError
    for an id that is no law.
    """
    known = LAWS[law]
    own = EDITIONS.get(laws.edition, {}).get(law)
    if own is not None:
        return f"{laws.name}, section {own}"
    if known.article is None:
        return f"{laws.name}, house rule"
    if laws.edition in ("icf", "icf-1993"):
        edition = "ICF" if laws.edition == "icf" else "ICF 1993"
        return f"{edition} {known.article}"
    return f"ICF {known.article}"


def explanation(decision: Decision | CountingDecision, laws: Laws) -> str:
    """A decision in one plain sentence, with its law and article."""
    law = LAWS[decision.law]
    where = article(decision.law, laws)
    return f"{sentence(decision)}: {law.words} [{decision.law}; {where}]"


def sentence(decision: Decision | CountingDecision) -> str:
    """What a decision means at the table, in plain words."""
    if isinstance(decision, CountingDecision):
        return spoken(decision)
    side = decision.side.value
    match decision:
        case TurnKept():
            return f"{side} goes on"
        case TurnPassed(to=to):
            return f"{side}'s turn is over, {to.value} is next"
        case DueIncurred(coins=coins):
            return f"{side} owes {_coins(coins)} for the striker"
        case PenaltyIncurred(coins=coins):
            return f"{side} owes {_coins(coins)} as a penalty"
        case DuePaid(coins=coins, placed_by=placer):
            return f"the {placer} places {_coins(coins)} of {side}"
        case DueWaived(coins=coins):
            return f"{side} need not pay {_coins(coins)}"
        case DuePostponed(coins=coins):
            return f"{_coins(coins)} of {side} cannot be placed yet"
        case Lapsed():
            return f"noticed after the next stroke, what {side} did stands"
        case PointsLost(points=points):
            return f"{side} loses {points} points"
        case PiecesReturned(white=white, black=black, queen=queen):
            counts = ((white, "white"), (black, "black"), (queen, "queen"))
            back = ", ".join(f"{n} {name}" for n, name in counts if n)
            return f"{back} back to the table"
        case PiecesReplaced(pieces=pieces):
            return ", ".join(p.value for p in pieces) + " to the centre circle"
        case QueenAwaitsCover():
            return f"{side} must cover the queen"
        case QueenCovered():
            return f"{side} has covered the queen"
        case QueenReturned():
            return "the queen goes back to the centre"
        case QueenToReturn():
            return f"the queen comes back when {side}'s turn ends"
        case BreakMade():
            return f"{side} has broken"
        case BreakFailed(attempts_left=left):
            return f"{side} missed the break, {left} attempts left"
        case FoulCalled(technical=technical):
            return f"{'technical foul' if technical else 'foul'} by {side}"
        case BoardWon(coin_points=coins, queen_points=queen):
            coins_and_queen = f"{coins} for coins and {queen} for the queen"
            return f"{side} wins the board, {coins_and_queen}"
        case BoardVoid():
            return f"the board is void, {side} breaks again"
        case Disputed(question=question):
            return f'the umpire is asked "{question}"'
        case _:
            assert_never(decision)


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"
