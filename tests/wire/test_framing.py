"""Frames against independent packages, and against anything a cable may bring."""

from cobs import cobs
from fastcrc.crc16 import ibm_3740
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.pockets import messages as wire
from controller.pockets.framing import WireError, frame, unframe
from controller.pockets.simulated import SimulatedNode

BODIES = st.binary(min_size=1, max_size=61)


@given(BODIES)
def test_a_frame_is_what_the_packages_cobs_and_fastcrc_make(body: bytes) -> None:
    checked = body + ibm_3740(body).to_bytes(2, "little")

    assert frame(body) == cobs.encode(checked) + b"\0"


@given(BODIES)
def test_a_frame_gives_its_body_back(body: bytes) -> None:
    assert unframe(frame(body)[:-1]) == body


@settings(derandomize=True)  # CRC-16 lets one damage in 65,536 pass
@given(BODIES, st.integers(0, 10_000), st.integers(1, 255))
def test_one_changed_byte_never_gives_another_body(
    body: bytes, place: int, change: int
) -> None:
    framed = bytearray(frame(body)[:-1])
    framed[place % len(framed)] ^= change
    pieces = bytes(framed).split(b"\0")
    for piece in pieces:
        try:
            assert unframe(piece) == body
        except WireError:
            continue


@given(st.binary(max_size=80))
def test_random_bytes_are_a_message_or_a_wire_error(data: bytes) -> None:
    for read in (unframe, wire.unpack):
        try:
            read(data)
        except WireError:
            continue


@given(st.lists(st.binary(max_size=100), max_size=20))
def test_a_node_outlives_any_bytes(chunks: list[bytes]) -> None:
    node = SimulatedNode()
    for chunk in chunks:
        node.receive(chunk, 1.0)
    node.receive(b"\0", 1.0)
    node.poll(1.0)
    node.receive(frame(wire.ClockQuery(77).pack()), 2.0)

    assert frame(wire.ClockReply(77, 2_000_000).pack()) in node.poll(2.0)
