"""What the world is told of this table: stamped, numbered, handed to delivery."""

import logging
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from calibration.table import Point
from controller.app_keeper import Event, Keeper
from controller.app_start import SOFTWARE, VERSION
from controller.events import Input, PocketReport
from controller.feed.delivery import Delivery
from controller.feed.models import Moving, Payload, RawPocket, RawTrack
from controller.feed.models_match import MatchState
from controller.feed.models_table import Health, Info, Status
from controller.feed.publications import (
    Publication,
    Stamp,
    drawing,
    last_will,
    publication,
)
from controller.machine import WallClock
from controller.outcomes import Asked, Called, Told
from controller.telling import alert_of, called_alert, proposal_of, state_of
from vision.reports import Positions

log = logging.getLogger(__name__)

MOVED_MM = 1.0
"""Live pictures are sent while a piece has moved at least so far."""


class Feed:
    """Turns the match and its health into publications for one broker.

    `cursor` is the file that remembers the last event of this match a broker has
    acknowledged; should it lag, events are told again, which readers know by number.
    """

    def __init__(self, keeper: Keeper, cursor: Path, *, raw: bool) -> None:
        self.boot = uuid4().hex[:12]
        self._keeper = keeper
        self._table = keeper.session.configured.table
        self._cursor_path = cursor
        self._cursor = _kept_cursor(cursor, keeper.match_id)
        self._raw = raw
        self._clock = WallClock()
        self._delivery: Delivery | None = None
        self._state: MatchState | None = None
        self._status: Status | None = None
        self._places: dict[int, Point] = {}
        self._firmware: dict[str, str] = {}

    def deliver_to(self, broker_url: str) -> Delivery:
        """Begin with a broker; all that is retained is told anew."""
        delivery = Delivery(
            broker_url,
            will=last_will(self._stamp()),
            events_after=self.events_after,
            client_id=f"controller-{self._table}-{self.boot}",
            cursor=self._cursor,
        )
        self._delivery = delivery
        self._state = self._status = None
        self._publish(self._info())
        self.tell_state()
        return delivery

    def tell(self, heard: Input, told: tuple[Told, ...]) -> None:
        """An input was taken into the record, and this is what it led to."""
        if isinstance(heard, PocketReport) and self._raw:
            self._publish(_raw_pocket(heard))
        for each in told:
            if isinstance(each.what, Asked):
                self._publish(proposal_of(each.what.question))
            if isinstance(each.what, Called):
                laws = self._keeper.session.configured.laws
                self._publish(called_alert(each.what, laws))
            elif (alert := alert_of(each.what)) is not None:
                self._publish(alert)
        if told and self._delivery is not None:
            newest = self._keeper.events[-1]
            self._delivery.publish([self._numbered(newest)])
        self.tell_state()

    def tell_state(self) -> None:
        """The snapshot, when it is another than the one told last."""
        session = self._keeper.session
        state = state_of(session)
        if state != self._state:
            self._state = state
            self._publish(state, rev=session.rev)

    def tell_firmware(self, device: str, build: str) -> None:
        """A pocket node said what runs on it."""
        if self._firmware.get(device) != build:
            self._firmware[device] = build
            self._publish(self._info())

    def tell_positions(self, positions: Positions) -> None:
        """Where pieces are, while any of them moves."""
        places = {track.id: track.at for track in positions.tracks}
        if not self._raw or not _moved(self._places, places):
            return
        self._places = places
        moving = tuple(
            Moving(
                id=track.id,
                piece=track.piece,
                x_mm=round(track.at.x_mm, 1),
                y_mm=round(track.at.y_mm, 1),
            )
            for track in positions.tracks
        )
        self._publish(RawTrack(at_s=positions.at_s, pieces=moving))

    def tell_health(self, health: Health, status: Status) -> None:
        """The heartbeat; the status when it has changed."""
        self._publish(health)
        self.tell_status(status)
        self._keep_cursor()

    def tell_status(self, status: Status) -> None:
        """Starting, ready, degraded or stopping, when it is news."""
        if status != self._status:
            self._status = status
            self._publish(status)

    def events_after(self, seq: int) -> list[Publication]:
        """The next events of the record as publications, for delivery's cursor."""
        return [self._numbered(event) for event in self._keeper.events_after(seq)]

    def _numbered(self, event: Event) -> Publication:
        stamp = self._stamp(event.at_s, event.utc)
        return publication(stamp, event.event, seq=event.seq, cause=str(event.entry))

    def _info(self) -> Info:
        configured = self._keeper.session.configured
        return Info(
            software=SOFTWARE,
            version=VERSION,
            rule_set=configured.laws.name,
            capabilities=("raw",) if self._raw else (),
            firmware=dict(self._firmware),
            drawing=drawing(configured.geometry),
        )

    def _publish(self, payload: Payload, *, rev: int | None = None) -> None:
        if self._delivery is not None:
            self._delivery.publish([publication(self._stamp(), payload, rev=rev)])

    def _stamp(self, at_s: float | None = None, utc: datetime | None = None) -> Stamp:
        return Stamp(
            table=self._table,
            boot=self.boot,
            match=self._keeper.match_id,
            at_s=time.monotonic() if at_s is None else at_s,
            utc=datetime.now(UTC) if utc is None else utc,
            clock=self._clock.quality,
        )

    def _keep_cursor(self) -> None:
        if self._delivery is None:
            return
        cursor = self._delivery.health.last_seq
        if cursor != self._cursor:
            self._cursor = cursor
            try:
                self._cursor_path.write_text(f"{self._keeper.match_id} {cursor}")
            except OSError as error:
                log.debug("cursor not kept: %s", error)


def _raw_pocket(report: PocketReport) -> RawPocket:
    return RawPocket(
        device=report.device,
        device_boot=report.boot,
        device_sequence=report.sequence,
        pocket=report.pocket,
        at_s=report.at_s,
        width_us=report.width_us,
        looks=report.looks,
    )


def _moved(before: dict[int, Point], now: dict[int, Point]) -> bool:
    if before.keys() != now.keys():
        return True
    return any(at.distance_mm(before[track]) > MOVED_MM for track, at in now.items())


def _kept_cursor(path: Path, match_id: str) -> int:
    try:
        match, seq = path.read_text().split()
        return int(seq) if match == match_id else 0
    except (OSError, ValueError):
        return 0
