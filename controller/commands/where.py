"""Where the table is, as `carrom census` and `carrom watch` are told."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.refusal import Refusal

if TYPE_CHECKING:
    from calibration.table import Table
    from vision.frames import Image
    from vision.located import Located

Four = tuple[str, str, str, str]

Corners = Annotated[
    Four | None,
    typer.Option(
        metavar="X,Y X,Y X,Y X,Y",
        help="The playing surface's corners: top left, right, bottom right, left.",
    ),
]
PocketCentres = Annotated[
    Four | None,
    typer.Option(
        metavar="X,Y X,Y X,Y X,Y",
        help="The pockets' centres: top left, right, bottom right, left.",
    ),
]
ProfileFile = Annotated[
    Path | None, typer.Option(help="The fixed camera's calibration profile.")
]
SideMm = Annotated[
    float, typer.Option(help="The playing surface's side in millimetres.")
]


@dataclass(frozen=True, slots=True)
class Where:
    """What was said about the table's place; nothing: it is searched."""

    corners: Four | None
    pocket_centres: Four | None
    profile: Path | None
    side_mm: float

    def __post_init__(self) -> None:
        ways = (self.corners, self.pocket_centres, self.profile)
        if sum(way is not None for way in ways) > 1:
            raise Refusal("give only one of --corners, --pocket-centres and --profile")

    def locate(self, image: "Image") -> "Located":
        """The table in this picture; Refusal when it cannot be there."""
        from calibration.profile import load
        from vision import located

        if self.profile is not None:
            height, width = image.shape[:2]
            return located.by_profile(load(self.profile, size_px=(width, height)))
        if self.corners is not None:
            given = points_px("--corners", self.corners)
            return located.by_corners(image, self._table(), given)
        if self.pocket_centres is not None:
            given = points_px("--pocket-centres", self.pocket_centres)
            return located.by_pocket_centres(image, self._table(), given)
        return located.by_search(image, self._table())

    def _table(self) -> "Table":
        from calibration.table import Table

        try:
            return Table(side_mm=self.side_mm)
        except ValueError as error:
            raise Refusal(f"--side-mm: {error}") from None


def spare(option: str, output: Path | None, *inputs: Path | None) -> None:
    """Refuse to write over what is read, by whatever name or link it is reached."""
    for given in inputs:
        if output is not None and given is not None and _same(output, given):
            raise Refusal(f"{option} {output}: is {given} itself; name another file")


def _same(output: Path, given: Path) -> bool:
    try:
        return output.samefile(given)
    except OSError:
        return output.absolute() == given.absolute()


def points_px(option: str, words: Four) -> list[tuple[float, float]]:
    """Pixels from words X,Y; Refusal for any other word."""
    return [_point(option, word) for word in words]


def _point(option: str, word: str) -> tuple[float, float]:
    try:
        x, y = (float(number) for number in word.split(","))
    except ValueError:
        raise Refusal(
            f"{option} takes four words X,Y in pixels, got {word!r}"
        ) from None
    return x, y
