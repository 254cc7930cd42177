"""What a node's sensors lost is a counted fault, told once though frames are lost."""

from compiled_node import NEEDS_GCC, CompiledNode

from calibration.table import Pocket
from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, unframe
from controller.pockets.heard import DeviceFault, Heard
from controller.pockets.link import PocketLink
from controller.pockets.simulated import exchange

pytestmark = NEEDS_GCC
OVERRUN, IMPLAUSIBLE = wire.FaultKind.LOOP_OVERRUN, wire.FaultKind.IMPLAUSIBLE_RATE


def met() -> tuple[CompiledNode, PocketLink]:
    pair = CompiledNode(), PocketLink()
    exchange(*pair, 0.0)
    return pair


def faults(heard: list[Heard]) -> list[tuple[wire.FaultKind, int]]:
    return [(o.kind, o.detail) for o in heard if isinstance(o, DeviceFault)]


def test_N5_breaks_of_a_loose_wire_are_a_fault_of_their_pocket_and_no_count() -> None:
    node, link = met()
    node.lose(implausible=7, channel=2)

    heard = exchange(node, link, 0.1) + exchange(node, link, 0.4)

    (fault,) = [one for one in heard if isinstance(one, DeviceFault)]
    assert (fault.kind, fault.pocket, fault.detail) == (
        IMPLAUSIBLE,
        Pocket.SOUTH_WEST,
        7,
    )
    assert link.health.node_implausible == 7


def test_S13_samples_missed_by_the_main_loop_are_told() -> None:
    node, link = met()
    node.lose(overruns=3)

    assert faults(exchange(node, link, 0.1)) == [(OVERRUN, 3)]
    assert link.health.node_overruns == 3


def test_a_fault_that_is_lost_on_the_cable_comes_with_the_heartbeat() -> None:
    node, link = met()
    node.lose(overruns=3)
    said = [piece for piece in node.poll(0.1).split(DELIMITER) if piece]
    kept = [piece for piece in said if unframe(piece)[0] != wire.Fault.ID]

    heard = link.receive(b"".join(piece + DELIMITER for piece in kept), 0.1)

    assert faults(heard) == [(OVERRUN, 3)]


def test_more_of_the_same_is_told_again() -> None:
    node, link = met()
    node.lose(overruns=3)
    heard = exchange(node, link, 0.1)
    node.lose(overruns=5)
    heard += exchange(node, link, 0.2)

    assert faults(heard) == [(OVERRUN, 3), (OVERRUN, 5)]
