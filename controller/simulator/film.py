"""`carrom demo --record`: what the simulated camera saw, and what really happened.

Unpaced: frames are rendered and encoded as fast as this machine can, each with its
own exposure time, so the film looks exactly as a live recording would.
"""

from fractions import Fraction
from pathlib import Path

import av
from rich.progress import Progress

from calibration.refusal import Refusal
from calibration.table import Table
from controller.config_match import MatchSettings
from controller.simulator.games import with_game
from controller.simulator.world import Habits, World
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera

RATE_HZ = 60
TIME_BASE = Fraction(1, 60_000)
QUALITY = {"preset": "veryfast", "crf": "18"}


def film(
    path: Path, *, seed: int, boards: int, speed: float, match: MatchSettings
) -> None:
    """Write PATH (MP4, H.264) and PATH's truth beside it (.truth.jsonl)."""
    table = Table()
    camera = Camera.overhead()
    renderer = Renderer(table, camera)
    habits = with_game(Habits(pace=speed or 1.0), match)
    world = World(table, seed=seed, boards=boards, habits=habits)
    try:
        container = av.open(str(path), "w", format="mp4")
    except OSError as error:
        raise Refusal(
            f"{path} cannot be written ({error.strerror}): choose another place"
        ) from None
    with container, Progress(transient=True) as progress:
        shown = progress.add_task(f"recording {boards} boards", total=boards)
        stream = container.add_stream("libx264", rate=RATE_HZ, options=QUALITY)
        stream.width, stream.height = camera.width_px, camera.height_px
        stream.pix_fmt = "yuv420p"
        stream.time_base = TIME_BASE
        sequence = 0
        while not world.finished:
            scene = world.scene_at(sequence / RATE_HZ)
            image = renderer.render(scene, sequence)
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts = round(scene.at_s / TIME_BASE)
            frame.time_base = TIME_BASE
            container.mux(stream.encode(frame))
            sequence += 1
            progress.update(shown, completed=len(world.truth.boards))
        container.mux(stream.encode(None))
    truth = path.with_suffix(".truth.jsonl")
    with truth.open("w", encoding="utf-8") as lines:
        world.truth.write(lines)
    print(f"{path}: {sequence} frames, {sequence / RATE_HZ:.1f} s; truth in {truth}")
