"""Names and reasons in a line of notation: any text, on one line, exact both ways.

A backslash, the end of a line and a space at either end are written by their number
(`\\a;` is a line feed); all else stands as it is.
"""

import re

_SPECIAL = re.compile(r"\A\s+|\s+\Z|[\\\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NUMBER = re.compile(r"\\([0-9a-f]{1,6});")


def write_free(text: str) -> str:
    """The text as it stands in a line; `read_free` gives the same text back."""
    return _SPECIAL.sub(lambda found: "".join(map(_number, found[0])), text)


def read_free(written: str) -> str:
    """The text behind what stands in a line."""
    return _NUMBER.sub(lambda found: chr(int(found[1], 16)), written)


def _number(character: str) -> str:
    return f"\\{ord(character):x};"
