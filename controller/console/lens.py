"""The lens panel's API, beside the calibration page's.

    GET  /api/calibration/lens/board.pdf?paper=A4  the board to print
    POST /api/calibration/lens         look at the board, take a view, take one back
    POST /api/calibration/lens/keep    keep the lens for this camera
    POST /api/calibration/lens/forget  fit with the table's marks alone again

Answers and refusals are as in `controller.console.calibration`.
"""

from enum import StrEnum
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from calibration.refusal import Refusal
from controller.console.bodies import body_of, fault_in, refused


class LensAct(StrEnum):
    """What a look does beside looking."""

    LOOK = "look"
    TAKE = "take"
    BACK = "back"
    CLEAR = "clear"


class LookWanted(BaseModel, extra="forbid", frozen=True):
    """One act of a capture; `name` says which view to take back (None: the newest)."""

    act: LensAct
    auto: bool = True
    name: Annotated[str, Field(max_length=40)] | None = None
    paper: Literal["A4", "A3"] = "A4"


class LensWork(Protocol):
    """What the panel works on; each raises Refusal with the remedy."""

    async def act(self, asked: LookWanted) -> object:
        """Do one act; the capture to show."""
        ...

    async def keep(self) -> str:
        """Keep the lens; what was done, in a sentence."""
        ...

    async def board(self, paper: str) -> bytes:
        """The board to print: a PDF."""
        ...

    def forget(self) -> str:
        """Keep no lens any more; what was done, in a sentence."""
        ...


class _Panel:
    def __init__(self, work: LensWork) -> None:
        self._work = work

    async def act(self, request: Request) -> Response:
        try:
            asked = LookWanted.model_validate_json(await body_of(request))
            return JSONResponse({"ok": True, "capture": await self._work.act(asked)})
        except ValidationError as error:
            return refused(fault_in(error), 422)
        except Refusal as refusal:
            return refused(str(refusal), 409)

    async def board(self, request: Request) -> Response:
        paper = request.query_params.get("paper", "A4")
        if paper not in ("A4", "A3"):
            return refused(f"paper: A4 or A3, got {paper[:20]!r}", 422)
        name = f'inline; filename="carrom-board-{paper}.pdf"'
        return Response(
            await self._work.board(paper),
            media_type="application/pdf",
            headers={"content-disposition": name},
        )

    async def keep(self, _: Request) -> Response:
        try:
            return JSONResponse({"ok": True, "reason": await self._work.keep()})
        except Refusal as refusal:
            return refused(str(refusal), 409)

    async def forget(self, _: Request) -> Response:
        try:
            return JSONResponse({"ok": True, "reason": self._work.forget()})
        except Refusal as refusal:
            return refused(str(refusal), 409)


def lens_routes(work: LensWork, base: str) -> list[Route]:
    """The panel's routes under the page's."""
    panel = _Panel(work)
    return [
        Route(f"{base}/lens/board.pdf", panel.board),
        Route(f"{base}/lens", panel.act, methods=["POST"]),
        Route(f"{base}/lens/keep", panel.keep, methods=["POST"]),
        Route(f"{base}/lens/forget", panel.forget, methods=["POST"]),
    ]
