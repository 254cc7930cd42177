"""The coin-drop test and the tuning of thresholds, as pure functions of reports."""

import io
from dataclasses import fields

import pytest
from rich.console import Console

from calibration.table import Pocket
from controller.events import Looks, PocketHealth, PocketReport
from controller.pockets.dropping import DropTest
from controller.pockets.heard import LinkHealth
from controller.pockets.messages import SettingsNow
from controller.pockets.telling import screen
from controller.pockets.tuning import LEAST_GAP, Dips, advise, histogram
from controller.pockets.watching import Watching

NE, SE, SW, NW = Pocket
NOW = SettingsNow(2, 200, 60, 3000, 12_000, 9_500)


def fell(pocket: Pocket, at_s: float) -> PocketReport:
    return PocketReport(
        "a", 1, round(at_s), pocket, 0, at_s, 0.0, 22_000, Looks.ONE_COIN, 640, 310, 40
    )


def test_a_coin_in_each_pocket_tells_which_channel_watches_it() -> None:
    test = DropTest((NE, SE, SW, NW))

    for at_s, channel in enumerate((SE, NE, NW, SW)):
        test.hear(fell(channel, 2.0 * at_s))

    assert test.asked is None
    assert test.learnt == (SE, NE, NW, SW)


def test_what_is_wired_wrongly_now_is_undone_first() -> None:
    test = DropTest((SW, NW, NE, SE))

    test.hear(fell(SW, 1.0))

    assert (test.drops[0].pocket, test.drops[0].channel) == (NE, 0)


def test_N2_a_coin_that_two_channels_see_is_dropped_again() -> None:
    test = DropTest((NE, SE, SW, NW))
    test.hear(fell(NE, 1.0))

    said = test.hear(fell(SE, 1.05))

    assert "both saw that coin" in said
    assert test.asked is NE


def test_N7_a_bounce_is_no_second_pocket() -> None:
    test = DropTest((NE, SE, SW, NW))
    test.hear(fell(NE, 1.0))

    assert test.hear(fell(NE, 1.2)) == "the same coin bounced"
    assert test.asked is SE


def test_a_coin_in_a_pocket_that_is_known_is_asked_about() -> None:
    test = DropTest((NE, SE, SW, NW))
    test.hear(fell(NE, 1.0))

    assert "was that coin for south-east" in test.hear(fell(NE, 5.0))
    assert test.asked is SE


def test_the_threshold_lies_half_way_between_noise_and_the_shallowest_coin() -> None:
    advice = advise(Dips(noise=[3, 40, 12], coins=[600, 440, 520]), NOW)

    assert advice.change is not None
    assert (advice.change.threshold, advice.change.hysteresis) == (240, 100)
    assert (advice.change.pocket, advice.change.rearm_us) == (2, 12_000)


@pytest.mark.parametrize(
    ("noise", "coins", "why"),
    [
        pytest.param([300], [340, 350, 360], "too close", id="N2 light goes round"),
        pytest.param([10], [400, 500], "drop more", id="too few coins"),
        pytest.param([100], [99 + LEAST_GAP] * 3, "too close", id="just too close"),
    ],
)
def test_no_threshold_is_advised_where_none_is_safe(
    noise: list[int], coins: list[int], why: str
) -> None:
    advice = advise(Dips(noise, coins), NOW)

    assert advice.change is None
    assert why in advice.why


def test_the_histogram_shows_noise_coins_and_the_threshold_between() -> None:
    rows = histogram(Dips(noise=[3, 5, 33], coins=[130, 131, 100]), 70)

    assert rows == [
        "   0-31     ..",
        "  32-63     .",
        "  64-95   >",
        "  96-127    #",
        " 128-159    ##",
    ]


@pytest.mark.parametrize("columns", [25, 60, 79, 80])
def test_no_terminal_is_too_narrow_to_say_that_a_pocket_is_dead(columns: int) -> None:
    watching = Watching(tuple(Pocket))
    watching.channels[1].health = PocketHealth.DEAD
    console = Console(width=columns, record=True, file=io.StringIO())
    health = LinkHealth(**{field.name: 0 for field in fields(LinkHealth)})

    console.print(screen(watching, health, columns))

    assert "dead" in console.export_text()
