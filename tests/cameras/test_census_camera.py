"""`carrom census --config`: the picture comes from the camera itself."""

from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from calibration.refusal import Refusal
from controller.commands.census import census


def run(*words: str) -> None:
    app = Typer()
    app.command()(census)
    CliRunner().invoke(app, [*words], catch_exceptions=False)


@pytest.mark.parametrize("words", [[], ["a.png", "--config", "b.toml"]])
def test_it_takes_a_picture_or_a_camera_not_both(words: list[str]) -> None:
    with pytest.raises(Refusal, match="name one picture, or --config FILE"):
        run(*words)


def test_a_camera_that_is_not_there_is_named(tmp_path: Path) -> None:
    config = tmp_path / "carrom.toml"
    config.write_text("[camera]\nsource = 'usb'\ndevice = '/dev/video9'\n")
    with pytest.raises(Refusal, match=r"'/dev/video9': a camera's number changes"):
        run("--config", str(config))
