"""What one rule set fixes, as a value. The sets themselves are in `rule_sets.py`.

Numbers are values and laws are functions: nothing here decides anything. The
defaults are the international laws (ICF, the later edition of 143 rules).
"""

from dataclasses import dataclass

from controller.rules.choices import (
    AtBell,
    BothLast,
    Counting,
    Cover,
    EarlyQueen,
    JumpedTurn,
    Leaving,
    MixedPot,
    OffTable,
    OutOfTurn,
    Overtime,
    OwnLast,
    Placer,
    QueenWithStriker,
    Rebreak,
    SideChange,
    StrikerWithOwn,
    Tie,
    Toss,
    Unpayable,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """One rule set; everything else in the engine is common to all.

    Points are plain numbers, times seconds. None means "no limit" throughout.
    """

    name: str
    title: str
    edition: str
    """Which column of article numbers applies (`articles.py`)."""
    aliases: tuple[str, ...] = ()

    # Scoring and format
    counting: Counting = Counting.BOARDS
    coin_points: int = 1
    queen_points: int = 3
    queen_counts_to: int | None = 21
    """The highest game score at which the queen still counts in full."""
    bare_queen_points: int = 1
    """What she is worth above that score where nothing else is left (FIC 76)."""
    board_points_max: int = 12
    game_points: int | None = 25
    boards_per_game: int | None = 8
    limit_ends_before: bool = True
    """The board limit holds up to the pre-quarter-finals only (56b)."""
    games_per_match: int = 3
    shown_points_max: int | None = 25
    tie: Tie = Tie.EXTRA_BOARD
    side_change: SideChange = SideChange.ICF
    change_at_points: int = 13
    change_at_board: int = 4
    boards_to_win: int | None = None
    """Boards that win a game whatever the points (events: two of three)."""
    stops_when_uncatchable: bool = False
    """A lead the boards left cannot make up ends the game (some clubs)."""
    century_board: bool = False
    """Clearing before the opponent has had a coin down wins the game (events)."""
    players: tuple[int, ...] = (2, 4)

    # Counting games only
    white_points: int = 0
    black_points: int = 0
    striker_points: int = 0
    """Points lost with the striker; 0: an own sunk coin goes back instead."""

    # Toss and break
    toss: Toss = Toss.SIDE_OR_BREAK
    trial_board: bool = True
    """Each player has a trial board after the toss (40); the officials see to it."""
    break_attempts: int = 3
    rebreak: Rebreak = Rebreak.AUTOMATIC

    # What went down
    mixed_pot: MixedPot = MixedPot.KEEPS
    rival_coin_is_foul: bool = False
    striker_with_own: StrikerWithOwn = StrikerWithOwn.ALL_BACK_KEEPS
    striker_with_own_due: bool = True
    """Whether a due is added to the coins that come back."""
    striker_returns_rival: bool = False
    """Whether opposing coins of that stroke come back as well."""
    queen_with_striker: QueenWithStriker = QueenWithStriker.KEEPS
    early_queen: EarlyQueen = EarlyQueen.BACK_PASSES
    queen_while_owing: bool = False
    """Whether she may be taken while a due is outstanding."""
    two_to_cover_at_nine: bool = True
    """With all nine up, one coin with the queen does not yet cover her (97b)."""
    cover: Cover = Cover.NEEDED
    own_last_before_queen: OwnLast = OwnLast.LOSES_QUEEN
    both_last: BothLast = BothLast.ICF
    both_his_reduced: bool = True
    """Whether 112 gives one point only to an opponent past the cut-off."""

    # Fouls, dues, conduct, time
    foul_coins: int = 1
    technical_keeps_turn: bool = True
    """Whether a breach before the first stroke of a turn leaves the turn (63)."""
    striker_is_foul: bool = False
    """Whether the text calls a pocketed striker a foul; the price is the same."""
    improper_striker_coins: int = 1
    """Added to the penalty when an improper stroke pockets the striker (72b)."""
    improper_queen_striker_coins: int = 1
    """The same where the queen was sunk or awaiting her cover (98b to 101b)."""
    improper_queen_coins: int = 1
    """The penalty where 64b names it: a queen, or own coins with a foul called."""
    unpayable: Unpayable = Unpayable.OUTSTANDING
    placer: Placer = Placer.OPPONENT
    off_table: OffTable = OffTable.FREE
    striker_off_table: OffTable = OffTable.FREE
    jumped_turn: JumpedTurn = JumpedTurn.AS_POCKETED
    thumb_allowed: bool = True
    back_shots_allowed: bool = True
    hand_over_arrow_allowed: bool = True
    rival_first_allowed: bool = True
    arrow_coin_allowed: bool = True
    """Whether a coin on the own arrow or base line may be hit directly."""
    own_striker: bool = True
    """Players bring certified strikers (115); else the tournament's are used."""
    leaving: Leaving = Leaving.LOSES_BOARD
    out_of_turn: OutOfTurn = OutOfTurn.LOSES_BOARD
    stroke_limit_s: float | None = 15.0
    placing_limit_s: float | None = 15.0
    overtime: Overtime = Overtime.BREACH
    overtime_warns_first: bool = False
    game_limit_s: float | None = None
    game_warning_s: float | None = None
    at_bell: AtBell = AtBell.STOP

    @property
    def players_collect(self) -> bool:
        """Whether every piece counts for whoever pockets it."""
        return self.counting is Counting.POINTS
