"""What the calibration page's buttons set going, without the page."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.profile import Fixed, load
from calibration.refusal import Refusal
from calibration.series import series_of
from calibration.table import Pocket, Table
from controller.apart import apart
from controller.calibration_work import Keeping, Wanted, fit, keep, lens_in
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera


def test_a_table_calibrated_again_keeps_its_old_profile_and_empty_picture(
    tmp_path: Path,
) -> None:
    empty_table = Renderer(Table(), Camera.overhead()).empty()
    series = series_of([empty_table], [0.0])
    wanted = Wanted(series=series, table=Table(), corners_px=None, height_mm=1200.0)
    result = fit(pickle.loads(pickle.dumps(wanted)))
    assert json.loads(json.dumps(result.shown))["pieces"] == 0
    path = tmp_path / "calibration.json"
    path.write_text("the old one")
    keeping = Keeping(
        kept=result.kept,
        path=path,
        camera="rendered",
        by="",
        software="test",
        fixed=Fixed(),
        cleared=True,
        pockets=dict(zip(Pocket, range(1, 5), strict=True)),
    )
    kept = keep(keeping)
    assert kept.former is not None
    assert kept.former.read_text() == "the old one"
    assert load(path).pockets == keeping.pockets
    empty = load(path).empty
    keep(replace(keeping, cleared=False))
    assert load(path).empty == empty


async def test_heavy_work_is_done_apart_and_its_refusal_comes_back(
    tmp_path: Path,
) -> None:
    with pytest.raises(Refusal, match="no folder at"):
        await apart(lens_in, tmp_path / "nowhere", "A4")
