"""`carrom demo`: the whole product on a simulated table, no hardware needed."""

from pathlib import Path
from typing import Annotated

from typer import Option

from calibration.refusal import Refusal


def demo(
    boards: Annotated[
        int | None, Option(min=1, help="End after so many boards; else play on.")
    ] = None,
    players: Annotated[
        int, Option(min=2, max=4, help="Three or four play for points.")
    ] = 2,
    rules: Annotated[
        str | None,
        Option(help="What is played: icf by two; basic, point, family, freestyle."),
    ] = None,
    seed: Annotated[int, Option(help="The same seed plays the same match.")] = 1,
    speed: Annotated[
        float,
        Option(min=0, help="How quick the players' hands are; headless: 0 = unpaced."),
    ] = 1.0,
    headless: Annotated[
        bool, Option("--headless", help="No pages, no waiting: compare with the truth.")
    ] = False,
    json: Annotated[
        bool, Option("--json", help="Headless: one line of JSON for machines.")
    ] = False,
    record: Annotated[
        Path | None,
        Option(help="Write what the camera saw (MP4) and the truth beside it."),
    ] = None,
    folder: Annotated[
        Path | None,
        Option("--dir", help="Keep the match here; else in a temporary folder."),
    ] = None,
    port: Annotated[
        int, Option(min=1, max=65000, help="First port to try for the pages.")
    ] = 8000,
    uncalibrated: Annotated[
        bool,
        Option(
            "--uncalibrated",
            help="Begin with an empty table that its calibration page has to calibrate.",
        ),
    ] = False,
    charuco: Annotated[
        bool,
        Option(
            "--charuco",
            help="As --uncalibrated; first a ChArUco board is held up, to measure the lens.",
        ),
    ] = False,
    browser: Annotated[
        bool, Option("--browser/--no-browser", help="Open the pages.")
    ] = True,
) -> None:
    """Show a running match: simulated table, real controller, scoreboard, console."""
    from controller.simulator.games import match_of

    _fit_together(
        {"--record": record is not None, "--headless": headless},
        {
            "--json": (json, ("--headless",)),
            "--dir": (folder is not None, ("", "--headless")),
            "--uncalibrated": (uncalibrated, ("",)),
            "--charuco": (charuco, ("",)),
        },
    )
    match = match_of(players, rules)
    if record is not None:
        from controller.simulator.film import film

        film(record, seed=seed, boards=boards or 1, speed=speed, match=match)
    elif headless:
        from controller.simulator.headless import Wanted, run

        run(Wanted(boards or 1, seed, speed, match, folder), json=json)
    else:
        from controller.simulator.evening import Wishes, evening

        evening(
            Wishes(
                boards=boards,
                match=match,
                seed=seed,
                speed=speed or 1.0,
                folder=folder,
                port=port,
                browser=browser,
                calibrated=not (uncalibrated or charuco),
                board_held=charuco,
            )
        )


def _fit_together(
    ways: dict[str, bool], options: dict[str, tuple[bool, tuple[str, ...]]]
) -> None:
    """Refuse an option that the chosen way of showing would ignore ("": the pages)."""
    chosen = [way for way, given in ways.items() if given]
    if len(chosen) > 1:
        raise Refusal(f"{' and '.join(chosen)} do not go together: give one of them")
    way = chosen[0] if chosen else ""
    for option, (given, fitting) in options.items():
        if given and way not in fitting:
            why = f"with {way}: leave it out" if way else f"alone: add {fitting[0]}"
            raise Refusal(f"{option} does nothing {why}")
