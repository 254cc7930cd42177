"""Profiles of older versions, carried over step by step to the present one.

Each step takes the file's fields as its version wrote them and returns them as the
next version has them. A stored file of every version is kept with the tests.
"""

from collections.abc import Callable

Fields = dict[str, object]

VERSION = 2


def migrated(fields: Fields) -> Fields:
    """The fields as VERSION has them; `fields["version"]` is 1 to VERSION."""
    version = fields.get("version", 1)
    assert isinstance(version, int)
    for step in STEPS[version - 1 :]:
        fields = step(fields)
    return fields


def _from_1(fields: Fields) -> Fields:
    """Version 1 had no checksum, certificate, light or pockets: they are not known."""
    return {**fields, "version": 2}


STEPS: tuple[Callable[[Fields], Fields], ...] = (_from_1,)
