"""atheris: any bytes through the host's end, whole and cut, must mean the same."""

import sys

import atheris

with atheris.instrument_imports():
    from controller.pockets.framing import DELIMITER, WireError, frame, unframe
    from controller.pockets.heard import Heard
    from controller.pockets.link import PocketLink
    from controller.pockets.messages import ClockReply, unpack
    from controller.pockets.simulated import SimulatedNode

HELLO = SimulatedNode().poll(0.0)
CLOCK = frame(ClockReply(1, 0).pack())
BYTEWISE = 64
"""Longer inputs are cut once: a link per byte is slow."""


def heard(pieces: list[bytes]) -> tuple[list[Heard], int]:
    """What a link that knows its node makes of these bytes."""
    link = PocketLink()
    link.receive(HELLO, 0.0)
    link.to_send(0.0)
    link.receive(CLOCK, 0.001)
    told = [one for piece in pieces for one in link.receive(piece, 0.1)]
    link.to_send(0.2)
    return told, link.health.damaged


def one_input(data: bytes) -> None:
    """Every frame that is one comes back; any cut gives the same."""
    for piece in data.split(DELIMITER)[:-1]:
        try:
            body = unframe(piece)
        except WireError:
            continue
        assert unframe(frame(body)[:-1]) == body
        try:
            message = unpack(body)
        except WireError:
            continue
        assert message.pack() == body
    cut = data[0] % len(data) if data else 0
    assert heard([data]) == heard([data[:cut], data[cut:]])
    if len(data) <= BYTEWISE:
        assert heard([data]) == heard([data[n : n + 1] for n in range(len(data))])


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
