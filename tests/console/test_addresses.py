"""`carrom console` lets the umpire and the technician in, and nobody else."""

import json
from pathlib import Path

import pytest

from controller.commands.console import console
from controller.console.access import Keyring, Role


def test_the_addresses_carry_the_keys_of_their_roles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    secret = tmp_path / "secret"
    config.write_text(f"[console]\nport = 8123\nsecret = {json.dumps(str(secret))}\n")
    keyring = Keyring.kept_in(secret)
    console(config, as_json=True)
    told = json.loads(capsys.readouterr().out)
    umpire, technician = told["umpire"], told["technician"]
    assert umpire == f"http://127.0.0.1:8123/?token={keyring.token}"
    place, _, token = technician.partition("?token=")
    assert place == "http://127.0.0.1:8123/calibration"
    assert keyring.by_token(token) is Role.TECHNICIAN
