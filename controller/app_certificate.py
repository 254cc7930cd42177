"""The calibration page's certificate: made from the profile in use, kept, recorded.

What a recording of play told an earlier certificate of the same calibration
(`carrom certify --recording`) still holds and is carried over.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from calibration.profile import checksum_of, load
from calibration.refusal import Refusal
from controller.certificate import Finding, Item, certify
from controller.certificate_file import Certificate, kept, standing, write
from controller.certificate_page import heading, page
from controller.events import Certified


class CertificateBench:
    """One table's certificate as the page makes and shows it."""

    def __init__(
        self,
        profile: Path,
        size_px: tuple[int, int],
        record: Callable[[Certified], str],
    ) -> None:
        """`record` takes the event; it answers why it waits, or nothing."""
        self._profile = profile
        self._size_px = size_px
        self._record = record

    def make(self, by: str) -> str:
        """Certify the table as it is calibrated now; what was found, in a sentence.

        Raises Refusal without a profile, or when the file cannot be written.
        """
        profile = load(self._profile, size_px=self._size_px)
        calibration = checksum_of(self._profile)
        items: Sequence[Item] = certify(profile, None)
        former = kept(self._profile, calibration)
        play = "" if former is None else former.play
        if former is not None:
            items = _carried(items, former.items)
        made = Certificate.of(items, calibration, by, play)
        write(made, self._profile)
        stands = standing(self._profile, calibration, monotonic())
        waits = "" if stands is None else self._record(stands)
        said = f"Certified: {made.summary}."
        return said if not waits else f"{said} Not on record yet: {waits}"

    def page(self) -> str:
        """The page to print; raises Refusal when none stands for this calibration."""
        made = self._standing()
        if made is None:
            raise Refusal(
                "there is no certificate for this calibration: make it on the "
                "calibration page"
            )
        profile = load(self._profile, size_px=self._size_px)
        return page(made.items, heading(made, profile))

    def shown(self) -> dict[str, object]:
        """Whether one stands, who made it, and what it says in a sentence."""
        try:
            made = self._standing()
        except Refusal as refusal:
            return {"exists": False, "fault": str(refusal)}
        if made is None:
            return {"exists": False, "fault": ""}
        return {
            "exists": True,
            "fault": "",
            "made_utc": made.made_utc,
            "by": made.by,
            "summary": made.summary,
        }

    def _standing(self) -> Certificate | None:
        if not self._profile.exists():
            return None
        return kept(self._profile, checksum_of(self._profile))


def _carried(items: Sequence[Item], former: Sequence[Item]) -> tuple[Item, ...]:
    """Items, those that are not measured now as they were measured before."""
    before = {item.name: item for item in former}
    return tuple(
        before[item.name]
        if item.finding is Finding.UNKNOWN and item.name in before
        else item
        for item in items
    )
