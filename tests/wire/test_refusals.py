"""Two ends built from different definitions refuse each other and say why."""

import pytest

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.heard import DeviceRefused, DeviceUp
from controller.pockets.link import PocketLink
from controller.pockets.simulated import SimulatedNode, exchange


@pytest.mark.parametrize(
    ("protocol", "definition", "remedy"),
    [
        pytest.param(wire.PROTOCOL - 1, 1, "flash the firmware", id="an older node"),
        pytest.param(wire.PROTOCOL + 1, 1, "update carrom-umpire", id="a newer node"),
        pytest.param(wire.PROTOCOL, 1, "flash the firmware", id="one changed field"),
    ],
)
def test_a_node_with_another_protocol_is_refused_by_both_sides(
    protocol: int, definition: int, remedy: str
) -> None:
    node, link = SimulatedNode(), PocketLink()
    node.protocol, node.definition = protocol, definition
    node.pulse(Pocket.NORTH_EAST, 0.1)

    heard = [one for at_s in (1.0, 2.0, 4.0) for one in exchange(node, link, at_s)]

    (refused,) = [one for one in heard if isinstance(one, DeviceRefused)]
    assert remedy in refused.reason
    assert not any(isinstance(one, PocketReport) for one in heard)
    states = [one.health for one in heard if isinstance(one, PocketState)]
    assert states == [PocketHealth.LOST] * len(Pocket)
    assert node.pending == 1


def test_a_refused_node_that_was_updated_is_welcome() -> None:
    node, link = SimulatedNode(), PocketLink()
    node.definition = 1
    exchange(node, link, 0.0)
    node.definition = wire.DEFINITION
    node.reset(1.0)

    assert isinstance(exchange(node, link, 2.0)[0], DeviceUp)
