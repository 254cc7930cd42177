"""Nodes that come back, lie about what they keep, or report where nothing is wired.

Messages are written by hand; nothing of a node's program runs.
"""

from collections.abc import Sequence

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, frame, unframe
from controller.pockets.heard import DeviceRefused, Heard, ReportsLost
from controller.pockets.link import PocketLink
from controller.pockets.reasons import REPEATED

NE = Pocket.NORTH_EAST


class Cable:
    """A link with a hand-written node at the other end; a tenth of a second a word."""

    def __init__(self) -> None:
        self.link = PocketLink()
        self.link.opened()
        self.now_s = 10.0
        self.sent: list[wire.Message] = []

    def say(self, message: wire.Message) -> list[Heard]:
        self.now_s += 0.1
        heard = self.link.receive(frame(message.pack()), self.now_s)
        self._read()
        return heard

    def hello(self, device: int = 1, boot: int = 1, pockets: int = 4) -> list[Heard]:
        return self.say(
            wire.Hello(
                protocol=wire.PROTOCOL,
                definition=wire.DEFINITION,
                build=0,
                device=device,
                boot=boot,
                reset_cause=wire.ResetCause.POWER,
                pockets=pockets,
                label=0,
                oldest=0,
                board=wire.Board.HOST,
                keyed=0,
            )
        )

    def synced(self) -> list[Heard]:
        """Answer the last clock query."""
        query = [m for m in self.sent if isinstance(m, wire.ClockQuery)][-1]
        return self.say(wire.ClockReply(query.token, 1_000_000))

    def fell(
        self, sequence: int, boot: int = 1, pocket: int = 0, tick_us: int = 1_000_000
    ) -> list[Heard]:
        return self.say(
            wire.PieceFell(
                boot=boot,
                sequence=sequence,
                pocket=pocket,
                looks=wire.Looks.ONE_COIN,
                tick_us=tick_us,
                width_us=20_000,
                depth=100,
                reflectance=100,
                ambient=10,
            )
        )

    def beat(self, oldest: int) -> list[Heard]:
        clear = wire.Health.CLEAR
        return self.say(
            wire.Heartbeat(
                boot=1,
                oldest=oldest,
                health_0=clear,
                health_1=clear,
                health_2=clear,
                health_3=clear,
                dropped=0,
                resent=0,
                damaged=0,
                overruns=0,
                implausible=0,
            )
        )

    def acks(self) -> list[int]:
        return [m.sequence for m in self.sent if isinstance(m, wire.Ack)]

    def _read(self) -> None:
        data = self.link.to_send(self.now_s)
        for piece in filter(None, data.split(DELIMITER)):
            self.sent.append(wire.unpack(unframe(piece)))


def numbers(heard: Sequence[Heard]) -> list[int]:
    return [one.sequence for one in heard if isinstance(one, PocketReport)]


def lost(heard: Sequence[Heard]) -> list[tuple[int, int]]:
    return [(o.first, o.count) for o in heard if isinstance(o, ReportsLost)]


def up(cable: Cable, pockets: int = 4) -> Cable:
    cable.hello(pockets=pockets)
    cable.synced()
    return cable


def test_a_report_not_written_is_not_acknowledged_when_its_node_comes_back() -> None:
    cable = up(Cable())
    (report,) = (one for one in cable.fell(0) if isinstance(one, PocketReport))
    cable.hello(device=2)
    cable.hello(device=1)
    assert cable.fell(0) == []
    assert cable.acks() == []
    cable.link.acknowledge(report)
    cable.beat(0)
    assert cable.acks() == [0]


def test_a_start_that_comes_back_tells_nothing_twice() -> None:
    cable = up(Cable())
    assert numbers(cable.fell(0)) == [0]
    cable.hello(boot=2)
    cable.synced()
    cable.hello(boot=1)
    cable.synced()
    assert numbers([*cable.fell(0), *cable.fell(1)]) == [1]


def test_a_heartbeat_that_cannot_be_true_loses_no_report() -> None:
    cable = up(Cable())
    assert numbers(cable.fell(0)) == [0]
    assert lost(cable.beat(2**32 - 1)) == []
    assert cable.link.health.damaged == 1
    assert numbers([*cable.fell(1), *cable.fell(2)]) == [1, 2]


def test_reports_that_never_got_a_time_are_told_as_lost_at_a_restart() -> None:
    cable = Cable()
    cable.hello()
    assert numbers([*cable.fell(0), *cable.fell(1)]) == []
    assert lost(cable.hello(boot=2)) == [(0, 2)]


def test_a_report_of_a_channel_without_a_pocket_is_lost_and_stops_no_other() -> None:
    cable = up(Cable(), pockets=2)
    assert lost(cable.fell(0, pocket=3)) == [(0, 1)]
    assert numbers([*cable.fell(1), *cable.fell(2, pocket=1)]) == [1, 2]


def test_the_report_that_is_due_is_taken_however_many_wait_for_it() -> None:
    cable = up(Cable())
    for sequence in range(1, 80):
        cable.fell(sequence)
    assert numbers(cable.fell(0))[:3] == [0, 1, 2]


def refusals(heard: Sequence[Heard]) -> list[str]:
    return [one.reason for one in heard if isinstance(one, DeviceRefused)]


def test_a_new_fall_under_an_old_number_is_not_acknowledged_but_refused_aloud() -> None:
    """A node whose EEPROM keeps nothing says the same start twice."""
    cable = up(Cable())
    (report,) = (one for one in cable.fell(0) if isinstance(one, PocketReport))
    cable.link.acknowledge(report)
    cable.beat(1)
    cable.hello()
    told = [*cable.fell(0, tick_us=2_000_000), *cable.fell(0, tick_us=2_000_000)]
    assert refusals(told) == [REPEATED]
    assert cable.acks() == [0]
    assert not cable.link.health.up


def test_a_new_fall_under_a_number_in_the_journal_is_refused_aloud() -> None:
    cable = Cable()
    for sequence in range(3):
        cable.link.resume(f"{1:016x}", 1, sequence, 500_000 + sequence)
    up(cable)
    told = [*cable.fell(0, tick_us=2_000_000), *cable.fell(0, tick_us=2_000_000)]
    assert (refusals(told), cable.acks()) == ([REPEATED], [])


def test_a_report_sent_again_after_a_kill_is_known_by_its_tick() -> None:
    cable = Cable()
    for sequence in range(3):
        cable.link.resume(f"{1:016x}", 1, sequence, 500_000 + sequence)
    up(cable)
    told = [*cable.fell(1, tick_us=500_001), *cable.fell(2, tick_us=500_002)]
    assert (refusals(told), numbers(told)) == ([], [])
    assert cable.acks()[-1] == 2


def test_a_number_far_older_than_a_node_can_keep_is_another_falls() -> None:
    cable = Cable()
    cable.link.resume(f"{1:016x}", 1, 500)
    up(cable)
    assert refusals([*cable.fell(0), *cable.fell(0)]) == [REPEATED]


def test_one_contradicting_report_alone_is_counted_as_damage() -> None:
    cable = up(Cable())
    cable.fell(0)
    assert refusals(cable.fell(0, tick_us=7)) == []
    assert cable.link.health.damaged == 1
    assert numbers(cable.fell(1)) == [1]
