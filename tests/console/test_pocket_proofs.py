"""What coins prove about the pockets, and when a proof no longer holds."""

import pytest

from calibration.plane import PlaneMapping
from calibration.profile import Profile
from calibration.refusal import Refusal
from calibration.table import Pocket, Table
from controller.events import Looks, PocketReport
from controller.pocket_proofs import PocketProofs, south_of

TABLE, SIZE_PX = Table(), (1280, 720)
CHANNELS = tuple(Pocket)
NUMBERS = {pocket: number for number, pocket in enumerate(CHANNELS, start=1)}
SEEN = ((400.0, 100.0), (900.0, 110.0), (880.0, 620.0), (390.0, 600.0))
"""The surface's corners in the picture: top left, top right, bottom right, bottom left."""


def fell(pocket: Pocket) -> PocketReport:
    return PocketReport("node", 1, 1, pocket, 0, 0.0, 0.001, 20_000, Looks.ONE_COIN)


def kept(pockets: dict[Pocket, int] | None, *, turned: int = 0) -> Profile:
    """A profile whose north-west corner is the picture's `turned`-th, clockwise."""
    corners = SEEN[turned:] + SEEN[:turned]
    return Profile(
        camera="rendered",
        made_utc="2026-01-01T00:00:00+00:00",
        table=TABLE,
        mapping=PlaneMapping.from_corners(corners, SIZE_PX, TABLE),
        residual_mm=0.1,
        pockets=pockets,
    )


def prove(proofs: PocketProofs) -> None:
    for pocket in Pocket:
        proofs.expect(pocket)
        proofs.feel(fell(pocket))


def test_four_coins_prove_the_assignment_three_do_not() -> None:
    proofs = PocketProofs(CHANNELS)
    prove(proofs)
    assert proofs.whole == NUMBERS
    proofs.expect(Pocket.SOUTH_WEST)
    proofs.feel(fell(Pocket.NORTH_WEST))
    assert proofs.whole is None
    assert "which is set to north-west" in str(proofs.shown()["note"])


def test_a_coin_nobody_expected_proves_nothing() -> None:
    proofs = PocketProofs(CHANNELS)
    proofs.feel(fell(Pocket.NORTH_EAST))
    assert proofs.shown()["proved"] == {}


def test_moving_south_by_a_quarter_voids_what_was_proved() -> None:
    proofs = PocketProofs(CHANNELS)
    prove(proofs)
    proofs.seat("bottom")
    assert proofs.whole == NUMBERS
    proofs.seat("right")
    assert proofs.whole is None
    assert "prove them again" in str(proofs.shown()["note"])


@pytest.mark.parametrize(
    ("turned", "south"), [(0, "bottom"), (1, "left"), (2, "top"), (3, "right")]
)
def test_proofs_of_the_profile_in_use_go_on_for_the_side_it_has_south_at(
    turned: int, south: str
) -> None:
    profile = kept(NUMBERS, turned=turned)
    assert south_of(profile.mapping) == south
    proofs = PocketProofs(CHANNELS, profile)
    proofs.seat(south)
    assert proofs.whole == NUMBERS


def test_proofs_of_other_channels_or_of_no_node_do_not_go_on() -> None:
    rewired = (*CHANNELS[1:], CHANNELS[0])
    assert PocketProofs(rewired, kept(NUMBERS)).whole is None
    without = PocketProofs(None, kept(NUMBERS))
    assert without.shown()["proved"] == {}
    with pytest.raises(Refusal, match="there is no pocket node"):
        without.expect(Pocket.NORTH_EAST)
