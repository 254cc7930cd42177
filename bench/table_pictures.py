"""Pictures for `find_table.py`: tables whose corners are known.

Photographs are changed (turned, tilted, scaled, darkened, cut, laid on a cloth) with
their truth; tables of several makers are rendered. Every picture is the same on every
run; `no_tables.py` has the others.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Piece, Point, Table
from vision.frames import Image
from vision.pictures import read_picture
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece

Floats = NDArray[np.float64]
Random = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A picture and where the table is in it: corners or pockets; None: no table."""

    group: str
    name: str
    image: Image
    corners: Floats | None = None
    pockets: Floats | None = None

    def mapped(self, group: str, matrix: Floats, image: Image) -> "Case":
        """The case after its picture went through a homography."""
        return Case(
            group,
            self.name,
            image,
            None if self.corners is None else _through(matrix, self.corners),
            None if self.pockets is None else _through(matrix, self.pockets),
        )


def photographs(folder: Path) -> Iterator[Case]:
    """The photographs that show the whole table, as they are."""
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        corners, pockets = truth["corners_px"], truth["pocket_centres_px"]
        if corners or pockets:
            yield Case(
                "photographs",
                path.stem,
                read_picture(folder / truth["image"]),
                np.array(corners, np.float64) if corners else None,
                None if corners else np.array(pockets, np.float64),
            )


def changed(case: Case, random: Random) -> Iterator[Case]:
    """The same photograph in other conditions."""
    for quarter in (1, 2, 3):
        yield _quarter_turned(case, quarter)
    yield _turned(case, float(random.uniform(10, 35)), "turned, on a cloth", random)
    yield _turned(case, 45.0, "turned by 45, on a cloth", random)
    yield _tilted(case, 15.0, float(random.uniform(0, 360)))
    for scale in (0.5, 2.0):
        yield _scaled(case, scale)
    for gamma in (0.5, 2.0):
        levels = 255 * (np.arange(256) / 255) ** gamma
        image = cv2.LUT(case.image, np.round(levels).astype(np.uint8))
        yield _repainted(case, f"gamma {gamma}", image)
    _, jpeg = cv2.imencode(".jpg", case.image, [cv2.IMWRITE_JPEG_QUALITY, 20])
    yield _repainted(case, "JPEG 20", cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    hsv = cv2.cvtColor(case.image, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 60) % 180
    yield _repainted(case, "other hue", cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))
    grey = cv2.cvtColor(case.image, cv2.COLOR_BGR2GRAY)
    yield _repainted(case, "grey", cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    soft = cv2.GaussianBlur(case.image, (0, 0), max(case.image.shape) / 640)
    noise = random.normal(0, 8, soft.shape)
    yield _repainted(case, "blur and noise", np.clip(soft + noise, 0, 255))
    yield _cut(case)


def _repainted(case: Case, group: str, image: NDArray[np.generic]) -> Case:
    return case.mapped(group, np.eye(3), np.asarray(image, np.uint8))


def _quarter_turned(case: Case, quarter: int) -> Case:
    rows, columns = case.image.shape[:2]
    matrix = np.eye(3)
    for _ in range(quarter):
        matrix = np.array([[0, 1, 0], [-1, 0, columns - 1], [0, 0, 1.0]]) @ matrix
        rows, columns = columns, rows
    turned = np.ascontiguousarray(np.rot90(case.image, quarter))
    return case.mapped("quarter turns", matrix, turned)


def _turned(case: Case, degrees: float, group: str, random: Random) -> Case:
    """The picture turned and laid smaller on a larger patterned cloth."""
    rows, columns = case.image.shape[:2]
    size = round(1.15 * float(np.hypot(rows, columns)))
    matrix = np.vstack(
        [
            cv2.getRotationMatrix2D((columns / 2, rows / 2), degrees, 0.95),
            [0.0, 0.0, 1.0],
        ]
    )
    matrix[0, 2] += (size - columns) / 2
    matrix[1, 2] += (size - rows) / 2
    ground = cloth(size, random)
    cv2.warpPerspective(
        case.image,
        matrix,
        (size, size),
        dst=ground,
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    return case.mapped(group, matrix, ground)


def cloth(size: int, random: Random) -> Image:
    """A woven pattern of squares and flowers in strong colours."""
    tile = np.full((60, 60, 3), random.integers(0, 255, 3), np.uint8)
    for _ in range(6):
        colour = random.integers(0, 255, 3).tolist()
        x, y = random.integers(5, 55, 2).tolist()
        if random.random() < 0.5:
            cv2.circle(tile, (x, y), int(random.integers(3, 14)), colour, -1)
        else:
            cv2.rectangle(tile, (x, y), (x + 12, y + 20), colour, 2)
    times = size // 60 + 1
    return np.ascontiguousarray(np.tile(tile, (times, times, 1))[:size, :size])


def _tilted(case: Case, degrees: float, towards: float) -> Case:
    """As a camera tilted so far would have seen it; all of the picture kept."""
    rows, columns = case.image.shape[:2]
    focal = 0.8 * max(rows, columns)
    inner = np.array(
        [[focal, 0, columns / 2], [0, focal, rows / 2], [0, 0, 1]], np.float64
    )
    a = np.radians(towards)
    axis = np.radians(degrees) * np.array([np.cos(a), np.sin(a), 0.0])
    rotation, _ = cv2.Rodrigues(axis)
    matrix = inner @ rotation @ np.linalg.inv(inner)
    outline = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float64)
    seen = _through(matrix, outline)
    least, most = seen.min(axis=0), seen.max(axis=0)
    scale = max(rows, columns) / (most - least).max()
    fit = np.array(
        [[scale, 0, -scale * least[0]], [0, scale, -scale * least[1]], [0, 0, 1]]
    )
    width, height = np.ceil(scale * (most - least)).astype(int).tolist()
    matrix = fit @ matrix
    image = cv2.warpPerspective(
        case.image, matrix, (width, height), borderValue=(96, 104, 110)
    )
    return case.mapped("tilted by 15", matrix, np.asarray(image, np.uint8))


def _scaled(case: Case, scale: float) -> Case:
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = cv2.resize(case.image, None, fx=scale, fy=scale, interpolation=way)
    shift = (scale - 1) / 2
    matrix = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
    return case.mapped(f"scaled by {scale}", matrix, np.asarray(image, np.uint8))


def _cut(case: Case) -> Case:
    """Two neighbouring sides of the frame cut off, through the pockets' middles."""
    known = case.pockets if case.pockets is not None else case.corners
    assert known is not None
    left, top = np.maximum(np.ceil(known.min(axis=0)), 0).astype(int).tolist()
    matrix = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    image = np.ascontiguousarray(case.image[top:, left:])
    return case.mapped("cut through pockets", matrix, image)


def _through(matrix: Floats, points: Floats) -> Floats:
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


MAKERS = {
    "ICF": Table(),
    "club of 720": Table.club_720(),
    "wide lines": Table(base_line_inset_mm=118.0, base_line_gap_mm=36.0),
    "small board": Table(
        side_mm=560.0,
        pocket_radius_mm=24.0,
        base_line_inset_mm=92.0,
        base_line_gap_mm=28.0,
        base_circle_red_radius_mm=10.0,
        outer_circle_radius_mm=70.0,
        arrow_length_mm=170.0,
        coin_radius_mm=14.0,
        striker_radius_mm=18.0,
    ),
}
VIEWS = (
    ("from above", 0.0, 3.0, (-0.12, 0.03)),
    ("tilted by 8", 8.0, 27.0, (-0.12, 0.03)),
    ("tilted by 15", 15.0, 70.0, (0.0, 0.0)),
    ("tilted by 15, wide lens", 15.0, 200.0, (-0.25, 0.06)),
)


def rendered() -> Iterator[Case]:
    """Tables of several makers in play, from straight above to tilted by 15."""
    for k, (maker, table) in enumerate(MAKERS.items()):
        for view, tilt, turn, lens in VIEWS:
            height = 1.5 * table.side_mm
            aside = height * float(np.tan(np.radians(tilt)))
            camera = Camera.overhead(
                position_mm=(0.6 * aside, -0.8 * aside, height),
                turn_deg=turn,
                span_mm=1.62 * table.side_mm,
                lens=lens,
            )
            renderer = Renderer(table, camera, look=Look(noise_dn=3.0), seed=k)
            pieces = [ScenePiece(piece, at) for piece, at in table.opening_rack()]
            aim = Point(0.2 * table.half_mm, table.lower_line_y_mm + 16.0)
            pieces.append(ScenePiece(Piece.STRIKER, aim))
            image = renderer.render(Scene(0.0, tuple(pieces)), k)
            corners = np.array(camera.corners_px(table))
            yield Case(f"rendered, {view}", maker, image, corners)
