"""What both kinds of card print alike."""

from datetime import datetime
from html import escape

NIL = "nil"


def local_time(utc: str | None, shape: str) -> str:
    """A time as this machine's zone has it; nothing where it is not known."""
    if utc is None:
        return ""
    return datetime.fromisoformat(utc).astimezone().strftime(shape)


def signs(players: tuple[str, ...]) -> str:
    """Lines to sign on: the players, the umpire, the chief referee."""
    names = (*players, "Umpire", "Chief referee")
    lines = "".join(f"<div><span></span>{escape(name)}</div>" for name in names)
    return f'<div class="signs" style="--signs: {len(names)}">{lines}</div>'
