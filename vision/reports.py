"""What the eyes process sends to the controller, and how it travels.

Both ends are this program in one version on one machine and the pipe is private,
so the records travel as pickles, each after its length. Nothing else may be read
from anywhere this way.
"""

import pickle
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.series import Series
from vision.frames import SourceState
from vision.picture_report import PictureHealth
from vision.sightings import Observation, Track

_LENGTH = struct.Struct(">I")
LENGTH_BYTES = _LENGTH.size


@dataclass(frozen=True, slots=True)
class Warming:
    """Kernels are being compiled, which on a new machine takes its time."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The camera is open: pictures are due from now on."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The eyes observed this."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Beat:
    """The eyes live: when the newest frame was exposed, and how many there were.

    `frame_at_s` None: none yet. `delivered`, `processed`, `skipped` count frames
    since the process started; `lost` ones the camera never delivered are in none.
    `gap_s`: the longest time between two processed ones since the beat before.
    """

    frame_at_s: float | None
    delivered: int
    processed: int
    skipped: int
    lost: int
    gap_s: float
    camera: SourceState


@dataclass(frozen=True, slots=True)
class Measured:
    """What the last second of pictures was worth."""

    health: PictureHealth


@dataclass(frozen=True, slots=True)
class Positions:
    """Where every tracked piece is now; for live pictures only, never for laws."""

    at_s: float
    tracks: tuple[Track, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The eyes cannot go on and end now; a sentence with the remedy."""

    reason: str


@dataclass(frozen=True, slots=True)
class Pictured:
    """The newest picture, as it was asked for: a JPEG."""

    at_s: float
    jpeg: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """The newest picture, exact: height x width grey levels, to measure in."""

    at_s: float
    grey: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SeriesTaken:
    """A series of pictures, as it was asked for."""

    series: Series


Report = (
    Warming
    | Opened
    | Seen
    | Beat
    | Measured
    | Positions
    | Pictured
    | Plate
    | SeriesTaken
    | Failed
)


def pack(report: Report) -> bytes:
    """The bytes of one report on the pipe."""
    body = pickle.dumps(report, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def length(head: bytes) -> int:
    """How many bytes follow the first `LENGTH_BYTES`."""
    (count,) = _LENGTH.unpack(head)
    return int(count)


def unpack(body: bytes) -> Report:
    """The report in a body that `pack` made."""
    report: Report = pickle.loads(body)
    return report
