"""The calibration page's API, for the technician (and the umpire).

    GET  /calibration              the page; ?token=T gives the cookie first
    GET  /api/calibration          camera, profile in use, last fit, pockets proved
    GET  /api/calibration/picture  the newest picture, JPEG
    POST /api/calibration/fit      find or refine the table; {ok, reason, fit}
    POST /api/calibration/pocket   expect a coin in this pocket
    POST /api/calibration/save     write the profile; {ok, reason}
    .../certificate                what it certifies: `controller.console.certificate`
    POST /api/calibration/lens...  the guided capture: `controller.console.lens`

Every refusal is one line that says what to do, with status 409 (422 for a body that
makes no sense, 503 for a picture that does not come).
"""

from pathlib import Path
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from calibration.refusal import Refusal
from calibration.table import Pocket
from controller.console.access import Gate
from controller.console.bodies import body_of, fault_in, refused
from controller.console.certificate import CertificateWork, certificate_routes
from controller.console.lens import LensWork, lens_routes

CALIBRATION_FILES = (
    "calibration.css",
    "calibration.js",
    "calibration-corners.js",
    "calibration-lens.js",
    "calibration-result.js",
)
Pixel = Annotated[float, Field(ge=-2000, le=8000, allow_inf_nan=False)]
Corner = tuple[Pixel, Pixel]


class FitAsked(BaseModel, extra="forbid", frozen=True):
    """Find the table (`corners_px` None) or refine from these corners as seen.

    Lengths are mm by ruler and tape, None where not measured. `south` is the side of
    the picture at which South sits.
    """

    corners_px: tuple[Corner, Corner, Corner, Corner] | None = None
    south: Literal["bottom", "right", "top", "left"] = "bottom"
    height_mm: Annotated[float, Field(ge=200, le=5000)] | None = None
    side_mm: Annotated[float, Field(ge=300, le=1200)] | None = None
    coin_height_mm: Annotated[float, Field(ge=3, le=15)] | None = None
    striker_height_mm: Annotated[float, Field(ge=3, le=15)] | None = None
    kept_lens: bool = True
    """Begin with the lens that is kept for this camera, if there is one."""
    lens_folder: Path | None = None
    paper: Literal["A4", "A3"] = "A4"


class PocketAsked(BaseModel, extra="forbid", frozen=True):
    """The next coin is dropped into this pocket; None: into none."""

    pocket: Pocket | None


class SaveAsked(BaseModel, extra="forbid", frozen=True):
    """Write the fit of this number, as the page shows it, made by this person."""

    number: int
    by: Annotated[str, Field(max_length=60)] = ""


class Bench(Protocol):
    """What the page works on; each raises Refusal with the remedy."""

    async def picture(self) -> bytes:
        """The newest picture, JPEG."""
        ...

    async def fit(self, asked: FitAsked) -> object:
        """Find or refine the table; the fit to show."""
        ...

    @property
    def lens(self) -> LensWork:
        """The lens panel's work."""
        ...

    @property
    def certificate(self) -> CertificateWork:
        """The certificate panel's work."""
        ...

    def expect(self, pocket: Pocket | None) -> None:
        """A coin is about to be dropped into this pocket."""
        ...

    async def save(self, asked: SaveAsked) -> str:
        """Write the last fit's profile; what was done, in a sentence."""
        ...

    def shown(self) -> dict[str, object]:
        """Everything else that the page shows."""
        ...


class _Pages:
    def __init__(self, bench: Bench, gate: Gate) -> None:
        self._bench = bench
        self._gate = gate

    async def state(self, request: Request) -> Response:
        cookie = request.cookies.get(self._gate.cookie, "")
        csrf = self._gate.keyring.csrf(cookie)
        return JSONResponse({**self._bench.shown(), "csrf": csrf})

    async def picture(self, request: Request) -> Response:
        try:
            return Response(await self._bench.picture(), media_type="image/jpeg")
        except Refusal as refusal:
            return refused(str(refusal), 503)

    async def fit(self, request: Request) -> Response:
        try:
            asked = FitAsked.model_validate_json(await body_of(request))
            return JSONResponse({"ok": True, "fit": await self._bench.fit(asked)})
        except ValidationError as error:
            return refused(fault_in(error), 422)
        except Refusal as refusal:
            return refused(str(refusal), 409)

    async def pocket(self, request: Request) -> Response:
        try:
            asked = PocketAsked.model_validate_json(await body_of(request))
            self._bench.expect(asked.pocket)
        except ValidationError as error:
            return refused(fault_in(error), 422)
        except Refusal as refusal:
            return refused(str(refusal), 409)
        return JSONResponse({"ok": True, "reason": ""})

    async def save(self, request: Request) -> Response:
        try:
            asked = SaveAsked.model_validate_json(await body_of(request))
            return JSONResponse({"ok": True, "reason": await self._bench.save(asked)})
        except ValidationError as error:
            return refused(fault_in(error), 422)
        except Refusal as refusal:
            return refused(str(refusal), 409)


def calibration_routes(bench: Bench, gate: Gate) -> list[Route]:
    """The API's routes; who may come in is decided around them."""
    pages = _Pages(bench, gate)
    base = "/api/calibration"
    return [
        Route(base, pages.state),
        Route(f"{base}/picture", pages.picture),
        Route(f"{base}/fit", pages.fit, methods=["POST"]),
        Route(f"{base}/pocket", pages.pocket, methods=["POST"]),
        Route(f"{base}/save", pages.save, methods=["POST"]),
        *lens_routes(bench.lens, base),
        *certificate_routes(bench.certificate, base),
    ]
