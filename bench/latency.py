"""How soon the world knows: from a fall in the simulator to an MQTT client.

Runs the demo's hall in real time and listens with a client of another make in a
process of its own (mosquitto_sub, whose time stamps are taken). Two figures:

- live: from a piece's true fall to the first message that shows it (a live event or
  a state with the fall), which must be within 100 ms;
- decided: from the moment the end of a stroke is decided (the eyes' account of it is
  on record) to the new `match/state`, which must be within 150 ms at p99. From the
  exposure of the picture that decided it is given too: that is what eyes take.

    python bench/latency.py [--strokes 40] [--seed 7]

Exit code 1 when a figure is missed.
"""

import argparse
import asyncio
import json
import sqlite3
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller import processes
from controller.journal_rows import recorded, rows
from controller.simulator.hall import JOURNAL, Hall, HallSettings
from controller.simulator.table_process import TRUTH
from vision.sightings import StrokeSeen

LIVE_S = 0.100
DECIDED_S = 0.150
LOST_S = 2.0
"""A fall that nothing shows within so long was missed, not late."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message as the client got it, on the host's monotonic clock."""

    at_s: float
    topic: str
    fields: dict[str, object]


async def listen(hall: Hall, strokes: int) -> list[Message]:
    """Messages from the start of play until so many strokes are settled."""
    client = await processes.start(
        [
            *("mosquitto_sub", "-V", "311", "-h", "127.0.0.1", "-p"),
            *(str(hall.broker_port), "-t", "carrom/v1/demo/match/#", "-F", "%U %t %p"),
        ],
        stdout=PIPE,
    )
    assert client.stdout is not None
    to_monotonic_s = time.monotonic() - time.time()
    heard: list[Message] = []
    seen: set[object] = set()
    try:
        while len(seen) < strokes:
            line = (await client.stdout.readline()).decode()
            stamp, topic, text = line.split(" ", 2)
            message = Message(
                float(stamp) + to_monotonic_s,
                topic.rpartition("/")[2],
                json.loads(text),
            )
            heard.append(message)
            if message.topic == "event" and message.fields.get("stroke") is not None:
                seen.add(message.fields["stroke"])
    finally:
        await processes.stop(client)
    return heard


def live_delays(folder: Path, heard: list[Message]) -> list[float]:
    """For each true fall, when a message first showed one more fall since."""
    started_s = 0.0
    falls = []
    for text in (folder / TRUTH).read_text().splitlines():
        line = json.loads(text)
        if line["record"] == "start":
            started_s = line["at_s"]
        if line["record"] == "stroke":
            falls += [fall[2] + started_s for fall in line["fell"]]
    shown = sorted(
        message.at_s
        for message in heard
        if message.topic == "event" and message.fields.get("kind") == "fell"
    )
    delays = []
    for fall_s in sorted(falls):
        later = [at_s for at_s in shown if 0 <= at_s - fall_s < LOST_S]
        if later:
            shown.remove(later[0])
            delays.append(later[0] - fall_s)
    return delays


def decided_delays(
    folder: Path, heard: list[Message]
) -> tuple[list[float], list[float]]:
    """For each stroke seen, when the first state that contains it came.

    Since it was on record, and since the exposure of its closing census.
    """
    to_monotonic_s = time.monotonic() - time.time()
    database = sqlite3.connect(f"file:{folder / JOURNAL}?mode=ro", uri=True)
    decided, exposed = {}, {}
    for each in recorded(rows(database)):
        if isinstance(each.input, StrokeSeen):
            written_s = datetime.fromisoformat(each.utc).timestamp()
            decided[str(each.entry)] = written_s + to_monotonic_s
            exposed[str(each.entry)] = each.input.rest.at_s
    database.close()
    seqs: dict[str, int] = {}
    for message in heard:
        cause = str(message.fields.get("cause"))
        if message.topic == "event" and cause in decided:
            seqs[cause] = int(str(message.fields["seq"]))
    states = [m for m in heard if m.topic == "state"]
    since_decided, since_exposed = [], []
    for cause, seq in seqs.items():
        first = next((s for s in states if int(str(s.fields["rev"])) >= seq), None)
        if first is not None:
            since_decided.append(first.at_s - decided[cause])
            since_exposed.append(first.at_s - exposed[cause])
    return since_decided, since_exposed


def report(name: str, delays: list[float], limit_s: float | None = None) -> bool:
    """Print p50, p99 and worst in ms; whether p99 is within the limit, if any."""
    if not delays:
        print(f"{name}: nothing measured")
        return limit_s is None
    ordered = sorted(delays)
    last = len(ordered) - 1
    p50, p99 = (ordered[min(last, int(len(ordered) * p))] for p in (0.5, 0.99))
    held = limit_s is None or p99 <= limit_s
    limit = "" if limit_s is None else f" limit={limit_s * 1e3:.0f} ms"
    print(
        f"{name}: n={len(ordered)} p50={p50 * 1e3:.0f} ms p99={p99 * 1e3:.0f} ms "
        f"worst={ordered[-1] * 1e3:.0f} ms{limit}{'' if held else ' MISSED'}"
    )
    return held


async def measure(strokes: int, seed: int, folder: Path) -> bool:
    """Play and measure; whether both figures are held."""
    settings = HallSettings(folder=folder, seed=seed)
    async with Hall(settings) as hall:
        heard = await listen(hall, strokes)
    live = report("fall to live display", live_delays(folder, heard), LIVE_S)
    since_decided, since_exposed = decided_delays(folder, heard)
    decided = report("stroke decided to match/state", since_decided, DECIDED_S)
    report("deciding picture to match/state", since_exposed)
    return live and decided


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strokes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="carrom-latency-") as folder:
        held = asyncio.run(measure(wanted.strokes, wanted.seed, Path(folder)))
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
