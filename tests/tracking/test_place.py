"""Whether the camera has moved, measured on rendered pictures moved on purpose."""

import cv2
import numpy as np
import pytest

from calibration.table import Piece, Pocket, Point, Seat
from controller.simulator.anatomy import SKINS, SLEEVES
from controller.simulator.hands import Person, limb
from tests.tracking.rendered_table import TABLE, Stand
from vision.frames import Image
from vision.place import Place
from vision.registration import Registration
from vision.sources.rendering_scene import NetContent, Scene, ScenePiece

CORNERS_PX = np.array([[340.0, 60.0], [940.0, 60.0], [940.0, 660.0], [340.0, 660.0]])
ON_PRINT = (Point(0.0, 0.0), Point(-220.8, -252.6), Point(252.6, 220.8))
"""The centre and two base circles: pieces like to lie there."""


@pytest.fixture(scope="module")
def stand() -> Stand:
    return Stand()


@pytest.fixture(scope="module")
def registration(stand: Stand) -> Registration:
    return Registration(TABLE, stand.mapping, picture(stand, 1))


def picture(stand: Stand, seed: int, light: float = 1.0, reaching: bool = False):
    lying = tuple(ScenePiece(Piece.WHITE, at) for at in ON_PRINT) if seed > 1 else ()
    person = Person(Seat.SOUTH, SKINS[1], SLEEVES[1])
    limbs = (limb(person, Point(40.0, -60.0), 30.0),) if reaching else ()
    return stand.renderer.render(Scene(0.0, lying, limbs, light=light), seed)


def moved(image: Image, shift: tuple[float, float], turn_deg: float) -> Image:
    return np.asarray(
        cv2.warpAffine(image, matrix(shift, turn_deg), image.shape[1::-1])
    )


def matrix(shift: tuple[float, float], turn_deg: float) -> np.ndarray:
    rows = cv2.getRotationMatrix2D((640.0, 360.0), turn_deg, 1.0)
    rows[:, 2] += shift
    return np.asarray(rows)


@pytest.mark.parametrize(
    ("shift", "turn_deg"),
    [((0.0, 0.0), 0.0), ((0.4, -0.3), 0.0), ((1.0, 2.0), 0.1), ((-9.0, 5.0), 0.0)],
)
@pytest.mark.parametrize(("light", "reaching"), [(0.85, False), (1.0, True)])
def test_a_movement_is_measured_to_an_eighth_of_a_pixel(
    stand: Stand,
    registration: Registration,
    shift: tuple[float, float],
    turn_deg: float,
    light: float,
    reaching: bool,
) -> None:
    image = moved(picture(stand, 7, light, reaching), shift, turn_deg)
    drift = registration.measure(image)
    assert drift is not None
    rows = matrix(shift, turn_deg)
    true = CORNERS_PX @ rows[:, :2].T + rows[:, 2]
    assert np.abs(drift.forward(CORNERS_PX) - true).max() < 0.125


def test_a_picture_moved_back_is_the_picture_before(
    stand: Stand, registration: Registration
) -> None:
    before = picture(stand, 7)
    drift = registration.measure(moved(before, (3.0, -2.0), 0.0))
    assert drift is not None
    back = drift.back(moved(before, (3.0, -2.0), 0.0))
    inside = np.s_[20:-20, 20:-20]
    off = np.abs(back[inside].astype(int) - before[inside].astype(int))
    assert off.mean() < 3.0


def test_a_picture_of_something_else_has_not_moved_but_cannot_be_told(
    registration: Registration,
) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    assert registration.measure(noise) is None
    assert registration.measure(np.full((720, 1280, 3), 90, np.uint8)) is None


FULL = tuple(NetContent(p, Piece.BLACK) for p in Pocket for _ in range(4))


def shaded(stand: Stand, seed: int, arms: int) -> Image:
    """Full nets, coins on three of eight circles, arms that rest over others."""
    spots = [c.centre for seat in Seat for c in TABLE.base_circles(seat)][:3]
    lying = tuple(ScenePiece(Piece.WHITE, Point(x + 6.0, y)) for x, y in spots)
    seats = (Seat.WEST, Seat.NORTH)[:arms]
    people = [Person(seat, SKINS[1], SLEEVES[1]) for seat in seats]
    limbs = tuple(limb(p, p.seat.turn(Point(-190.0, -230.0)), 8.0) for p in people)
    return stand.renderer.render(Scene(0.0, lying, limbs, FULL, light=0.85), seed)


@pytest.mark.parametrize("arms", [0, 1, 2])
def test_full_nets_coins_on_marks_and_still_arms_are_no_movement(
    stand: Stand, arms: int
) -> None:
    place = Place(TABLE, stand.mapping, picture(stand, 1))
    looks = [(shaded(stand, 20 + k, arms), 0.3 * k) for k in range(4)]
    assert [place.look(image, at_s) for image, at_s in looks] == [None] * 4
    assert not place.unsure


def test_a_millimetre_is_measured_beside_full_nets_and_a_still_arm(
    stand: Stand, registration: Registration
) -> None:
    aside = moved(shaded(stand, 7, 1), (0.8, 0.0), 0.0)
    drift = registration.measure(aside)
    assert drift is not None
    assert np.abs(drift.forward(CORNERS_PX) - CORNERS_PX - (0.8, 0.0)).max() < 0.125


def test_one_look_is_not_believed_and_two_are(stand: Stand) -> None:
    place = Place(TABLE, stand.mapping, picture(stand, 1))
    aside = moved(picture(stand, 7), (1.0, 0.0), 0.0)
    assert place.look(picture(stand, 8), 10.0) is None
    assert place.look(aside, 11.5) is None
    assert place.unsure
    told = place.look(aside, 11.8)
    assert told is not None
    assert (told.far, told.back) == (False, False)
    # The lens shrinks the picture's corners: a pixel is a little more there.
    assert told.shift_mm == pytest.approx(915.0 / 720.0, abs=0.15)
    assert place.look(aside, 13.0) is None


def test_a_knock_is_far_until_the_camera_is_back(stand: Stand) -> None:
    place = Place(TABLE, stand.mapping, picture(stand, 1))
    aside = moved(picture(stand, 7), (8.0, 0.0), 0.0)
    looks = [place.look(aside, at_s) for at_s in (1.0, 1.3)]
    assert looks[1] is not None
    assert looks[1].far
    assert place.far
    looks = [place.look(picture(stand, 9), at_s) for at_s in (3.0, 3.3)]
    assert looks[1] is not None
    assert looks[1].back
    assert not place.far


def test_without_an_empty_table_the_first_rest_is_the_reference(stand: Stand) -> None:
    place = Place(TABLE, stand.mapping, None)
    aside = moved(picture(stand, 7), (1.0, 0.0), 0.0)
    assert place.look(aside, 1.0) is None
    place.learn(aside)
    assert [place.look(aside, at_s) for at_s in (2.0, 2.3, 4.0)] == [None] * 3
