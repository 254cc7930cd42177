"""The score card as one page of HTML that needs nothing else: for screen and paper."""

from collections.abc import Iterator
from html import escape

from controller.scoresheet.card import Card, Entry, Game, Row
from controller.scoresheet.counting_card import CountingCard
from controller.scoresheet.counting_page import counting_foot, counting_table
from controller.scoresheet.parts import NIL, local_time, signs
from controller.scoresheet.style import STYLE
from controller.scoresheet.trail import Change


def page(card: Card | CountingCard) -> str:
    """The whole card; times are those of this machine's zone."""
    match card:
        case Card():
            names: tuple[str, ...] = (card.first, card.second)
            middle = (*(_game(card, game) for game in card.games), _foot(card))
        case CountingCard():
            names = card.players
            middle = (counting_table(card), counting_foot(card))
    title = f"Score card: {', '.join(names[:-1])} and {names[-1]}"
    parts = (_heading(card), *middle, _trail(card.trail))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _heading(card: Card | CountingCard) -> str:
    head = card.head
    fields = (
        ("Championship", head.championship),
        ("Match no.", head.match_no),
        ("Round", card.round) if isinstance(card, Card) else ("Played to", card.ends),
        ("Date", local_time(card.date, "%d %B %Y")),
        ("Umpire", head.umpire),
        ("Table", card.table),
        ("Toss won by", head.toss_won_by),
        ("Choice", head.toss_choice),
        ("Laws", card.laws),
    )
    cells = "".join(
        f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in fields
    )
    return f'<header>\n<h1>Carrom score card</h1>\n<dl class="head">{cells}</dl>\n</header>'


def _game(card: Card, game: Game) -> str:
    start, finish = (local_time(at, "%H:%M") for at in (game.start, game.finish))
    blanks = range(len(game.rows) + 1, game.rows_on_paper + 1)
    rows = [*map(_row, game.rows), *(_blank(number) for number in blanks)]
    sides = "".join(
        f'<th colspan="3" scope="colgroup" class="side">{escape(name)}</th>'
        for name in (card.first, card.second)
    )
    columns = "<th>Queen</th><th>Coins</th><th>Total</th>" * 2
    return (
        f'<section class="game">\n<h2>Game {game.number}'
        f"<span>Start <b>{start}</b></span><span>Finish <b>{finish}</b></span>"
        f'<span class="won">Won by <b>{escape(game.winner or "")}</b></span></h2>\n'
        '<table>\n<thead>\n<tr><th rowspan="2" class="no">No.</th>'
        f'<th rowspan="2" class="by">Break by</th>{sides}'
        f'<th rowspan="2" class="remark">Remarks</th></tr>\n<tr>{columns}</tr>\n'
        "</thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table>\n</section>"
    )


def _row(row: Row) -> str:
    sides = _entry(row.first) + _entry(row.second)
    return (
        f'<tr><th scope="row">{row.number}</th><td class="by">{escape(row.break_by)}'
        f'</td>{sides}<td class="remark">{escape(row.remark)}</td></tr>'
    )


def _entry(entry: Entry) -> str:
    """Queen, coins and total; a dot where this side had covered the queen."""
    dot = '<i title="covered the queen"></i>' if entry.covered else ""
    added = f"<sup>+{entry.added}</sup>" if entry.added else ""
    mark = ' class="total won"' if entry.won else ' class="total"'
    queen, coins = entry.queen or NIL, entry.coins or NIL
    total = entry.total - entry.over
    return f"<td>{dot}{queen}</td><td>{coins}{added}</td><td{mark}>{total}</td>"


def _blank(number: int) -> str:
    cells = '<td class="by"></td>' + "<td></td>" * 6 + "<td></td>"
    return f'<tr class="blank"><th scope="row">{number}</th>{cells}</tr>'


def _foot(card: Card) -> str:
    won = f"{card.games_won[0]} : {card.games_won[1]}"
    return (
        '<footer>\n<dl class="head"><div class="wide"><dt>Umpire\'s remarks</dt>'
        f"<dd>{escape(card.head.remarks)}</dd></div>"
        f"<div><dt>Games</dt><dd>{won}</dd></div>"
        f'<div class="wide"><dt>Match won by</dt><dd class="winner">'
        f"{escape(card.winner or '')}</dd></div></dl>\n"
        '<p class="key"><i></i> covered the queen. Queen: points credited. '
        "<sup>+n</sup> additional points demanded.</p>\n"
        f"{signs((card.first, card.second))}\n</footer>"
    )


def _trail(trail: tuple[Change, ...]) -> str:
    if not trail:
        return '<p class="key">No entry of this match was corrected.</p>'
    return (
        '<section class="trail">\n<h2>Corrections and rulings</h2>\n<table>\n<thead>'
        "<tr><th>Time</th><th>Entry</th><th>By</th><th>What</th><th>Effect</th></tr>"
        "</thead>\n<tbody>\n" + "\n".join(_changes(trail)) + "\n</tbody>\n</table>\n"
        "</section>"
    )


def _changes(trail: tuple[Change, ...]) -> Iterator[str]:
    for change in trail:
        words = (change.by, change.what, change.effect)
        cells = "".join(f"<td>{escape(word)}</td>" for word in words)
        when = local_time(change.utc, "%H:%M:%S")
        yield f"<tr><td>{when}</td><td>{change.entry}</td>{cells}</tr>"
