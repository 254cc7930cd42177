"""The journal: what the session heard, in order, kept through power cuts.

One SQLite file per match, append only. Each row carries the hash of the row before
it (SHA-256 over canonical JSON), so a changed, dropped or inserted row shows; a
signed checkpoint row (Ed25519) says that this machine wrote the chain up to there.
A cut-off tail still verifies, so checkpoints are worth most when others hold them:
the feed carries them. Three kinds of row:

- `input`: an `Input`, numbered from 1 (the *entry* number) apart from `seq`;
- `verdict`: the digest of what the session told because of an entry;
- `checkpoint`: a signature over the chain's head.

Nothing is acted on or acknowledged to a pocket node before `append` has returned:
with WAL and synchronous FULL it returns when the row is on the medium. A pocket
report is known by (device, boot, sequence) and stored once, however often it comes.
"""

import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Self

from calibration.refusal import Refusal
from controller.events import Input, PocketReport
from controller.journal_rows import (
    GENESIS,
    SCHEMA,
    Recorded,
    damage,
    link,
    recorded,
    rows,
)
from controller.records import Json, canonical, encode
from controller.signing import Signer

BUSY_S = 2.0
"""How long a write waits for a reader's checkpoint before it is refused."""

log = logging.getLogger(__name__)


def utc_now() -> str:
    """The wall time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The one writer of a match's journal; `open_journal` makes it."""

    def __init__(
        self, path: Path, signer: Signer, now: Callable[[], str], lock: IO[bytes]
    ) -> None:
        """`lock` keeps other writers out; it is closed with the journal."""
        self.path = path
        self.moved_aside: Path | None = None
        """Where a damaged journal found at this path was put, for the operator."""
        self._signer = signer
        self._now = now
        self._lock = lock
        self._database = _connect(path)
        self.seq, self.entries, self.head = _last(self._database)

    def append(self, heard: Input) -> int | None:
        """Write one input down; its entry number, or None for a repeated report.

        When this returns the input survives a power cut. Raises Refusal when the
        medium is full, gone or locked: then it is not stored and must not be
        acknowledged.
        """
        body = canonical(encode(heard, Input)).decode()
        if not self._write("input", self.entries + 1, body, _report_key(heard)):
            return None
        self.entries += 1
        return self.entries

    def append_verdict(self, entry: int, digest: str) -> None:
        """Note the digest of what the session told because of an entry."""
        self._write("verdict", entry, canonical({"digest": digest}).decode(), None)

    def checkpoint(self) -> dict[str, Json]:
        """Sign the chain's head and write that down; the checkpoint to hand out."""
        signed: dict[str, Json] = {"seq": self.seq, "head": self.head}
        body: dict[str, Json] = {
            **signed,
            "key": self._signer.public,
            "signature": self._signer.sign(canonical(signed)),
        }
        self._write("checkpoint", self.entries, canonical(body).decode(), None)
        return body

    def inputs(self) -> Iterator[Recorded]:
        """Every input so far, in order."""
        return recorded(rows(self._database))

    def last_verdict(self) -> int:
        """The last entry whose outcome is on record; 0 when there is none."""
        query = "SELECT coalesce(max(entry), 0) FROM rows WHERE kind = 'verdict'"
        (entry,) = self._database.execute(query).fetchone()
        return int(entry)

    def close(self) -> None:
        """Sign the head, close the file and let others write; safe to call twice."""
        if self._lock.closed:
            return
        with suppress(Refusal):
            self.checkpoint()
        self._database.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, kind: str, entry: int, body: str, report: str | None) -> bool:
        row = link(self.seq + 1, kind, entry, self._now(), body, self.head)
        values = (row.seq, kind, entry, row.utc, body, row.previous, row.hash, report)
        try:
            with self._database:
                done = self._database.execute(INSERT, values)
        except sqlite3.Error as error:
            raise Refusal(_cannot_write(self.path, error)) from error
        if done.rowcount == 0:
            return False
        self.seq, self.head = row.seq, row.hash
        return True


def open_journal(
    path: Path, key_path: Path, now: Callable[[], str] = utc_now
) -> Journal:
    """Open a match's journal for writing, or begin one.

    A damaged file is moved aside, never written to or deleted, and a new journal
    begins; `moved_aside` then says where the old one is, and it is logged. Raises
    Refusal when another process writes it, a newer version wrote it, or it is
    another program's file.
    """
    signer = Signer.load(key_path)
    lock = _lock(path)
    try:
        aside = None
        if path.exists() and (broken := damage(path)):
            aside = _move_aside(path, now())
            log.error(
                "journal %s is damaged (%s), moved to %s", path, broken.why, aside
            )
        journal = Journal(path, signer, now, lock)
    except BaseException:
        lock.close()
        raise
    journal.moved_aside = aside
    return journal


CREATE = """
CREATE TABLE rows (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('input', 'verdict', 'checkpoint')),
    entry INTEGER NOT NULL,
    utc TEXT NOT NULL,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    report TEXT UNIQUE
);
CREATE TRIGGER no_update BEFORE UPDATE ON rows
BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON rows
BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
"""
INSERT = "INSERT INTO rows VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (report) DO NOTHING"


def _report_key(heard: Input) -> str | None:
    match heard:
        case PocketReport(device=device, boot=boot, sequence=sequence):
            return f"{device}/{boot}/{sequence}"
        case _:
            return None


def _lock(path: Path) -> IO[bytes]:
    if os.path.isdir(path):
        raise Refusal(f"journal {path} is a folder: name a file in it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = path.with_name(path.name + ".lock").open("wb")
    except OSError as error:
        raise Refusal(
            f"journal {path} cannot be written ({error.strerror}): "
            "choose a folder this user may write to"
        ) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise Refusal(
            f"journal {path} is being written by another carrom: "
            "stop that one or name another journal"
        ) from None
    return held


def _connect(path: Path) -> sqlite3.Connection:
    try:
        database = sqlite3.connect(path, timeout=BUSY_S)
    except sqlite3.Error as error:
        raise Refusal(_cannot_write(path, error)) from error
    try:
        _prepare(database, path)
    except sqlite3.Error as error:
        database.close()
        raise Refusal(_cannot_write(path, error)) from error
    except Refusal:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    (schema,) = database.execute("PRAGMA user_version").fetchone()
    if schema > SCHEMA:
        raise Refusal(
            f"journal {path} was written by a newer carrom (schema {schema}, "
            f"this one knows {SCHEMA}): update this one"
        )
    if schema == 0:
        with database:
            database.executescript(f"BEGIN; {CREATE} PRAGMA user_version={SCHEMA};")


def _last(database: sqlite3.Connection) -> tuple[int, int, str]:
    """The last row's number, the number of inputs, and the chain's head."""
    query = "SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1"
    seq, head = database.execute(query).fetchone() or (0, GENESIS)
    query = "SELECT count(*) FROM rows WHERE kind = 'input'"
    (entries,) = database.execute(query).fetchone()
    return seq, entries, head


def _move_aside(path: Path, utc: str) -> Path:
    """Rename a damaged journal with its side files; none of them is lost."""
    stamp = "".join(c for c in utc if c.isdigit())[:17]
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    for side in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + side).rename(aside.with_name(aside.name + side))
    return aside


def _cannot_write(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        remedy = "free space on that disk; nothing is counted until it can be written"
    elif "locked" in text:
        remedy = "another program holds it: close that program"
    elif "readonly" in text or "unable to open" in text:
        remedy = "choose a folder this user may write to"
    else:
        remedy = "check the disk and run carrom replay --verify on it"
    return f"journal {path} cannot be written ({text}): {remedy}"
