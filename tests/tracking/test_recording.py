"""Recordings as people hand them in: uneven, turned, grey, torn, or no video."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from calibration.refusal import Refusal
from vision.frames import Image
from vision.sources.recording import MOST_NOTES, RecordingSource

SIZE = (96, 128)


def test_a_frame_keeps_the_time_it_was_shown_at(tmp_path: Path) -> None:
    """The times are chosen uneven, in milliseconds."""
    shown_ms = [0, 17, 33, 83, 100, 251]
    video = record(tmp_path / "uneven.mp4", shown_ms)
    times = [frame.at_s for frame in RecordingSource(video).frames()]
    assert times == pytest.approx([ms / 1000 for ms in shown_ms])


def test_a_rate_that_is_said_overrules_the_files_times(tmp_path: Path) -> None:
    """240 frames a second, played back at 30: the usual slow motion of phones."""
    video = record(tmp_path / "slow.mp4", [0, 33, 67, 100])
    times = [frame.at_s for frame in RecordingSource(video, rate_hz=240).frames()]
    assert times == pytest.approx([0, 1 / 240, 2 / 240, 3 / 240])


def test_a_stream_without_times_is_said_to_be_guessed(tmp_path: Path) -> None:
    video = record(tmp_path / "raw.h264", [0, 33, 67])
    guessed, told = RecordingSource(video), RecordingSource(video, rate_hz=60)
    assert len(list(guessed.frames())) == len(list(told.frames())) == 3
    assert "does not say its frame rate: 25 a second are assumed" in guessed.notes[0]
    assert told.notes == []


def test_notes_stay_few_however_torn_the_recording(tmp_path: Path) -> None:
    video = record(tmp_path / "torn.mp4", range(0, 90_000, 2000))
    source = RecordingSource(video)
    assert len(list(source.frames())) == 45
    assert len(source.notes) == MOST_NOTES + 1
    assert source.notes[-1].startswith("more is wrong")


def test_a_turned_recording_is_shown_upright(tmp_path: Path) -> None:
    """The display matrix turns clockwise: the stored left becomes the top."""
    video = record(tmp_path / "turned.mp4", [0, 33])
    turn_clockwise(video)
    image = next(RecordingSource(video).frames()).image
    assert image.shape == (SIZE[1], SIZE[0], 3)
    assert image[:30].mean() > image[-30:].mean() + 100


@pytest.mark.parametrize("pixels", ["gray", "gray16le", "yuv444p", "yuv420p10le"])
def test_any_pixel_format_becomes_bgr(tmp_path: Path, pixels: str) -> None:
    video = record(tmp_path / "odd.mkv", [0, 40], codec="ffv1", pixels=pixels)
    frames = list(RecordingSource(video).frames())
    assert [frame.image.shape for frame in frames] == [(*SIZE, 3)] * 2
    assert frames[0].image.flags.c_contiguous


def test_a_torn_recording_gives_what_is_there_and_says_so(tmp_path: Path) -> None:
    video = record(tmp_path / "torn.mp4", range(0, 2000, 40), fast_start=True)
    video.write_bytes(video.read_bytes()[: video.stat().st_size * 2 // 3])
    source = RecordingSource(video)
    assert 0 < len(list(source.frames())) < 50
    assert any("cut off" in note or "cannot be read" in note for note in source.notes)


def test_a_recording_cut_short_is_told_by_its_length_too(tmp_path: Path) -> None:
    """Matroska says how long it lasts and not how many frames it holds."""
    video = record(tmp_path / "short.mkv", range(0, 4000, 40))
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 3])
    source = RecordingSource(video)
    last_s = [frame.at_s for frame in source.frames()][-1]
    (note,) = source.notes
    assert note.startswith(f"the file is cut off: its pictures end at {last_s:.2f} s")


def test_a_recording_damaged_from_its_first_picture_on_is_refused(
    tmp_path: Path,
) -> None:
    video = record(tmp_path / "torn.mp4", range(0, 1000, 40))
    bits = bytearray(video.read_bytes())
    first = bits.index(b"mdat") + 2000
    bits[first : first + 300] = b"U" * 300
    video.write_bytes(bits)
    with pytest.raises(
        Refusal, match=r"the file is damaged: \d+ frames? w\w+ left out"
    ):
        list(RecordingSource(video).frames())


def test_a_cut_in_the_recording_is_noted(tmp_path: Path) -> None:
    source = RecordingSource(record(tmp_path / "cut.mp4", [0, 33, 5000, 5033]))
    assert [frame.sequence for frame in source.frames()] == [0, 1, 2, 3]
    assert source.notes == ["nothing was recorded from 0.03 s to 5.00 s"]


def test_damaged_frames_and_those_drawn_from_them_are_left_out(tmp_path: Path) -> None:
    """Every tenth frame comes whole; what is shown is what the whole file shows."""
    video = record(tmp_path / "whole.mp4", range(0, 2000, 40), key_every=10)
    whole = [frame.image for frame in RecordingSource(video).frames()]
    bits = bytearray(video.read_bytes())
    middle = len(bits) // 2
    bits[middle : middle + 300] = b"U" * 300
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(bits)
    source = RecordingSource(torn)
    shown = list(source.frames())
    assert 20 < len(shown) < 48
    assert all(
        np.array_equal(frame.image, whole[round(frame.at_s / 0.04)]) for frame in shown
    )
    assert any("the file is damaged: " in note for note in source.notes)


def test_no_such_recording_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"gone\.mp4: no such file"):
        RecordingSource(tmp_path / "gone.mp4")


@pytest.mark.parametrize("content", [b"", b"hello\n" * 99, bytes(range(256)) * 40])
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.mp4"
    path.write_bytes(content)
    with pytest.raises(Refusal, match=r"notes\.mp4: .*; "):
        list(RecordingSource(path).frames())


def test_a_single_picture_is_sent_to_the_census(tmp_path: Path) -> None:
    path = tmp_path / "still.jpg"
    record(path, [0], codec="mjpeg", pixels="yuvj420p")
    with pytest.raises(Refusal, match="use `carrom census"):
        RecordingSource(path)


def picture(seed: int) -> Image:
    """Bright at the left, dark at the right, with noise so that frames take room."""
    ramp = np.linspace(235, 20, SIZE[1])[None, :, None]
    noise = np.random.default_rng(seed).normal(0, 6, (*SIZE, 3))
    return np.clip(ramp + noise, 0, 255).astype(np.uint8)


def record(
    path: Path,
    shown_ms: Sequence[int],
    *,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    fast_start: bool = False,
    key_every: int = 250,
) -> Path:
    """Write a recording whose frames are shown at the given times."""
    options = {"movflags": "faststart"} if fast_start else {}
    with av.open(str(path), "w", options=options) as container:
        stream = container.add_stream(codec, rate=30)
        stream.gop_size = key_every
        stream.height, stream.width = SIZE
        stream.pix_fmt = pixels
        stream.codec_context.time_base = Fraction(1, 1000)
        for ms in shown_ms:
            frame = av.VideoFrame.from_ndarray(picture(ms), format="bgr24")
            frame.pts, frame.time_base = ms, Fraction(1, 1000)
            container.mux(stream.encode(frame.reformat(format=pixels)))
        container.mux(stream.encode())
    return path


def turn_clockwise(video: Path) -> None:
    """Set the track's display matrix (ISO/IEC 14496-12, tkhd) to a quarter turn."""
    data = bytearray(video.read_bytes())
    matrix = data.index(b"tkhd") + 4 + 40
    one, minus = (
        (1 << 16).to_bytes(4, "big"),
        (-1 << 16).to_bytes(4, "big", signed=True),
    )
    zero = bytes(4)
    data[matrix : matrix + 16] = zero + one + zero + minus
    data[matrix + 16 : matrix + 20] = zero
    video.write_bytes(data)
