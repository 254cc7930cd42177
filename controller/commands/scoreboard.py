"""`carrom scoreboard`: the display service, on this or another machine."""

from typing import Annotated

from typer import Option


def scoreboard(
    broker: Annotated[
        str,
        Option(
            help="The table's message broker: mqtt://host:port or mqtt://user:password@host:port."
        ),
    ] = "mqtt://127.0.0.1:1883",
    table: Annotated[str, Option(help="Which table to show.")] = "table-1",
    host: Annotated[
        str, Option(help="Listen here; 0.0.0.0 lets the whole network watch.")
    ] = "127.0.0.1",
    port: Annotated[int, Option(min=1, max=65535, help="Port of the pages.")] = 8000,
    json: Annotated[
        bool, Option("--json", help="Say the addresses as one line of JSON.")
    ] = False,
) -> None:
    """Show a table's score: / is the scoreboard, /overlay the strip for a stream."""
    import asyncio
    import logging
    from json import dumps

    from controller.scoreboard.service import Scoreboard, listening, serve

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    display = Scoreboard(broker, table)
    listener = listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    page = f"http://{shown}:{port}/"
    if json:
        print(dumps({"scoreboard": page, "overlay": f"{page}overlay"}), flush=True)
    else:
        print(f"Scoreboard  {page}\nOverlay     {page}overlay", flush=True)
    asyncio.run(serve(display, listener))
