"""`carrom scoreboard`: the display service, on this or another machine."""

from pathlib import Path
from typing import Annotated

from typer import Option


def scoreboard(
    config: Annotated[
        Path | None,
        Option(help="The table's configuration: its name, broker and display."),
    ] = None,
    broker: Annotated[
        str | None,
        Option(
            help="The table's message broker, mqtt://host:port or "
            "mqtt://user:password@host:port; else mqtt://127.0.0.1:1883."
        ),
    ] = None,
    table: Annotated[
        str | None, Option(help="Which table to show; else table-1.")
    ] = None,
    host: Annotated[
        str | None,
        Option(
            help="Listen here; 0.0.0.0 lets the whole network watch; else 127.0.0.1."
        ),
    ] = None,
    port: Annotated[
        int | None, Option(min=1, max=65535, help="Port of the pages; else 8000.")
    ] = None,
    json: Annotated[
        bool, Option("--json", help="Say the addresses as one line of JSON.")
    ] = False,
) -> None:
    """Show a table's score: / is the scoreboard, /overlay the strip for a stream."""
    import asyncio
    import logging
    from json import dumps

    from controller.broker_address import reading_url
    from controller.config import Config, load
    from controller.scoreboard.service import Scoreboard, listening, serve

    settings = load(config) if config else Config()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    display = Scoreboard(
        broker or reading_url(settings.broker), table or settings.table.name
    )
    host = host or settings.scoreboard.host
    listener = listening(host, port or settings.scoreboard.port)
    shown = f"[{host}]" if ":" in host else host
    page = f"http://{shown}:{listener.getsockname()[1]}/"
    if json:
        print(dumps({"scoreboard": page, "overlay": f"{page}overlay"}), flush=True)
    else:
        print(f"Scoreboard  {page}\nOverlay     {page}overlay", flush=True)
    asyncio.run(serve(display, listener))
