"""`carrom sheet FILE`: the score card of a match, from its journal or its text."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal


def sheet(
    match: Annotated[
        Path,
        typer.Argument(help="A match's journal, or its text (docs/notation.md)."),
    ],
    html: Annotated[
        Path | None, typer.Option(help="Write the card as a web page.")
    ] = None,
    pdf: Annotated[
        Path | None, typer.Option(help="Write the card as PDF (needs chromium).")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
    championship: Annotated[str, typer.Option(help="For the card's head.")] = "",
    match_no: Annotated[str, typer.Option(help="For the card's head.")] = "",
    umpire: Annotated[str, typer.Option(help="For the card's head.")] = "",
    toss_won_by: Annotated[str, typer.Option(help="For the card's head.")] = "",
    toss_choice: Annotated[str, typer.Option(help="What the winner chose.")] = "",
    remarks: Annotated[str, typer.Option(help="The umpire's remarks.")] = "",
) -> None:
    """Fill in the official score card of a match; empty fields stay open.

    A journal also gives date, times and who corrected what; a text has none of them.
    """
    from controller.scoresheet.card import Head
    from controller.scoresheet.cards import card_of_match
    from controller.scoresheet.page import page
    from controller.scoresheet.printing import print_page

    if not (html or pdf or as_json):
        raise Refusal("nothing to write: name --html FILE, --pdf FILE or --json")
    head = Head(
        championship=championship,
        match_no=match_no,
        umpire=umpire,
        toss_won_by=toss_won_by,
        toss_choice=toss_choice,
        remarks=remarks,
    )
    card = card_of_match(match, head)
    if as_json:
        print(json.dumps(asdict(card)))
    if html is not None:
        _write(html, page(card))
    if pdf is not None:
        print_page(page(card), pdf)


def _write(html: Path, text: str) -> None:
    try:
        html.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot write {html}: {error.strerror}") from error
