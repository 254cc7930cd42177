"""Which pocket of the picture is which channel of the pocket node, proved by coins.

A pocket's name follows from the side at which South sits, so a proof holds for that
side alone: South moved by a quarter means four other pockets. It holds for the node's
channels as they are configured, too.
"""

import math
from collections.abc import Mapping, Sequence

from calibration.plane import PlaneMapping
from calibration.profile import Profile
from calibration.refusal import Refusal
from calibration.table import Pocket, Point
from controller.events import PocketReport

SIDES = ("right", "bottom", "left", "top")
"""Sides of the picture, clockwise from its x axis (pixels count downwards)."""


class PocketProofs:
    """What dropped coins have proved about one table's pockets."""

    def __init__(
        self, channels: Sequence[Pocket] | None, kept: Profile | None = None
    ) -> None:
        """`channels` are the node's, in order, None without a node; `kept` the profile
        in use, whose proofs go on as long as they fit the channels."""
        self._channels = channels
        self._south = "bottom" if kept is None else south_of(kept.mapping)
        self._proved = _still_true(kept.pockets if kept else None, channels)
        self._expected: Pocket | None = None
        self._note = ""

    @property
    def whole(self) -> dict[Pocket, int] | None:
        """Every pocket's channel, counted from 1; None while one is not proved."""
        return dict(self._proved) if len(self._proved) == len(Pocket) else None

    def expect(self, pocket: Pocket | None) -> None:
        """A coin is about to be dropped into this pocket; raises Refusal."""
        if self._channels is None:
            raise Refusal("there is no pocket node: set [pockets] in the configuration")
        self._expected = pocket
        self._note = ""

    def feel(self, report: PocketReport) -> None:
        """A pocket node felt something: that proves the pocket that was expected."""
        expected, self._expected = self._expected, None
        if expected is None or self._channels is None:
            return
        channel = self._channels.index(report.pocket) + 1
        if report.pocket is expected:
            self._proved[expected] = channel
            self._note = f"{expected.value}: proved, channel {channel}"
            return
        self._proved.pop(expected, None)
        self._note = (
            f"the coin for {expected.value} was felt by channel {channel}, which is set "
            f"to {report.pocket.value}: run carrom pockets --drop, or South sits elsewhere"
        )

    def seat(self, south: str) -> None:
        """South sits at this side of the picture; proofs for another are void."""
        if south == self._south:
            return
        self._south = south
        self._expected = None
        if self._proved:
            self._proved.clear()
            self._note = (
                f"South sits at the {south} now, so the pockets have other names: "
                "prove them again"
            )

    def shown(self) -> dict[str, object]:
        """As the page draws it."""
        return {
            "present": self._channels is not None,
            "expected": self._expected and self._expected.value,
            "proved": {pocket.value: n for pocket, n in self._proved.items()},
            "note": self._note,
        }


def south_of(mapping: PlaneMapping) -> str:
    """The side of the picture at which South sits: bottom, right, top or left."""
    x, y = mapping.point_to_px(Point(0.0, 0.0))
    to_x, to_y = mapping.point_to_px(Point(0.0, -100.0))
    return SIDES[round(math.atan2(to_y - y, to_x - x) / (math.pi / 2)) % 4]


def _still_true(
    proved: Mapping[Pocket, int] | None, channels: Sequence[Pocket] | None
) -> dict[Pocket, int]:
    """Proofs kept in a profile that are of the channels as they are set now."""
    if proved is None or channels is None:
        return {}
    now = {pocket: number for number, pocket in enumerate(channels, start=1)}
    return dict(proved) if dict(proved) == now else {}
