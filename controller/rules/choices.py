"""The named choices in which rule sets differ in kind, not in amount.

Each choice is obeyed by exactly one place in the engine; `laws.py` says which
rule set chooses what, and LAWS.md which sentence of which source asks for it.
"""

from enum import StrEnum


class Counting(StrEnum):
    """What a player collects."""

    BOARDS = "boards"
    """The winner of a board gets the coins his opponent has left (ICF 53)."""
    POINTS = "points"
    """Every piece counts for whoever pockets it."""


class MixedPot(StrEnum):
    """Own and opposing coins go down in one stroke."""

    KEEPS = "keeps"
    PASSES = "passes"


class StrikerWithOwn(StrEnum):
    """The striker falls together with own coins."""

    ALL_BACK_KEEPS = "all-back-keeps"
    """Coins back, one due, the turn goes on (ICF 73)."""
    ALL_BACK_PASSES = "all-back-passes"
    """Coins back, one due, the turn is lost."""
    ONE_BACK_PASSES = "one-back-passes"
    """Coins stay, one due, the turn is lost."""
    DOUBLE_FOUL = "double-foul"
    """Coins stay; the player pays two and goes on, or one and passes (events)."""


class QueenWithStriker(StrEnum):
    """The queen falls with the striker and without an own coin."""

    KEEPS = "keeps"
    PASSES = "passes"


class EarlyQueen(StrEnum):
    """The queen falls before her pocketer has had a coin down."""

    BACK_PASSES = "back-passes"
    """Back at once, the turn is lost (ICF 95a)."""
    BACK_AT_TURN_END = "back-at-turn-end"
    NEVER_EARLY = "never-early"


class Cover(StrEnum):
    """Whether a pocketed queen needs a cover."""

    NEEDED = "needed"
    NOT_NEEDED = "not-needed"


class OwnLast(StrEnum):
    """The striking side's last coin goes down while the queen is on the table."""

    LOSES_QUEEN = "loses-queen"
    """The opponent gets the queen's points (ICF 107)."""
    LOSES_QUEEN_AND_COINS = "loses-queen-and-coins"
    """The opponent gets the queen's points and one per coin of his own left."""
    WINS_COINS = "wins-coins"
    """The board is won, without the queen's points."""
    BACK_AS_FOUL = "back-as-foul"
    """The coin comes back with a penalty and the turn is lost."""
    PLAYS_ON = "plays-on"
    """The board goes on until somebody pockets the queen."""


class BothLast(StrEnum):
    """One stroke pockets the last coin of both sides."""

    ICF = "icf"
    STRIKER_WINS = "striker-wins"
    """The striking side has cleared first if its queen is settled."""


class OffTable(StrEnum):
    """A piece leaves the table."""

    FREE = "free"
    FOUL = "foul"


class JumpedTurn(StrEnum):
    """Whose turn it is after a coin or the queen has left the table."""

    AS_POCKETED = "as-pocketed"
    """What was pocketed decides (ICF 65a, 48)."""
    OWN_COIN_ONLY = "own-coin-only"
    """The turn is lost unless an own coin was pocketed."""


class Placer(StrEnum):
    """Who places dues and penalties."""

    OPPONENT = "opponent"
    UMPIRE = "umpire"


class Unpayable(StrEnum):
    """A coin is owed while none of the side's is down."""

    OUTSTANDING = "outstanding"
    WAIVED = "waived"


class Overtime(StrEnum):
    """A stroke is made too late."""

    BREACH = "breach"
    """A technical foul on the first stroke of a turn, a foul later."""
    TURN_LOST = "turn-lost"
    THREE_LOSE = "three-lose"
    """The turn is lost, and the third time the game."""


class AtBell(StrEnum):
    """What the end of a timed game does to the running board."""

    STOP = "stop"
    """Play stops: most coins down wins (tournament)."""
    FINISH_BOARD = "finish-board"
    """The board is played out, then the game is over (some clubs)."""


class Leaving(StrEnum):
    """A player leaves the seat during play."""

    LOSES_BOARD = "loses-board"
    WARNING = "warning"


class OutOfTurn(StrEnum):
    """A side strikes when it is not on turn."""

    LOSES_BOARD = "loses-board"
    REPLAY = "replay"
    UMPIRE = "umpire"


class Rebreak(StrEnum):
    """What follows a break that touched nothing."""

    AUTOMATIC = "automatic"
    OPPONENT_ASKS = "opponent-asks"


class Tie(StrEnum):
    """What decides a game that is level after its last board."""

    EXTRA_BOARD = "extra-board"
    COIN_RACE = "coin-race"
    ALTERNATE_ATTEMPTS = "alternate-attempts"
    SHARED = "shared"
    SUDDEN_DEATH = "sudden-death"
    SHOOT_OUT = "queen-shoot-out"
    MORE_POINTS = "more-points"


class SideChange(StrEnum):
    """When the players change seats."""

    NEVER = "never"
    ICF = "icf"
    """After each game, and in the third at 13 points or after board 4."""
    THIRD_AFTER_TWO = "third-after-two"
    """After each game, and in the third after two boards."""


class Toss(StrEnum):
    """What the toss decides."""

    SIDE_OR_BREAK = "side-or-break"
    BREAK_OR_COLOUR = "break-or-colour"
    COLOUR_BY_LOT = "colour-by-lot"
    COLOUR_BY_FIRST_POT = "colour-by-first-pot"


class Round(StrEnum):
    """The stage of the tournament: the board limit ends with the pre-quarters."""

    LEAGUE = "league"
    PRE_QUARTER = "pre_quarter"
    QUARTER_FINAL = "quarter_final"
    SEMI_FINAL = "semi_final"
    FINAL = "final"

    @property
    def has_board_limit(self) -> bool:
        """Whether games of this stage end after the set number of boards."""
        return self in (Round.LEAGUE, Round.PRE_QUARTER)
