"""Which tracks' ends and pocket reports are one fall.

A track that ended in a pocket and a pulse of that pocket at about the same time are
one `Fall`; so are a pulse and a piece lost from sight just then, under the flicking
hand or on its way: the report and the absence explain each other. What has no
partner stands alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calibration.table import Piece, Pocket
from controller.events import PocketReport
from controller.trust import Trust
from vision.sightings import TrackEnd, Vanished


@dataclass(frozen=True, slots=True)
class Fall:
    """One fall as its sources tell it; at least one of the two is there.

    With a pulse, the track may be one that was lost or ended under a hand.
    """

    track: Vanished | None
    pulse: PocketReport | None

    @property
    def seen(self) -> bool:
        """Whether the camera saw it go into the pocket."""
        return self.track is not None and self.track.end is TrackEnd.POCKET

    @property
    def pocket(self) -> Pocket | None:
        """Where it fell."""
        if self.pulse is not None:
            return self.pulse.pocket
        return None if self.track is None else self.track.pocket

    @property
    def at_s(self) -> float:
        """When it fell: the sensor knows best."""
        if self.pulse is not None:
            return self.pulse.at_s
        return 0.0 if self.track is None else self.track.at_s


def link(
    tracks: Iterable[Vanished],
    pulses: Iterable[PocketReport],
    trust: Trust,
    lost: Iterable[Vanished] = (),
) -> tuple[Fall, ...]:
    """Pair tracks' ends with pulses of the same pocket, the closest in time first.

    Pulses that are left over are paired with tracks `lost` from sight about then.
    """
    ended = sorted(tracks, key=_order)
    waiting = sorted(pulses, key=lambda p: (p.at_s, p.device, p.boot, p.sequence))
    falls, alone = _paired(ended, waiting, trust, hidden=False)
    strayed = sorted(lost, key=_order)
    more, alone = _paired(strayed, alone, trust, hidden=True)
    falls += [
        Fall(track, None) for track in ended if all(f.track is not track for f in falls)
    ]
    falls += more
    falls += [Fall(None, pulse) for pulse in alone]
    return tuple(sorted(falls, key=lambda fall: fall.at_s))


def _paired(
    ended: Sequence[Vanished],
    waiting: Sequence[PocketReport],
    trust: Trust,
    *,
    hidden: bool,
) -> tuple[list[Fall], list[PocketReport]]:
    """Tracks and pulses that are one fall, and the pulses left over."""
    pairs = sorted(
        (abs(track.at_s - pulse.at_s), i, j)
        for i, track in enumerate(ended)
        for j, pulse in enumerate(waiting)
        if (hidden or track.pocket is pulse.pocket)
        and abs(track.at_s - pulse.at_s) <= trust.pulse_match_s + pulse.error_s
    )
    partner: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in partner and j not in partner.values():
            partner[i] = j
    taken = set(partner.values())
    falls = [Fall(ended[i], waiting[j]) for i, j in sorted(partner.items())]
    return falls, [p for j, p in enumerate(waiting) if j not in taken]


def lost_from_sight(tracks: Iterable[Vanished]) -> tuple[Vanished, ...]:
    """Tracks that ended unseen: under a hand, or somewhere on their way."""
    return tuple(t for t in tracks if t.end in (TrackEnd.HAND, TrackEnd.LOST))


def taken(
    tracks: Iterable[Vanished], falls: Iterable[Fall] = ()
) -> tuple[Vanished, ...]:
    """Tracks that ended off the table or in a hand, but for the striker in a hand.

    One that is part of a fall is weighed there.
    """
    explained = [fall.track for fall in falls]
    return tuple(
        track
        for track in tracks
        if not any(track is other for other in explained)
        and (
            track.end is TrackEnd.OFF_TABLE
            or (track.end is TrackEnd.HAND and track.piece is not Piece.STRIKER)
        )
    )


def _order(track: Vanished) -> tuple[float, str, str]:
    return track.at_s, track.piece.value, str(track.pocket)
