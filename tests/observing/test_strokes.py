"""Does the observer say what happened, and does it know when it does not know?"""

import pytest

from calibration.table import Pocket
from controller.events import Counts, Elapsed
from controller.observer_falls import Sources, likelihoods
from controller.observer_link import link
from controller.trust import Trust
from tests.observing.score_sheet import (
    played,
    pulses,
    sheet,
    verdict,
    walk,
    watching,
)

AGREED = """
nothing falls                 | 9w 9b q s |             |            | 9w 9b q s | nothing
one coin                      | 9w 9b q s | w@NE        | NE         | 8w 9b q s | w@NE
one coin of each colour       | 9w 9b q s | w@NE b@SW   | NE SW      | 8w 8b q s | b@SW w@NE
two into one pocket           | 9w 9b q s | w@NE w@NE   | NE NE      | 7w 9b q s | w@NE w@NE
the queen                     | 7w 8b q s | q@SE        | SE         | 7w 8b s   | q@SE
striker alone                 | 7w 8b q s | s@NW        | NW:striker | 7w 8b q   | s@NW
striker with a coin           | 7w 8b q s | b@NW s@NW   | NW NW:striker | 7w 7b q | b@NW s@NW
striker picked up early       | 7w 8b q s |             |            | 7w 8b q   | nothing
a fall under the hand         | 9w 9b q s | b@hand      | NE         | 9w 8b q s | b@NE
lost on its way to a pocket   | 9w 9b q s | w@lost      | NE         | 8w 9b q s | w@NE
striker down under the hand   | 7w 8b q s | s@hand      | NW:striker | 7w 8b q   | s@NW
striker down out of sight     | 7w 8b q s | s@lost      | NW         | 7w 8b q   | s@NW
striker taken up by a hand    | 7w 8b q s | s@hand      |            | 7w 8b q   | nothing
last coin                     | 1w 3b s   | w@SW        | SW         | 3b s      | w@SW
a coin leaves the table       | 7w 8b q s | w@off       |            | 6w 8b q s | jumped w
"""

ONE_SOURCE_SILENT = """
sensor misses a fall          | 9w 9b q s | w@NE        |            | 8w 9b q s | w@NE
camera misses a fall          | 9w 9b q s |             | NE         | 8w 9b q s | w@NE
sensor merges two             | 9w 9b q s | w@NE b@NE   | NE:two-coins | 8w 8b q s | b@NE w@NE
a pulse for nothing           | 9w 9b q s |             | NE         | 9w 9b q s | nothing
a piece too many in the census | 8w 9b q s |            |            | 9w 9b q s | nothing
N13 a track lost at a pocket  | 9w 9b q s | w@NE        |            | 9w 9b q s | nothing
"""

DOUBTFUL = """
only the census lacks one     | 9w 9b q s |             |            | 8w 9b q s | ask unsure
census against both others    | 9w 9b q s | w@NE        | NE         | 9w 9b q s | ask unsure
track of the other colour      | 9w 9b q s | b@NE        | NE         | 8w 9b q s | ask unsure
striker down, yet there       | 7w 8b q s | s@NW        | NW:striker | 7w 8b q s | ask unsure
gone under a hand, unfelt     | 9w 9b q s | b@hand      |            | 9w 8b q s | ask unsure
striker in a hand, a pulse    | 7w 8b q s | s@hand      | NW         | 7w 8b q   | ask unsure
second pulse, striker gone    | 5w 7b q s | w@SE        | SE SE      | 4w 7b q   | ask sources-disagree
"""


def cases(text: str) -> list[object]:
    return [pytest.param(*cells, id=name) for name, *cells in sheet(text)]


def settle(before: str, tracks: str, reports: str, after: str) -> str:
    stroke = played(before, tracks, reports, after)
    book = before.removesuffix("s").strip()
    late = Elapsed(stroke.seen.to_s + 1.0)
    _, found = walk(watching(), [*stroke.evidence, late], book)
    return verdict(found)


@pytest.mark.parametrize(
    ("before", "tracks", "reports", "after", "fell"), cases(AGREED)
)
def test_sources_that_agree_settle_a_stroke(
    before: str, tracks: str, reports: str, after: str, fell: str
) -> None:
    assert settle(before, tracks, reports, after) == fell


@pytest.mark.parametrize(
    ("before", "tracks", "reports", "after", "fell"), cases(ONE_SOURCE_SILENT)
)
def test_two_sources_outweigh_one(
    before: str, tracks: str, reports: str, after: str, fell: str
) -> None:
    assert settle(before, tracks, reports, after) == fell


@pytest.mark.parametrize(
    ("before", "tracks", "reports", "after", "fell"), cases(DOUBTFUL)
)
def test_doubt_is_asked_about(
    before: str, tracks: str, reports: str, after: str, fell: str
) -> None:
    assert settle(before, tracks, reports, after) == fell


def test_many_pulses_while_nobody_watched_are_weighed_within_the_stock() -> None:
    """A blind gap in which pockets kept counting once froze the controller."""
    felt = pulses(" ".join(["NE SE SW NW"] * 10), at_s=10.0)
    sources = Sources(trust=Trust(), eyes=False, fit=frozenset(Pocket))
    book = Counts(9, 9, 1, 1)
    weights = likelihoods(link((), felt, Trust()), (), sources, book, Counts())
    assert all(sum(gone) <= 22 for gone in weights)
