"""The calibration page's lens panel: a guided capture, and the lens it ends in.

The page asks for a look several times a second while the panel is open; nothing runs
when it is shut. The heavy part is done by a companion process. A kept lens lies in
`calibration-lens.json` beside the profile and serves every later calibration with
this camera at this size, until it is measured anew or forgotten.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from calibration.charuco_board import Paper, board_pdf
from calibration.lens_file import load_lens
from calibration.refusal import Refusal
from controller.apart import Companion, apart
from controller.app_start import camera_name
from controller.calibration_lens import LensKept, LookAsked, Looked, keep_lens, look
from controller.config import Config
from controller.console.lens import LensAct, LookWanted
from vision.reports import Plate


class PlateCamera(Protocol):
    """What a capture needs of the eyes."""

    async def plate(self) -> Plate:
        """The newest picture, exact; raises Refusal."""
        ...


Look = Callable[[LookAsked], Awaitable[Looked]]


class LensBench:
    """One capture at a time, whoever's page asks."""

    def __init__(
        self, config: Config, camera: PlateCamera, *, do_look: Look | None = None
    ) -> None:
        """`do_look` does the heavy work; left out, in a companion process."""
        self._config = config
        self._camera = camera
        self._companion = Companion()
        self._look = do_look or self._look_apart
        self._last: Looked | None = None
        self._turn = asyncio.Lock()

    async def act(self, asked: LookWanted) -> object:
        """Look, take a view, take one back or start over; raises Refusal.

        A look while another is being worked on shows the last one again.
        """
        if self._turn.locked() and asked.act is LensAct.LOOK and self._last is not None:
            return self._last.shown
        async with self._turn:
            self._last = await self._look(await self._work(asked))
        return self._last.shown

    async def keep(self) -> str:
        """Keep the lens; the capture is done. Raises Refusal when it will not do."""
        last = self._last
        if last is None:
            raise Refusal("no view has been taken yet: hold the board into the picture")
        camera = camera_name(self._config.camera)
        wanted = LensKept(kept=last.kept, path=self._config.lens, camera=camera)
        async with self._turn:
            said = await apart(keep_lens, wanted)
            await self._companion.end()
            self._last = None
        return f"The lens is measured: {said}. Take the board away and find the table."

    def forget(self) -> str:
        """Fit with the table's marks alone again; the file is kept under a new name."""
        if not self._config.lens.exists():
            raise Refusal("no lens is kept: nothing to forget")
        former = self._config.lens.with_suffix(".former.json")
        try:
            self._config.lens.replace(former)
        except OSError as error:
            raise Refusal(
                f"{self._config.lens} cannot be moved ({error.strerror})"
            ) from None
        return f"The lens is forgotten; its file is {former.name} now."

    def kept(self) -> dict[str, object]:
        """The kept lens, or why it cannot be used."""
        if not self._config.lens.exists():
            return {"exists": False, "fault": ""}
        camera = self._config.camera
        size_px = camera.width_px, camera.height_px
        try:
            kept = load_lens(
                self._config.lens, camera=camera_name(camera), size_px=size_px
            )
        except Refusal as refusal:
            return {"exists": False, "fault": str(refusal)}
        return {
            "exists": True,
            "fault": "",
            "made_utc": kept.made_utc,
            "rms_px": kept.fit.rms_px,
            "views": sum(view.fault is None for view in kept.fit.views),
        }

    async def board(self, paper: str) -> bytes:
        """The board to print: a PDF."""
        return await apart(board_pdf, Paper(paper))

    async def close(self) -> None:
        """End the companion."""
        await self._companion.end()

    async def _work(self, asked: LookWanted) -> LookAsked:
        """The work of an act: with a picture where it looks at one."""
        last, plate = self._last, None
        if asked.act in (LensAct.LOOK, LensAct.TAKE):
            plate = await self._camera.plate()
        return LookAsked(
            kept=None if last is None else last.kept,
            act=asked.act.value,
            paper=asked.paper,
            grey=None if plate is None else plate.grey,
            at_s=0.0 if plate is None else plate.at_s,
            auto=asked.auto,
            name=asked.name,
        )

    async def _look_apart(self, asked: LookAsked) -> Looked:
        return await self._companion.do(look, asked)
