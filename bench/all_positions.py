"""Every position of a board meets every stroke, under every rule set.

Run: python bench/all_positions.py [--every N] [--rules NAME]. Positions: coins left of
both sides, queen, coins owed up to two each, scores on both sides of the cut-off,
break and play; in counting games who holds what is down, as none, one or all of
either colour. Strokes: any number of coins of either colour, queen, striker, proper or
not, and the missed break. (Where a coin is owed though some are down, so that it found
no room: 0, 1, 2 or all coins.) Each must get exactly one verdict; the ledger adds up, points stay below the set's most, a
won board has one winner, and the board prints and reads back. --every N looks at
every N-th position only, and lets it meet all its strokes.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import islice, product

from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    Board,
    BySide,
    Purse,
    Queen,
    QueenIs,
    Side,
    awaiting,
    covered,
)
from controller.rules.choices import EarlyQueen, OwnLast
from controller.rules.counting import points
from controller.rules.decisions import BoardWon, Decision, TurnKept, TurnPassed
from controller.rules.judge import judge
from controller.rules.laws import Laws
from controller.rules.notation import read_board, write_board
from controller.rules.rule_sets import RULE_SETS, rule_set
from controller.rules.stroke import Stroke

WHITE, BLACK = Side.WHITE, Side.BLACK


def positions(laws: Laws) -> Iterator[Board]:
    """Every board with white on turn; the laws know no colours."""
    yield from (Board(break_attempt=attempt) for attempt in (1, 2, 3))
    yield from (counting if laws.players_collect else board_games)(laws)


def board_games(laws: Laws) -> Iterator[Board]:
    """Every position of a game in which each side has its colour."""
    edge = laws.queen_counts_to
    bands = (0,) if edge is None else (edge, edge + 1)
    fewest = int(laws.own_last_before_queen is not OwnLast.PLAYS_ON)
    for white, black in product(range(fewest, 10), repeat=2):
        if not white + black:
            continue
        for queen, mine, his, score in product(
            queens(laws), range(3), range(3), product(bands, repeat=2)
        ):
            if not queen.on_table and 0 in (white, black):
                continue
            for ever in {white < COINS_PER_SIDE, True}:
                yield Board(
                    coins=BySide(white, black),
                    queen=queen,
                    owed=BySide(mine, his),
                    ever_down=BySide(ever, black < COINS_PER_SIDE),
                    scores=BySide(*score),
                    break_attempt=0,
                )


def queens(laws: Laws) -> list[Queen]:
    """Every place the queen can be in."""
    found = [ON_TABLE, awaiting(WHITE), covered(WHITE), covered(BLACK)]
    if laws.early_queen is EarlyQueen.BACK_AT_TURN_END:
        found.append(Queen(QueenIs.COMING_BACK, WHITE))
    return found


def counting(laws: Laws) -> Iterator[Board]:
    """Every position of a counting game.

    The laws read a purse for its points and for a coin that can go back: of either
    colour the player on turn holds none, one or all that are down. In a race a score matters only by what it lacks: nothing scored before, or one
    point short of the race. Where a purse alone wins it, the board is over already.
    """
    for white, black in product(range(COINS_PER_SIDE + 1), repeat=2):
        down = COINS_PER_SIDE - white, COINS_PER_SIDE - black
        held = product(*({0, min(1, coins), coins} for coins in down))
        for (w, b), queen in product(held, queens(laws)):
            if not white + black and not queen.on_table:
                continue
            mine = Purse(w, b, queen.covered_by(WHITE))
            his = Purse(down[0] - w, down[1] - b, queen.covered_by(BLACK))
            for score in product(scores(mine, laws), scores(his, laws)):
                yield Board(
                    coins=BySide(white, black),
                    queen=queen,
                    ever_down=BySide(white < COINS_PER_SIDE, black < COINS_PER_SIDE),
                    scores=BySide(*score),
                    break_attempt=0,
                    purses=BySide(mine, his),
                )


def scores(purse: Purse, laws: Laws) -> set[int]:
    """What its owner may have had before this board; none if he has won already."""
    if laws.game_points is None:
        return {0}
    short = laws.game_points - 1 - points(purse, laws)
    return {0, short} if short >= 0 else set()


def strokes(board: Board) -> Iterator[Stroke]:
    """Every kind of stroke this board can meet."""
    queens = (False, True) if board.queen.on_table else (False,)
    for white, black, queen, striker, proper in product(
        *falls(board), queens, (False, True), (True, False)
    ):
        yield Stroke(
            white=white, black=black, queen=queen, striker=striker, proper=proper
        )
    if not board.broken:
        for striker, proper in product((False, True), repeat=2):
            yield Stroke(touched=False, striker=striker, proper=proper)


def falls(board: Board) -> list[list[int]]:
    """How many coins of either colour can go down; few where coins found no room."""
    up = [board.coins.white, board.coins.black]
    if any(board.payable(side) for side in Side):
        return [sorted({0, 1, 2, n} & set(range(n + 1))) for n in up]
    return [list(range(n + 1)) for n in up]


def faults(board: Board, told: tuple[Decision, ...], laws: Laws) -> Iterator[str]:
    """What is wrong with a judged board."""
    verdicts = [d for d in told if isinstance(d, TurnKept | TurnPassed | BoardWon)]
    if len(verdicts) != 1:
        yield f"{len(verdicts)} verdicts"
    lying, pocketed = board.ledger
    if min(*lying.values(), *pocketed.values()) < 0:
        yield "the ledger does not add up"
    if board.over != any(isinstance(d, BoardWon) for d in told):
        yield "over without a winner"
    if board.result is not None:
        counted = board.result
        most = counted.points + counted.demandable + max(0, counted.loser_points)
        if most > laws.board_points_max or min(counted.points, counted.demandable) < 0:
            yield f"counts {most} points"


def unreadable(board: Board, seen: set[Board]) -> Iterator[str]:
    """A board that does not read back as printed; each is tried once."""
    if board not in seen:
        seen.add(board)
        if read_board(write_board(board)) != board:
            yield "does not read back"


def meet(laws: Laws, every: int) -> tuple[int, list[str]]:
    """How many pairs were judged, and what was wrong."""
    met, wrong = 0, list[str]()
    seen: set[Board] = set()
    for board in islice(positions(laws), 0, None, every):
        for stroke in strokes(board):
            after, told = judge(board, stroke, laws)
            met += 1
            wrong += [
                f"{laws.name}: {write_board(board)} {stroke}: {fault}"
                for fault in (*faults(after, told, laws), *unreadable(after, seen))
            ]
    return met, wrong


def main() -> None:
    """Judge them all and say how many, how long and what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rules")
    wanted = parser.parse_args()
    started, total, wrong = time.process_time(), 0, list[str]()
    chosen = [rule_set(wanted.rules)] if wanted.rules else RULE_SETS.values()
    for laws in chosen:
        began = time.process_time()
        met, faulty = meet(laws, wanted.every)
        total += met
        wrong += faulty
        spent = time.process_time() - began
        print(
            f"{laws.name}: {met} pairs, {len(faulty)} faults, {spent:.0f} s", flush=True
        )
    print("\n".join(wrong[:20]))
    spent = time.process_time() - started
    print(f"{total} pairs judged, {len(wrong)} faults, {spent:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
