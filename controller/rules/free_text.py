"""Names and reasons in a line of notation: any text, on one line, exact both ways.

A backslash, the end of a line and a space at either end are written by their number
(`\\a;` is a line feed); all else stands as it is.
"""

import re

_SPECIAL = re.compile(r"\A\s+|\s+\Z|[\\\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
SURROGATES = range(0xD800, 0xE000)
LAST = 0x10FFFF
_NUMBER = re.compile(r"\\([0-9a-f]{1,6});")


def write_free(text: str) -> str:
    """The text as it stands in a line; `read_free` gives the same text back."""
    return _SPECIAL.sub(lambda found: "".join(map(_number, found[0])), text)


def read_free(written: str) -> str:
    """The text behind what stands in a line. Raises ValueError for no character."""
    return _NUMBER.sub(lambda found: _character(found[1]), written)


def _character(number: str) -> str:
    code = int(number, 16)
    if code > LAST or code in SURROGATES:
        raise ValueError(f"\\{number}; is no character")
    return chr(code)


def _number(character: str) -> str:
    return f"\\{ord(character):x};"
