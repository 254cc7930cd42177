"""Which tiles fire, and when something counts as being at rest."""

import numpy as np
from numpy.typing import NDArray

from tests.tracking.hand_made import TILES
from vision.frames import Image
from vision.outages import Outages
from vision.sightings import NotWatching, WatchingAgain
from vision.stillness import Stillness, TileGate
from vision.tiles import Plane

NOISE = np.random.default_rng(5)
WOOD: NDArray[np.float64] = np.full((720, 1280, 3), 150.0)


def plane_of(picture: NDArray[np.float64]) -> Plane:
    """A picture as a camera with a noise of 2 grey levels shows it."""
    noisy: Image = np.clip(picture + NOISE.normal(0, 2, picture.shape), 0, 255).astype(
        np.uint8
    )
    return TILES.plane(noisy)


def taught_gate() -> TileGate:
    """A gate that has seen some frames of the bare table."""
    gate = TileGate(TILES)
    for _ in range(5):
        gate.fired(plane_of(WOOD))
    return gate


def test_noise_fires_no_tile() -> None:
    gate = taught_gate()
    assert not any(gate.fired(plane_of(WOOD)).any() for _ in range(20))


def test_a_coin_that_comes_fires_its_tiles_and_no_others() -> None:
    gate, picture = taught_gate(), WOOD.copy()
    picture[300:326, 600:626] = 90.0
    fired = gate.fired(plane_of(picture))
    assert 4 <= fired.sum() <= 9


def test_creeping_below_the_threshold_per_frame_fires_in_the_end() -> None:
    gate, picture = taught_gate(), WOOD.copy()
    fired = 0
    for step in range(26):
        picture[300:326, 600 : 600 + step // 2] = 90.0
        fired += int(gate.fired(plane_of(picture)).any())
    assert fired


def test_tiles_that_were_not_accepted_go_on_firing() -> None:
    gate, picture = taught_gate(), WOOD.copy()
    picture[300:326, 600:626] = 90.0
    gate.fired(plane_of(picture))
    again = gate.fired(plane_of(picture))
    gate.accept(plane_of(picture), again)
    assert again.any()
    assert not gate.fired(plane_of(picture)).any()


def test_once_the_camera_has_moved_every_tile_is_looked_at_again() -> None:
    gate = taught_gate()
    gate.forget()
    assert gate.fired(plane_of(WOOD)).all()
    assert not gate.fired(plane_of(WOOD)).any()


def test_rest_begins_a_while_after_the_last_motion() -> None:
    still = Stillness(quiet_s=0.3)
    assert not still.at_rest(0.0, moving=True)
    assert not still.at_rest(0.2, moving=False)
    assert still.at_rest(0.3, moving=False)


def test_a_dark_picture_is_told_once_and_so_is_its_end() -> None:
    outages = Outages()
    lit, dark = plane_of(WOOD_WITH_PRINT), np.full_like(plane_of(WOOD), 3)
    frames = [lit, dark, dark, lit]
    told = [
        observation
        for n, plane in enumerate(frames)
        for observation in outages.judge(n / 60, plane, same_frames=0, still=False)
    ]
    assert [type(t) for t in told] == [NotWatching, WatchingAgain]


def test_v2_a_camera_that_repeats_its_last_picture_is_not_watching() -> None:
    outages, plane = Outages(), plane_of(WOOD_WITH_PRINT)
    for n in range(100):
        assert outages.judge(n / 60, plane, same_frames=0, still=True) == []
    told = []
    for n in range(60):
        told += outages.judge((100 + n) / 60, plane, same_frames=n + 1, still=True)
    (frozen,) = told
    assert isinstance(frozen, NotWatching)
    assert "repeats" in frozen.reason


def test_a_compressed_recording_may_repeat_its_pictures() -> None:
    """A source that never showed noise while nothing moved is not called frozen."""
    outages, plane = Outages(), plane_of(WOOD_WITH_PRINT)
    for n in range(200):
        assert outages.judge(n / 60, plane, same_frames=n % 30, still=True) == []


def test_c4_a_gap_in_the_frames_is_told_with_its_length() -> None:
    outages, plane = Outages(), plane_of(WOOD_WITH_PRINT)
    outages.judge(1.0, plane, same_frames=0, still=True)
    missed, again = outages.judge(3.5, plane, same_frames=0, still=True)
    assert isinstance(missed, NotWatching)
    assert "2.5 s" in missed.reason
    assert isinstance(again, WatchingAgain)


WOOD_WITH_PRINT = WOOD.copy()
WOOD_WITH_PRINT[::40] = 60.0
