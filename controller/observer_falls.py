"""What fell, as tracks' ends and pocket reports tell it.

Theory of operation. `observer_link` says which of them are one `Fall`. Each
fall is then either false or one piece (two, where a pulse may be a merged
one), and a sum over all those assignments gives, for every multiset of pieces, how
well tracks and pulses together speak for it. Pieces that nothing reported are
added at the price of being missed by every source that should have seen them.
Nothing here knows the census or the laws: those weigh in `observer_weigh`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from calibration.table import Piece, Pocket
from controller.events import Counts, Fallen, Looks
from controller.observer_link import Fall
from controller.trust import Trust
from vision.sightings import TrackEnd, Vanished

KINDS = tuple(Piece)
Gone = tuple[int, ...]
"""How many of each kind fell into pockets, then how many left otherwise: 4 + 4."""

NOTHING: Gone = (0,) * 8
MOST_UNREPORTED = 2
"""More pieces than this unreported by every source are not worth weighing."""
NEGLIGIBLE = 1e-10
"""Assignments this much less likely than the likeliest are dropped."""
FALL_PRIOR = 0.3
"""Of strokes, roughly how many have one fall more."""
HAND_SURE = 0.9
"""How far a track that ended in a hand or off the table is believed."""
HIDDEN_FALL = 0.05
"""Of falls, how many happen to a piece that a hand hides or the eyes have lost."""
TAKEN = 0.002
"""Of strokes, in how many a hand takes a coin off the table before all rests."""
PICKED = 0.3
"""Of strokes, in how many a hand takes up the striker as they end."""
STRAYED = 0.002
"""Of pieces, how many the eyes lose though they lie on the table at rest."""
SURE = 0.995
"""The most a track's own confidence in its piece is believed."""

# How a pulse looks by what passed (rows sum to 1). Assumed from the sensor's width
# classes: a coin's chord varies with where it crosses the beam.
LOOKS: dict[str, dict[Looks, float]] = {
    "coin": {
        Looks.ONE_COIN: 0.93,
        Looks.TWO_COINS: 0.01,
        Looks.STRIKER: 0.02,
        Looks.UNSURE: 0.04,
    },
    "striker": {
        Looks.ONE_COIN: 0.06,
        Looks.TWO_COINS: 0.03,
        Looks.STRIKER: 0.86,
        Looks.UNSURE: 0.05,
    },
    "two": {
        Looks.ONE_COIN: 0.15,
        Looks.TWO_COINS: 0.6,
        Looks.STRIKER: 0.05,
        Looks.UNSURE: 0.2,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Which sources could have seen a fall: `eyes`, and pockets fit for counting."""

    trust: Trust
    eyes: bool
    fit: frozenset[Pocket]

    @property
    def all_pockets(self) -> bool:
        """Whether no fall could pass unreported by a sensor but by its own fault."""
        return len(self.fit) == len(Pocket)


def likelihoods(
    falls: Sequence[Fall],
    others: Sequence[Vanished],
    sources: Sources,
    on_table: Counts,
    lacking: Counts,
) -> dict[Gone, float]:
    """How well the sources speak for each multiset of pieces gone.

    `others` are tracks that ended in a hand or off the table; `lacking` is what
    may have gone unreported, for the census lacks it. Not normalised; a prior on
    how much falls in one stroke is included.
    """
    share = {p: max(on_table[p], 0.5) / max(on_table.total, 1) for p in KINDS}
    most = (*(on_table[p] + 1 for p in (Piece.WHITE, Piece.BLACK)), 1, 1)
    weights: dict[Gone, float] = {NOTHING: 1.0}
    for fall in falls:
        options = _readings_of(fall, falls, sources, share)
        weights = _combine(weights, options, most)
    for other in others:
        weights = _combine(weights, _left(other, sources), most)
    weights = _combine(weights, _unreported(sources, share, lacking), most)
    return weights


def name_fallen(fell: Counts, falls: Sequence[Fall], p: float) -> tuple[Fallen, ...]:
    """Say in which pocket and when each fallen piece went, as far as known."""
    left = [piece for piece in Piece for _ in range(fell[piece])]
    named: list[Fallen] = []
    open_falls = list(falls)
    for wants in (_same_piece, _striker_pulse, _untracked, _any):
        for piece in tuple(left):
            fall = next((f for f in open_falls if wants(f, piece)), None)
            if fall is None:
                continue
            left.remove(piece)
            open_falls.remove(fall)
            named.append(Fallen(piece, fall.pocket, fall.at_s, p))
    named += [Fallen(piece, None, None, p) for piece in left]
    return tuple(sorted(named, key=lambda fallen: (fallen.at_s or 0.0, fallen.piece)))


def _same_piece(fall: Fall, piece: Piece) -> bool:
    return fall.track is not None and fall.track.piece is piece


def _striker_pulse(fall: Fall, piece: Piece) -> bool:
    pulse = fall.pulse if fall.track is None else None
    is_striker = pulse is not None and pulse.looks is Looks.STRIKER
    return is_striker and piece is Piece.STRIKER


def _untracked(fall: Fall, piece: Piece) -> bool:
    return fall.track is None


def _any(fall: Fall, piece: Piece) -> bool:
    return True


def _readings_of(
    fall: Fall,
    falls: Sequence[Fall],
    sources: Sources,
    share: dict[Piece, float],
) -> list[tuple[Gone, float]]:
    """Every way to read one fall: false, one piece, or two behind one pulse."""
    options = [(NOTHING, _false(fall, sources.trust, share))]
    options += _otherwise(fall, sources.trust, share)
    for piece in KINDS:
        likely = FALL_PRIOR * share[piece] * _track_says(fall, piece, sources)
        likely *= _pulse_says(fall, piece, falls, sources)
        options.append((_gone(fell=(piece,)), likely))
    if fall.pulse is not None:
        options += _merged(fall, fall.pulse.looks, sources, share)
    return options


def _false(fall: Fall, trust: Trust, share: dict[Piece, float]) -> float:
    """The pulse came of nothing, and the piece lies on the table after all."""
    weight = 1.0 if fall.pulse is None else trust.sensor_ghost
    track = fall.track
    if track is None:
        return weight
    if fall.seen:
        return weight * trust.track_false * share[track.piece]
    in_hand = track.end is TrackEnd.HAND and track.piece is Piece.STRIKER
    return weight * (PICKED if in_hand else STRAYED) * share[track.piece]


def _otherwise(
    fall: Fall, trust: Trust, share: dict[Piece, float]
) -> list[tuple[Gone, float]]:
    """The pulse came of nothing, and a hand took the piece, or it jumped."""
    track = fall.track
    if track is None or fall.seen:
        return []
    left = TAKEN if track.end is TrackEnd.HAND else trust.jump
    if track.piece is Piece.STRIKER:
        left = trust.jump
    weight = trust.sensor_ghost * left * share[track.piece]
    return [(_gone(jumped=(track.piece,)), weight)]


def _left(other: Vanished, sources: Sources) -> list[tuple[Gone, float]]:
    """A track that ended off the table or in a hand, and no pulse to explain it.

    Under a hand it may as well have fallen, unfelt: hands seldom take coins then.
    """
    options = [
        (NOTHING, 1 - HAND_SURE),
        (_gone(jumped=(other.piece,)), HAND_SURE),
    ]
    if other.end is TrackEnd.HAND:
        unfelt = 1 - sources.trust.sensor_seen if sources.all_pockets else 1.0
        odds = FALL_PRIOR * HIDDEN_FALL * unfelt / TAKEN
        options.append((_gone(fell=(other.piece,)), HAND_SURE * odds))
    return options


def _track_says(fall: Fall, piece: Piece, sources: Sources) -> float:
    if fall.track is None:
        return 1 - sources.trust.track_seen if sources.eyes else 1.0
    if not fall.seen:
        return HIDDEN_FALL * (SURE if fall.track.piece is piece else (1 - SURE) / 3)
    sure = min(max(fall.track.confidence, 0.5), SURE)
    says = sure if fall.track.piece is piece else (1 - sure) / 3
    return sources.trust.track_seen * says


def _pulse_says(
    fall: Fall, piece: Piece, falls: Sequence[Fall], sources: Sources
) -> float:
    trust = sources.trust
    if fall.pulse is not None:
        kind = "striker" if piece is Piece.STRIKER else "coin"
        return trust.sensor_seen * LOOKS[kind][fall.pulse.looks]
    if fall.pocket not in sources.fit:
        return 1.0
    if any(_could_hide(other, fall, trust) for other in falls):
        return trust.sensor_merge
    return 1 - trust.sensor_seen


def _could_hide(other: Fall, fall: Fall, trust: Trust) -> bool:
    """Whether the other's pulse may stand for both."""
    return (
        other.pulse is not None
        and other.pulse.pocket is fall.pocket
        and abs(other.at_s - fall.at_s) <= trust.pulse_match_s
    )


def _merged(
    fall: Fall, looks: Looks, sources: Sources, share: dict[Piece, float]
) -> list[tuple[Gone, float]]:
    """Two pieces behind one pulse; the camera saw one of them at most."""
    trust = sources.trust
    merged = FALL_PRIOR**2 * trust.sensor_merge * LOOKS["two"][looks]
    unseen = 1 - trust.track_seen if sources.eyes else 1.0
    options = []
    for pair in combinations_with_replacement(KINDS, 2):
        seen = max(_track_says(fall, piece, sources) for piece in pair)
        likely = merged * share[pair[0]] * share[pair[1]] * seen * unseen
        options.append((_gone(fell=pair), likely))
    return options


def _unreported(
    sources: Sources, share: dict[Piece, float], lacking: Counts
) -> list[tuple[Gone, float]]:
    """Nothing more, or pieces that no source reported: fallen or gone otherwise."""
    unseen = 1 - sources.trust.track_seen if sources.eyes else 1.0
    unfelt = 1 - sources.trust.sensor_seen if sources.all_pockets else 1.0
    fell = {p: FALL_PRIOR * share[p] * unseen * unfelt for p in KINDS}
    jumped = {p: sources.trust.jump * share[p] for p in KINDS}
    single = [(_gone(fell=(p,)), fell[p]) for p in KINDS if lacking[p] > 0]
    single += [(_gone(jumped=(p,)), jumped[p]) for p in KINDS if lacking[p] > 0]
    options = [(NOTHING, 1.0)]
    for count in range(1, MOST_UNREPORTED + 1):
        for parts in combinations_with_replacement(single, count):
            gone, likely = NOTHING, 1.0
            for part, weight in parts:
                gone, likely = _plus(gone, part), likely * weight
            options.append((gone, likely))
    return options


def _combine(
    weights: dict[Gone, float],
    options: Sequence[tuple[Gone, float]],
    most: tuple[int, ...],
) -> dict[Gone, float]:
    """Each state with each option; what is impossible or negligible is dropped.

    Impossible ones at once: a blind gap with thirty pulses took minutes otherwise.
    """
    after: dict[Gone, float] = {}
    for gone, weight in weights.items():
        for more, likely in options:
            key = _plus(gone, more)
            if _possible(key, most):
                after[key] = after.get(key, 0.0) + weight * likely
    least = NEGLIGIBLE * max(after.values(), default=0.0)
    return {gone: weight for gone, weight in after.items() if weight >= least}


def _gone(fell: Iterable[Piece] = (), jumped: Iterable[Piece] = ()) -> Gone:
    return (*Counts.of(fell).each, *Counts.of(jumped).each)


def _plus(a: Gone, b: Gone) -> Gone:
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def _possible(gone: Gone, most: tuple[int, ...]) -> bool:
    """Whether there are that many; one more than the record says may be."""
    return all(a + b <= m for a, b, m in zip(gone[:4], gone[4:], most, strict=True))
