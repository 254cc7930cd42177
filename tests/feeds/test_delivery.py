"""Delivery to real brokers: what arrives, in which order, and what is admitted."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from calibration.refusal import Refusal
from controller.feed.broker import EmbeddedBroker
from controller.feed.connection import Address
from controller.feed.models import Alert, RawTrack, Severity
from controller.feed.models_table import Info, StatusWord
from tests.feeds.carrying import Book, delivery, drained, running
from tests.feeds.listening import PATIENCE_S, Reader, free_port
from tests.feeds.messages import board, event, status, told

DELIVERER = """
import asyncio, sys
from controller.feed.delivery import Delivery
from controller.feed.publications import last_will
from tests.feeds.messages import stamp, status

async def main():
    it = Delivery(
        sys.argv[1],
        will=last_will(stamp()),
        events_after=lambda seq: [],
        client_id="controller-table-1-boot-1",
    )
    it.publish([status()])
    await it.run()

asyncio.run(main())
"""
"""A controller reduced to its delivery, in a process that can be killed."""

MakeReader = Callable[..., Reader]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


async def hears(reader: Reader, wanted: Callable[[Reader], bool]) -> None:
    await asyncio.to_thread(reader.until, wanted)


def port_of(broker: EmbeddedBroker) -> int:
    return urlsplit(broker.url).port or 0


def words(reader: Reader) -> list[object]:
    return [fields["status"] for fields in reader.on("/status")]


async def test_on_connect_all_retained_topics_go_out_with_status_last(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    early = reader(port_of(broker))
    it = delivery(broker.writing_url)
    it.publish([status(), told(board((3, 0)), rev=1)])
    it.publish([told(Info(software="carrom", version="1", rule_set="icf"))])
    async with running(it):
        await hears(early, lambda r: len(r.heard) >= 3)
    topics = [topic.rpartition("table-1/")[2] for topic, _, _ in early.heard]
    assert topics == ["match/state", "info", "status"]


async def test_M3_while_offline_only_the_newest_snapshot_is_kept(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    early = reader(port_of(broker))
    it = delivery(broker.writing_url)
    for points in range(20):
        it.publish([told(board((points, 0)), rev=points)])
    async with running(it):
        await drained(it)
        await hears(early, lambda r: bool(r.on("match/state")))
    assert [state["rev"] for state in early.on("match/state")] == [19]


async def test_M3_events_of_an_outage_arrive_all_and_in_order(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    early = reader(port_of(broker), "logger")
    book = Book(event(1), event(2))
    async with running(delivery(broker.writing_url, book)) as it:
        await drained(it)
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGKILL)
        await until(lambda: not it.health.connected)
        book.events += [event(seq) for seq in range(3, 40)]
        it.publish(book.events[-1:])
        await drained(it)
        await hears(early, lambda r: len({e["seq"] for e in r.on("match/event")}) >= 39)
    # QoS 1 may repeat what was in flight when the broker died: readers drop those.
    once = dict.fromkeys(each["seq"] for each in early.on("match/event"))
    assert list(once) == list(range(1, 40))


async def test_M2_a_broker_killed_and_back_gets_everything_retained_again(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    it = delivery(broker.writing_url)
    it.publish([status(), told(board((7, 0)), rev=5)])
    async with running(it):
        await until(lambda: it.health.echoed)
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGKILL)
        await until(lambda: it.health.lost_connections == 1)
        await until(lambda: it.health.echoed)
        late = reader(port_of(broker))
        await hears(late, lambda r: bool(r.on("match/state")))
        assert it.health.trouble == ""


async def test_a_vanished_controller_is_declared_lost_with_its_boot(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    early = reader(port_of(broker))
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", DELIVERER, broker.writing_url
    )
    await hears(early, lambda r: words(r) == ["ready"])
    child.kill()
    await child.wait()
    await hears(early, lambda r: "lost" in words(r))
    lost = next(each for each in early.on("/status") if each["status"] == "lost")
    assert lost["boot"] == "boot-1"


async def test_a_controller_that_says_goodbye_leaves_stopping_behind(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    early = reader(port_of(broker))
    async with running(delivery(broker.writing_url)) as it:
        it.publish([status()])
        await drained(it)
        it.publish([status(StatusWord.STOPPING)])
        await drained(it)
    await hears(early, lambda r: words(r)[-1:] == ["stopping"])
    late = reader(port_of(broker))
    await hears(late, lambda r: words(r) == ["stopping"])


async def test_the_will_of_an_earlier_boot_does_not_hide_the_living(
    broker: EmbeddedBroker, reader: MakeReader
) -> None:
    it = delivery(broker.writing_url, boot="boot-2")
    it.publish([status(boot="boot-2")])
    async with running(it), running(delivery(broker.writing_url)) as old:
        await until(lambda: it.health.echoed and old.health.connected)
        old.publish([status(StatusWord.LOST)])
        await drained(old)
        await until(lambda: it.health.acknowledged >= 2)
        late = reader(port_of(broker))
        await hears(late, lambda r: words(r)[-1:] == ["ready"])


async def test_M5_a_second_controller_of_the_same_table_is_reported(
    broker: EmbeddedBroker, caplog: pytest.LogCaptureFixture
) -> None:
    it, rival = delivery(broker.writing_url), delivery(broker.writing_url, boot="b2")
    it.publish([status()])
    async with running(it), running(rival):
        await until(lambda: it.health.echoed and rival.health.connected)
        for _ in range(3):
            rival.publish([status(boot="b2")])
            await drained(rival)
        await until(lambda: "another controller (boot b2)" in it.health.trouble)


async def test_M5_one_client_id_taken_over_again_and_again_is_reported(
    mosquitto: Callable[[str], int],
) -> None:
    url = f"mqtt://127.0.0.1:{mosquitto('allow_anonymous true')}"
    one, other = delivery(url), delivery(url)
    async with running(one), running(other):
        await until(lambda: "with the client id" in one.health.trouble)


async def test_an_alert_while_offline_is_dropped_and_counted() -> None:
    it = delivery(f"mqtt://127.0.0.1:{free_port()}")
    async with running(it):
        it.publish([told(Alert(severity=Severity.WARNING, text="look"))])
        await until(lambda: "cannot be reached" in it.health.trouble)
    assert it.health.dropped == 1


async def test_M3_raw_tracks_never_pile_up_without_bound(
    broker: EmbeddedBroker,
) -> None:
    it = delivery(broker.writing_url)
    async with running(it):
        await until(lambda: it.health.connected)
        for at in range(500):
            it.publish([told(RawTrack(at_s=at, pieces=()))])
        await drained(it)
    assert it.health.dropped > 400


async def test_a_mosquitto_is_served_like_the_embedded_broker(
    mosquitto: Callable[[str], int], reader: MakeReader
) -> None:
    port = mosquitto("allow_anonymous true")
    early = reader(port)
    async with running(delivery(f"mqtt://127.0.0.1:{port}", Book(event(1)))) as it:
        it.publish([status(), told(board((9, 0)), rev=1)])
        await hears(early, lambda r: len(r.heard) >= 3)
        await until(lambda: it.health.echoed)


async def test_X5_a_broker_that_forbids_writing_is_found_out(
    mosquitto: Callable[[str], int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = tmp_path_factory.mktemp("acl") / "acl"
    rules.write_text("topic read carrom/#\n")
    port = mosquitto(f"allow_anonymous true\nacl_file {rules}")
    it = delivery(f"mqtt://127.0.0.1:{port}")
    it.publish([status()])
    async with running(it):
        await until(lambda: "does not pass them on" in it.health.trouble)
    assert not it.health.echoed


async def test_a_wrong_password_is_named_as_the_trouble(
    broker: EmbeddedBroker,
) -> None:
    it = delivery(broker.url.replace("//", "//controller:guess@"))
    async with running(it):
        await until(lambda: "ot authori" in it.health.trouble)
    assert "guess" not in it.health.trouble


@pytest.mark.parametrize(
    "url", ["localhost", "http://here:1883", "mqtt://here:port", "mqtt://", "mqtt:///x"]
)
def test_a_broker_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Refusal, match="write mqtt://host:1883"):
        Address.parse(url)


def test_a_password_is_not_printed_with_the_address() -> None:
    address = Address.parse("mqtt://me:se%40cret@hall.local:1884")
    assert address.password == "se@cret"
    assert "cret" not in f"{address} {address!r}"
