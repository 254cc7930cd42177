"""A node whose real image runs in an emulated ATmega328P, stepped by the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.emulator.emulator import EEPROM_BYTES, Emulator, build, missing
from firmware.emulator.listener import FIRST_START_US, Node


@pytest.fixture(scope="session")
def images() -> Path:
    """The folder of the firmware's image and of the emulator."""
    lacking = missing()
    if lacking is not None:
        pytest.skip(lacking)
    return build()


@pytest.fixture(scope="session")
def eeprom(images: Path) -> bytes:
    """What a node has in its EEPROM after its first start."""
    with Emulator(images) as emulator:
        emulator.run_to(FIRST_START_US)
        return emulator.read_eeprom(0, EEPROM_BYTES)


@pytest.fixture
def switched_on(images: Path, eeprom: bytes) -> Iterator[Callable[..., Node]]:
    """A function that switches a node on, its EEPROM as given."""
    running: list[Emulator] = []

    def switch_on(holds: bytes = eeprom, seed: int = 1) -> Node:
        running.append(Emulator(images, seed=seed))
        running[-1].write_eeprom(0, holds)
        return Node(running[-1])

    yield switch_on
    for emulator in running:
        emulator.close()


@pytest.fixture
def node(switched_on: Callable[..., Node]) -> Node:
    """A node that has been greeted."""
    return switched_on().greet()
