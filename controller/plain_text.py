"""Names and remarks that people enter: text that only shows, and works nothing."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

WORKING = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of what moves a cursor or breaks a line."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the direction of the text around it."""


def is_plain(text: str) -> bool:
    """Whether a text has nothing but characters that show, joiners of scripts included."""
    return not any(c in TURNING or unicodedata.category(c) in WORKING for c in text)


def _plain(text: str) -> str:
    if not is_plain(text):
        raise PydanticCustomError("plain", "should have no control characters")
    return text


def _named(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "should say something")
    return text.strip()


Plain = Annotated[str, AfterValidator(_plain)]
"""Text of one line without control characters."""
Name = Annotated[Plain, AfterValidator(_named)]
"""Such a text that says something; spaces around it are dropped."""
