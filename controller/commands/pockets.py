"""`carrom pockets`: the pocket node's states and values, its tests and settings."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal


def pockets(
    config: Annotated[
        Path | None,
        typer.Option(help="The table's configuration; --drop writes into it."),
    ] = None,
    port: Annotated[
        str | None,
        typer.Option(help="The node's serial port, or a folder of ports to look in."),
    ] = None,
    device: Annotated[
        str | None, typer.Option(metavar="ID", help="The node, where several answer.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON lines for machines.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.5, help="End after so long; without, at Ctrl-C."),
    ] = None,
    drop: Annotated[
        bool,
        typer.Option("--drop", help="Learn which channel is which pocket, by coins."),
    ] = False,
    tune: Annotated[
        bool,
        typer.Option("--tune", help="Find thresholds between noise and coins."),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Write found thresholds without asking.")
    ] = False,
    self_test: Annotated[
        bool,
        typer.Option("--self-test", help="Have each receiver follow its emitter."),
    ] = False,
    label: Annotated[
        int | None,
        typer.Option(min=0, max=255, help="Write this number of the box in the node."),
    ] = None,
    new_id: Annotated[
        bool, typer.Option("--new-id", help="Give the node a new random id.")
    ] = False,
    write_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Make a tournament key: into FILE and the node."
        ),
    ] = None,
    forget: Annotated[
        bool,
        typer.Option("--forget", help="What waits in the node is of no match."),
    ] = False,
) -> None:
    """Show the pocket node live; test, tune and name it.

    What falls while this runs is forgotten by the node, unless falls from before
    still wait in it: then all wait for `carrom run`, or for --forget.
    """
    from controller.config import Config, load
    from controller.pockets.attending import Attending
    from controller.pockets.errands import Errands

    chosen = [drop, tune, self_test, label is not None or new_id, write_key is not None]
    if sum(chosen) > 1:
        raise Refusal(
            "one thing at a time: --drop, --tune, --self-test, --label with --new-id, "
            "or --write-key"
        )
    settings = (load(config) if config else Config()).pockets
    if settings.source == "none":
        raise Refusal(
            f"{config} has [pockets] source none: set it to serial, or leave --config "
            "out"
        )
    if port == "":
        raise Refusal("--port is empty: name the node's port, or a folder of ports")
    given = {"port": port, "device": device}
    settings = settings.model_copy(
        update={key: value for key, value in given.items() if value is not None}
    )
    errands = Errands(Attending(settings, forget=forget), settings, as_json=as_json)
    if drop:
        errand = errands.drop(config, seconds)
    elif tune:
        errand = errands.tune(seconds, yes=yes)
    elif self_test:
        errand = errands.self_test()
    elif label is not None or new_id:
        errand = errands.identify(label, new_id=new_id)
    elif write_key is not None:
        errand = errands.write_key(write_key)
    else:
        errand = errands.watch(seconds)
    try:
        asyncio.run(errands.run(errand))
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
