"""A film of what the eyes believed, drawn over the recording they watched.

Each piece carries its mark and its name and draws a tail while it moves; the striker's
way is drawn through the whole stroke; falls stay marked for a moment; what a hand hides
is hatched; below stand the time, what goes on, and how many of each piece there are.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import hypot
from pathlib import Path

import av
import cv2
import numpy as np
from av.error import FFmpegError
from av.packet import Packet
from av.video.stream import VideoStream

from calibration.refusal import Refusal
from calibration.table import STOCK, Piece, Point, Table
from vision.detect_fit import Floats
from vision.frames import Frame, Image
from vision.overlay import (
    COLOURS,
    EDGE,
    FONT,
    GRID,
    INK,
    PANEL,
    Pen,
    draw_piece,
    grid,
    label_axes,
    outline,
)
from vision.sightings import (
    Belief,
    HandSeen,
    NotWatching,
    Observation,
    Sighting,
    StrokeSeen,
    StrokeStarted,
    TrackEnd,
    Vanished,
    WatchingAgain,
)

TAIL_FRAMES = 30
MOVING_MM_S = 25.0
FALL_SHOWN_S = 1.5
STROKE_SHOWN_S = 4.0
STRIP_PX = 56
ALARM = (60, 60, 230)
HIDDEN = (60, 130, 240)
TIME_BASE = Fraction(1, 90_000)
QUALITY = {"preset": "veryfast", "crf": "20"}
KINDS = (".mp4", ".mov", ".mkv")


class FilmWriter:
    """Writes pictures with their times as H.264; sizes become even as it needs."""

    def __init__(self, path: Path) -> None:
        """Raises Refusal when the film cannot be written there."""
        if path.suffix.lower() not in KINDS:
            raise Refusal(f"--overlay {path}: a film ends in {', '.join(KINDS)}")
        self._path = path
        try:
            path.touch()  # the container itself is opened only at the first frame
            self._container = av.open(str(path), "w")
        except (OSError, FFmpegError) as error:
            raise Refusal(
                f"--overlay {path} cannot be written ({error.strerror}): "
                "name another place"
            ) from None
        self._stream = self._container.add_stream("libx264", options=QUALITY)
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = TIME_BASE
        self._started = False

    def write(self, image: Image, at_s: float) -> None:
        """Add a picture; times must rise. Raises Refusal when it cannot be written."""
        height, width = (side // 2 * 2 for side in image.shape[:2])
        if not self._started:
            self._started = True
            self._stream.width, self._stream.height = width, height
        even = np.ascontiguousarray(image[:height, :width])
        frame = av.VideoFrame.from_ndarray(even, format="bgr24")
        frame.pts, frame.time_base = round(at_s / TIME_BASE), TIME_BASE
        self._mux(self._stream.encode(frame))

    def close(self) -> None:
        """Finish the file; raises Refusal when its end cannot be written."""
        if self._started:
            self._mux(self._stream.encode())
        try:
            self._container.close()
        except (OSError, FFmpegError) as error:
            raise self._torn(error) from None

    def _mux(self, packets: "list[Packet[VideoStream]]") -> None:
        try:
            self._container.mux(packets)
        except (OSError, FFmpegError) as error:
            raise self._torn(error) from None

    def _torn(self, error: OSError | FFmpegError) -> Refusal:
        return Refusal(
            f"--overlay {self._path} cannot be written on ({error.strerror}): "
            "free the disk or name another place"
        )


@dataclass(slots=True)
class FilmOverlay:
    """Draws frame after frame; remembers tails, the running stroke, what fell."""

    table: Table
    _tails: dict[int, deque[tuple[float, float]]] = field(
        default_factory=dict, init=False
    )
    _way: list[tuple[float, float]] = field(default_factory=list, init=False)
    _start: Point | None = field(default=None, init=False)
    _strokes: int = field(default=0, init=False)
    _running: bool = field(default=False, init=False)
    _said: tuple[float, str] = field(default=(-1e9, ""), init=False)
    _fallen: list[Vanished] = field(default_factory=list, init=False)
    _blind: str | None = field(default=None, init=False)
    _hand: bool = field(default=False, init=False)

    def draw(self, frame: Frame, belief: Belief, told: Iterable[Observation]) -> Image:
        """The frame with all that was believed when it had been looked at."""
        for observation in told:
            self._note(observation)
        pen = Pen(frame.image.copy(), 1.0, max(1.0, min(frame.image.shape[:2]) / 700))
        self._draw_faint(pen, belief)
        label_axes(pen, self.table, belief.mapping)
        self._draw_way(pen, belief, frame.at_s)
        for track in belief.tracks:
            self._draw_tail(pen, belief, track.id)
        seen = [_sighting(belief, self.table, t.piece, t.at) for t in belief.tracks]
        for track, s in zip(belief.tracks, seen, strict=True):
            below = (s.x_px, s.y_px + 1.5 * s.r_px)
            pen.text(f"{s.piece} {track.id}", below, 0.32, COLOURS[s.piece])
        for sighting in seen:
            draw_piece(pen, sighting)
        self._draw_falls(pen, belief, frame.at_s)
        if self._blind is not None:
            height, width = pen.canvas.shape[:2]
            cv2.rectangle(pen.canvas, (0, 0), (width - 1, height - 1), ALARM, 12)
        return np.vstack([pen.canvas, self._strip(pen, belief, frame.at_s)])

    def _note(self, observation: Observation) -> None:
        match observation:
            case StrokeStarted(start=start):
                self._strokes += 1
                self._running, self._start = True, start
                self._way.clear()
            case StrokeSeen():
                self._running = False
                self._said = (observation.rest.at_s, _outcome(observation))
            case Vanished():
                self._fallen.append(observation)
            case HandSeen(present=present):
                self._hand = present
                if present and not self._running:
                    self._forget_stroke()
            case NotWatching(reason=reason):
                self._blind = reason
            case WatchingAgain():
                self._blind = None
            case _:
                pass

    def _forget_stroke(self) -> None:
        """The next player's hand is there: what the last stroke left is old."""
        self._start = None
        self._way.clear()

    def _draw_faint(self, pen: Pen, belief: Belief) -> None:
        """Grid and hidden areas, blended in once."""
        clear = pen.canvas.copy()
        for line in grid(self.table, belief.mapping):
            _thin(pen.canvas, line, GRID)
        for hidden in belief.hidden:
            shape = belief.mapping.to_px(np.array(hidden.outline, np.float64))
            _hatched(pen.canvas, shape)
        cv2.addWeighted(pen.canvas, 0.3, clear, 0.7, 0, dst=pen.canvas)
        pen.line(outline(self.table, belief.mapping), GRID, 1.0)
        for hidden in belief.hidden:
            shape = belief.mapping.to_px(np.array(hidden.outline, np.float64))
            pen.line(np.vstack([shape, shape[:1]]), HIDDEN, 1.5)
            x, y = shape.mean(axis=0)
            pen.text(f"hidden: {hidden.cause}", (float(x), float(y)), 0.42, HIDDEN)

    def _draw_way(self, pen: Pen, belief: Belief, at_s: float) -> None:
        """The striker's place before the stroke and its way since."""
        for track in belief.tracks:
            if track.piece is Piece.STRIKER and self._running:
                self._way.append(belief.mapping.point_to_px(track.at))
        if not self._running and at_s - self._said[0] > STROKE_SHOWN_S:
            self._forget_stroke()
        if self._start is None:
            return
        if len(self._way) > 1:
            _thin(pen.canvas, np.array(self._way), COLOURS[Piece.STRIKER], 3)
        at = _sighting(belief, self.table, Piece.STRIKER, self._start)
        cv2.circle(
            pen.canvas,
            (round(at.x_px), round(at.y_px)),
            round(at.r_px),
            COLOURS[Piece.STRIKER],
            1,
            cv2.LINE_AA,
        )

    def _draw_tail(self, pen: Pen, belief: Belief, number: int) -> None:
        """Where a moving piece was in the last half second."""
        track = next(t for t in belief.tracks if t.id == number)
        tail = self._tails.setdefault(number, deque(maxlen=TAIL_FRAMES))
        if hypot(*track.velocity) > MOVING_MM_S:
            tail.append(belief.mapping.point_to_px(track.at))
        elif tail:
            tail.popleft()
        if len(tail) > 1 and track.piece is not Piece.STRIKER:
            _thin(pen.canvas, np.array(tail), COLOURS[track.piece], 3)
        here = {t.id for t in belief.tracks}
        for gone in self._tails.keys() - here:
            del self._tails[gone]

    def _draw_falls(self, pen: Pen, belief: Belief, at_s: float) -> None:
        self._fallen = [v for v in self._fallen if at_s - v.at_s < FALL_SHOWN_S]
        for fallen in self._fallen:
            place = fallen.last_at
            if fallen.end is TrackEnd.POCKET and fallen.pocket is not None:
                place = self.table.pocket_centres[fallen.pocket]
            x, y = belief.mapping.point_to_px(place)
            r = _sighting(belief, self.table, fallen.piece, place).r_px
            for turn in (1, -1):
                cross = np.array([(x - r, y - turn * r), (x + r, y + turn * r)])
                pen.line(cross, COLOURS[fallen.piece], 2.5)
            word = "pocketed" if fallen.end is TrackEnd.POCKET else str(fallen.end)
            words = f"{fallen.piece} {word}"
            pen.text(words, (x, y - 1.8 * r), 0.5, COLOURS[fallen.piece])

    def _strip(self, pen: Pen, belief: Belief, at_s: float) -> Image:
        """Time, what goes on, how many of each, and how long 100 mm are."""
        width = pen.canvas.shape[1]
        strip = np.full((STRIP_PX, width, 3), PANEL, np.uint8)
        minutes, seconds = divmod(at_s, 60)
        _write(strip, f"{minutes:02.0f}:{seconds:05.2f}", 14, 0.62)
        state, colour = self._state(at_s)
        _write(strip, state, 128, 0.55, colour)
        small = Pen(strip, 1.0, 1.0)
        counted = {p: sum(t.piece is p for t in belief.tracks) for p in Piece}
        left = width - 180 - 82 * len(counted)
        for number, (piece, count) in enumerate(counted.items()):
            x = left + 82 * number
            draw_piece(small, Sighting(piece, Point(0, 0), x, STRIP_PX / 2, 10, 1.0))
            _write(strip, f"{count}/{STOCK[piece]}", x + 17, 0.48)
        ends = belief.mapping.to_px(np.array([(-50.0, 0.0), (50.0, 0.0)]))
        long_px = round(float(np.hypot(*(ends[1] - ends[0]))))
        x, y = width - 24 - long_px, STRIP_PX - 16
        cv2.line(strip, (x, y), (x + long_px, y), INK, 2)
        for end in (x, x + long_px):
            cv2.line(strip, (end, y - 5), (end, y + 5), INK, 2)
        cv2.putText(strip, "100 mm", (x, y - 12), FONT, 0.42, INK, 1, cv2.LINE_AA)
        return strip

    def _state(self, at_s: float) -> tuple[str, tuple[int, int, int]]:
        if self._blind is not None:
            return f"NOT WATCHING: {self._blind.partition(':')[0]}", ALARM
        if self._running:
            return f"stroke {self._strokes}", COLOURS[Piece.STRIKER]
        said_s, said = self._said
        if at_s - said_s < STROKE_SHOWN_S:
            return f"stroke {self._strokes}: {said}", INK
        return ("a hand over the table", HIDDEN) if self._hand else ("at rest", INK)


def _outcome(stroke: StrokeSeen) -> str:
    """What a stroke came to, in a few words."""
    fell = [
        f"{v.piece} {v.pocket}" for v in stroke.vanished if v.end is TrackEnd.POCKET
    ]
    first = stroke.first_contact
    hit = f"first contact {first.piece}" if first else "nothing hit"
    return f"{', '.join(fell) or 'nothing fell'}; {hit}"


def _sighting(belief: Belief, table: Table, piece: Piece, at: Point) -> Sighting:
    """A tracked piece as its top's outline in the picture."""
    striker = piece is Piece.STRIKER
    radius = table.striker_radius_mm if striker else table.coin_radius_mm
    height = table.striker_height_mm if striker else table.coin_height_mm
    places = np.array([at, (at.x_mm + radius, at.y_mm)], np.float64)
    (x, y), (rim_x, rim_y) = belief.mapping.to_px(places, height)
    r = float(np.hypot(rim_x - x, rim_y - y))
    return Sighting(piece, at, float(x), float(y), r, 1.0)


def _thin(
    canvas: Image, line: Floats, colour: tuple[int, int, int], width: int = 1
) -> None:
    path = np.round(line * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [path], False, colour, width, cv2.LINE_AA, 4)


def _hatched(canvas: Image, shape: Floats) -> None:
    """Fill a shape with slanting lines, so that what lies under it can be seen."""
    inside = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(shape).astype(np.int32)], 1)
    rows, columns = np.nonzero(inside)
    lines = (rows + columns) % 14 < 4
    canvas[rows[lines], columns[lines]] = HIDDEN


def _write(
    strip: Image,
    words: str,
    x: int,
    scale: float,
    colour: tuple[int, int, int] = INK,
) -> None:
    place = (x, STRIP_PX // 2 + round(11 * scale))
    cv2.putText(strip, words, place, FONT, scale, EDGE, 4, cv2.LINE_AA)
    cv2.putText(strip, words, place, FONT, scale, colour, 1, cv2.LINE_AA)
