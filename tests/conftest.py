"""What holds for every test: a busy machine must fail no property test."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import settings

from controller.__main__ import main

Carrom = Callable[..., tuple[int, str, str]]

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the whole product: its minute-long tests, at the end, leave one worker
    of two without work."""
    items.sort(key=lambda item: item.path.parent.name != "whole")


@pytest.fixture
def carrom(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Carrom:
    """Runs the command line; gives exit code, standard output, standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["carrom", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
        said = capfd.readouterr()
        return int(stop.value.code or 0), said.out, said.err

    return run
