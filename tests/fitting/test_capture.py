"""Does a guided capture take the right views, ask for the rest, and keep the lens.

Pictures are rendered: the product's own board held before a camera whose lens is
known from the rendering alone.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.charuco import View
from calibration.charuco_board import Board
from calibration.charuco_capture import Capture, Seen
from calibration.charuco_guide import Posture, Side, posture_of
from calibration.lens_file import KeptLens, load_lens, save_lens
from calibration.refusal import Refusal
from calibration.table import Table
from controller.simulator.board_holder import still_at
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_held import HeldBoard
from vision.sources.rendering_scene import Scene

SIZE = (960, 540)
CAMERA = Camera.overhead(size_px=SIZE)
LOOK_S = 0.3


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(Table(), CAMERA)


@pytest.fixture(scope="module")
def held_still(renderer: Renderer) -> list[np.ndarray]:
    """The helper's first places, one picture each."""
    return [picture(renderer, still_at(CAMERA, step)) for step in range(14)]


@pytest.fixture(scope="module")
def captured(held_still: list[np.ndarray]) -> Capture:
    """A capture that was led to its end."""
    every = looks(Capture(board=Board()), held_still)
    return next(capture for capture in every if capture.wants.complete)


def picture(renderer: Renderer, board: HeldBoard | None) -> np.ndarray:
    image = renderer.render(Scene(0.0, (), board=board), 0)
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def looks(capture: Capture, pictures: list[np.ndarray]) -> Iterator[Capture]:
    """Two looks at each picture: the board arrives, then it is still."""
    at_s = 0.0
    for grey in pictures:
        for _ in range(2):
            at_s += LOOK_S
            capture = capture.looked(grey, at_s, auto=True, take=False)
        yield capture


def seen(capture: Capture) -> Seen:
    assert capture.look is not None
    return capture.look.seen


def test_a_led_capture_ends_with_the_lens(captured: Capture) -> None:
    lens = captured.usable().usable().lens
    assert captured.wants.complete
    assert lens.focal_px == pytest.approx(CAMERA.focal_px, rel=0.002)
    assert lens.centre_px == pytest.approx(CAMERA.centre_px, abs=1.5)
    assert (lens.k1, lens.k2) == pytest.approx((CAMERA.k1, CAMERA.k2), abs=0.01)
    assert all(fit.rms_px and fit.rms_px < 0.3 for fit in captured.usable().views)


def test_the_guide_asks_for_corners_of_the_picture_and_sides_of_the_board(
    held_still: list[np.ndarray],
) -> None:
    capture = Capture(board=Board())
    assert capture.wants.next == (
        "Hold the board in the picture's top left corner with its left edge tipped "
        "20 to 40 degrees towards the camera."
    )
    *_, capture = looks(capture, held_still[:1])
    assert seen(capture) is Seen.TAKEN
    assert "top right corner" in capture.wants.next, (
        "the first was held at the top left"
    )


@pytest.mark.parametrize(
    ("edge", "tipped"),
    [
        (Side.LEFT, (0.4, 0.0)),
        (Side.RIGHT, (-0.4, 0.0)),
        (Side.TOP, (0.0, -0.4)),
        (Side.BOTTOM, (0.0, 0.4)),
    ],
)
def test_the_edge_nearest_to_the_camera_is_named(
    edge: Side, tipped: tuple[float, float]
) -> None:
    straight_down = replace(CAMERA, rotation=((1, 0, 0), (0, -1, 0), (0, 0, -1)))
    x, y = tipped
    board = HeldBoard(
        middle_mm=(38.0, -64.0, 800.0),
        across=(float(np.cos(x)), 0.0, float(-np.sin(x))),
        up=(0.0, float(np.cos(y)), float(-np.sin(y))),
    )
    corners = straight_down.project(board.corners_mm)
    ids = np.arange(len(corners), dtype=np.int32)
    view = View("held", ids, corners, 0.8, SIZE)
    posture = posture_of(view, Board(), None)
    assert isinstance(posture, Posture)
    assert posture.side is edge
    assert posture.tilt_deg == pytest.approx(np.degrees(0.4), abs=5.0)


def test_a_moving_board_and_a_view_already_taken_are_not_taken(
    held_still: list[np.ndarray],
) -> None:
    capture = Capture(board=Board())
    capture = capture.looked(held_still[0], 0.0, auto=True, take=False)
    assert seen(capture) is Seen.MOVING, "one look cannot tell"
    capture = capture.looked(held_still[1], 0.3, auto=True, take=True)
    assert seen(capture) is Seen.MOVING
    capture = capture.looked(held_still[1], 0.6, auto=True, take=False)
    assert seen(capture) is Seen.TAKEN
    capture = capture.looked(held_still[1], 0.9, auto=True, take=False)
    assert (seen(capture), len(capture.views)) == (Seen.KNOWN, 1)


def test_by_hand_a_view_waits_until_it_is_asked_for(
    held_still: list[np.ndarray],
) -> None:
    capture = Capture(board=Board())
    for at_s in (0.0, 0.3):
        capture = capture.looked(held_still[2], at_s, auto=False, take=False)
    assert (seen(capture), len(capture.views)) == (Seen.READY, 0)
    capture = capture.looked(held_still[2], 0.6, auto=False, take=True)
    assert (seen(capture), len(capture.views)) == (Seen.TAKEN, 1)


def test_no_board_and_a_blurred_one_say_what_to_do(renderer: Renderer) -> None:
    capture = Capture(board=Board())
    capture = capture.looked(picture(renderer, None), 0.0, auto=True, take=True)
    assert seen(capture) is Seen.NOTHING
    sharp = picture(renderer, still_at(CAMERA, 0))
    blurred = cv2.GaussianBlur(sharp, (0, 0), 1.8)
    capture = capture.looked(blurred, 0.3, auto=True, take=True)
    assert seen(capture) is Seen.UNFIT
    assert capture.look is not None
    assert "hold the board still, focus" in capture.look.words


def test_a_view_taken_back_is_as_if_never_taken(captured: Capture) -> None:
    fewer = captured.without("view 3").without(None)
    names = [view.name for view in fewer.views]
    assert len(names) == len(captured.views) - 2
    assert "view 3" not in names
    assert fewer.fit is not None
    assert [view.name for view in fewer.fit.views] == names
    with pytest.raises(Refusal, match="taken back before"):
        fewer.without("view 3")


def test_few_views_are_no_lens(captured: Capture) -> None:
    few = replace(captured, views=captured.views[:3], fit=None)
    with pytest.raises(Refusal, match="3 views taken, at least 6"):
        few.usable()


def test_a_kept_lens_comes_back_for_its_camera_alone(
    captured: Capture, tmp_path: Path
) -> None:
    path, fit = tmp_path / "lens.json", captured.usable()
    save_lens(KeptLens(camera="usb 1", made_utc="2026-01-01T00:00:00", fit=fit), path)
    assert load_lens(path, camera="usb 1", size_px=SIZE).fit == fit
    with pytest.raises(Refusal, match="is of camera 'usb 1', this one is 'usb 2'"):
        load_lens(path, camera="usb 2", size_px=SIZE)
    with pytest.raises(Refusal, match="measured at 960x540, the camera gives 640x480"):
        load_lens(path, camera="usb 1", size_px=(640, 480))
    path.write_text(path.read_text()[:99])
    with pytest.raises(Refusal, match="is damaged"):
        load_lens(path, camera="usb 1", size_px=SIZE)
