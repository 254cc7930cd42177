"""Have every kernel's machine code on disk before the tests' two workers ask for it.

    python -m tests.kernels

`make test` runs it on one core while the checks run on the other. Without it both
workers, and the demos they start, compile the same code side by side: 45 s of CPU each.
"""

from calibration.find import find_table
from calibration.profile import Profile
from calibration.table import Table
from controller.simulator.board_holder import still_at
from controller.simulator.calibrated import mapping_of
from controller.simulator.world import World
from vision.eyes import warm
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene

STRUCK_S = 10.0
"""A match has begun: what moves has been worked out once."""


def main() -> None:
    """Draw, find, count and watch a table once."""
    table, camera = Table(), Camera.overhead()
    renderer = Renderer(table, camera)
    renderer.render(Scene(0.0, (), board=still_at(camera, 0)), 0)
    renderer.render(World(table, seed=7, boards=1).scene_at(STRUCK_S), 1)
    find_table(renderer.empty(), table)
    profile = Profile(
        camera="rendered",
        made_utc="2026-01-01T00:00:00+00:00",
        table=table,
        mapping=mapping_of(camera, table),
        residual_mm=0.0,
    )
    warm(profile, renderer.empty())
    warm(profile, None)


if __name__ == "__main__":
    main()
