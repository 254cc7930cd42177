"""A guided capture of ChArUco views: each look at the board, and what came of it.

A look takes a view by itself once the board is sharp, held still and brings something
new. Every view can be taken back; a change of the set fits the lens anew, so that
each view's residual stands beside it at once. All of it is values: a look gives the
capture that follows, and nothing here knows a camera, a page or a file.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from calibration.charuco import (
    LEAST_VIEWS,
    LensFit,
    View,
    fault_of,
    find_board_in_grey,
    fit_lens,
)
from calibration.charuco_board import Board
from calibration.charuco_guide import (
    MOST_VIEWS,
    Posture,
    Wants,
    is_new,
    is_still,
    is_worth,
    posture_of,
    wants_of,
)
from calibration.refusal import Refusal

Bytes = NDArray[np.uint8]


class Seen(StrEnum):
    """What came of a look."""

    NOTHING = "nothing"
    UNFIT = "unfit"
    MOVING = "moving"
    KNOWN = "known"
    READY = "ready"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The newest look: the view, when, and what is to be said of it."""

    view: View
    at_s: float
    seen: Seen
    words: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Capture:
    """Views taken so far, the lens they give (None: too few), and the newest look."""

    board: Board
    views: tuple[View, ...] = ()
    fit: LensFit | None = None
    look: Look | None = None
    numbered: int = 0

    @property
    def wants(self) -> Wants:
        """What is lacking; views that the fit found at fault do not count."""
        kept = [view for view in self.views if self.fault_in(view.name) is None]
        return wants_of(kept, [self._posture(view) for view in kept])

    def fault_in(self, name: str) -> str | None:
        """What the fit holds against a view."""
        if self.fit is None:
            return None
        return next((v.fault for v in self.fit.views if v.name == name), None)

    def looked(self, grey: Bytes, at_s: float, *, auto: bool, take: bool) -> Self:
        """Look at a picture; take the view when it is worth it or asked for.

        `take` asks for this view even if it brings nothing new; a view that is
        moving, blurred or cut off is never taken.
        """
        view = find_board_in_grey(f"view {self.numbered + 1}", grey, self.board)
        seen, words = self._judged(view, at_s)
        wanted = seen is Seen.READY and (auto or take)
        if wanted or (take and seen is Seen.KNOWN):
            return self._taking(view, at_s)
        return replace(self, look=Look(view, at_s, seen, words))

    def without(self, name: str | None) -> Self:
        """Take back a view (None: the newest); raises Refusal when there is none."""
        if not self.views:
            raise Refusal("no view has been taken yet: there is nothing to take back")
        gone = self.views[-1].name if name is None else name
        left = tuple(view for view in self.views if view.name != gone)
        if len(left) == len(self.views):
            raise Refusal(f"there is no {gone}: it was taken back before")
        return replace(self, views=left, fit=self._fitted(left))

    def usable(self) -> LensFit:
        """The lens; raises Refusal with what to do when it is not good enough."""
        if self.fit is None:
            raise Refusal(
                f"the lens is not measured: {len(self.views)} views taken, at least "
                f"{LEAST_VIEWS} are needed (better 12)"
            )
        self.fit.usable()
        return self.fit

    def _judged(self, view: View, at_s: float) -> tuple[Seen, str]:
        if len(view.ids) == 0:
            return (
                Seen.NOTHING,
                (
                    "No board is seen: turn its printed side to the camera, sharp, no glare."
                ),
            )
        posture = posture_of(view, self.board, self.fit)
        fault = fault_of(view, self.board)
        if fault or posture is None:
            return Seen.UNFIT, _sentence(fault or "the board's place does not come out")
        before = self.look
        if before is None or not is_still(view, before.view, at_s - before.at_s):
            return Seen.MOVING, "Hold it still."
        if len(self.views) >= MOST_VIEWS:
            return Seen.UNFIT, f"{MOST_VIEWS} views are enough: take some back first."
        wants = self.wants
        taken = [self._posture(other) for other in self.views]
        new = is_new(view, posture, self.views, taken)
        if new and is_worth(view, posture, wants):
            return Seen.READY, "Sharp, still and new."
        return Seen.KNOWN, "Nothing new here."

    def _taking(self, view: View, at_s: float) -> Self:
        views = (*self.views, view)
        return replace(
            self,
            views=views,
            fit=self._fitted(views),
            look=Look(view, at_s, Seen.TAKEN, f"Taken: {view.name}."),
            numbered=self.numbered + 1,
        )

    def _fitted(self, views: tuple[View, ...]) -> LensFit | None:
        return fit_lens(views, self.board) if len(views) >= LEAST_VIEWS else None

    def _posture(self, view: View) -> Posture:
        found = posture_of(view, self.board, self.fit)
        assert found is not None, "only views with a posture are taken"
        return found


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
