"""`carrom run`: the controller of one real table."""

from pathlib import Path
from typing import Annotated

from typer import Option


def run(
    config: Annotated[
        Path, Option("--config", help="The table's configuration (TOML).")
    ],
) -> None:
    """Watch the table, keep the record, publish the score; until it is stopped."""
    import logging

    from controller.config import load

    settings = load(config)  # refused, if it is, before all the rest is loaded
    from controller.app import run_table

    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    run_table(settings)
