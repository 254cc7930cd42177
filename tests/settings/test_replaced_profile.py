"""A profile replaced while a match runs is put on record, or the eyes refuse it."""

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.profile import checksum_of, load, save
from calibration.refusal import Refusal
from calibration.table import Table
from controller.app_start import eyes_setup, replaced
from controller.config import CameraSettings, Config
from controller.simulator.calibrated import write_profile
from vision.eyes import on_record
from vision.sources.rendering_camera import Camera


@pytest.fixture(name="config")
def _config(tmp_path: Path) -> Config:
    profile = write_profile(tmp_path, Table(), Camera.overhead())
    camera = CameraSettings(device=str(tmp_path / "scenes.sock"))
    return Config(camera=camera, calibration=profile)


def test_another_profile_of_the_camera_is_told_with_its_maker(config: Config) -> None:
    known = checksum_of(config.profile)
    assert replaced(config, known, 1.0) is None
    save(replace(load(config.profile), by="Mira", empty=None), config.profile)
    anew = replaced(config, known, 2.0)
    assert anew is not None
    assert (anew.calibration, anew.by) == (checksum_of(config.profile), "Mira")


def test_the_eyes_refuse_a_profile_that_is_not_on_record(config: Config) -> None:
    setup = replace(eyes_setup(config), calibration=checksum_of(config.profile))
    assert on_record(setup).camera == "rendered"
    save(replace(load(config.profile), by="Mira", empty=None), config.profile)
    with pytest.raises(Refusal, match="is not the one on record"):
        on_record(setup)


def test_another_cameras_profile_is_neither_told_nor_used(config: Config) -> None:
    known = checksum_of(config.profile)
    setup = replace(eyes_setup(config), calibration=known)
    save(replace(load(config.profile), camera="usb desk", empty=None), config.profile)
    assert replaced(config, known, 1.0) is None
    with pytest.raises(Refusal, match="is for camera 'usb desk'"):
        on_record(setup)
