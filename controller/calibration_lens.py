"""What the calibration page's lens panel sets going: looks at the board, and the lens.

Functions of plain values that run apart, as in `controller.calibration_work`; the
capture travels as bytes that the controller never opens.
"""

import pickle
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.refusal import Refusal

if TYPE_CHECKING:
    from calibration.charuco import LensFit, View
    from calibration.charuco_capture import Capture

Act = Literal["look", "take", "back", "clear"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookAsked:
    """One look, or a change to what was taken; `name` None: the newest view.

    `kept` is the capture so far (None: none), `grey` the camera's picture where the
    act looks at one. `auto`: take a view by itself when it is worth it.
    """

    kept: bytes | None
    act: Act
    paper: str
    grey: NDArray[np.uint8] | None = None
    at_s: float = 0.0
    auto: bool = True
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What to show, and the capture as it now is."""

    shown: dict[str, object]
    kept: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LensKept:
    """The lens of a capture, to be kept for this camera."""

    kept: bytes
    path: Path
    camera: str


def look(asked: LookAsked) -> Looked:
    """Do one act of a capture; raises Refusal for a view that is not there."""
    from calibration.charuco_board import Board, Paper
    from calibration.charuco_capture import Capture

    board = Board(Paper(asked.paper).square_mm)
    capture = Capture(board=board)
    if asked.kept is not None and asked.act != "clear":
        capture = pickle.loads(asked.kept)
        if capture.board != board:
            if capture.views:
                raise Refusal(
                    "views of a board of another size were taken: start over, or "
                    "choose the paper they were taken with"
                )
            capture = Capture(board=board)
    if asked.act == "back":
        capture = capture.without(asked.name)
    elif asked.grey is not None:
        take = asked.act == "take"
        capture = capture.looked(asked.grey, asked.at_s, auto=asked.auto, take=take)
    return Looked(shown=_shown(capture, asked.paper), kept=pickle.dumps(capture))


def keep_lens(wanted: LensKept) -> str:
    """Keep the lens of a capture; what it is, in a sentence. Raises Refusal."""
    from calibration.lens_file import KeptLens, save_lens

    capture: Capture = pickle.loads(wanted.kept)
    fit, now = capture.usable(), datetime.now(UTC)
    made_utc = now.isoformat(timespec="seconds")
    save_lens(KeptLens(camera=wanted.camera, made_utc=made_utc, fit=fit), wanted.path)
    views = sum(view.fault is None for view in fit.views)
    return f"{views} views, residual {fit.rms_px:.2f} px"


def _shown(capture: "Capture", paper: str) -> dict[str, object]:
    """The capture for the page; pixels of the picture as shown."""
    from calibration.charuco_guide import WANTED_A_SIDE, WANTED_IN_CELL, WANTED_VIEWS

    wants, seen = capture.wants, capture.look
    return {
        "paper": paper,
        "views": [_view(capture, view) for view in capture.views],
        "wanted_views": WANTED_VIEWS,
        "cells": wants.cells,
        "wanted_in_cell": WANTED_IN_CELL,
        "sides": {side.value: count for side, count in wants.sides.items()},
        "wanted_a_side": WANTED_A_SIDE,
        "next": wants.next,
        "complete": wants.complete,
        "size_px": list(seen.view.size_px) if seen else None,
        "seen": seen.seen.value if seen else "nothing",
        "words": seen.words if seen else "",
        "corners": _px(seen.view) if seen else [],
        "lens": _lens(capture.fit),
        "lacking": list(capture.fit.faults) if capture.fit else [],
        "usable": capture.fit is not None and not capture.fit.faults,
    }


def _view(capture: "Capture", view: "View") -> dict[str, object]:
    fit = capture.fit
    fitted = None if fit is None else next(v for v in fit.views if v.name == view.name)
    return {
        "name": view.name,
        "corners": len(view.ids),
        "outline": view.outline,
        "rms_px": fitted and fitted.rms_px,
        "tilt_deg": fitted and fitted.tilt_deg,
        "fault": fitted and fitted.fault,
    }


def _lens(fit: "LensFit | None") -> dict[str, object] | None:
    if fit is None or fit.prior is None:
        return None
    lens = asdict(fit.prior.lens)
    focal_px = fit.prior.lens.focal_px
    return {**lens, "doubt_px": fit.prior.spreads[0] * focal_px, "rms_px": fit.rms_px}


def _px(view: "View") -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in view.corners_px]
