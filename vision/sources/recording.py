"""Frames from a recorded video, with the times they were shown at.

Recordings come from phones, capture cards and ourselves: turned, grey, with
uneven frame times, cut in the middle or torn at the end. What can be read is
delivered; what was wrong with it is said in `notes`, one line each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
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
        self._damaged = _Damage()
        self._last_s = 0.0

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
        placed one nominal frame after its forerunner and noted; a damaged one is
        left out.
        """
        step_s = 1.0 / float(self._stream.average_rate or 30)
        if self._container.format.name in RAW_FORMATS and self._rate_hz is None:
            self._note(
                f"the file does not say its frame rate: {1 / step_s:g} a second are "
                "assumed; --rate says otherwise"
            )
        last_s = -np.inf
        shape: tuple[int, ...] | None = None
        for sequence, decoded in self._decode():
            at_s = decoded.time
            if self._rate_hz is not None:
                at_s = sequence / self._rate_hz
            if at_s is None or at_s <= last_s:
                self._note("frames without a usable time were spaced evenly")
                at_s = max(last_s, 0.0) + step_s
            elif at_s - last_s > CUT_S and shape is not None:
                self._note(f"nothing was recorded from {last_s:.2f} s to {at_s:.2f} s")
            last_s = self._last_s = at_s
            image = _upright(decoded)
            if shape is not None and image.shape != shape:
                self._note(f"the picture's size changes at {at_s:.2f} s: ended")
                return
            shape = image.shape
            yield Frame(at_s, sequence, image)

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        self._container.close()

    def _decode(self) -> Iterator[tuple[int, VideoFrame]]:
        """Numbered frames that can be believed, until the end or a torn place, noted."""
        decoded = shown = 0
        for packet in self._packets():
            try:
                frames = packet.decode()
            except FFmpegError:
                self._damaged.lost()
                decoded += 1
                continue
            for frame in frames:
                assert isinstance(frame, VideoFrame)
                decoded += 1
                if not self._damaged.spoils(frame):
                    shown += 1
                    yield decoded - 1, frame
        if not shown:
            reason = str(self._damaged) if self._damaged.frames else "holds no picture"
            raise Refusal(f"{self.path}: {reason}; copy it again or record it anew")
        if self._damaged.frames:
            self._note(str(self._damaged))
        self._note_if_short(decoded)

    def _packets(self) -> Iterator["Packet[VideoStream]"]:
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
            except FFmpegError as error:
                self._note(f"the file cannot be read to its end: {error.strerror}")
                return
            if packet is None:
                return
            yield packet

    def _note_if_short(self, decoded: int) -> None:
        frames, length_s = self._stream.frames, self.duration_s
        if decoded < frames:
            self._note(f"the file is cut off: {decoded} of {frames} frames")
        elif self._rate_hz is None and length_s and self._last_s < length_s - CUT_S:
            self._note(
                f"the file is cut off: its pictures end at {self._last_s:.2f} s of "
                f"{length_s:.2f} s"
            )

    def _note(self, note: str) -> None:
        """Say a thing once, and not more things than anybody would read."""
        if note in self.notes or len(self.notes) > MOST_NOTES:
            return
        if len(self.notes) == MOST_NOTES:
            note = "more is wrong with the file than is listed here"
        self.notes.append(note)


@dataclass(slots=True)
class _Damage:
    """Which frames cannot be believed: a damaged one, and all drawn from it.

    Decoders fill what is missing with something near it, and say so of the first
    frame only; what follows is drawn on top until a picture comes whole.
    """

    frames: int = 0
    first_s: float | None = None
    last_s: float | None = None
    _on: bool = False

    def lost(self) -> None:
        """A frame could not be decoded at all."""
        self.frames += 1
        self._on = True

    def spoils(self, frame: VideoFrame) -> bool:
        """Whether to leave this frame out."""
        self._on = frame.is_corrupt or (self._on and not frame.key_frame)
        if self._on:
            self.frames += 1
            self.first_s = frame.time if self.first_s is None else self.first_s
            self.last_s = frame.time
        return self._on

    def __str__(self) -> str:
        where = ""
        if self.first_s is not None and self.last_s is not None:
            where = f", some between {self.first_s:.2f} s and {self.last_s:.2f} s"
        count = "1 frame was" if self.frames == 1 else f"{self.frames} frames were"
        return f"the file is damaged: {count} left out{where}"


def _open(path: Path) -> InputContainer:
    if not path.exists():
        raise Refusal(f"{path}: no such file; check the name")
    if not path.is_file():
        raise Refusal(f"{path}: is not a file; name a video recording")
    try:
        container = av.open(str(path))
    except (FFmpegError, ValueError) as error:
        reason = error.strerror if isinstance(error, FFmpegError) else error
        raise Refusal(
            f"{path}: is not a video that can be read ({reason}), or its end is "
            "missing; use whole MP4, MOV, MKV, AVI or WebM files"
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
