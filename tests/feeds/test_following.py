"""What a reader may believe, message by message (FEED.md, How to read it right)."""

from controller.feed.models_table import Health, StatusWord
from controller.feed.publications import Publication
from controller.scoreboard.captions import Tone, link
from controller.scoreboard.follower import Follower, read
from tests.feeds.messages import board, event, status, told


def given(follower: Follower, sent: Publication, now_s: float = 0.0) -> bool:
    """Hand over a live message."""
    return follower.take(read(sent.topic, sent.payload, kept=False), now_s)


def kept(follower: Follower, sent: Publication) -> bool:
    """Hand over a message the broker had kept."""
    return follower.take(read(sent.topic, sent.payload, kept=True), 0.0)


def state(points: int, rev: int, **more: object) -> Publication:
    boot = str(more.pop("boot", "boot-1"))
    match = str(more.pop("match", "match-1"))
    at_s = float(str(more.pop("at_s", 100.0)))
    return told(board((points, 0)), rev=rev, boot=boot, match=match, at_s=at_s)


def points(follower: Follower) -> int | None:
    return follower.state and follower.state.players[0].score


def test_a_repeated_event_is_dropped() -> None:
    it = Follower()
    given(it, state(0, rev=4))
    assert given(it, event(5))
    assert not given(it, event(5))
    assert it.ignored == 1


def test_an_event_the_snapshot_contains_is_dropped() -> None:
    it = Follower()
    given(it, state(0, rev=4))
    assert not given(it, event(4))


def test_an_older_snapshot_is_dropped() -> None:
    it = Follower()
    given(it, state(7, rev=9))
    given(it, state(3, rev=8))
    assert points(it) == 7


def test_of_two_snapshots_of_one_rev_the_later_stands() -> None:
    it = Follower()
    given(it, state(7, rev=9, at_s=11.0))
    given(it, state(8, rev=9, at_s=12.0))
    given(it, state(7, rev=9, at_s=11.0))
    assert points(it) == 8


def test_a_gap_is_admitted_until_a_snapshot_covers_it() -> None:
    it = Follower()
    given(it, state(0, rev=4))
    given(it, event(7))
    assert it.resyncing
    given(it, state(1, rev=6, at_s=101.0))
    assert it.resyncing
    given(it, state(2, rev=7, at_s=102.0))
    assert not it.resyncing


def test_a_new_boot_starts_over() -> None:
    it = Follower()
    given(it, state(20, rev=900))
    given(it, state(3, rev=2, boot="boot-2"))
    assert (points(it), it.rev, it.boot) == (3, 2, "boot-2")


def test_a_new_match_starts_over() -> None:
    it = Follower()
    given(it, state(25, rev=900))
    given(it, state(0, rev=0, match="match-2"))
    assert (points(it), it.rev) == (0, 0)


def test_a_will_of_another_boot_is_ignored() -> None:
    it = Follower()
    given(it, status(boot="boot-2"))
    given(it, status(StatusWord.LOST, boot="boot-1"))
    assert it.status
    assert it.status.status is StatusWord.READY


def test_the_will_of_the_current_boot_counts() -> None:
    it = Follower()
    given(it, status())
    given(it, status(StatusWord.LOST))
    assert link(it, broker="", now_s=0.1).word == "Table lost"


def test_kept_messages_of_two_boots_settle_on_the_one_whose_status_stands() -> None:
    orders = [
        [state(5, rev=1), state(9, rev=1, boot="boot-2"), status(boot="boot-2")],
        [status(boot="boot-2"), state(5, rev=1), state(9, rev=1, boot="boot-2")],
        [state(9, rev=1, boot="boot-2"), status(boot="boot-2"), state(5, rev=1)],
    ]
    for order in orders:
        it = Follower()
        for sent in order:
            kept(it, sent)
        assert points(it) == 9


def test_a_late_joiner_keeps_the_snapshot_that_came_before_the_newer_status() -> None:
    it = Follower()
    kept(it, state(9, rev=1, boot="boot-2"))
    kept(it, status(boot="boot-1"))
    given(it, status(boot="boot-2"))
    assert points(it) == 9


def test_kept_messages_prove_no_life() -> None:
    it = Follower()
    kept(it, status())
    kept(it, state(5, rev=1))
    assert it.stale(0.0)
    given(it, told(Health(watching=True)), now_s=1.0)
    assert not it.stale(2.0)


def test_M7_five_seconds_without_a_heartbeat_turn_the_page_grey() -> None:
    it = Follower()
    given(it, state(5, rev=1), now_s=10.0)
    assert not link(it, broker="", now_s=14.9).grey
    assert link(it, broker="", now_s=15.1).grey


def test_a_table_that_does_not_watch_is_loud_though_it_lives() -> None:
    it = Follower()
    given(it, state(5, rev=1))
    given(it, told(Health(watching=False, problems=("the camera is silent",))))
    shown = link(it, broker="", now_s=0.5)
    assert (shown.tone, shown.sentence) == (Tone.ALARM, "the camera is silent")


def test_without_a_broker_nothing_else_matters() -> None:
    it = Follower()
    given(it, state(5, rev=1))
    shown = link(it, broker="No message broker at here", now_s=0.5)
    assert (shown.word, shown.grey) == ("No broker", True)
