"""What is sent to a page: the followed table as plain JSON values. Pure."""

from dataclasses import asdict, dataclass

from controller.feed.models import RawTrack
from controller.scoreboard.captions import caption, link, queen_line
from controller.scoreboard.follower import Follower

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Board:
    """Which table a page shows, and the code that serves it: new code, new page."""

    table: str
    version: str


def view(
    follower: Follower, board: Board, *, broker: str, now_s: float
) -> dict[str, Json]:
    """Everything the page draws but moving pieces and the age of the data.

    `broker` is empty while connected, else the sentence that says why not.
    """
    state, info = follower.state, follower.info
    return {
        "version": board.version,
        "table": board.table,
        "link": asdict(link(follower, broker=broker, now_s=now_s)),
        "rules": info.rule_set if info else "",
        "drawing": info.drawing.model_dump(mode="json")
        if info and info.drawing
        else None,
        "rev": follower.rev,
        "match": follower.match,
        "state": state.model_dump(mode="json") if state else None,
        "caption": asdict(caption(state)) if state else None,
        "queen": queen_line(state) if state else "",
    }


def track_view(track: RawTrack) -> Json:
    """Moving pieces, as short as it goes: id, piece, x, y (mm)."""
    return [
        [each.id, each.piece.value, round(each.x_mm, 1), round(each.y_mm, 1)]
        for each in track.pieces
    ]
