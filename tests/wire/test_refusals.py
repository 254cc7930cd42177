"""Two ends built from different definitions refuse each other and say why."""

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest
from compiled_node import FIRMWARE, NEEDS_GCC, CompiledNode

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, frame, unframe
from controller.pockets.heard import DeviceRefused, DeviceUp
from controller.pockets.link import PocketLink
from controller.pockets.simulated import SimulatedNode, exchange

GENERATE = FIRMWARE / "protocol/generate.py"


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


def changed_firmware(folder: Path, old: str, new: str) -> Path:
    """The firmware as it would be with one change in messages.toml."""
    spec = importlib.util.spec_from_file_location("generate", GENERATE)
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = generate
    spec.loader.exec_module(generate)
    text = (FIRMWARE / "protocol/messages.toml").read_text()
    assert text.count(old) == 1
    files = generate.generated(text.replace(old, new).encode())
    for name in ("src", "tests"):
        shutil.copytree(FIRMWARE / name, folder / name)
    (folder / "src/messages.h").write_text(files[FIRMWARE / "src/messages.h"])
    return folder


@NEEDS_GCC
@pytest.mark.parametrize(
    ("old", "new", "remedy"),
    [
        pytest.param(
            'type = "u32", unit = "us", says = "Node\'s clock when the query was read."',
            'type = "u64", unit = "us", says = "Node\'s clock when the query was read."',
            "flash the firmware of the release",
            id="one field is wider",
        ),
        pytest.param(
            f"protocol = {wire.PROTOCOL}\n",
            f"protocol = {wire.PROTOCOL - 1}\n",
            "The node is older: flash the firmware",
            id="older firmware",
        ),
    ],
)
def test_one_changed_field_has_host_and_firmware_refuse_each_other(
    tmp_path: Path, old: str, new: str, remedy: str
) -> None:
    node = CompiledNode(firmware=changed_firmware(tmp_path, old, new))
    node.pulse(Pocket.NORTH_EAST, 0.1)
    link = PocketLink()

    heard = [one for at_s in (1.0, 3.0, 6.0) for one in exchange(node, link, at_s)]

    (refused,) = [one for one in heard if isinstance(one, DeviceRefused)]
    assert remedy in refused.reason
    assert not any(isinstance(one, PocketReport) for one in heard)
    assert node.pending == 1
    node.receive(frame(wire.Greeting(wire.PROTOCOL, wire.DEFINITION).pack()), 7.0)
    said = [unframe(piece) for piece in node.poll(7.0).split(DELIMITER) if piece]
    faults = [body for body in said if body[0] == wire.Fault.ID]
    assert faults[0][3] == wire.FaultKind.HOST_REFUSED
    assert not any(body[0] == wire.PieceFell.ID for body in said)
