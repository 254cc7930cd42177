"""An MJPEG stream over HTTP, from a server that behaves as phones and networks do."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vision.frames import SourceError
from vision.setup import CameraSetup
from vision.sources.network import STALL_S, NetworkSource, Parts

SIZE = (320, 240)
HEAD = (
    b"HTTP/1.0 200 OK\r\n"
    b"Content-Type: multipart/x-mixed-replace; boundary=--frame\r\n\r\n"
)
Serve = Callable[[socket.socket], None]


@contextmanager
def server(*visits: Serve) -> Iterator[CameraSetup]:
    """A camera on the network: the first connection gets the first visit, and so on."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            for visit in visits:
                try:
                    link, _ = listening.accept()
                    with closing(link):
                        link.recv(4096)
                        visit(link)
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        port = listening.getsockname()[1]
        yield CameraSetup(
            source="network",
            address=f"http://127.0.0.1:{port}/video",
            size_px=SIZE,
            rate_hz=30.0,
            exposure_us=1000,
        )


def jpeg(grey: int) -> bytes:
    picture = np.full((SIZE[1], SIZE[0], 3), grey, np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def part(body: bytes, *, with_length: bool = True) -> bytes:
    length = b"Content-Length: %d\r\n" % len(body) if with_length else b""
    return (
        b"--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + body + b"\r\n"
    )


def sends(*chunks: bytes, apart_s: float = 0.02, then: float = 0.0) -> Serve:
    """Send these chunks so far apart, then keep the line open for a while."""

    def visit(link: socket.socket) -> None:
        link.sendall(HEAD)
        for chunk in chunks:
            link.sendall(chunk)
            threading.Event().wait(apart_s)
        threading.Event().wait(then)

    return visit


def greys(source: NetworkSource, count: int) -> list[float]:
    frames = source.frames()
    return [round(float(next(frames).image.mean())) for _ in range(count)]


def test_pictures_arrive_in_order_with_their_time_of_arrival() -> None:
    parts = [part(jpeg(grey)) for grey in (50, 100, 150)]
    with server(sends(*parts, then=5)) as setup:
        source = NetworkSource(setup)
        frames = source.frames()
        seen = [next(frames) for _ in range(3)]
        now_s = time.monotonic()
        source.close()
    assert [round(float(f.image.mean())) for f in seen] == [50, 100, 150]
    assert [f.sequence for f in seen] == [0, 1, 2]
    assert seen[0].at_s < seen[1].at_s < seen[2].at_s <= now_s
    assert source.state.doubt_s > 0


def test_of_what_has_piled_up_only_the_newest_is_looked_at() -> None:
    pile = b"".join(part(jpeg(grey)) for grey in (50, 100, 150))
    with server(sends(pile, then=5)) as setup:
        source = NetworkSource(setup)
        frame = next(source.frames())
        source.close()
    assert round(float(frame.image.mean())) == 150
    assert frame.sequence == 2


def test_a_torn_picture_is_dropped_and_leaves_a_gap() -> None:
    whole, torn = jpeg(50), jpeg(100)[:-500]
    with server(sends(part(whole), part(torn), part(whole), then=5)) as setup:
        source = NetworkSource(setup)
        frames = source.frames()
        numbers = [next(frames).sequence for _ in range(2)]
        source.close()
    assert numbers == [0, 2]
    assert source.damaged == 1


def test_a_stream_that_ends_is_connected_again() -> None:
    once = sends(part(jpeg(50)))
    with server(once, sends(part(jpeg(90)), then=5)) as setup:
        source = NetworkSource(setup)
        assert greys(source, 2) == [50, 90]
        assert source.state.down is None
        source.close()


def test_a_stream_that_falls_silent_is_told_and_comes_back() -> None:
    quiet = threading.Event()

    def pauses(link: socket.socket) -> None:
        link.sendall(HEAD + part(jpeg(50)))
        quiet.wait(5)
        link.sendall(part(jpeg(90)))
        quiet.wait(5)

    with server(pauses) as setup:
        source = NetworkSource(setup)
        frames = source.frames()
        next(frames)
        later: list[float] = []
        taking = threading.Thread(
            target=lambda: later.append(float(next(frames).image.mean()))
        )
        taking.start()
        while (down := source.state.down) is None:
            pass
        assert "no picture from" in down
        assert STALL_S < 1.0  # the screens say so within a second
        quiet.set()
        taking.join()
        assert source.state.down is None
        source.close()
    assert later == pytest.approx([90], abs=1)


def answer(text: str, body: bytes = b"") -> Serve:
    return lambda link: link.sendall(f"HTTP/1.0 {text}\r\n\r\n".encode() + body)


@pytest.mark.parametrize(
    ("visit", "said"),
    [
        (answer("404 Not Found"), "answers 404 Not Found: set camera.url"),
        (answer("200 OK\r\nContent-Type: text/html"), "sends text/html, not MJPEG"),
        (answer("200 OK\r\nContent-Type: image/jpeg"), "one picture, not a stream"),
        (lambda link: link.sendall(b"hello"), "speaks no HTTP"),
    ],
)
def test_what_is_no_stream_is_refused_with_the_remedy(visit: Serve, said: str) -> None:
    with server(visit) as setup, pytest.raises(SourceError, match=said):
        NetworkSource(setup)


def test_pictures_of_another_size_are_refused() -> None:
    small = cv2.imencode(".jpg", np.zeros((100, 200, 3), np.uint8))[1].tobytes()
    with server(sends(part(small), then=2)) as setup:
        source = NetworkSource(setup)
        with pytest.raises(SourceError, match=r"200 x 100: set camera\.width_px = 200"):
            next(source.frames())
        source.close()


def test_a_camera_that_is_not_there_is_refused() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
    setup = CameraSetup(
        source="network",
        address=f"http://127.0.0.1:{port}/",
        size_px=SIZE,
        rate_hz=30.0,
        exposure_us=1000,
    )
    with pytest.raises(SourceError, match=r"no camera answers .*refused.*start its"):
        NetworkSource(setup)


BODIES = st.lists(st.binary(max_size=60), max_size=6)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(BODIES, st.booleans(), st.integers(1, 40))
def test_any_cutting_of_the_bytes_gives_the_same_pictures(
    bodies: list[bytes], with_length: bool, cut: int
) -> None:
    stream = b"".join(part(body, with_length=with_length) for body in bodies)
    stream += b"--frame\r\n"
    parts = Parts(b"--frame")
    found: list[bytes] = []
    for start in range(0, len(stream), cut):
        found += parts.feed(stream[start : start + cut])
    assert found == bodies


def test_a_part_without_an_end_is_not_kept_for_ever() -> None:
    parts = Parts(b"--frame")
    parts.feed(b"--frame\r\n\r\n")
    with pytest.raises(ValueError, match="too large"):
        parts.feed(bytes(9 << 20))
