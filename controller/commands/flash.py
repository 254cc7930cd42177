"""`carrom flash`: this release's firmware into a pocket node, checked by its hello."""

import asyncio
import json
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal
from controller.pockets.adapters import no_port
from controller.pockets.finding import Answer, ask
from controller.pockets.flashing import (
    Bootloader,
    Written,
    find_drive,
    flash_nano,
    flash_pico,
)
from controller.pockets.images import Image, Make, own, shipped
from controller.pockets.messages import Board
from controller.pockets.serial_port import candidates, is_folder

BEFORE_S = 4.0
AFTER_S = 8.0
"""A Pico comes back as a new port; an old boot loader waits for 2 s."""
NAMED = "name the board's serial port, such as /dev/ttyUSB0, or a folder of ports"


class Named(StrEnum):
    """A board as its owner calls it."""

    NANO = "nano"
    UNO = "uno"
    PICO = "pico"


IMAGES = {Named.NANO: Make.NANO, Named.UNO: Make.NANO, Named.PICO: Make.PICO}
"""An Uno has the Nano's chip and takes its image."""
MAKES = {Board.ATMEGA328P: Make.NANO, Board.RP2040: Make.PICO}


def flash(
    port: Annotated[
        str, typer.Option(help="The board's serial port, or a folder of ports.")
    ] = "/dev/serial/by-id/",
    board: Annotated[
        Named | None,
        typer.Option(help="What it is; left out: what its firmware says, or a Nano."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="An image of your own instead of this release's."),
    ] = None,
    bootloader: Annotated[
        Bootloader,
        typer.Option(
            help="Nano: new talks at 115200 baud, old (before 2018) at 57600."
        ),
    ] = Bootloader.AUTO,
    drive: Annotated[
        Path | None, typer.Option(help="Pico: where its boot loader is mounted.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
) -> None:
    """Write the firmware into a pocket node, read it back, and hear its hello.

    The node's id, label, key and settings stay. Reports that still wait in it are
    lost: end the match first.
    """
    named = IMAGES[board] if board else None
    if named is Make.PICO:
        image = own(named, file) if file else shipped(named)
        written = flash_pico(image, drive or find_drive())
        _tell(image, written, _after(port, image), None, as_json=as_json)
        return
    path = only(port)
    before = asyncio.run(ask(path, time.monotonic, BEFORE_S))
    if before.line is not None:
        before.line.close()
    elif before.failed:
        raise Refusal(before.reason)
    make = named or (MAKES.get(before.up.board) if before.up else None) or Make.NANO
    if make is Make.PICO:
        raise Refusal(
            "this node is a Pico: hold BOOTSEL while plugging it in, then carrom flash "
            "--board pico"
        )
    image = own(make, file) if file else shipped(make)
    written = flash_nano(image, path, bootloader)
    _tell(image, written, _after(path, image), before, as_json=as_json)


def only(place: str) -> str:
    """The one port meant; raises Refusal when there are none or several."""
    if not place:
        raise Refusal(f"--port is empty: {NAMED}")
    if not is_folder(place):
        if not Path(place).exists():
            raise Refusal(f"no port {place}: plug the board in or correct --port")
        return place
    paths = candidates(place)
    if len(paths) == 1:
        return paths[0]
    if paths:
        raise Refusal(
            f"several serial ports are there ({', '.join(paths)}): choose with --port"
        )
    raise Refusal(no_port(place, "plug the board in"))


def _after(place: str, image: Image) -> Answer:
    """The node's hello with the new firmware; raises Refusal when none comes."""
    path = only(place)
    answer = asyncio.run(ask(path, time.monotonic, AFTER_S))
    if answer.line is not None:
        answer.line.close()
    if answer.up is None:
        raise Refusal(
            f"the image is written and verified, but {answer.reason}: was it built "
            "from this release's messages.toml?"
        )
    if image.build not in (None, answer.up.build):
        raise Refusal(
            f"the node still runs firmware {answer.up.build}, not {image.build}: press "
            "its reset button, then look with carrom pockets"
        )
    return answer


def _tell(
    image: Image,
    written: Written,
    after: Answer,
    before: Answer | None,
    *,
    as_json: bool,
) -> None:
    up = after.up
    assert up is not None
    was = before.up.build if before and before.up else None
    if as_json:
        fields = {"port": after.path, "device": up.device, "how": written.how}
        print(json.dumps({**fields, "build": up.build, "before": was}))
        return
    print(f"{image.path.name} written and verified ({written.how})")
    came = f"firmware {up.build}" + (f", was {was}" if was else "")
    print(f"node {up.device} at {after.path} answers: {came}")
