"""A calibration as one JSON object: for machines, and for the calibration page."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.steps import Calibrated

SIZES = {
    "side_mm": "side (as given)",
    "base_line_inset_mm": "frame to lower base line",
    "base_line_gap_mm": "lower to upper base line",
    "base_line_length_mm": "base line, end to end",
    "centre_circle_radius_mm": "centre circle, radius",
    "outer_circle_radius_mm": "outer circle, radius",
    "pocket_radius_mm": "pocket, radius",
    "pocket_inset_mm": "pocket's centre to frame",
}


def as_dict(done: "Calibrated") -> dict[str, object]:
    """The whole result; lengths in mm, pixels of the picture as shown."""
    fitted, lens = done.fitted, done.fitted.mapping.lens
    return {
        "corners_px": [
            [round(x, 2), round(y, 2)]
            for x, y in (fitted.mapping.point_to_px(c) for c in fitted.table.corners)
        ],
        "found": None if done.sure is None else round(done.sure, 3),
        "table": {
            key: value and round(value, 2)
            for key, value in asdict(fitted.table).items()
        },
        "camera_mm": [round(v, 1) for v in fitted.mapping.camera_mm],
        "lens": {
            "from": "marks" if done.lens is None else "charuco",
            **{
                key: [round(v, 5) for v in value]
                if isinstance(value, tuple)
                else round(value, 6)
                for key, value in asdict(lens).items()
            },
        },
        "accuracy": {k: round(v, 3) for k, v in asdict(done.accuracy).items()},
        "residual_mm": round(fitted.residual_mm, 3),
        "verdict": done.verdict,
        "reason": done.reason,
        "marks": [
            {
                **asdict(mark),
                "off_mm": round(mark.off_mm, 3),
                "rest_mm": round(mark.rest_mm, 3),
            }
            for mark in fitted.marks
        ],
        "light": asdict(done.light),
        "charuco": None if done.lens is None else asdict(done.lens),
    }


def drawn(done: "Calibrated", turned: int) -> dict[str, object]:
    """The fitted table as curves of the picture, and every station measured.

    `lines` are polylines with their kind; `stations` rows of x and y (px), the
    residual in mm and whether the fit uses it; `handles` the corners as seen, TL TR
    BR BL, on a table that South's side has `turned` by so many quarters.
    """
    from calibration.marks import concrete, marks
    from vision.overlay import outline

    fitted = done.fitted
    lines = [
        {"kind": mark.kind.value, "px": _px(fitted.mapping.to_px(_curve(mark.places)))}
        for mark in marks(concrete(fitted.table))
        if mark.kind.value != "frame"
    ]
    lines.append({"kind": "frame", "px": _px(outline(fitted.table, fitted.mapping))})
    stations = [
        [round(float(x), 1), round(float(y), 1), round(abs(float(rest)), 2), used]
        for (x, y), rest, used in zip(
            fitted.places_px,
            fitted.rest_mm,
            (fitted.weights > 0.1).tolist(),
            strict=True,
        )
    ]
    pockets = {
        pocket.value: _px(np.array([fitted.mapping.point_to_px(centre)]))[0]
        for pocket, centre in fitted.table.pocket_centres.items()
    }
    seen = [fitted.mapping.point_to_px(corner) for corner in fitted.table.corners]
    handles = [seen[(n - turned) % 4] for n in range(4)]
    return {
        "lines": lines,
        "stations": stations,
        "pockets": pockets,
        "handles": _px(np.array(handles)),
        "size_px": list(fitted.mapping.size_px),
    }


def _curve(places: "NDArray[np.float64]") -> "NDArray[np.float64]":
    return np.asarray(places[:, ::4].reshape(-1, 2))


def _px(points: "NDArray[np.float64]") -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]
