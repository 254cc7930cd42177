"""Builds the images a release ships and puts them where `carrom flash` finds them.

Run it after any change to the firmware, with everything committed: hello names the
commit. `--check` says when sources and shipped images have parted.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
IMAGES = HERE.parent / "controller/pockets/images"
LIST = IMAGES / "images.json"
SOURCES = ("src/*.[ch]", "port/avr/*.[ch]", "Makefile")


def main() -> int:
    """Build and ship, or with --check compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        shipped = json.loads(LIST.read_text())["nano"]["sources"]
        if shipped == digest():
            return 0
        print(f"stale: {LIST.parent}; run {Path(__file__).name}", file=sys.stderr)
        return 1
    ship()
    return 0


def digest() -> str:
    """The SHA-256 of everything the image is made of."""
    total = hashlib.sha256()
    for path in sorted(path for kind in SOURCES for path in HERE.glob(kind)):
        total.update(str(path.relative_to(HERE)).encode() + path.read_bytes())
    return total.hexdigest()


def ship() -> None:
    """Build the Nano's image by the commit that last changed it, and list it."""
    log = ["git", "log", "-1", "--format=%H", "--", "src", "port/avr", "Makefile"]
    commit = subprocess.run(
        log, cwd=HERE, check=True, capture_output=True, text=True
    ).stdout[:8]
    with tempfile.TemporaryDirectory() as out:
        make = ["make", "-C", str(HERE), f"OUT={out}", f"BUILD=0x{commit}", "avr"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        image = Path(out, "node-nano.hex").read_bytes()
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "node-nano.hex").write_bytes(image)
    nano = {
        "file": "node-nano.hex",
        "board": "atmega328p",
        "definition": hashlib.sha256(
            (HERE / "protocol/messages.toml").read_bytes()
        ).hexdigest()[:8],
        "build": commit,
        "sha256": hashlib.sha256(image).hexdigest(),
        "sources": digest(),
    }
    LIST.write_text(json.dumps({"nano": nano}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
