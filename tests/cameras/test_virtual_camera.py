"""The Raspberry Pi source on the real picamera2 and libcamera's virtual camera.

`make cameras` prepares a Debian 13 for it. It proves the use of the interface, buffers,
threads and times; the virtual camera has no exposure, gain or white balance to fix.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "virtual"
FOLDER = os.environ.get("CARROM_VIRTUAL_CAMERA", "")

pytestmark = [
    pytest.mark.camera,
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="needs Debian 13 in a folder: make cameras"),
]


def test_the_real_picamera2_delivers_what_its_camera_shows() -> None:
    preload = "LD_PRELOAD=/shims/dma_heap.so"
    program = "/project/tests/cameras/virtual/check.py"
    done = subprocess.run(
        [HERE / "inside", FOLDER, "env", preload, "/v/bin/python", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )
    (line,) = [x for x in done.stdout.splitlines() if x.startswith("RESULT ")] or [
        f"RESULT {json.dumps(done.stderr[-2000:])}"
    ]
    told = json.loads(line.removeprefix("RESULT "))
    assert isinstance(told, dict), told
    assert told["shape"] == [720, 1280, 3]
    shown = {(100 + 100 * n, 300) for n in range(8)}
    seen = {(round(x), round(y)) for x, y in told["discs"]}
    assert seen == shown
    assert told["least_step_s"] > 0
    assert told["numbers_rise"]
    assert told["earliest_s"] > -0.001
    assert told["latest_s"] < 1.0
    assert [f.split(" is not told")[0] for f in told["faults"]] == [
        "the camera's exposure (us)",
        "the camera's gain",
        "the camera's frame duration (us)",
    ]
    delivered, taken, skipped = told["flow"]
    assert taken == 5
    assert skipped > 0
    assert delivered - taken - skipped in (0, 1)
