"""Where the 20 pieces of the simulated table are: on it, in nets, in hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from calibration.table import STOCK, Piece, Pocket, Point, Table
from controller.simulator.hands import Deed, Verb
from controller.simulator.motion import Fall, Pose
from vision.sources.rendering_scene import AT_REST, NetContent, ScenePiece

STRIKER_KEY = 19
GAP_MM = 0.6
"""How much room a hand leaves between pieces it places."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where all 20 pieces are; the counts of one piece always add up to its stock."""

    on_table: tuple[Piece, ...]
    in_pockets: tuple[tuple[Pocket, Piece], ...]
    in_hand: tuple[Piece, ...]


class Stage:
    """The pieces by key: coins 0 to 18, the striker last."""

    def __init__(self, table: Table, random: Random) -> None:
        self._table = table
        coins = [piece for piece, _ in table.opening_rack()]
        self._kinds = dict(enumerate([*coins, Piece.STRIKER]))
        self._turned = {key: random.uniform(0.0, 6.3) for key in self._kinds}
        self.lying: dict[int, Point] = {}
        self.nets: dict[int, Pocket] = {}
        self.held: set[int] = set(self._kinds)
        assert {p: [*self._kinds.values()].count(p) for p in STOCK} == STOCK

    def kind(self, key: int) -> Piece:
        """What a piece is."""
        return self._kinds[key]

    def left(self, piece: Piece) -> int:
        """How many of a piece lie on the table."""
        return sum(self._kinds[key] is piece for key in self.lying)

    def down(self, piece: Piece) -> list[int]:
        """The pieces of a kind that are in nets, first fallen first."""
        return [key for key in self.nets if self._kinds[key] is piece]

    def do(self, deed: Deed) -> None:
        """Let a hand take, pick up or put down a piece."""
        match deed.verb:
            case Verb.TAKE:
                self.nets.pop(deed.key, None)
                self.held.add(deed.key)
            case Verb.PICK:
                del self.lying[deed.key]
                self.held.add(deed.key)
            case Verb.PUT:
                self.held.remove(deed.key)
                self.lying[deed.key] = deed.at

    def fell(self, fall: Fall) -> None:
        """A pocket caught a piece."""
        del self.lying[fall.key]
        self.nets[fall.key] = fall.pocket

    def settle(self, poses: Mapping[int, Pose]) -> None:
        """Pieces came to rest where a motion left them."""
        for key in self.lying:
            self.lying[key] = poses[key].at
            self._turned[key] = poses[key].turned_rad

    def pose(self, key: int, velocity: Point = AT_REST) -> Pose:
        """A lying piece as a motion begins."""
        return Pose(self.lying[key], velocity, self._turned[key], 0.0)

    def piece(self, key: int, at: Point, lift_mm: float = 0.0) -> ScenePiece:
        """A piece as the camera would see it at rest or in a hand."""
        return ScenePiece(
            self._kinds[key], at, lift_mm=lift_mm, turned_rad=self._turned[key]
        )

    def moving(self, key: int, pose: Pose) -> ScenePiece:
        """A piece as the camera would see it sliding or sinking."""
        return ScenePiece(
            self._kinds[key], pose.at, pose.velocity, pose.lift_mm, pose.turned_rad
        )

    def net_contents(self) -> tuple[NetContent, ...]:
        """What lies in the nets, first fallen first."""
        return tuple(
            NetContent(pocket, self._kinds[key]) for key, pocket in self.nets.items()
        )

    def ledger(self) -> Ledger:
        """Where every piece is."""
        return Ledger(
            on_table=tuple(self._kinds[key] for key in sorted(self.lying)),
            in_pockets=tuple(
                (pocket, self._kinds[key]) for key, pocket in sorted(self.nets.items())
            ),
            in_hand=tuple(self._kinds[key] for key in sorted(self.held)),
        )

    def free(self, at: Point, piece: Piece) -> bool:
        """Whether a piece may be set down here without touching another."""
        mine = self._table.radius_mm(piece)
        return all(
            at.distance_mm(other) >= mine + self._radius(key) + GAP_MM
            for key, other in self.lying.items()
        )

    def overlap_mm(self) -> float:
        """How far any two lying pieces overlap; negative: the smallest gap."""
        keys = sorted(self.lying)
        return max(
            (
                self._radius(a)
                + self._radius(b)
                - self.lying[a].distance_mm(self.lying[b])
                for i, a in enumerate(keys)
                for b in keys[:i]
            ),
            default=0.0,
        )

    def _radius(self, key: int) -> float:
        return self._table.radius_mm(self._kinds[key])
