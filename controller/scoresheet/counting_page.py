"""The middle and the foot of the card of a game of points, as HTML."""

from html import escape
from itertools import zip_longest

from controller.scoresheet.counting_card import CountingCard, CountingRow, Share
from controller.scoresheet.parts import NIL, local_time, signs


def counting_table(card: CountingCard) -> str:
    """One row for each board, three columns for each player."""
    start, finish = (local_time(at, "%H:%M") for at in (card.start, card.finish))
    blanks = range(len(card.rows) + 1, card.rows_on_paper + 1)
    rows = [*map(_row, card.rows), *(_blank(card, number) for number in blanks)]
    players = "".join(
        f'<th colspan="3" scope="colgroup" class="side">{escape(name)}</th>'
        for name in card.players
    )
    columns = '<th class="first">Coins</th><th>Queen</th><th>Total</th>'
    return (
        f'<section class="game points">\n<h2>Points<span>Start <b>{start}</b></span>'
        f"<span>Finish <b>{finish}</b></span></h2>\n"
        '<table>\n<thead>\n<tr><th rowspan="2" class="no">No.</th>'
        f'<th rowspan="2" class="by">Break by</th>{players}'
        '<th rowspan="2" class="remark">Remarks</th></tr>\n'
        f"<tr>{columns * len(card.players)}</tr>\n</thead>\n<tbody>\n"
        + "\n".join(rows)
        + "\n</tbody>\n</table>\n</section>"
    )


def _row(row: CountingRow) -> str:
    shares = "".join(map(_share, row.shares))
    return (
        f'<tr><th scope="row">{row.number}</th><td class="by">{escape(row.break_by)}'
        f'</td>{shares}<td class="remark">{escape(row.remark)}</td></tr>'
    )


def _share(share: Share) -> str:
    lost = f"<sup>−{share.striker}</sup>" if share.striker else ""
    mark = " won" if share.most else ""
    coins, queen = share.coins or NIL, share.queen or NIL
    return (
        f'<td class="first">{coins}{lost}</td><td>{queen}</td>'
        f'<td class="total{mark}">{share.total}</td>'
    )


def _blank(card: CountingCard, number: int) -> str:
    cells = '<td class="first"></td><td></td><td></td>' * len(card.players)
    return (
        f'<tr class="blank"><th scope="row">{number}</th><td class="by"></td>{cells}'
        "<td></td></tr>"
    )


def counting_foot(card: CountingCard) -> str:
    """Remarks, how it ended, and where to sign."""
    points = " : ".join(map(str, card.points))
    seats = ", ".join(
        f"{escape(name)} {seat}".rstrip()
        for name, seat in zip_longest(card.players, card.seats, fillvalue="")
    )
    return (
        '<footer>\n<dl class="head"><div class="wide"><dt>Umpire\'s remarks</dt>'
        f"<dd>{escape(card.head.remarks)}</dd></div>"
        f'<div class="wide full"><dt>Order of play</dt><dd>{seats}</dd></div>'
        f"<div><dt>Points</dt><dd>{points}</dd></div>"
        f'<div><dt>Won by</dt><dd class="winner">{escape(card.winner or "")}</dd>'
        "</div></dl>\n"
        '<p class="key">Points for coins and queen; <sup>−n</sup> points lost for the '
        "striker. Shaded: most points of the board.</p>\n"
        f"{signs(card.players)}\n</footer>"
    )
