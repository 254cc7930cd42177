"""The certificate as one page of HTML that needs nothing else: screen and paper."""

from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from calibration.profile import Profile
from controller.certificate import Finding, Item, shortfalls

if TYPE_CHECKING:
    from controller.certificate_file import Certificate

STYLE = """\
@page { size: A4 portrait; margin: 14mm 13mm; }
body { margin: 0 auto; max-width: 184mm; color: #1b1b1b; background: #fff;
  font: 9.5pt/1.35 "Liberation Sans", "DejaVu Sans", Arial, sans-serif;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
h1 { margin: 0 0 3mm; font-size: 17pt; letter-spacing: .04em; text-align: center;
  text-transform: uppercase; border-bottom: 2.2pt double #5a5a5a; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 4mm; margin: 0 0 3mm; }
dt { color: #444; } dd { margin: 0; overflow-wrap: anywhere; }
.sum { margin: 0 0 3mm; padding: 2mm 3mm; font-weight: 600; background: #f1efe9; }
table { width: 100%; border-collapse: collapse; margin-bottom: 3mm; }
caption { text-align: left; font-weight: 700; font-size: 10.5pt; padding: 1mm 0; }
th, td { padding: 1mm 1.6mm; border: .6pt solid #5a5a5a; text-align: left;
  vertical-align: top; }
thead th { background: #f1efe9; font-size: 8.5pt; }
th:nth-child(1) { width: 26%; } th:nth-child(3) { width: 21%; }
th:nth-child(4) { width: 17%; }
tbody th { font-weight: 400; } small { color: #444; display: block; }
.differs { background: #f6d9d4; font-weight: 700; } .unknown { color: #555;
  background: #eee; } .close { background: #f8efcf; }
.signs { display: grid; grid-template-columns: 1fr 1fr; gap: 12mm; margin-top: 12mm;
  text-align: center; font-size: 8.5pt; }
.signs div { border-top: .6pt solid #5a5a5a; padding-top: 1mm; }
@media screen { body { padding: 8mm 4mm; } }
"""
CLASSES = {
    Finding.GOOD: "good",
    Finding.CLOSE: "close",
    Finding.DIFFERS: "differs",
    Finding.UNKNOWN: "unknown",
}


def summary(items: Sequence[Item]) -> str:
    """The whole certificate in one sentence."""
    unknown = sum(item.finding is Finding.UNKNOWN for item in items)
    close = sum(item.finding is Finding.CLOSE for item in items)
    differ = len(shortfalls(items))
    good = len(items) - unknown - close - differ
    return (
        f"{good} of {len(items)} good, {differ} differ, {close} too close to tell, "
        f"{unknown} not measured"
    )


def heading(made: "Certificate", profile: Profile) -> tuple[tuple[str, str], ...]:
    """What stands above a certificate: names and values."""
    return (
        ("Made", f"{made.made_utc} by {made.by or '-'}"),
        ("Camera", f"{profile.camera}, calibrated {profile.made_utc}"),
        ("Calibration", made.calibration),
        ("Play", made.play or "none recorded"),
    )


def page(items: Sequence[Item], head: Sequence[tuple[str, str]]) -> str:
    """The whole page; `head` is what stands above: names and values."""
    fields = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in head
    )
    tables = "".join(
        _table(part, list(group)) for part, group in groupby(items, lambda i: i.part)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>Table certificate</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Table certificate</h1>\n<dl>{fields}</dl>\n"
        f'<p class="sum">{escape(summary(items))}</p>\n{tables}'
        '<div class="signs"><div>Umpire</div><div>Chief referee</div></div>\n'
        "</body>\n</html>\n"
    )


def _table(part: str, items: Sequence[Item]) -> str:
    rows = "".join(_row(item) for item in items)
    return (
        f"<table><caption>{escape(part)}</caption><thead><tr><th>What</th>"
        "<th>Measured</th><th>Should be</th><th>Finding</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>\n"
    )


def _row(item: Item) -> str:
    note = f"<small>{escape(item.note)}</small>" if item.note else ""
    return (
        f'<tr><th scope="row">{escape(item.name)}</th>'
        f"<td>{escape(item.measured)}{note}</td><td>{escape(item.limit)}</td>"
        f'<td class="{CLASSES[item.finding]}">{item.finding}</td></tr>\n'
    )
