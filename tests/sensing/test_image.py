"""The image fits the chip, with room to grow."""

import subprocess
from pathlib import Path

from controller.pockets import messages as wire
from firmware.emulator.emulator import FLASH_BYTES, RAM_BYTES

SHARE = 0.60


def sizes(image: Path) -> tuple[int, int, int]:
    """Text, data and bss of the image."""
    listed = subprocess.run(
        ["avr-size", str(image)], capture_output=True, text=True, check=True
    )
    text, data, bss, *_ = listed.stdout.splitlines()[1].split()
    return int(text), int(data), int(bss)


def test_program_and_its_data_fill_no_more_than_60_percent_of_the_flash(
    images: Path,
) -> None:
    text, data, _ = sizes(images / "node-nano.elf")

    assert text + data <= SHARE * FLASH_BYTES


def test_variables_and_the_deepest_stack_fill_no_more_than_60_percent_of_the_ram(
    switched_on, images: Path
) -> None:
    node = switched_on()
    node.emulator.paint_stack()
    node.greet()
    for n in range(8):
        node.let_fall(n % 4, 0.03 + 0.02 * n)
    node.say(wire.KeyChange(1, 2, 0))
    node.run(50_000)
    node.say(wire.Challenge(3))
    node.say(wire.KeyChange(4, 5, 6))
    node.say(wire.Identity(7, 8))
    node.say(wire.SettingsChange(1, 200, 60, 1500, 12_000, 10_000))
    node.say(wire.SelfTest(2))
    node.run(400_000)

    _, data, bss = sizes(images / "node-nano.elf")
    assert data + bss + node.emulator.stack_used() <= SHARE * RAM_BYTES
