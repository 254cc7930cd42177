"""The command line: `carrom` and `python -m controller` are this program."""

import errno
import sys
from importlib import import_module
from typing import NoReturn

import typer
from typer import TyperException

from calibration.refusal import Refusal

COMMANDS = (
    "demo",
    "run",
    "console",
    "calibrate",
    "certify",
    "census",
    "watch",
    "judge",
    "laws",
    "replay",
    "pockets",
    "flash",
    "sheet",
    "scoreboard",
)
"""Each is a function of its own name in controller.commands."""


def main() -> None:
    """Run one command; refused input or usage becomes one line and exit code 2."""
    try:
        code = _app(sys.argv[1:])(prog_name="carrom", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except Refusal as refusal:
        _refuse(str(refusal))
    except TyperException as wrong:
        _refuse(f"{wrong.format_message().strip()} (carrom --help says how)")
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _refuse("the output's disk is full; free space there or write elsewhere")
    else:
        sys.exit(code)


def _refuse(why: str) -> NoReturn:
    print(f"carrom: {' '.join(why.split())}", file=sys.stderr)
    sys.exit(2)


def _app(arguments: list[str]) -> typer.Typer:
    """The program, with only the named command loaded when one is named.

    OpenCV, numba and the web server take seconds to import on a Pi; a command
    pays for what it needs.
    """
    app = typer.Typer(
        name="carrom",
        help="Watches a physical carrom table and keeps the record of the match.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    named = next((word for word in arguments if word in COMMANDS), None)
    for name in (named,) if named else COMMANDS:
        module = import_module(f"controller.commands.{name}")
        app.command(name)(getattr(module, name))
    app.callback()(_no_options)
    return app


def _no_options() -> None:
    """Watches a physical carrom table and keeps the record of the match."""


if __name__ == "__main__":
    main()
