"""Finds a pocket's threshold between the dips of nothing and the dips of coins."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from controller.pockets.messages import SettingsChange, SettingsNow

BIN = 32
"""ADC counts in one row of the histogram."""
FULL = 1024
LEAST_GAP = 64
"""Noise and coins closer than this are not told apart safely."""
ENOUGH = 3
"""Coins per pocket that say how deep the shallowest is."""


@dataclass(slots=True)
class Dips:
    """How far one channel's beam fell: without coins, and for coins."""

    noise: list[int] = field(default_factory=list)
    coins: list[int] = field(default_factory=list)

    @property
    def highest_noise(self) -> int:
        """The deepest dip that was no coin."""
        return max(self.noise, default=0)


@dataclass(frozen=True, slots=True)
class Advice:
    """The settings to put in force, or None and why."""

    change: SettingsChange | None
    why: str


def advise(dips: Dips, now: SettingsNow) -> Advice:
    """Put the threshold half way between noise and coins, if they are apart.

    The beam counts as whole again half way between the threshold and the noise.
    """
    if len(dips.coins) < ENOUGH:
        why = f"{len(dips.coins)} coins fell, {ENOUGH} are needed: drop more"
        return Advice(None, why)
    low, high = dips.highest_noise, min(dips.coins)
    if high - low < LEAST_GAP:
        return Advice(
            None,
            f"the shallowest coin falls by {high}, noise by {low}: too close. Line up "
            "the beam, shade it, then tune again",
        )
    threshold = (low + high) // 2
    kept = {f.name: getattr(now, f.name) for f in fields(now)}
    change = SettingsChange(
        **kept | {"threshold": threshold, "hysteresis": (threshold - low) // 2}
    )
    return Advice(change, f"noise up to {low}, coins from {high}")


def histogram(dips: Dips, threshold: int | None) -> list[str]:
    """Rows of the dips' sizes, `.` for noise and `#` for coins, the threshold marked."""
    noise, coins = _binned(dips.noise), _binned(dips.coins)
    last = max((*noise, *coins, (threshold or 0) // BIN))
    return [
        f"{row * BIN:4d}-{row * BIN + BIN - 1:<4d} "
        f"{'>' if threshold is not None and row == threshold // BIN else ' '} "
        f"{_bar('.', noise[row])}{_bar('#', coins[row])}".rstrip()
        for row in range(last + 1)
    ]


def _binned(sizes: Iterable[int]) -> Counter[int]:
    return Counter(min(size, FULL - 1) // BIN for size in sizes)


def _bar(mark: str, count: int) -> str:
    """One mark up to ten, then one for each further ten: noise comes in thousands."""
    return mark * min(count, 10 + max(0, count - 10) // 10, 50)
