"""Hearing what the world is told, with another make of client, and free ports."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from threading import Condition

import paho.mqtt.client as paho

PATIENCE_S = 50.0


class Reader:
    """An MQTT client of another make and its own thread: what the world is told.

    With a name the broker keeps its session, as a hall's logger would ask for.
    """

    def __init__(self, port: int, topic: str = "carrom/#", name: str = "") -> None:
        self._changed = Condition()
        self.heard: list[tuple[str, dict[str, object], bool]] = []
        self._client = paho.Client(
            paho.CallbackAPIVersion.VERSION2,
            client_id=name,
            clean_session=not name,
            protocol=paho.MQTTv311,
        )
        self._client.on_connect = lambda c, *_: c.subscribe(topic, qos=1)
        self._client.on_message = self._take
        self._client.connect("127.0.0.1", port, keepalive=10)
        self._client.loop_start()

    def _take(self, client: object, data: object, message: paho.MQTTMessage) -> None:
        with self._changed:
            self.heard.append(
                (message.topic, json.loads(message.payload), bool(message.retain))
            )
            self._changed.notify_all()

    def until(self, wanted: Callable[["Reader"], bool]) -> None:
        """Wait for a condition on what was heard; fails with all that was heard."""
        with self._changed:
            if not self._changed.wait_for(lambda: wanted(self), PATIENCE_S):
                raise AssertionError(f"never heard: {self.heard}")

    def on(self, level: str) -> list[dict[str, object]]:
        """Every message of one topic so far, oldest first."""
        return [fields for topic, fields, _ in self.heard if topic.endswith(level)]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until_open(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < deadline, f"nothing listens on {port}"
        time.sleep(0.02)


def until_holds(file: Path, text: str) -> None:
    """Wait until a file holds exactly this, spaces around it aside."""
    deadline = time.monotonic() + PATIENCE_S
    while not file.exists() or file.read_text().strip() != text:
        assert time.monotonic() < deadline, f"{file} does not hold {text!r}"
        time.sleep(0.02)
