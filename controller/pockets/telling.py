"""What `carrom pockets` says: a screen for people, JSON lines for machines."""

import json
from dataclasses import asdict, is_dataclass
from enum import IntEnum
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.dropping import described
from controller.pockets.heard import (
    DeviceFault,
    DeviceRefused,
    DeviceUp,
    Heard,
    LinkHealth,
    ReportsLost,
    Unanswered,
)
from controller.pockets.watching import Channel, Watching

RECORDS: dict[type, str] = {
    DeviceUp: "node",
    DeviceRefused: "refused",
    DeviceFault: "fault",
    ReportsLost: "lost",
    Unanswered: "unanswered",
    PocketState: "state",
    PocketReport: "fell",
    wire.ValuesNow: "values",
    wire.SettingsNow: "settings",
    wire.SelfTestDone: "self-test",
    wire.KeyDone: "key",
}
COLOURS = {
    PocketHealth.CLEAR: "green",
    PocketHealth.BLOCKED: "yellow",
    PocketHealth.BLINDED: "yellow",
    PocketHealth.DEAD: "red",
    PocketHealth.LOST: "red",
}
NONE = "-"
WIDTH = 80
"""Columns of a terminal in which no cell of the table of values is cut."""


def as_json(heard: Heard) -> str:
    """One line for one thing heard; enums by their names."""
    body = {key: _plain(value) for key, value in asdict(heard).items()}
    return json.dumps({"record": RECORDS[type(heard)], **body})


def _plain(value: Any) -> Any:
    if isinstance(value, IntEnum):
        return value.name.lower()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value


def screen(watching: Watching, health: LinkHealth, width: int = WIDTH) -> Group:
    """The node now: who it is, its pockets, its link, what is wrong.

    Where the values do not fit into so many columns the states stand alone.
    """
    trouble = Text(watching.trouble, style="bold red")
    last = Text("\n".join(falls(watching)))
    table = pockets(watching) if width >= WIDTH else states(watching)
    return Group(who(watching), table, last, link(health), trouble)


def falls(watching: Watching) -> list[str]:
    """The last fall of each pocket that had one."""
    return [
        f"{channel.pocket.value}: {described(channel.last)}"
        for channel in watching.channels
        if channel.last is not None
    ]


def who(watching: Watching) -> str:
    """The node's name, place and start in one line."""
    node = watching.node
    if node is None:
        return "no pocket node yet"
    label = f"box {node.label}, " if node.label else ""
    cause = node.reset_cause.name.lower().replace("_", " ")
    return (
        f"node {node.device} ({label}{node.board.name.lower()}, firmware {node.build}"
        f"{', keyed' if node.keyed else ''}), start {node.boot} by {cause}"
    )


def states(watching: Watching) -> Text:
    """One line for each pocket's state, and how to see more."""
    text = Text(f"values need a terminal {WIDTH} columns wide\n")
    for channel in watching.channels:
        text.append(f"{channel.pocket.value} ")
        text.append(f"{channel.health.value}\n", style=COLOURS[channel.health])
    return text


def pockets(watching: Watching) -> Table:
    """One row for each pocket; fits WIDTH columns."""
    table = Table()
    for name in ("pocket", "ch", "state"):
        table.add_column(name, no_wrap=True)
    for name in ("beam", "rest", "amb.", "back", "dip", "thr.", "falls"):
        table.add_column(name, justify="right", no_wrap=True)
    for channel in watching.channels:
        table.add_row(*row(channel))
    return table


def row(channel: Channel) -> list[str | Text]:
    """A pocket's cells."""
    values = channel.values
    seen = [NONE] * 5
    if values is not None:
        numbers = (values.beam, values.resting, values.ambient)
        seen = [str(n) for n in (*numbers, values.reflectance, values.deepest)]
    threshold = str(channel.settings.threshold) if channel.settings else NONE
    return [
        channel.pocket.value,
        str(channel.number),
        Text(channel.health.value, style=COLOURS[channel.health]),
        *seen,
        threshold,
        str(channel.falls),
    ]


def link(health: LinkHealth) -> str:
    """The link's numbers in one line."""
    trip = "-" if health.round_trip_s is None else f"{health.round_trip_s * 1e3:.1f} ms"
    return (
        f"round trip {trip}; frames {health.frames}, damaged here {health.damaged}, "
        f"there {health.node_damaged}; sent again {health.node_resent}, dropped "
        f"{health.node_dropped}, samples missed {health.node_overruns}, implausible "
        f"{health.node_implausible}"
    )
