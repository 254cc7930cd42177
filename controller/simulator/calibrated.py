"""What calibration would find out about a rendered camera: its own truth.

A club that has calibrated its camera has a profile and a picture of its empty
table; so has the simulated club. Only places leave the rendered camera, never its
code: the mapping is fitted to where it shows the table's corners.
"""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from calibration.lens import Lens
from calibration.plane import PlaneMapping
from calibration.profile import Profile, save
from calibration.table import Table
from vision.pictures import write_picture
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera

PROFILE = "calibration.json"
EMPTY = "empty-table.png"


def mapping_of(camera: Camera, table: Table) -> PlaneMapping:
    """The plane mapping of a rendered camera, from its picture of the corners."""
    corners = np.array([(*corner, 0.0) for corner in table.corners])
    seen = [(float(x), float(y)) for x, y in camera.project(corners)]
    lens = Lens(camera.focal_px, camera.centre_px, camera.k1, camera.k2)
    size_px = (camera.width_px, camera.height_px)
    return PlaneMapping.from_marks(table.corners, seen, size_px, lens)


def write_profile(folder: Path, table: Table, camera: Camera) -> Path:
    """Write the profile and the empty table's picture; where the profile is."""
    empty = folder.absolute() / EMPTY
    write_picture(empty, Renderer(table, camera).empty())
    path = folder.absolute() / PROFILE
    profile = Profile(
        camera="rendered",
        made_utc=datetime.now(UTC).isoformat(timespec="seconds"),
        table=table,
        mapping=mapping_of(camera, table),
        residual_mm=0.0,
        empty=empty,
    )
    save(profile, path)
    return path
