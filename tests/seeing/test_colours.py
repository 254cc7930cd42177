"""Which colour is which, told from the pieces alone: sheets of BGR medians."""

import numpy as np
import pytest

from calibration.table import Piece
from vision.colours import ColouredPiece, PieceColours, learn, name_coins

WOOD = np.array([120.0, 165.0, 195.0])
LETTERS = {Piece.WHITE: "w", Piece.BLACK: "b", Piece.QUEEN: "q"}

SETS = {
    "plastic, glare on some black": (
        "wwwbbbq",
        "240,232,204 221,224,199 201,212,204 71,57,42 110,97,73 128,116,91 126,119,159",
    ),
    "brown whites darker than wood, purple queen": (
        "wwwbbbq",
        "74,83,118 60,68,104 93,101,130 73,64,65 60,48,47 66,69,75 79,51,120",
    ),
    "soiled whites, one black": (
        "wwwwbq",
        "121,123,129 140,147,162 89,86,98 133,138,160 41,30,27 128,91,170",
    ),
    "black only": ("bb", "82,74,74 70,66,64"),
    "black only, half of them in glare": (
        "bbbbbbbbb",
        "40,40,40 44,44,44 48,48,48 52,52,52 78,78,78 80,80,80 82,82,82 84,84,84 86,86,86",
    ),
    "white only": ("ww", "210,225,235 190,205,220"),
    "a lone dark red queen": ("q", "20,2,28"),
    "no queen": ("wwbb", "220,230,235 210,220,230 40,40,42 55,52,50"),
}


def bgr(words: str) -> np.ndarray:
    return np.array([[float(n) for n in word.split(",")] for word in words.split()])


@pytest.mark.parametrize(("letters", "words"), SETS.values(), ids=SETS.keys())
def test_pieces_are_named_without_any_colour_range(letters: str, words: str) -> None:
    named = name_coins(bgr(words), None, WOOD)
    assert "".join(LETTERS[piece] for piece, _ in named) == letters


@pytest.mark.parametrize("light", [0.5, 0.8, 1.15])
def test_the_lamps_brightness_does_not_matter(light: float) -> None:
    letters, words = SETS["soiled whites, one black"]
    named = name_coins(bgr(words) * light, None, WOOD * light)
    assert "".join(LETTERS[piece] for piece, _ in named) == letters


KNOWN = PieceColours(white=(160, 200, 225), black=(40, 38, 36), queen=(50, 40, 190))


def test_no_more_than_the_stock_is_named() -> None:
    """Ten light coins cannot be: the darkest of them is called black."""
    colours = np.array([[160.0, 200.0, 225.0]] * 9 + [[120.0, 150.0, 170.0]])
    names = [piece for piece, _ in name_coins(colours, KNOWN, WOOD)]
    assert names == [Piece.WHITE] * 9 + [Piece.BLACK]


def test_colours_are_learned_as_the_middle_of_certain_pieces() -> None:
    seen = [
        ColouredPiece(Piece.WHITE, (160, 200, 225)),
        ColouredPiece(Piece.WHITE, (162, 202, 227)),
        ColouredPiece(Piece.BLACK, (40, 38, 36)),
        ColouredPiece(Piece.QUEEN, (50, 40, 190)),
    ]
    assert learn(seen) == PieceColours(
        white=(161, 201, 226), black=(40, 38, 36), queen=(50, 40, 190)
    )


def test_nothing_is_learned_from_a_set_without_its_queen() -> None:
    assert learn([ColouredPiece(Piece.WHITE, (160, 200, 225))]) is None


@pytest.mark.parametrize("alike", ["black only", "white only"])
def test_coins_that_all_look_alike_are_less_sure(alike: str) -> None:
    """Glare on every black coin of a picture leaves nothing to compare them with."""
    few = name_coins(bgr(SETS[alike][1]), None, WOOD)
    both = name_coins(bgr(SETS["no queen"][1]), None, WOOD)
    assert max(sure for _, sure in few) < min(sure for _, sure in both)
