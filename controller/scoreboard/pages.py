"""The web side: the pages, their files and the event stream, read-only."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.scoreboard.audience import Audience

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    # Files change with the installed version only, but then at once.
    "cache-control": "no-cache",
}


def application(audience: Audience, folder: Path) -> ASGIApp:
    """The web application: `/`, `/overlay`, `/events` and the files of the pages."""

    async def events(request: Request) -> Response:
        return StreamingResponse(audience.listen(), media_type="text/event-stream")

    def page(name: str) -> Route:
        async def get(request: Request) -> Response:
            return FileResponse(folder / f"{name}.html")

        return Route("/" if name == "scoreboard" else f"/{name}", get)

    routes = [
        page("scoreboard"),
        page("overlay"),
        Route("/events", events),
        Mount("/static", StaticFiles(directory=folder)),
    ]
    return with_headers(Starlette(routes=routes))


def with_headers(app: ASGIApp) -> ASGIApp:
    """The same application with the security headers on every answer."""
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        await app(scope, receive, send_on)

    return wrapped
