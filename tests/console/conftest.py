"""Tables for the console's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.tables import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """A maker of tables with their desks, closed at the end."""
    made = Tables(tmp_path)
    yield made
    made.close()
