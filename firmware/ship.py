"""Builds the images a release ships and puts them where `carrom flash` finds them.

Run it after any change to the firmware, with everything committed: hello names the
commit. `--check` says when sources and shipped images have parted.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parent / "controller/pockets/images"
LIST = FOLDER / "images.json"
COMMON = ("src/*.[ch]", "port/*.[ch]", "Makefile")
COMPILERS = ("avr-gcc", "arm-none-eabi-gcc")
IMAGES = {
    "nano": ("node-nano.hex", "atmega328p", "avr", ("port/avr/*",)),
    "pico": ("node-pico.uf2", "rp2040", "rp2040", ("port/rp2040/*",)),
}
"""File, chip as hello says it, target of the Makefile, sources of its own."""


def main() -> int:
    """Build and ship, or with --check compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        shipped = json.loads(LIST.read_text())
        stale = [
            name
            for name in IMAGES
            if name not in shipped or shipped[name]["sources"] != digest(name)
        ]
        if stale:
            said = f"stale: {', '.join(stale)} in {FOLDER}; run {Path(__file__).name}"
            print(said, file=sys.stderr)
        return 1 if stale else 0
    absent = [compiler for compiler in COMPILERS if shutil.which(compiler) is None]
    if absent:
        said = f"not installed: {', '.join(absent)}; see firmware/README.md"
        print(said, file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    LIST.write_text(json.dumps({name: ship(name) for name in IMAGES}, indent=1) + "\n")
    return 0


def sources(name: str) -> list[Path]:
    """Everything an image is made of."""
    kinds = (*COMMON, *IMAGES[name][3])
    found = {path for kind in kinds for path in HERE.glob(kind) if path.is_file()}
    return sorted(found)


def digest(name: str) -> str:
    """The SHA-256 of that."""
    total = hashlib.sha256()
    for path in sources(name):
        total.update(str(path.relative_to(HERE)).encode() + path.read_bytes())
    return total.hexdigest()


def ship(name: str) -> dict[str, str]:
    """Build an image by the commit that last changed it; its entry in the list."""
    file, board, target, _ = IMAGES[name]
    paths = [str(path.relative_to(HERE)) for path in sources(name)]
    log = ["git", "log", "-1", "--format=%H", "--", *paths]
    commit = subprocess.run(
        log, cwd=HERE, check=True, capture_output=True, text=True
    ).stdout[:8]
    with tempfile.TemporaryDirectory() as out:
        make = ["make", "-C", str(HERE), f"OUT={out}", f"BUILD=0x{commit}", target]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        image = Path(out, file).read_bytes()
    (FOLDER / file).write_bytes(image)
    messages = (HERE / "protocol/messages.toml").read_bytes()
    return {
        "file": file,
        "board": board,
        "definition": hashlib.sha256(messages).hexdigest()[:8],
        "build": commit,
        "sha256": hashlib.sha256(image).hexdigest(),
        "sources": digest(name),
    }


if __name__ == "__main__":
    sys.exit(main())
