"""Pictures for `find_table.py` that show no carrom table, or too little of one.

Boards, walls and rooms are drawn, photographs of tables cut down. Every picture is the
same on every run.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from table_pictures import Case, Random, cloth

from vision.frames import Image
from vision.pictures import read_picture


def no_tables(folder: Path) -> Iterator[Case]:
    """Pictures that show no carrom table, or too little of one."""
    random = np.random.default_rng(3)
    for name, draw in DRAWN.items():
        yield Case("no table, drawn", name, draw(random))
    cuts = {
        "plastic-1": {"cloth": (0.86, 1, 0, 1), "middle": (0.31, 0.56, 0.25, 0.67)},
        "brown-coins": {
            "middle": (0.33, 0.66, 0.33, 0.66),
            "left third": (0, 1, 0, 0.33),
            "corner": (0, 0.38, 0, 0.38),
        },
        "studio-empty": {"corner": (0, 0.42, 0, 0.41), "lower third": (0.68, 1, 0, 1)},
        "webcam-robot": {"frame": (0, 1, 0, 0.23), "middle": (0.25, 0.69, 0.31, 0.7)},
        "worn-board": {"middle": (0.25, 0.69, 0.26, 0.72)},
    }
    for stem, parts in cuts.items():
        path = folder / f"{stem}.jpg"
        if not path.exists():
            continue
        image = read_picture(path)
        rows, columns = image.shape[:2]
        for name, (top, low, left, right) in parts.items():
            part = image[
                round(top * rows) : round(low * rows),
                round(left * columns) : round(right * columns),
            ]
            cut = np.ascontiguousarray(part)
            yield Case("no table, cut out", f"{stem} {name}", cut)


def _ground(random: Random, size: tuple[int, int] = (700, 900)) -> Image:
    return np.full((*size, 3), random.integers(70, 150, 3), np.uint8)


def _framed(random: Random) -> Image:
    image = _ground(random)
    cv2.rectangle(image, (150, 50), (750, 650), (40, 60, 90), -1)
    cv2.rectangle(image, (180, 80), (720, 620), (130, 180, 200), -1)
    return image


def _chessboard(random: Random, turned: float = 0.0, cells: int = 8) -> Image:
    image = _framed(random)
    step = 540 / cells
    for row in range(cells):
        for column in range(cells):
            if (row + column) % 2:
                x, y = round(180 + step * column), round(80 + step * row)
                end = (round(x + step), round(y + step))
                cv2.rectangle(image, (x, y), end, (60, 80, 110), -1)
    matrix = cv2.getRotationMatrix2D((450, 350), turned, 0.9)
    return np.asarray(
        cv2.warpAffine(image, matrix, (900, 700), borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def _go(random: Random) -> Image:
    image = _framed(random)
    for k in range(19):
        at = 207 + 27 * k
        cv2.line(image, (at, 107), (at, 593), (30, 30, 30), 1)
        cv2.line(image, (207, at - 100), (693, at - 100), (30, 30, 30), 1)
    for x, y in random.integers(0, 19, (40, 2)).tolist():
        colour = (20, 20, 20) if (x + y) % 2 else (240, 240, 240)
        cv2.circle(image, (207 + 27 * x, 107 + 27 * y), 12, colour, -1)
    return image


def _mill(random: Random) -> Image:
    image = _framed(random)
    for q in (60, 140, 220):
        cv2.rectangle(image, (180 + q, 80 + q), (720 - q, 620 - q), (20, 20, 20), 3)
    for x in (240, 320, 400, 450, 500, 580, 660):
        cv2.circle(image, (x, x - 100), 12, (20, 20, 20), -1)
        cv2.circle(image, (900 - x, x - 100), 12, (20, 20, 20), -1)
    return image


def _ludo(random: Random) -> Image:
    image = _framed(random)
    for x in (180, 504):
        for y in (80, 404):
            colour = random.integers(0, 255, 3).tolist()
            cv2.rectangle(image, (x, y), (x + 216, y + 216), colour, -1)
            cv2.circle(image, (x + 108, y + 108), 70, (255, 255, 255), -1)
    for k in range(16):
        cv2.line(image, (180 + 36 * k, 296), (180 + 36 * k, 404), (0, 0, 0), 1)
        cv2.line(image, (396, 80 + 36 * k), (504, 80 + 36 * k), (0, 0, 0), 1)
    return image


def _pool(random: Random) -> Image:
    image = _ground(random)
    cv2.rectangle(image, (60, 150), (840, 570), (40, 60, 90), -1)
    cv2.rectangle(image, (90, 180), (810, 540), (60, 140, 40), -1)
    for x in (95, 450, 805):
        for y in (185, 535):
            cv2.circle(image, (x, y), 20, (10, 10, 10), -1)
    return image


def _round_table(random: Random) -> Image:
    image = _ground(random)
    for radius, colour in (
        (300, (120, 170, 200)),
        (250, (60, 90, 120)),
        (60, (9, 9, 160)),
    ):
        cv2.circle(image, (450, 350), radius, colour, -1 if radius != 250 else 4)
    for angle in np.arange(0, 6.2, 1.05):
        x, y = 450 + 190 * np.cos(angle), 350 + 190 * np.sin(angle)
        cv2.circle(image, (round(float(x)), round(float(y))), 55, (235, 235, 235), -1)
    return image


def _room(random: Random) -> Image:
    image = np.full((700, 1000, 3), (200, 205, 210), np.uint8)
    for _ in range(40):
        x, y, w, h = random.integers((0, 0, 30, 30), (900, 600, 400, 400)).tolist()
        filled = int(random.choice([-1, 3]))
        colour = random.integers(0, 255, 3).tolist()
        cv2.rectangle(image, (x, y), (x + w, y + h), colour, filled)
    return image


def _books(random: Random) -> Image:
    image = np.full((700, 1000, 3), (60, 80, 110), np.uint8)
    for row in range(5):
        x = 20
        while x < 960:
            width = int(random.integers(14, 40))
            colour = random.integers(0, 255, 3).tolist()
            top = row * 140
            cv2.rectangle(image, (x, top + 15), (x + width, top + 130), colour, -1)
            x += width + 2
    return image


def _window(random: Random) -> Image:
    image = _framed(random)
    for at in (355, 365, 535, 545):
        cv2.line(image, (at, 80), (at, 620), (40, 60, 90), 8)
        cv2.line(image, (180, at - 100), (720, at - 100), (40, 60, 90), 8)
    return image


def _nested(random: Random) -> Image:
    image = _framed(random)
    for k in (60, 80, 150):
        cv2.rectangle(image, (180 + k, 80 + k), (720 - k, 620 - k), (40, 40, 40), 2)
    return image


DRAWN: dict[str, Callable[[Random], Image]] = {
    "wall": _ground,
    "noise": lambda random: random.integers(0, 255, (600, 800, 3)).astype(np.uint8),
    "cloth": lambda random: cloth(700, random),
    "frame alone": _framed,
    "chessboard": _chessboard,
    "chessboard, turned": lambda random: _chessboard(random, 17.0),
    "draughts of ten": lambda random: _chessboard(random, 4.0, 10),
    "go": _go,
    "mill": _mill,
    "ludo": _ludo,
    "pool": _pool,
    "round table": _round_table,
    "room": _room,
    "books": _books,
    "window": _window,
    "nested squares": _nested,
}
