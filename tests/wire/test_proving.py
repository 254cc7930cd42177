"""Tournament mode: a node proves that it holds the key before its reports count."""

from struct import pack
from typing import cast

import pytest
from compiled_node import NEEDS_GCC, CompiledNode

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, frame, unframe
from controller.pockets.heard import DeviceRefused, Heard
from controller.pockets.link import PocketLink
from controller.pockets.proving import EVERY_S, KEYLESS, UNPROVEN, WRONG
from controller.pockets.simulated import SimulatedNode, exchange
from controller.pockets.siphash import siphash

KEY = bytes(range(16))
OTHER = bytes(range(16, 32))
Make = type[SimulatedNode]
PUBLISHED = """
310e0edd47db6f72 fd67dc93c539f874 5a4fa9d909806c0d 2d7efbd796666785
b7877127e09427cf 8da699cd64557618 cee3fe586e46c9cb 37d1018bf50002ab
6224939a79f5f593 b0e4a90bdf82009e f3b9dd94c5bb5d7a a7ad6b22462fb3f4
fbe50e86bc8f1e75 903d84c02756ea14 eef27a8e90ca23f7 e545be4961ca29a1
"""
"""The first lines of vectors_sip64 in the authors' reference implementation."""


@pytest.fixture(params=(SimulatedNode, pytest.param(CompiledNode, marks=NEEDS_GCC)))
def make(request: pytest.FixtureRequest) -> Make:
    """A kind of node: the simulated one, and the firmware's own link."""
    return cast(Make, request.param)


def change(fresh: bytes, old: bytes | None = None) -> wire.KeyChange:
    low, high = (int.from_bytes(half, "little") for half in (fresh[:8], fresh[8:]))
    return wire.KeyChange(low, high, siphash(old, fresh) if old else 0)


def keyed(make: Make, key: bytes = KEY) -> SimulatedNode:
    """A node into which a host wrote this key."""
    node, link = make(), PocketLink()
    exchange(node, link, 0.0)
    link.command(change(key))
    exchange(node, link, 0.1)
    return node


def refusals(heard: list[Heard]) -> list[str]:
    return [one.reason for one in heard if isinstance(one, DeviceRefused)]


def reports(heard: list[Heard]) -> list[PocketReport]:
    return [one for one in heard if isinstance(one, PocketReport)]


def test_siphash_gives_the_published_sums() -> None:
    sums = [siphash(KEY, bytes(range(size))) for size in range(16)]

    assert [pack("<Q", one).hex() for one in sums] == PUBLISHED.split()


def test_a_node_that_holds_the_key_is_heard(make: Make) -> None:
    node = keyed(make)
    node.pulse(Pocket.NORTH_EAST, 0.5)

    heard = exchange(node, PocketLink(key=KEY), 1.0)

    assert len(reports(heard)) == 1
    assert refusals(heard) == []


@pytest.mark.parametrize(
    ("key", "why"),
    [
        pytest.param(None, KEYLESS, id="no key"),
        pytest.param(OTHER, WRONG, id="another key"),
    ],
)
def test_a_node_without_the_key_is_refused_and_nothing_of_it_counts(
    make: Make, key: bytes | None, why: str
) -> None:
    node = keyed(make, key) if key else make()
    node.pulse(Pocket.NORTH_EAST, 0.5)
    link = PocketLink(key=KEY)

    heard = [one for at_s in (1.0, 1.5, 2.0) for one in exchange(node, link, at_s)]

    assert refusals(heard) == [why]
    assert reports(heard) == []
    states = {one.health for one in heard if isinstance(one, PocketState)}
    assert states == {PocketHealth.LOST}
    assert node.pending == 1


def test_a_node_that_leaves_challenges_unanswered_is_refused(make: Make) -> None:
    node, link = keyed(make), PocketLink(key=KEY)
    heard: list[Heard] = []

    for step in range(60):
        at_s = 1.0 + step / 10
        heard += link.receive(node.poll(at_s), at_s)
        sent = link.to_send(at_s).split(DELIMITER)[:-1]
        kept = [one for one in sent if unframe(one)[0] != wire.Challenge.ID]
        node.receive(b"".join(one + DELIMITER for one in kept), at_s)

    assert refusals(heard) == [UNPROVEN]


def test_a_recorded_proof_proves_nothing_the_next_time(make: Make) -> None:
    node, link = keyed(make), PocketLink(key=KEY)
    said = b""
    for _ in range(4):
        said += (fresh := node.poll(1.0))
        link.receive(fresh, 1.0)
        node.receive(link.to_send(1.0), 1.0)
    node.pulse(Pocket.NORTH_EAST, 1.1)
    said += node.poll(1.2)

    again = PocketLink(key=KEY)
    heard = again.receive(said, 2.0)
    again.to_send(2.0)
    heard += again.receive(said, 2.1)

    assert reports(heard) == []


def test_a_proof_is_asked_for_again_every_minute(make: Make) -> None:
    node, link = keyed(make), PocketLink(key=KEY)
    exchange(node, link, 1.0)
    imposter = keyed(make, OTHER)
    exchange(imposter, PocketLink(), 0.2)

    before = exchange(imposter, link, 0.9 + EVERY_S)
    after = exchange(imposter, link, 1.1 + EVERY_S)

    assert (refusals(before), refusals(after)) == ([], [WRONG])


def test_only_who_knows_the_key_may_change_it(make: Make) -> None:
    node, link = keyed(make), PocketLink()
    exchange(node, link, 1.0)

    link.command(change(OTHER))
    (refused,) = [o for o in exchange(node, link, 1.1) if isinstance(o, wire.KeyDone)]
    kept = node.key
    link.command(change(OTHER, KEY))
    (taken,) = [o for o in exchange(node, link, 1.2) if isinstance(o, wire.KeyDone)]

    assert (refused.result, kept) == (wire.KeyResult.REFUSED, KEY)
    assert (taken.result, node.key) == (wire.KeyResult.WRITTEN, OTHER)


def test_a_proof_of_another_question_is_passed_over() -> None:
    node, link = keyed(SimulatedNode), PocketLink(key=KEY)
    exchange(node, link, 1.0)

    heard = link.receive(frame(wire.Proof(1, 1, 0, 2).pack()), 1.1)

    assert refusals(heard) == []
