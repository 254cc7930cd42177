"""Machine code on disk that can never be older than any source it was made of.

numba keeps a kernel's machine code beside its file and takes it again while that one
file is the same. But code and constants of other files are compiled into it: after an
upgrade of those alone, the old machine code would run on. So a kernel is stamped with its
own file and with every file of this project that it imports, by whatever way. numba
replaces what has another stamp, or was made by another numba, in place; where the
folder cannot be written it keeps all in the user's own cache, as ever.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

Kernel = TypeVar("Kernel", bound=Callable[..., object])

_ROOT = Path(__file__).resolve().parents[1]
_IMPORT = re.compile(
    rb"^[ \t]*(?:from|import)[ \t]+((?:calibration|vision|controller)(?:\.\w+)*)"
    rb"(?:[ \t]+import[ \t]+(\([^)]*|[^\n]*))?",
    re.MULTILINE,
)
"""The module or package a line imports, and the names it takes from it."""


def kept(kernel: Kernel) -> Kernel:
    """The same kernel (`njit(cache=True)`), its stored code stamped with all sources."""
    stored = getattr(kernel, "_cache", None)
    if stored is not None:  # None: numba is told not to compile at all
        own = Path(kernel.__code__.co_filename)
        stored._cache_file._source_stamp = _stamp(own.resolve())
    return kernel


@cache
def _stamp(own: Path) -> str:
    """The fingerprint of a file and of all it is made with."""
    made_of, left = {own}, [own]
    while left:
        new = {*_imported(left.pop())} - made_of
        made_of |= new
        left += new
    sources = b"".join(sha256(_source(p)).digest() for p in sorted(made_of))
    return sha256(sources).hexdigest()


def _imported(file: Path) -> Iterator[Path]:
    """The project's files that a file names in its imports."""
    for module, names in _IMPORT.findall(_source(file)):
        place = _ROOT.joinpath(*module.decode().split("."))
        parts = [place / name.decode() for name in re.findall(rb"\w+", names)]
        places = [place / "__init__", place, *parts]
        files = (p.with_suffix(".py") for p in places)
        yield from (f for f in files if f.is_file())


@cache
def _source(file: Path) -> bytes:
    return file.read_bytes()
