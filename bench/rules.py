"""How many strokes a second the judge decides, in processor time on one core.

Run: python bench/rules.py [SECONDS]. The strokes are those of random boards played
to their end under the international laws, so every path is met as often as in play.
"""

import random
import sys
import time

from controller.rules.board import Board
from controller.rules.judge import judge
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

SEED = 7
BOARDS = 300


def random_stroke(board: Board, dice: random.Random) -> Stroke:
    """A stroke that could happen on this board: mostly a miss or one coin."""
    own, rival = board.coins[board.turn], board.coins[board.turn.opponent]
    sunk = min(own, dice.choices((0, 1, 2), (55, 40, 5))[0])
    wrong = min(rival, dice.choices((0, 1), (92, 8))[0])
    white, black = (sunk, wrong) if board.turn == "white" else (wrong, sunk)
    return Stroke(
        white=white,
        black=black,
        queen=board.queen.on_table and dice.random() < 0.06,
        striker=dice.random() < 0.06,
        proper=dice.random() > 0.03,
    )


def played_strokes(dice: random.Random) -> list[tuple[Board, Stroke]]:
    """The positions and strokes of many random boards."""
    met: list[tuple[Board, Stroke]] = []
    laws = rule_set("icf")
    for _ in range(BOARDS):
        board = Board()
        while not board.over:
            stroke = random_stroke(board, dice)
            met.append((board, stroke))
            board, _told = judge(board, stroke, laws)
    return met


def main() -> None:
    """Print strokes per second."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    met = played_strokes(random.Random(SEED))
    laws = rule_set("icf")
    judged, started = 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        for board, stroke in met:
            judge(board, stroke, laws)
        judged += len(met)
    print(f"{judged / spent:,.0f} strokes/s judged ({judged} in {spent:.2f} s)")


if __name__ == "__main__":
    main()
