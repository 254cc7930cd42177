"""Checks a journal from outside: chain, signatures, and every verdict again.

It needs neither the key nor the machine that wrote it. A chain alone does not show
a cut-off tail: for that, compare the last checkpoint with one that others hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.refusal import Refusal
from controller.journal_rows import Broken, Row, first_broken, recorded
from controller.recording import digest, replayed
from controller.records import Json, Unreadable, canonical, parse
from controller.signing import is_signed


@dataclass(frozen=True, slots=True)
class Audit:
    """What was checked, and the first row that is wrong, if any.

    `head`: the last row's hash. `keys`: the public keys that signed checkpoints.
    """

    rows: int
    entries: int
    verdicts: int
    checkpoints: int
    head: str
    keys: tuple[str, ...]
    broken: Broken | None


def audit(rows: Sequence[Row], key: str | None = None) -> Audit:
    """Check all of a journal; `key` (hex) is who must have signed it, if known."""
    broken = first_broken(list(rows))
    sound = rows if broken is None else rows[: max(broken.seq - 1, 0)]
    checks = (_unsigned(sound, key), _different(sound), broken)
    found = [check for check in checks if check is not None]
    kinds = [row.kind for row in rows]
    return Audit(
        rows=len(rows),
        entries=kinds.count("input"),
        verdicts=kinds.count("verdict"),
        checkpoints=kinds.count("checkpoint"),
        head=rows[-1].hash if rows else "",
        keys=_keys(sound),
        broken=min(found, key=lambda check: check.seq, default=None),
    )


def _unsigned(rows: Sequence[Row], key: str | None) -> Broken | None:
    """The first checkpoint that its key did not sign, or signed for another row."""
    for row in rows:
        if row.kind != "checkpoint":
            continue
        body = _body(row)
        signed: dict[str, Json] = {"seq": row.seq - 1, "head": row.previous}
        signature, public = str(body.get("signature")), str(body.get("key"))
        if not is_signed(canonical(signed), signature, public):
            return Broken(row.seq, "is a checkpoint whose signature is wrong")
        if key is not None and public != key:
            return Broken(row.seq, f"was signed by another key ({public})")
    return None


def _different(rows: Sequence[Row]) -> Broken | None:
    """The first verdict that does not come out as recorded.

    An entry may lack its verdict (a power cut or a full disk came between).
    """
    verdicts = {row.entry: row for row in rows if row.kind == "verdict"}
    try:
        for one, _, told in replayed(recorded(rows)):
            row = verdicts.get(one.entry)
            if row is not None and _body(row).get("digest") != digest(told):
                return Broken(row.seq, f"entry {one.entry} now comes out otherwise")
    except Refusal as error:
        return Broken(1, str(error))
    return None


def _keys(rows: Sequence[Row]) -> tuple[str, ...]:
    signed = (_body(row).get("key") for row in rows if row.kind == "checkpoint")
    return tuple(dict.fromkeys(str(key) for key in signed))


def _body(row: Row) -> dict[str, Json]:
    try:
        body = parse(row.body.encode())
    except Unreadable:
        return {}
    return body if isinstance(body, dict) else {}
