"""The certificate panel's API, beside the calibration page's.

    GET  /api/calibration/certificate  the certificate that stands, a page to print
    POST /api/calibration/certificate  certify the table as it is calibrated now

Answers and refusals are as in `controller.console.calibration`.
"""

import base64
from hashlib import sha256
from typing import Annotated, Protocol

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from calibration.refusal import Refusal
from controller.certificate_page import STYLE
from controller.console.bodies import body_of, fault_in, refused

_STYLED = base64.b64encode(sha256(f"\n{STYLE}".encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLED}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The page needs nothing but its own style, which it carries itself."""


class CertifyAsked(BaseModel, extra="forbid", frozen=True):
    """Certify the table, by this person."""

    by: Annotated[str, Field(max_length=60)] = ""


class CertificateWork(Protocol):
    """What the panel works on; each raises Refusal with the remedy."""

    def make(self, by: str) -> str:
        """Certify the table; what was found, in a sentence."""
        ...

    def page(self) -> str:
        """The certificate that stands: HTML."""
        ...


def certificate_routes(work: CertificateWork, base: str) -> list[Route]:
    """The panel's routes; who may come in is decided around them."""

    def shown(_: Request) -> Response:
        try:
            headers = {"content-security-policy": POLICY}
            return HTMLResponse(work.page(), headers=headers)
        except Refusal as refusal:
            return refused(str(refusal), 409)

    async def make(request: Request) -> Response:
        try:
            asked = CertifyAsked.model_validate_json(await body_of(request))
            return JSONResponse({"ok": True, "reason": work.make(asked.by)})
        except ValidationError as error:
            return refused(fault_in(error), 422)
        except Refusal as refusal:
            return refused(str(refusal), 409)

    path = f"{base}/certificate"
    return [Route(path, shown), Route(path, make, methods=["POST"])]
