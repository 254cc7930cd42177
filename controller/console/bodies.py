"""What a request's body may be: short JSON, or one line that says what is wrong."""

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

LARGEST_BODY = 8192


async def body_of(request: Request) -> bytes:
    """The request's body, cut where no request of ours can be that long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            break
    return body[: LARGEST_BODY + 1]


def fault_in(error: ValidationError) -> str:
    """The first thing wrong in a body: its key and the fault."""
    fault = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    return f"{key or 'the request'}: {fault['msg']}"


def refused(reason: str, code: int) -> Response:
    """A refusal as the pages read it: one line that says what to do."""
    return JSONResponse({"ok": False, "reason": reason}, status_code=code)
