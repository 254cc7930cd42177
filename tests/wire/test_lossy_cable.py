"""S10: bytes damaged, lost and added in both directions, and a pulled plug."""

from typing import cast

import pytest
from bad_cable import played
from compiled_node import NEEDS_GCC, CompiledNode

from controller.events import PocketReport
from controller.pockets.heard import DeviceFault, ReportsLost
from controller.pockets.simulated import SimulatedNode

Make = type[SimulatedNode]


@pytest.fixture(params=(SimulatedNode, pytest.param(CompiledNode, marks=NEEDS_GCC)))
def make(request: pytest.FixtureRequest) -> Make:
    """A kind of node: the simulated one, and the firmware's own link."""
    return cast(Make, request.param)


@pytest.mark.parametrize("seed", range(3))
def test_S10_damaged_bytes_lose_nothing_and_double_nothing(
    make: Make, seed: int
) -> None:
    cable, fell_s = played(make, seed, minutes=1, pull=False)

    told = [one for one in cable.heard if isinstance(one, PocketReport)]

    assert [report.sequence for report in told] == list(range(len(fell_s)))
    assert cable.node.pending == 0
    assert not any(isinstance(one, ReportsLost | DeviceFault) for one in cable.heard)
    assert cable.link.health.damaged > 0
    assert cable.link.health.node_damaged > 0


def test_S10_S1_damage_and_a_plug_pulled_every_minute_lose_nothing(make: Make) -> None:
    cable, fell_s = played(make, seed=11, minutes=3, pull=True)

    told = [one for one in cable.heard if isinstance(one, PocketReport)]

    assert [report.sequence for report in told] == list(range(len(fell_s)))
    assert cable.link.health.closed == 3


def test_the_stated_time_error_holds_on_a_bad_cable(make: Make) -> None:
    cable, fell_s = played(make, seed=5, minutes=2, pull=True)

    told = [one for one in cable.heard if isinstance(one, PocketReport)]

    wrong = [
        (report.at_s - at_s, report.error_s)
        for report, at_s in zip(told, fell_s, strict=True)
        if abs(report.at_s - at_s) > report.error_s
    ]
    assert wrong == []
