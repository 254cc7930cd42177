"""Who may use the console's pages: one secret, a cookie, and no other web site.

Whoever holds the address printed at the start (it carries the token) is the umpire.
A second address is the technician's, who may calibrate and rule nothing; the umpire
may do both.
The first visit turns the token into a cookie that scripts cannot read and other
sites cannot send; every change of state must also carry a header that only our own
page knows (CSRF), come from our own origin, and name us as its host (which defeats
DNS rebinding). Nothing is kept in memory: all follows from the secret file, so a
controller that was killed and restarted still knows its umpire.
"""

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path

from calibration.refusal import Refusal

SECRET_BYTES = 32
CSRF_HEADER = "x-carrom-csrf"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SAFE_METHODS = frozenset({"GET", "HEAD"})


class Role(Enum):
    """What somebody may do here; its value begins whatever is signed for it."""

    UMPIRE = ""
    TECHNICIAN = "technician:"


class Denied(Enum):
    """Why a request is turned away: status code and sentence."""

    HOST = (421, "this console answers only under its own address")
    ORIGIN = (403, "a page of another site tried to use the console")
    STRANGER = (401, "open the console with the address printed at the start")
    ROLE = (403, "this address is for the calibration page; the umpire's is another")
    CSRF = (403, "the page is out of date: load it again")


@dataclass(frozen=True, slots=True)
class Keyring:
    """Everything that lets somebody in, derived from one secret."""

    secret: bytes

    @classmethod
    def kept_in(cls, path: Path) -> "Keyring":
        """The secret in a file only we can read; made at the first start.

        Raises Refusal when the file cannot be used or is no secret: an empty one
        would let everybody in.
        """
        try:
            if not path.exists():
                _make(path)
            written = path.read_bytes()
        except OSError as error:
            raise Refusal(
                f"console secret {path} cannot be used ({error.strerror}): "
                "choose a file this user may write to"
            ) from error
        if re.fullmatch(rb"\s*[0-9a-fA-F]{64}\s*", written) is None:
            raise Refusal(
                f"console secret {path} is no 64 hex digits: "
                "remove it and a new one is made"
            )
        return cls(bytes.fromhex(written.decode().strip()))

    @property
    def token(self) -> str:
        """What the printed address carries, and what programs send as bearer."""
        return self.token_of(Role.UMPIRE)

    def token_of(self, role: Role) -> str:
        """What this role's address carries."""
        return self._sign(role.value + "token")

    def new_visit(self, role: Role = Role.UMPIRE) -> str:
        """A cookie value for one browser."""
        visit = secrets.token_urlsafe(16)
        return f"{visit}.{self._visit(role, visit)}"

    def csrf(self, cookie: str) -> str:
        """What the page with this cookie must send with every change."""
        return self._sign("csrf:" + cookie)

    def by_token(self, token: str) -> Role | None:
        """Whose token this is."""
        return next((r for r in Role if _same(token, self.token_of(r))), None)

    def by_visit(self, cookie: str) -> Role | None:
        """Whom we gave this cookie."""
        visit, _, signed = cookie.partition(".")
        return next((r for r in Role if _same(signed, self._visit(r, visit))), None)

    def _visit(self, role: Role, visit: str) -> str:
        return self._sign(f"{role.value}visit:{visit}")

    def _sign(self, text: str) -> str:
        return hmac.new(self.secret, text.encode(), sha256).hexdigest()[:43]


@dataclass(frozen=True, slots=True)
class Gate:
    """Decides whether a request may pass."""

    keyring: Keyring
    hosts: frozenset[str]
    """What the Host header may say, with port."""
    cookie: str
    """The cookie's name; ports share cookies, so it names the port."""

    @classmethod
    def at(cls, keyring: Keyring, host: str, port: int) -> "Gate":
        """The gate of a console that listens on this address."""
        names = {*LOOPBACK, host}
        hosts = frozenset(f"{name}:{port}" for name in names)
        return cls(keyring, hosts, f"carrom-umpire-{port}")

    def knows_host(self, headers: Mapping[str, str]) -> bool:
        """Whether the request was meant for us."""
        return headers.get("host", "") in self.hosts

    def refuses(
        self,
        method: str,
        headers: Mapping[str, str],
        cookie: str,
        needed: Role = Role.UMPIRE,
    ) -> Denied | None:
        """Why this request may not pass; None: it may. Header names in small letters.

        `needed` is the least role that may; the umpire may all.
        """
        if not self.knows_host(headers):
            return Denied.HOST
        kind, _, token = headers.get("authorization", "").partition(" ")
        bearer = kind.lower() == "bearer"
        role = self.keyring.by_token(token) if bearer else self.keyring.by_visit(cookie)
        if role not in (Role.UMPIRE, needed):
            return Denied.STRANGER if role is None else Denied.ROLE
        if bearer or method in SAFE_METHODS:
            return None
        if not _from_ourselves(headers):
            return Denied.ORIGIN
        sent = headers.get(CSRF_HEADER, "")
        return None if _same(sent, self.keyring.csrf(cookie)) else Denied.CSRF


def _make(path: Path) -> None:
    """Write a new secret so that a power cut leaves either none or a whole one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600, exist_ok=False)
    with part.open("w") as file:
        file.write(secrets.token_hex(SECRET_BYTES))
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def _from_ourselves(headers: Mapping[str, str]) -> bool:
    """Whether the browser says that our own page sent this."""
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin", f"http://{headers.get('host')}")
    return site == "same-origin" and origin.partition("://")[2] == headers.get("host")


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
