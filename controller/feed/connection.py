"""One MQTT connection as our clients want it: the only maker of aiomqtt clients.

TCP_NODELAY is set because a client that both publishes and subscribes at QoS 1
otherwise meets Nagle and delayed acknowledgement (measured: 42 ms instead of 0.7).
"""

import socket
import ssl
from dataclasses import dataclass, field
from enum import Enum
from typing import Self
from urllib.parse import unquote, urlsplit

import aiomqtt
from aiomqtt.exceptions import MqttConnectError

from calibration.refusal import Refusal

PORTS = {"mqtt": 1883, "mqtts": 8883}
KEEPALIVE_S = 10
ACKNOWLEDGE_S = 5.0
"""A broker that takes longer to answer is taken for gone."""


class Protocol(Enum):
    """The MQTT versions we speak, best first: 5 says why it refuses, 3.1.1 does not."""

    V5 = aiomqtt.ProtocolVersion.V5
    V311 = aiomqtt.ProtocolVersion.V311


@dataclass(frozen=True, slots=True)
class Address:
    """Where a broker is and how we sign in; printing it shows no password."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    encrypted: bool = False

    @classmethod
    def parse(cls, url: str) -> Self:
        """Read mqtt(s)://user:password@host:port; raises Refusal."""
        try:
            parts = urlsplit(url)
            port = parts.port or PORTS.get(parts.scheme, 0)
        except ValueError:
            parts, port = urlsplit(""), 0
        if (
            parts.scheme not in PORTS
            or not parts.hostname
            or parts.path not in ("", "/")
        ):
            shown = f"{parts.scheme}://{parts.hostname}" if parts.hostname else "it"
            raise Refusal(
                f"broker URL ({shown}) cannot be used: "
                "write mqtt://host:1883 or mqtt://user:password@host:1883"
            )
        return cls(
            host=parts.hostname,
            port=port,
            user=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            encrypted=parts.scheme == "mqtts",
        )

    def __str__(self) -> str:
        return f"mqtt{'s' * self.encrypted}://{self.host}:{self.port}"


def connection(
    address: Address,
    protocol: Protocol,
    *,
    client_id: str,
    will: aiomqtt.Will | None = None,
) -> aiomqtt.Client:
    """A client for one connection; make a new one for the next."""
    return aiomqtt.Client(
        address.host,
        address.port,
        username=address.user,
        password=address.password,
        identifier=client_id,
        protocol=protocol.value,
        clean_session=True if protocol is Protocol.V311 else None,
        will=will,
        timeout=ACKNOWLEDGE_S,
        keepalive=KEEPALIVE_S,
        tls_context=ssl.create_default_context() if address.encrypted else None,
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )


UNACCEPTABLE_PROTOCOL = (1, 132)
"""CONNACK codes of MQTT 3.1.1 and 5 for a protocol version not spoken."""


def root(error: aiomqtt.MqttError) -> aiomqtt.MqttError:
    """Why a connection ended: aiomqtt hides the broker's reason behind its own."""
    cause = error.__cause__
    return cause if isinstance(cause, aiomqtt.MqttError) else error


def wrong_protocol(error: aiomqtt.MqttError) -> bool:
    """Whether the broker refused the version of MQTT, and nothing else."""
    return isinstance(error, MqttConnectError) and _code(error) in UNACCEPTABLE_PROTOCOL


def _code(error: aiomqtt.MqttError) -> object:
    reason = getattr(error, "rc", None)
    return getattr(reason, "value", reason)
