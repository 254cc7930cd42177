"""The printed board a lens is measured with: its pattern, and a PDF in exact size.

A chessboard whose white squares carry markers (ChArUco): each inner corner is known
by its number even when half the board is outside the picture. One square is twenty
modules, a marker fourteen, so the pattern is exact on a grid of modules and the PDF
is drawn from rectangles alone: no printer driver has pixels to scale.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

COLUMNS, ROWS = 7, 9
MODULES = 20
"""Modules along a square; the marker's seven cells take two each."""
MARKER_MODULES = 14
RULER_MM = 150
POINTS_PER_MM = 72.0 / 25.4


class Paper(StrEnum):
    """What the board is printed on, upright."""

    A4 = "A4"
    A3 = "A3"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return (210.0, 297.0) if self is Paper.A4 else (297.0, 420.0)

    @property
    def square_mm(self) -> float:
        """Side of a chessboard square: what leaves room for ruler and words."""
        return 25.0 if self is Paper.A4 else 37.0


@dataclass(frozen=True, slots=True)
class Board:
    """The pattern and the size of its squares."""

    square_mm: float = Paper.A4.square_mm

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the whole pattern."""
        return COLUMNS * self.square_mm, ROWS * self.square_mm

    @property
    def corners(self) -> int:
        """How many inner corners it has."""
        return (COLUMNS - 1) * (ROWS - 1)

    def pattern(self) -> cv2.aruco.CharucoBoard:
        """OpenCV's own form of it."""
        words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
        marker_mm = self.square_mm * MARKER_MODULES / MODULES
        return cv2.aruco.CharucoBoard((COLUMNS, ROWS), self.square_mm, marker_mm, words)

    def modules(self) -> NDArray[np.bool_]:
        """Which modules are black: rows x columns, the top row first."""
        size = (COLUMNS * MODULES, ROWS * MODULES)
        image = self.pattern().generateImage(size, marginSize=0)
        return np.asarray(image < 128)


def board_pdf(paper: Paper) -> bytes:
    """One page: the pattern, rulers along both sides, and what to do with it."""
    width, height = paper.size_mm
    board = Board(paper.square_mm)
    wide, high = board.size_mm
    left, top = (width - wide) / 2 + 4.0, height - 16.0
    page = _Page(width, height)
    module = board.square_mm / MODULES
    for row, blacks in enumerate(board.modules()):
        y = top - (row + 1) * module
        for first, length in _runs(blacks):
            page.box(left + first * module, y, length * module, module)
    _rulers(page, left, top - high)
    _words(page, paper, left, top - high)
    return page.pdf()


def _runs(blacks: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and length of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], blacks, [False]])))
    return [
        (int(start), int(end - start))
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]


def _rulers(page: "_Page", left: float, bottom: float) -> None:
    """A ruler below the pattern and one beside it: printers stretch either way."""
    low, beside = bottom - 14.0, left - 8.0
    page.box(left, low, RULER_MM, 0.25)
    page.box(beside, bottom, 0.25, RULER_MM)
    for mm in range(RULER_MM + 1):
        long = 4.0 if mm % 10 == 0 else 2.6 if mm % 5 == 0 else 1.6
        thick = 0.2
        page.box(left + mm - thick / 2, low, thick, long)
        page.box(beside - long, bottom + mm - thick / 2, long, thick)
        if mm % 50 == 0:
            page.text(left + mm - 2.0, low - 4.2, 9, f"{mm}")
            page.text(beside - 11.0, bottom + mm - 1.2, 9, f"{mm}")


def _words(page: "_Page", paper: Paper, left: float, bottom: float) -> None:
    lines = (
        f'Carrom calibration board, {paper}. Print at 100 % ("actual size").',
        f"Check with a ruler: both scales must be {RULER_MM} mm long, alike to 0.3 mm.",
        "Glue it flat on something stiff. Then take 12 to 20 pictures with the table's",
        "camera, focus fixed: in the middle and in every corner of the picture, near",
        "and far, tilted 20 to 40 degrees to each side. Sharp, without glare.",
        "carrom calibrate --charuco FOLDER reads them.",
    )
    for k, words in enumerate(lines):
        page.text(left, bottom - 25.0 - 4.6 * k, 10 if k else 11, words)


class _Page:
    """A page of black boxes and words, in mm from the bottom left."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        self._size = width_mm * POINTS_PER_MM, height_mm * POINTS_PER_MM
        self._drawn: list[str] = ["0 g"]

    def box(self, x: float, y: float, width: float, height: float) -> None:
        numbers = (f"{v * POINTS_PER_MM:.4f}" for v in (x, y, width, height))
        self._drawn.append(f"{' '.join(numbers)} re f")

    def text(self, x: float, y: float, size: int, words: str) -> None:
        plain = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        place = f"{x * POINTS_PER_MM:.2f} {y * POINTS_PER_MM:.2f}"
        self._drawn.append(f"BT /F {size} Tf {place} Td ({plain}) Tj ET")

    def pdf(self) -> bytes:
        """The file; `ViewerPreferences` asks print dialogs not to scale it."""
        drawn = "\n".join(self._drawn)
        width, height = self._size
        return _file(
            "<< /Type /Catalog /Pages 2 0 R "
            "/ViewerPreferences << /PrintScaling /None >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] "
            "/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        )


def _file(*objects: str) -> bytes:
    """PDF 1.4: numbered objects, their places, and where the list of places is."""
    text, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = len(text)
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    text += "".join(f"{place:010d} 00000 n \n" for place in places)
    text += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    return (text + f"startxref\n{table}\n%%EOF\n").encode("ascii")
