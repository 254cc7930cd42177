"""Pictures looked at too far apart are told: a stroke may go unseen between them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue

import numpy as np

from controller.eyes_late import LATE_S, TOLD_S, Lateness
from vision.frames import Frame, SourceState
from vision.newest import Newest

BLACK = np.zeros((2, 2, 3), np.uint8)


@dataclass
class Handed:
    """A source of the frames that a test hands over."""

    exposed: "SimpleQueue[Frame]" = field(default_factory=SimpleQueue)
    state = SourceState()

    def frames(self) -> Iterator[Frame]:
        while True:
            yield self.exposed.get()

    def close(self) -> None:
        """Nothing to let go of."""


def test_the_longest_time_between_two_frames_taken_is_told_once() -> None:
    source = Handed()
    newest = Newest(source)
    for sequence, at_s in enumerate((1.0, 1.25, 1.375)):
        source.exposed.put(Frame(at_s, sequence, BLACK))
        assert newest.take(5.0) is not None
    assert newest.longest_gap_s() == 0.25
    assert newest.longest_gap_s() == 0.0


def test_pictures_too_far_apart_are_a_fault_with_their_gap_and_a_remedy() -> None:
    late = Lateness()
    late.note(5.0, LATE_S / 2)
    assert list(late.faults(5.0)) == []
    late.note(6.0, 0.31)
    (fault,) = late.faults(7.0)
    assert "up to 0.3 s between two pictures" in fault
    assert "stop what else runs" in fault


def test_eyes_that_keep_up_again_are_no_longer_called_late() -> None:
    late = Lateness()
    late.note(6.0, 0.31)
    assert list(late.faults(6.0 + TOLD_S + 0.1)) == []
