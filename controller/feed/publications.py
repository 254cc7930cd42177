"""What is told, as data: payloads become publications; delivery only carries them.

Pure. The session builds payloads (`controller.feed.models`) from its state, stamps
them and hands the publications to `controller.feed.delivery`.
"""

import json
import re
from dataclasses import dataclass
from datetime import datetime

from calibration.refusal import Refusal
from calibration.table import Circle, Point, Seat, Segment, Table
from controller.feed.models import (
    AT_MOST_ONCE,
    PAYLOADS,
    RETAINED,
    Clock,
    Envelope,
    Payload,
    Topic,
)
from controller.feed.models_table import Drawing, Line, Ring, Status, StatusWord

BASE = "carrom/v1"
LEVEL_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""What a topic level may be called: no wildcard, separator or dot can slip in."""


@dataclass(frozen=True, slots=True)
class Publication:
    """Tell the world: full topic, encoded payload, and how it is to be carried."""

    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 1
    seq: int | None = None
    """Set on a numbered event: delivery sends these in order, none left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Who says it and when: what the envelope takes from the session."""

    table: str
    boot: str
    match: str | None
    at_s: float
    utc: datetime
    clock: Clock


def topic(table: str, level: Topic | str) -> str:
    """The full topic of one table; raises Refusal for a name MQTT cannot carry."""
    return f"{BASE}/{table_name(table)}/{level}"


def table_name(name: str) -> str:
    """The name itself if it can be a topic level; raises Refusal if not."""
    if not LEVEL_NAME.fullmatch(name):
        raise Refusal(
            f"table name {name!r} cannot be used: "
            "take 1 to 32 of a-z, 0-9 and hyphen, such as table-1"
        )
    return name


def publication(
    stamp: Stamp,
    payload: Payload,
    *,
    seq: int | None = None,
    rev: int | None = None,
    cause: str | None = None,
) -> Publication:
    """One message: the envelope and the payload side by side in one JSON object.

    `seq` numbers a match event, `rev` a snapshot (the last event it contains).
    """
    level = topic_of(payload)
    envelope = Envelope(
        schema=f"{BASE}/{level}",
        table=stamp.table,
        boot=stamp.boot,
        match=stamp.match,
        seq=seq,
        rev=rev,
        t_utc=stamp.utc,
        t_mono_s=round(stamp.at_s, 4),
        clock=stamp.clock,
        cause=cause,
    )
    return Publication(
        topic=topic(stamp.table, level),
        payload=message(envelope, payload),
        retain=level in RETAINED,
        qos=0 if level in AT_MOST_ONCE else 1,
        seq=seq if level is Topic.EVENT else None,
    )


def message(envelope: Envelope, payload: Payload) -> bytes:
    """The JSON bytes of one message."""
    fields = {
        **envelope.model_dump(mode="json", by_alias=True, exclude_none=True),
        **payload.model_dump(mode="json"),
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def topic_of(payload: Payload) -> Topic:
    """Which topic carries this kind of payload."""
    return next(level for level, kind in PAYLOADS.items() if isinstance(payload, kind))


def last_will(stamp: Stamp) -> Publication:
    """What the broker says for a controller that vanished; carries its boot id."""
    return publication(
        stamp,
        Status(
            status=StatusWord.LOST,
            reason="the controller has gone without saying goodbye",
        ),
    )


def drawing(table: Table) -> Drawing:
    """The table's printed lines and holes, for the picture on the scoreboard."""
    centre = Point(0.0, 0.0)
    inner = Circle(centre, table.centre_circle_radius_mm)
    outer = Circle(centre, table.outer_circle_radius_mm)
    rings = [_ring(inner, table.centre_circle_radius_mm), _ring(outer)]
    lines: list[Segment] = list(table.arrows())
    for seat in Seat:
        for circle in table.base_circles(seat):
            rings.append(_ring(circle, table.base_circle_red_radius_mm))
        lines.extend(table.base_lines(seat))
    return Drawing(
        side_mm=table.side_mm,
        frame_width_mm=table.frame_width_mm,
        coin_radius_mm=table.coin_radius_mm,
        striker_radius_mm=table.striker_radius_mm,
        pockets=tuple(
            _ring(Circle(at, table.pocket_radius_mm))
            for at in table.pocket_centres.values()
        ),
        rings=tuple(rings),
        lines=tuple(_line(line) for line in lines),
    )


def _ring(ring: Circle, red_mm: float = 0.0) -> Ring:
    return Ring(centre_mm=_place(ring.centre), radius_mm=ring.radius_mm, red_mm=red_mm)


def _line(line: Segment) -> Line:
    return Line(
        from_mm=_place(line.start), to_mm=_place(line.end), width_mm=line.width_mm
    )


def _place(at: Point) -> tuple[float, float]:
    return round(at.x_mm, 1), round(at.y_mm, 1)
