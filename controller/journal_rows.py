"""The journal's rows: how they are chained, read and checked.

Reading needs no key and changes nothing: a journal can be checked on any machine.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from calibration.refusal import Refusal
from controller.events import Input
from controller.records import Json, Unreadable, canonical, decode, parse

SCHEMA = 1
GENESIS = "0" * 64
"""What stands as the previous hash in the first row."""
ROW_TYPES = (int, str, int, str, str, str, str)
"""SQLite keeps any type in any column: a flipped byte can turn text into a number."""
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Python 3.11 fails to decode SQLite's message about text that is no UTF-8."""
NOT_TO_BE_SEEN = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
)
"""SQLite's reasons for not looking that say nothing about the file."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row as stored; `entry` numbers inputs and says which one a verdict answers.

    `utc` is the wall time of writing (ISO 8601), for people only.
    """

    seq: int
    kind: str
    entry: int
    utc: str
    body: str
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """One input and when it was written down."""

    entry: int
    utc: str
    input: Input


@dataclass(frozen=True, slots=True)
class Broken:
    """Where a chain fails: the first bad row and what is wrong with it."""

    seq: int
    why: str


def read_rows(path: Path) -> list[Row]:
    """Every row of a journal, for reading only; raises Refusal when there is none."""
    if not os.path.isfile(path):
        raise Refusal(f"no journal at {path}: give the file a match was recorded in")
    try:
        with closing(_reading(path)) as database:
            return list(rows(database))
    except UNREADABLE as error:
        raise Refusal(
            f"journal {path} cannot be read ({error}): "
            "give the file a match was recorded in, or a copy of it"
        ) from error


def rows(database: sqlite3.Connection) -> Iterator[Row]:
    """Every row in order; raises sqlite3.DatabaseError where one is no row of ours."""
    query = "SELECT seq, kind, entry, utc, body, previous, hash FROM rows ORDER BY seq"
    for number, values in enumerate(database.execute(query), 1):
        if tuple(type(value) for value in values) != ROW_TYPES:
            raise sqlite3.DatabaseError(f"row {number} holds values of another kind")
        yield Row(*values)


def recorded(stored: Iterable[Row]) -> Iterator[Recorded]:
    """The inputs among rows, decoded; raises Refusal at one that does not decode."""
    for row in stored:
        if row.kind != "input":
            continue
        try:
            heard = decode(parse(row.body.encode()), Input)
        except Unreadable as error:
            raise Refusal(f"journal row {row.seq} cannot be read: {error}") from error
        yield Recorded(row.entry, row.utc, heard)  # type: ignore[arg-type]


def link(seq: int, kind: str, entry: int, utc: str, body: str, previous: str) -> Row:
    """The row that continues a chain, with its hash."""
    content: dict[str, Json] = {
        "seq": seq,
        "kind": kind,
        "entry": entry,
        "utc": utc,
        "body": body,
        "previous": previous,
    }
    digest = hashlib.sha256(canonical(content)).hexdigest()
    return Row(seq, kind, entry, utc, body, previous, digest)


def first_broken(stored: list[Row]) -> Broken | None:
    """The first row that does not continue the chain, or None when all do."""
    head, seq, entry = GENESIS, 0, 0
    for row in stored:
        if row.seq != seq + 1:
            return Broken(seq + 1, f"row {seq + 1} is missing")
        if row.previous != head:
            return Broken(row.seq, "does not follow the row before it")
        if link(*_content(row)).hash != row.hash:
            return Broken(row.seq, "was changed after it was written")
        if row.kind == "input" and row.entry != entry + 1:
            return Broken(row.seq, f"entry {entry + 1} is missing")
        entry += row.kind == "input"
        head, seq = row.hash, row.seq
    return None


def damage(path: Path) -> Broken | None:
    """What is wrong with an existing journal, if anything.

    Raises Refusal for a file that cannot be looked at (locked, not ours to read) and
    for another program's database: neither is damage, and neither may be moved.
    """
    try:
        with closing(_reading(path)) as database:
            (schema,) = database.execute("PRAGMA user_version").fetchone()
            (check,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if check != "ok":
                return Broken(0, check)
            _refuse_foreign(path, database, schema)
            return first_broken(list(rows(database))) if schema == SCHEMA else None
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in NOT_TO_BE_SEEN:
            raise Refusal(
                f"journal {path} cannot be read ({error}): close the program that "
                "holds it, and let this user read it"
            ) from error
        return None if path.stat().st_size == 0 else Broken(0, str(error))
    except UNREADABLE as error:
        return Broken(0, str(error))


def _refuse_foreign(path: Path, database: sqlite3.Connection, schema: int) -> None:
    """Raise Refusal when a sound database holds no journal of any version."""
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if names and (schema <= 0 or "rows" not in names):
        raise Refusal(
            f"journal {path} is another program's database: name another file"
        )


def _content(row: Row) -> tuple[int, str, int, str, str, str]:
    return row.seq, row.kind, row.entry, row.utc, row.body, row.previous


def _reading(path: Path) -> sqlite3.Connection:
    """For reading; without a write-ahead file also from a read-only medium."""
    wal = path.with_name(path.name + "-wal")
    how = "mode=ro" if wal.exists() else "mode=ro&immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
