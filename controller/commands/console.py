"""`carrom console`: the addresses that let the umpire and the technician in."""

from pathlib import Path
from typing import Annotated

from typer import Option

from calibration.refusal import Refusal


def console(
    config: Annotated[
        Path, Option("--config", help="The table's configuration (TOML).")
    ],
    as_json: Annotated[
        bool, Option("--json", help="One JSON object for machines.")
    ] = False,
) -> None:
    """Print the console's addresses, each with its key: whoever has one may come in."""
    import json

    from controller.config import load
    from controller.console.access import Keyring, Role

    settings = load(config).console
    if not settings.secret.exists():
        raise Refusal(
            f"no console secret at {settings.secret.absolute()} yet: start carrom run "
            "first, and from the same folder, or write console.secret in full"
        )
    keyring = Keyring.kept_in(settings.secret)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    base = f"http://{host}:{settings.port}"
    umpire = f"{base}/?token={keyring.token}"
    technician = f"{base}/calibration?token={keyring.token_of(Role.TECHNICIAN)}"
    if as_json:
        print(json.dumps({"umpire": umpire, "technician": technician}))
        return
    print(f"Umpire: {umpire}")
    print(f"Technician (calibration only): {technician}")
