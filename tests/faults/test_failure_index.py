"""docs/failures.md names tests that exist, and every failure of the nodes has one."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
INDEX = TESTS.parent / "docs/failures.md"
FIELD = [f"S{n}" for n in range(1, 14)] + [f"N{n}" for n in range(1, 14)]
"""Serial link and microcontroller, pocket sensors."""
NOT_PROVOKED = {"N12"}
"""There is no Hall sensor in the product."""


def sources() -> dict[str, str]:
    """All test files by name; those of one name together."""
    texts: dict[str, str] = {}
    for path in TESTS.rglob("test_*.py"):
        texts[path.name] = texts.get(path.name, "") + path.read_text()
    return texts


def test_every_test_that_the_index_names_exists() -> None:
    files = sources()
    named = re.findall(r"(test_\w+\.py)(?:::(\w+))?", INDEX.read_text())

    absent = [
        f"{file}::{test}" for file, test in named if test not in files.get(file, "")
    ]

    assert absent == []
    assert {file for file, _ in named} <= set(files)


def test_every_failure_of_link_node_and_sensors_has_a_test_with_its_id() -> None:
    text = "\n".join(sources().values())

    def proved(one: str) -> bool:
        name = rf"def test_(?:\w+_)?{one}_\w+"
        row = rf"^{one} [\w ]+\|"  # of a sheet
        return bool(
            re.search(name, text, re.IGNORECASE) or re.search(row, text, re.MULTILINE)
        )

    assert [one for one in FIELD if not proved(one)] == sorted(NOT_PROVOKED)
