"""What a Pi 4 and a Pi 5 would need per frame: a PROJECTION from instruction counts.

No Pi was measured. The eyes look at a part of the film of `eyes_speed.py` (rest, a hand,
the break, counting) under `qemu-x86_64` as a CPU of 128-bit vectors (Nehalem, as wide as
NEON), kernels compiled for a plain x86-64, and a plugin counts instructions frame by
frame. Times follow from assumed clocks and instructions per cycle:

    Pi 4 (Cortex-A72, 1.8 GHz) 1.0 to 1.3, Pi 5 (Cortex-A76, 2.4 GHz) 1.8 to 2.2

These are the usual range for such code on such cores, not measurements; an aarch64 build
executes about as many instructions, and waits for memory are only in the assumed
rate. The counts are good to 1 % and fit as a regression budget.

    python bench/pi_projection.py [--size 1280x720]

Needs Debian's qemu-user and a C compiler. Takes about two minutes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from eyes_speed import TABLE, Costs, CountingTimed, phases, takes

from controller.simulator.calibrated import mapping_of
from vision.compiled import use_one_core
from vision.detect import Detector
from vision.eyes import Lookout
from vision.frames import Frame
from vision.picture_health import PictureMeter
from vision.reports import pack
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.studio import Studio
from vision.watch import Watcher

SEED = 7
FROM_FRAME, FRAMES = 200, 310
"""The end of the rest, the hand that plays, the break, the counting after it."""
PLAIN = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
PIS = {"Pi 4": (1.8e9, 1.0, 1.3), "Pi 5": (2.4e9, 1.8, 2.2)}
"""Clock and instructions per cycle, from and to: assumed."""
PHASES = ("rest", "settling", "hand", "moving", "counted")


def camera_of(size: str) -> Camera:
    """The rendered camera of a size."""
    width, height = (int(side) for side in size.split("x"))
    return Camera.overhead(size_px=(width, height))


def render(folder: Path, size: str) -> None:
    """Leave the film and the empty table where the emulated eyes find them."""
    renderer = Renderer(TABLE, camera_of(size))
    take = takes(SEED)[0][FROM_FRAME:][:FRAMES]
    film = np.stack([renderer.render(scene, n) for n, scene in enumerate(take)])
    np.save(folder / "film.npy", film)
    np.save(folder / "empty.npy", renderer.empty())


def look(folder: Path, size: str) -> None:
    """Look at the film; ask for the count before and after each frame."""
    use_one_core()
    film = np.load(folder / "film.npy", mmap_mode="r")
    empty = np.load(folder / "empty.npy")
    take = takes(SEED)[0][FROM_FRAME:][: len(film)]
    mapping = mapping_of(camera_of(size), TABLE)
    detector = CountingTimed(Detector(TABLE, mapping, empty=empty), Costs())
    watcher = Watcher(TABLE, mapping, detector)
    lookout = Lookout(watcher, PictureMeter(TABLE, mapping, empty), Studio())
    for number, (scene, phase) in enumerate(zip(take, phases(take), strict=True)):
        frame = Frame(scene.at_s, number, np.array(film[number]))
        detector.counted = False
        os.getpgid(0)
        for report in lookout.look(frame):
            pack(report)
        os.getpgid(0)
        print("counted" if detector.counted else phase)


def counted(folder: Path, size: str) -> dict[str, list[float]]:
    """Millions of instructions per frame, by phase."""
    plugin = folder / "instructions.so"
    source = Path(__file__).with_name("instructions.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", plugin, source], check=True)
    inside = [sys.executable, __file__, "--size", size, "--inside", str(folder)]
    plain = os.environ | PLAIN | {"NUMBA_CACHE_DIR": str(folder / "kernels")}
    # Natively first: compiling under emulation takes many minutes.
    subprocess.run(inside, env=plain, check=True, stdout=subprocess.DEVNULL)
    emulated = ["qemu-x86_64", "-cpu", "Nehalem", "-plugin", str(plugin), *inside]
    done = subprocess.run(
        emulated, env=plain, check=True, capture_output=True, text=True
    )
    lines = done.stderr.splitlines()
    counts = [int(n.split()[1]) for n in lines if n.startswith("instructions")]
    found = defaultdict(list)
    for phase, before, after in zip(
        done.stdout.split(), counts[::2], counts[1::2], strict=True
    ):
        found[phase].append((after - before) / 1e6)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        look(given.inside, given.size)
        return 0
    if not shutil.which("qemu-x86_64") or not shutil.which("cc"):
        print("qemu-user and a C compiler are needed: apt install qemu-user gcc")
        return 2
    with tempfile.TemporaryDirectory(prefix="carrom-bench-pi-") as name:
        render(Path(name), given.size)
        found = counted(Path(name), given.size)
    print(f"PROJECTION for {given.size}: no Pi was measured; see the head of this file")
    print(f"{'':10} {'frames':>6} {'M instr. median':>16} {'p95':>8}", end="")
    print("".join(f" {pi + ' ms (p95)':>24}" for pi in PIS))
    for phase in PHASES:
        median, p95 = np.percentile(found[phase], [50, 95])
        print(f"{phase:10} {len(found[phase]):6d} {median:16.2f} {p95:8.2f}", end="")
        for hertz, slow, fast in PIS.values():
            least, most = median * 1e9 / (hertz * fast), median * 1e9 / (hertz * slow)
            tail = p95 * 1e9 / (hertz * slow)
            print(f" {f'{least:.2f}-{most:.2f} ({tail:.1f})':>24}", end="")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
