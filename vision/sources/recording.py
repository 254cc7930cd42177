"""Frames from a recorded video, with the times they were shown at.

Recordings come from phones, capture cards and ourselves: turned, grey, with
uneven frame times, cut in the middle or torn at the end. What can be read is
delivered; what was wrong with it is said in `notes`, one line each.
"""

from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from calibration.refusal import Refusal
from vision.frames import Frame, Image, SourceState

STILL_FORMATS = ("image2", "tty")
"""Demuxers that take anything: a single picture, or text drawn as a screen."""

RAW_FORMATS = ("h264", "hevc", "mjpeg", "m4v", "av1", "obu")
"""Streams without times: whoever reads them has to know the frame rate."""
MOST_NOTES = 20
CUT_S = 1.0
"""A jump of the times by more than this is a cut in the recording."""


class RecordingSource:
    """A video file as a `FrameSource`; `notes` grows while frames are read."""

    state = SourceState()

    def __init__(self, path: Path, rate_hz: float | None = None) -> None:
        """Open a recording; raises Refusal when it is no readable video.

        `rate_hz`: how many frames a second were really taken, when the file's own
        times are not to be believed.
        """
        self.path = path
        self._rate_hz = rate_hz
        self.notes: list[str] = []
        self._container = _open(path)
        self._stream = _video_stream(self._container, path)
        self._stream.thread_type = "AUTO"

    @property
    def duration_s(self) -> float | None:
        """How long the file claims to be, for progress; None when it does not say."""
        stream = self._stream
        if stream.duration is not None and stream.time_base is not None:
            return float(stream.duration * stream.time_base)
        if self._container.duration is not None:
            return self._container.duration / av.time_base
        return None

    def frames(self) -> Iterator[Frame]:
        """Deliver the frames in order of time, their own times kept.

        Frame times start at the file's own first time; `sequence` counts what
        was decoded. A frame without a time, or with one that runs backwards, is
        placed one nominal frame after its forerunner and noted.
        """
        step_s = 1.0 / float(self._stream.average_rate or 30)
        if self._container.format.name in RAW_FORMATS and self._rate_hz is None:
            self._note(
                f"the file does not say its frame rate: {1 / step_s:g} a second are "
                "assumed; --rate says otherwise"
            )
        last_s = -np.inf
        shape: tuple[int, ...] | None = None
        for sequence, decoded in enumerate(self._decode()):
            at_s = decoded.time
            if self._rate_hz is not None:
                at_s = sequence / self._rate_hz
            if at_s is None or at_s <= last_s:
                self._note("frames without a usable time were spaced evenly")
                at_s = max(last_s, 0.0) + step_s
            elif at_s - last_s > CUT_S and sequence:
                self._note(f"nothing was recorded from {last_s:.2f} s to {at_s:.2f} s")
            last_s = at_s
            image = _upright(decoded)
            if shape is not None and image.shape != shape:
                self._note(f"the picture's size changes at {at_s:.2f} s: ended")
                return
            shape = image.shape
            yield Frame(at_s, sequence, image)

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        self._container.close()

    def _decode(self) -> Iterator[VideoFrame]:
        """Decoded frames until the end or the first unreadable part, noted."""
        frames = self._container.decode(self._stream)
        decoded = 0
        while True:
            try:
                frame = next(frames, None)
            except FFmpegError as error:
                self._note(
                    f"the file cannot be read beyond frame {decoded}: {error.strerror}"
                )
                frame = None
            if frame is None:
                break
            decoded += 1
            yield frame
        self._note_if_short(decoded)

    def _note_if_short(self, decoded: int) -> None:
        if decoded == 0:
            raise Refusal(
                f"{self.path}: holds no readable picture; record it again or "
                "convert it with another program"
            )
        if 0 < decoded < self._stream.frames:
            self._note(
                f"the file is cut off: {decoded} of {self._stream.frames} frames"
            )

    def _note(self, note: str) -> None:
        """Say a thing once, and not more things than anybody would read."""
        if note in self.notes or len(self.notes) > MOST_NOTES:
            return
        if len(self.notes) == MOST_NOTES:
            note = "more is wrong with the file than is listed here"
        self.notes.append(note)


def _open(path: Path) -> InputContainer:
    if not path.exists():
        raise Refusal(f"{path}: no such file; check the name")
    if not path.is_file():
        raise Refusal(f"{path}: is not a file; name a video recording")
    try:
        container = av.open(str(path))
    except (FFmpegError, ValueError) as error:
        raise Refusal(
            f"{path}: is not a video that can be read ({error}); "
            "use MP4, MOV, MKV, AVI or WebM"
        ) from error
    name = container.format.name
    if name in STILL_FORMATS or name.endswith("_pipe"):
        container.close()
        raise Refusal(
            f"{path}: is not a video; for one picture use `carrom census {path}`"
        )
    return container


def _video_stream(container: InputContainer, path: Path) -> VideoStream:
    if not container.streams.video:
        container.close()
        raise Refusal(f"{path}: holds no video, only sound or data; name another file")
    return container.streams.video[0]


def _upright(decoded: VideoFrame) -> Image:
    """The picture as it is meant to be shown: BGR, turned by its own metadata."""
    image = np.asarray(decoded.to_ndarray(format="bgr24"), dtype=np.uint8)
    quarters = round(decoded.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, quarters)) if quarters else image
