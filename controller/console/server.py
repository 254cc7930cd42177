"""The umpire's page and its API, in the controller's own loop.

    GET  /?token=T     the printed address: gives the cookie, then the page
    GET  /             the page
    GET  /api/state    what the page shows, as JSON
    GET  /api/events   the same as server-sent events, on every change
    POST /api/rulings  one ruling; always answered {accepted, rev, reason}
    POST /api/preview  the same body; {possible, text, warnings}, nothing is recorded
    /calibration       the technician's page: `controller.console.calibration`

A ruling names the revision the umpire was looking at; when a stroke, a question or
another ruling has changed the record since, it is refused and nothing is changed
(what is only shown live, such as a fall, does not count). `controller.console.access` decides who
may come in.
"""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calibration.refusal import Refusal
from controller.console.access import Denied, Gate, Role
from controller.console.bodies import body_of, fault_in
from controller.console.calibration import CALIBRATION_FILES, Bench, calibration_routes
from controller.console.preview import Preview
from controller.console.rulings import REQUEST, AnyRequest, Strokes, ruling
from controller.events import Ruling
from controller.records import Json

log = logging.getLogger(__name__)

PAGE = Path(__file__).parent / "page"
FILES = ("console.css", "console.js", "clock.js", "dom.js", "facts.js", "laws.js")
CALIBRATION = "/calibration"
FOR_BOTH = ("/console.css", "/dom.js")
BEAT_S = 2.0
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Desk(Strokes, Protocol):
    """The record as the umpire works on it."""

    @property
    def rev(self) -> int:
        """The record's revision."""
        ...

    def stands_since(self, rev: int) -> bool:
        """Whether the record still is what it was at a revision."""
        ...

    def now_s(self) -> float:
        """The host's clock."""
        ...

    def shown(self) -> dict[str, Json]:
        """Everything the page shows."""
        ...

    def rule(self, given: Ruling) -> str | None:
        """Take a ruling into the record; why it was refused, or None."""
        ...

    def preview(self, given: Ruling) -> Preview:
        """What a ruling would lead to now; nothing is recorded."""
        ...

    @property
    def version(self) -> int:
        """Counts the changes of what is shown."""
        ...

    async def changed(self, since: int) -> int:
        """The version, once it is another than `since`."""
        ...


@dataclass(frozen=True, slots=True)
class _Console:
    desk: Desk
    gate: Gate

    async def page(self, request: Request) -> Response:
        """The page; with the token in the address, the cookie first."""
        token = request.query_params.get("token")
        if token is not None:
            return self._enter(request, token)
        calibrating = request.url.path == CALIBRATION
        return FileResponse(
            PAGE / ("calibration.html" if calibrating else "index.html")
        )

    def _enter(self, request: Request, token: str) -> Response:
        keyring = self.gate.keyring
        role = keyring.by_token(token)
        if role is None:
            log.warning("console: somebody tried a wrong token")
            return _turned_away(Denied.STRANGER)
        place = CALIBRATION if role is Role.TECHNICIAN else request.url.path
        answer = RedirectResponse(place, status_code=303)
        cookie = request.cookies.get(self.gate.cookie, "")
        if keyring.by_visit(cookie) is not Role.UMPIRE:
            answer.set_cookie(
                self.gate.cookie,
                keyring.new_visit(role),
                httponly=True,
                samesite="strict",
                path="/",
            )
        return answer

    async def file(self, request: Request) -> Response:
        """The page's style or script."""
        return FileResponse(PAGE / request.url.path.lstrip("/"))

    async def state(self, request: Request) -> Response:
        """What the page shows now."""
        return JSONResponse(self._shown(request))

    async def events(self, request: Request) -> Response:
        """What the page shows, at once and on every change."""
        return StreamingResponse(self._stream(request), media_type="text/event-stream")

    async def rulings(self, request: Request) -> Response:
        """Take one ruling, or say why not."""
        asked = _asked(await body_of(request))
        if isinstance(asked, str):
            return self._answer(422, asked)
        if not self.desk.stands_since(asked.expected_rev):
            return self._answer(409, "the record has moved on: look again", stale=True)
        try:
            given = ruling(asked, self.desk, self.desk.now_s())
        except ValueError as error:
            return self._answer(409, str(error))
        refused = self.desk.rule(given)
        return self._answer(409, refused) if refused else self._answer(200, "")

    async def previewed(self, request: Request) -> Response:
        """What a ruling would lead to, without recording it."""
        asked = _asked(await body_of(request))
        if isinstance(asked, str):
            return JSONResponse(_shown_preview(Preview(False, asked)), 422)
        try:
            given = ruling(asked, self.desk, self.desk.now_s())
        except ValueError as error:
            return JSONResponse(_shown_preview(Preview(False, str(error))))
        return JSONResponse(_shown_preview(self.desk.preview(given)))

    def _answer(self, code: int, reason: str, *, stale: bool = False) -> Response:
        body = {
            "accepted": code == 200,
            "rev": self.desk.rev,
            "reason": reason,
            "stale": stale,
        }
        return JSONResponse(body, status_code=code)

    def _shown(self, request: Request) -> dict[str, Json]:
        cookie = request.cookies.get(self.gate.cookie, "")
        return {**self.desk.shown(), "csrf": self.gate.keyring.csrf(cookie)}

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        version = self.desk.version
        yield _event("state", self._shown(request))
        while True:
            try:
                version = await asyncio.wait_for(self.desk.changed(version), BEAT_S)
            except TimeoutError:
                yield _event("beat", {})
            else:
                yield _event("state", self._shown(request))


def console(desk: Desk, gate: Gate, calibrating: Bench | None = None) -> ASGIApp:
    """The console as an ASGI application; without `calibrating` it has no such page."""
    pages = _Console(desk, gate)
    routes = [
        Route("/", pages.page),
        *(Route(f"/{name}", pages.file) for name in FILES),
        Route("/api/state", pages.state),
        Route("/api/events", pages.events),
        Route("/api/rulings", pages.rulings, methods=["POST"]),
        Route("/api/preview", pages.previewed, methods=["POST"]),
    ]
    if calibrating is not None:
        routes += [
            Route(CALIBRATION, pages.page),
            *(Route(f"/{name}", pages.file) for name in CALIBRATION_FILES),
            *calibration_routes(calibrating, gate),
        ]
    return _Guard(Starlette(routes=routes), gate)


class Serving:
    """A web application on a socket of its own, in the running loop.

    Raises Refusal at once when the port cannot be had; `port` 0 takes a free one.
    """

    def __init__(self, host: str, port: int) -> None:
        self._socket = listening(host, port)
        self.port = int(self._socket.getsockname()[1])

    async def run(self, app: ASGIApp) -> None:
        """Serve until cancelled."""
        config = uvicorn.Config(
            app, log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        server = _Server(config)
        serving = asyncio.ensure_future(server.serve(sockets=[self._socket]))
        try:
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            await serving


def listening(host: str, port: int) -> socket.socket:
    """A listening socket; raises Refusal when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise Refusal(
            f"the console cannot listen on {host}:{port} ({error.strerror}): "
            "stop what uses that port or set console.port"
        ) from None
    listener.listen(64)
    return listener


class _Server(uvicorn.Server):
    """Leaves signals to the application around it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Guard:
    """Turns strangers away before any page sees them; adds the security headers."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        denied = self._denied(request)
        app = self._app if denied is None else _turned_away(denied)
        await app(scope, receive, send_guarded)

    def _denied(self, request: Request) -> Denied | None:
        path = request.url.path
        if path in ("/", CALIBRATION) and "token" in request.query_params:
            known = self._gate.knows_host(request.headers)
            return None if known else Denied.HOST
        cookie = request.cookies.get(self._gate.cookie, "")
        needed = Role.TECHNICIAN if _is_calibration(path) else Role.UMPIRE
        return self._gate.refuses(request.method, request.headers, cookie, needed)


def _is_calibration(path: str) -> bool:
    """Whether the technician may have this."""
    return path.startswith((CALIBRATION, f"/api{CALIBRATION}")) or path in FOR_BOTH


def _asked(body: bytes) -> AnyRequest | str:
    """The request a body holds, or the one line that says what is wrong with it."""
    try:
        return REQUEST.validate_json(body)
    except ValidationError as error:
        return fault_in(error)


def _shown_preview(preview: Preview) -> dict[str, Json]:
    warnings: list[Json] = list(preview.warnings)
    return {"possible": preview.possible, "text": preview.text, "warnings": warnings}


def _event(name: str, data: dict[str, Json]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def _turned_away(denied: Denied) -> Response:
    code, sentence = denied.value
    return JSONResponse({"accepted": False, "reason": sentence}, status_code=code)
