"""The likeliest reading of one stroke, from sources that err independently.

Theory of operation. A hypothesis says what lay on the table before, what fell and
what left it otherwise. Its weight is the product of: the record's book as a prior
on what lay there before; both censuses, by their rates of misses, confusions and
false sightings; tracks and pulses (`observer_falls`). Normalised over all
hypotheses this is a posterior that knows when it does not know. `agreement` then
asks each source by itself: a likely reading that the record contradicts, or that
stands on one source alone, is not scored but asked. With the assumed rates 1.4 % of
simulated strokes are asked about and 0.07 % of the others are wrong; without pocket
sensors 6.5 % and 0.3 %.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.events import Counts, Looks
from controller.observer_census import (
    STRIKER_MISSED,
    STRIKER_PICKED,
    CensusErrors,
    Four,
    counted,
    errors,
    fits,
    is_clear,
)
from controller.observer_falls import Gone, Sources, likelihoods
from controller.observer_link import Fall
from vision.sightings import Census, Vanished

HIDDEN_MISS = 0.25
"""How often a piece is missed in a census with hidden areas."""
STRIKER = Counts(striker=1)
WORTH_NAMING = 8
READINGS = 3
"""How many readings an umpire is offered."""
LEAST_SHOWN = 0.005
"""A reading less likely than this is not offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All the evidence about one stroke.

    `book`: coins and queen that lie on the table before it, as the record says;
    None while an open question leaves that open. `striker_lost`: the striker went
    before the eyes, and no hand was seen to take it.
    """

    before: Census | None
    after: Census
    falls: tuple[Fall, ...]
    others: tuple[Vanished, ...]
    sources: Sources
    book: Counts | None
    striker_lost: bool = False


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What lay there before, what fell, what left the table another way."""

    before: Counts
    fell: Counts
    jumped: Counts
    probability: float

    @property
    def after(self) -> Counts:
        """What lies there afterwards."""
        return self.before - self.fell - self.jumped


@dataclass(frozen=True, slots=True)
class Agreement:
    """Which sources say the same as a hypothesis: None where one says nothing.

    `loose_ends`: a pulse too many and a striker that is gone, which would explain
    each other but which the hypothesis takes for chance both.
    """

    record: bool | None
    census: bool
    tracks: bool | None
    sensors: bool | None
    loose_ends: bool = False

    @property
    def sound(self) -> bool:
        """Whether the record and two of the three other sources say the same.

        Asking whenever the census alone dissents would ask three times as often
        for the same few errors (our Monte Carlo): what it missed shows again, as a
        mismatch, when the next stroke starts.
        """
        agreeing = (self.census, self.tracks, self.sensors).count(True)
        return self.record is not False and agreeing >= 2 and not self.loose_ends

    @property
    def dissenting(self) -> tuple[str, ...]:
        """The sources that say otherwise, in words."""
        says = {
            "record": self.record,
            "census": self.census,
            "camera tracks": self.tracks,
            "pocket sensors": self.sensors,
        }
        return tuple(name for name, agrees in says.items() if agrees is False)


def weigh(case: Case) -> tuple[Hypothesis, ...]:
    """Every hypothesis worth naming, the likeliest first; never empty."""
    before = {coins.each: _before_weight(case, coins) for coins in _candidates(case)}
    seen, rates = counted(case.after), _after_rates(case)
    absent = STRIKER_MISSED if case.striker_lost else STRIKER_PICKED
    lacking = tuple(max(column) for column in zip(*before, strict=True))
    gone = likelihoods(
        case.falls,
        case.others,
        case.sources,
        _most_likely(case),
        Counts(*lacking) - seen,
    )
    weights: dict[tuple[Four, Gone], float] = {}
    for what, weight in gone.items():
        for lay, prior in before.items():
            after = tuple([n - what[i] - what[i + 4] for i, n in enumerate(lay)])
            likely = weight * prior * fits(seen.each, _four(after), rates, absent)
            if likely > 0:
                weights[lay, what] = likely
    total = sum(weights.values())
    best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:WORTH_NAMING]
    return tuple(
        Hypothesis(Counts(*lay), Counts(*what[:4]), Counts(*what[4:]), weight / total)
        for (lay, what), weight in best
    )


def shown(hypotheses: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
    """The few readings an umpire is offered."""
    likely = [h for h in hypotheses if h.probability >= LEAST_SHOWN]
    return tuple(likely[:READINGS]) or hypotheses[:1]


def agreement(case: Case, best: Hypothesis) -> Agreement:
    """Ask each source by itself whether it says what the hypothesis says."""
    return Agreement(
        record=None if case.book is None else case.book + STRIKER == best.before,
        census=_census_agrees(case, best),
        tracks=_tracks_agree(case, best),
        sensors=_sensors_agree(case, best),
        loose_ends=_pulses(case) > best.fell.total
        and counted(case.after).striker < best.after.striker,
    )


def _most_likely(case: Case) -> Counts:
    """What lay there before, roughly: for priors and limits only."""
    if case.book is not None:
        return case.book + STRIKER
    if case.before is not None:
        return _coins(counted(case.before)) + STRIKER
    return Counts(9, 9, 1, 1)


def _candidates(case: Case) -> Iterator[Counts]:
    """What may have lain there before: as the book, as seen, or as the rest implies."""
    after = counted(case.after)
    fell = Counts.of(f.track.piece for f in case.falls if f.track is not None)
    seen = {_possible(after), _possible(after + fell)}
    if case.before is not None:
        seen.add(_possible(counted(case.before)))
    if case.book is not None:
        seen.add(case.book)
    for coins in sorted(seen, key=lambda counts: counts.each):
        yield coins + STRIKER


def _possible(counts: Counts) -> Counts:
    """The same without the striker, and no more than there are."""
    return Counts(min(counts.white, 9), min(counts.black, 9), min(counts.queen, 1))


def _before_weight(case: Case, before: Counts) -> float:
    weight = 1.0
    if case.book is not None:
        off = sum(abs(d) for d in (before - case.book - STRIKER).each)
        wrong = case.sources.trust.book_wrong
        weight = 1 - wrong if off == 0 else wrong / 6 * 0.2 ** (off - 1)
    if case.before is not None:
        rates = errors(case.before, case.sources.trust)
        if not is_clear(case.before):
            rates = CensusErrors(HIDDEN_MISS, rates.confusion, rates.false)
        weight *= fits(counted(case.before).each, before.each, rates)
    return weight


def _after_rates(case: Case) -> CensusErrors:
    rates = errors(case.after, case.sources.trust)
    if is_clear(case.after):
        return rates
    return CensusErrors(HIDDEN_MISS, rates.confusion, rates.false)


def _census_agrees(case: Case, best: Hypothesis) -> bool:
    after = counted(case.after)
    if _coins(after) != _coins(best.after) or after.striker > best.after.striker:
        return False
    if case.before is None or case.book is not None:
        return True
    return _coins(counted(case.before)) == _coins(best.before)


def _tracks_agree(case: Case, best: Hypothesis) -> bool | None:
    if not case.sources.eyes:
        return None
    tracks = [f for f in case.falls if f.track is not None]
    ended = Counts.of(f.track.piece for f in tracks if f.track and f.seen)
    lost = Counts.of(f.track.piece for f in tracks if f.track and not f.seen)
    more = (best.fell - ended).each
    return all(0 <= n <= most for n, most in zip(more, lost.each, strict=True))


def _sensors_agree(case: Case, best: Hypothesis) -> bool | None:
    looks = [f.pulse.looks for f in case.falls if f.pulse is not None]
    merged = len(looks) + looks.count(Looks.TWO_COINS)
    if len(looks) > best.fell.total:
        return False
    if not case.sources.all_pockets:
        return None
    return len(looks) <= best.fell.total <= merged


def _pulses(case: Case) -> int:
    return sum(fall.pulse is not None for fall in case.falls)


def _coins(counts: Counts) -> Counts:
    """The same without the striker."""
    return Counts(counts.white, counts.black, counts.queen)


def _four(numbers: tuple[int, ...]) -> Four:
    white, black, queen, striker = numbers
    return white, black, queen, striker
