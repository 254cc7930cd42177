"""Fuzzes both ends of the wire, each for some minutes, from one corpus.

    python bench/fuzz.py --seconds 600 [--corpus FOLDER]

The C end (frame decoder, link) runs under libFuzzer with address and undefined-behaviour
sanitizers, the Python end (frames, link) under atheris (`pip install .[fuzz]`). The seeds
are protocol/vectors.txt; what the C decoder finds worth keeping is the Python end's
corpus too. Ends with how much was tried; a crash or hang ends it with its input.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIRMWARE = ROOT / "firmware"
SOURCES = {
    "frame": ("src/frame.c", "tests/fuzz_frame.c"),
    "link": (
        *("src/frame.c", "src/link.c", "src/siphash.c"),
        *("tests/bare_node.c", "tests/fuzz_link.c"),
    ),
}
OPTIONS = "-std=c99 -O1 -g -fsanitize=fuzzer,address,undefined"
STRICT = "-fno-sanitize-recover=all"
LONGEST = 512
HANG_S = 5


def main() -> int:
    """Fuzz each target in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--corpus", type=Path, help="kept between runs")
    parser.add_argument("--c-only", action="store_true", help="without atheris")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = chosen.corpus or Path(folder)
        seeds(corpus / "frame")
        (corpus / "link").mkdir(parents=True, exist_ok=True)
        host = [sys.executable, str(FIRMWARE / "tests/fuzz_host.py")]
        targets = [
            ("frame", [str(build("frame", Path(folder)))]),
            ("link", [str(build("link", Path(folder)))]),
        ]
        if not chosen.c_only:
            targets.append(("frame", host))
        for name, command in targets:
            if code := fuzz(command, corpus / name, chosen.seconds):
                return code
    return 0


def seeds(folder: Path) -> None:
    """Every frame of vectors.txt, good and bad, as a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (FIRMWARE / "protocol/vectors.txt").read_text().splitlines()
    frames = [line.split("|")[-1].strip() for line in lines if line[:1] in "gb"]
    for number, text in enumerate(frames):
        (folder / f"vector-{number}").write_bytes(bytes.fromhex(text))


def build(target: str, folder: Path) -> Path:
    """Compile one C target."""
    program = folder / f"fuzz_{target}"
    sources = [FIRMWARE / source for source in SOURCES[target]]
    includes = [f"-I{FIRMWARE / name}" for name in ("src", "tests")]
    command = ["clang", *OPTIONS.split(), STRICT, *includes, *map(str, sources)]
    subprocess.run([*command, "-o", str(program)], check=True)
    return program


def fuzz(command: list[str], corpus: Path, seconds: int) -> int:
    """Run one target; its exit code. Says how many inputs it tried."""
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={HANG_S}"]
    ran = subprocess.run(
        [*command, *limits, f"-artifact_prefix={corpus}/", str(corpus)],
        capture_output=True,
        text=True,
        check=False,
    )
    last = [line for line in ran.stderr.splitlines() if line.startswith("Done")]
    print(f"{Path(command[-1]).name}: {' '.join(last) or ran.stderr[-2000:]}")
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
