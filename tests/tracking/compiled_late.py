"""Which kernels the eyes compile only after they were warmed up: a process of its own.

    python -m tests.tracking.compiled_late known|unknown

Prints a line for each; `known`: with a picture of the empty table.
"""

import sys
from collections.abc import Iterator

from numba.core.dispatcher import Dispatcher

from calibration.profile import Profile
from calibration.table import Table
from controller.simulator.calibrated import mapping_of
from controller.simulator.world import World
from vision.eyes import lookout_of, warm
from vision.frames import Frame
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.studio import Studio

RATE_HZ = 60
FROM_S, TO_S = 1.0, 10.0
"""The rack is set, the striker placed, the break struck, all comes to rest."""


def kernels() -> Iterator[tuple[str, str]]:
    """Every signature of every kernel of the eyes in this process."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("vision.") and "rendering" not in name:
            for kernel in vars(module).values():
                if isinstance(kernel, Dispatcher):
                    for signature in kernel.signatures:
                        yield kernel.__qualname__, str(signature)


def main(known: bool) -> None:
    table, camera = Table(), Camera.overhead()
    renderer = Renderer(table, camera)
    profile = Profile(
        camera="rendered",
        made_utc="2026-01-01T00:00:00",
        table=table,
        mapping=mapping_of(camera, table),
        residual_mm=0.0,
    )
    empty = renderer.empty() if known else None
    warm(profile, empty)
    before = {*kernels()}
    lookout = lookout_of(profile, empty, Studio())
    world = World(table, seed=7, boards=1)
    for number in range(round((TO_S - FROM_S) * RATE_HZ)):
        scene = world.scene_at(FROM_S + number / RATE_HZ)
        image = renderer.render(scene, number)
        for _ in lookout.look(Frame(scene.at_s, number, image)):
            pass
    for name, signature in sorted({*kernels()} - before):
        print(name, signature)


if __name__ == "__main__":
    main(sys.argv[1] == "known")
