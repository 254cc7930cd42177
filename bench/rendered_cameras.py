"""The cameras and tables that the calibration benches are measured on.

Pictures of them are kept in the temporary folder: most of a run was painting them.
"""

import pickle
import tempfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from calibration.table import Table
from vision.frames import Image
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene

SIZE = (1280, 720)
LENSES = {"mild": (-0.12, 0.03), "wide": (-0.30, 0.09), "long": (0.06, -0.02)}
EXPECTED = Table()
MISPRINT_MM = 0.5


def a_table(random: np.random.Generator) -> Table:
    """A table whose maker took the laws' tolerances and a little more."""
    return replace(
        EXPECTED,
        frame_height_mm=random.uniform(19.0, 25.4),
        base_line_inset_mm=101.5 + random.normal(0, 1.0),
        base_line_gap_mm=31.8 + random.normal(0, 0.5),
        pocket_radius_mm=22.25 + random.uniform(-0.75, 0.75),
        outer_circle_radius_mm=85.0 + random.uniform(-1.5, 1.5),
    )


def a_camera(lens: tuple[float, float], random: np.random.Generator) -> Camera:
    """A camera that has the whole surface in its picture, barely or amply."""
    high = random.uniform(800.0, 2000.0)
    tilt, towards = np.radians(random.uniform(0, 15)), random.uniform(0, 2 * np.pi)
    aim = random.normal(0, 20.0, 2)
    away = high * np.tan(tilt)
    bare = Camera.overhead(
        position_mm=(
            float(away * np.cos(towards) + aim[0]),
            float(away * np.sin(towards) + aim[1]),
            high,
        ),
        aim_mm=(float(aim[0]), float(aim[1])),
        turn_deg=float(random.uniform(-8, 8)),
        lens=lens,
    )
    x, y = np.array(bare.centre_px) + random.normal(0, 5.0, 2)
    p1, p2 = random.normal(0, 3e-4, 2).tolist()
    askew = replace(bare, centre_px=(float(x), float(y)), p1=p1, p2=p2)
    return filling(askew)


def filling(camera: Camera) -> Camera:
    """The same camera with the focal length that fills its picture with the table."""
    edge = EXPECTED.half_mm + 25.0
    rim = np.array([(x, y, 0.0) for x in (-edge, 0, edge) for y in (-edge, 0, edge)])
    focal = 2000.0 * camera.position_mm[2] / 1000.0
    while True:
        tried = replace(camera, focal_px=focal)
        seen = tried.project(rim)
        if (seen > 2).all() and (seen < np.array(SIZE) - 3).all():
            return tried
        focal *= 0.985


def empty_picture(table: Table, camera: Camera, look: Look, seed: int) -> Image:
    """The empty table as the renderer paints it; kept for the next run."""
    told = f"{table} {camera} {look} {seed} {_sources()}"
    name = f"carrom-bench-empty-{sha256(told.encode()).hexdigest()[:16]}.pickle"
    kept = Path(tempfile.gettempdir()) / name
    if kept.exists():
        found: Image = pickle.loads(kept.read_bytes())
        return found
    found = Renderer(table, camera, look=look, seed=seed).render(Scene(0.0, ()), 0)
    kept.write_bytes(pickle.dumps(found))
    return found


def _sources() -> str:
    """Which renderer: other code paints another picture."""
    sources = sorted((Path(__file__).parents[1] / "vision" / "sources").glob("rend*"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
