"""What can be going on at the simulated table: a pause, a hand, pieces sliding."""

from dataclasses import dataclass, field

from calibration.table import Piece
from controller.simulator.beams import Beams
from controller.simulator.hands import Reach
from controller.simulator.motion import Fall, Motion
from controller.simulator.stage import Stage
from vision.sources.rendering_scene import Limb, ScenePiece


@dataclass(slots=True)
class Pause:
    """Nothing moves until `end_s`."""

    stage: Stage
    end_s: float

    def advance(self, to_s: float) -> None:
        """Nothing happens."""

    def pieces(self, at_s: float) -> tuple[ScenePiece, ...]:
        """What lies on the table."""
        return resting(self.stage)

    def limbs(self, at_s: float) -> tuple[Limb, ...]:
        """Nobody reaches in."""
        return ()


@dataclass(slots=True)
class Hands:
    """A hand does its deeds until `end_s` (its own end, or the flick)."""

    stage: Stage
    reach: Reach
    end_s: float
    done: int = 0

    def advance(self, to_s: float) -> None:
        """Do all deeds that are due."""
        deeds = self.reach.deeds
        while self.done < len(deeds) and deeds[self.done].at_s <= to_s:
            self.stage.do(deeds[self.done])
            self.done += 1

    def pieces(self, at_s: float) -> tuple[ScenePiece, ...]:
        """What lies on the table, and what the hand carries."""
        key, tip = self.reach.carried(at_s), self.reach.tip(at_s)
        lying = resting(self.stage)
        if key is None or tip is None or key not in self.stage.held:
            return lying
        at, lift_mm = tip
        return (*lying, self.stage.piece(key, at, lift_mm))

    def limbs(self, at_s: float) -> tuple[Limb, ...]:
        """The arm, while it is in sight."""
        limb = self.reach.limb(at_s)
        return () if limb is None else (limb,)


@dataclass(slots=True)
class Slide:
    """Pieces slide from a flick at `start_s`; the hand that flicked withdraws."""

    stage: Stage
    beams: Beams
    motion: Motion
    start_s: float
    reach: Reach
    falls: list[Fall] = field(default_factory=list)

    @property
    def end_s(self) -> float | None:
        """When all rests and the hand is out; None while that is not known."""
        if self.motion.rest_s is None:
            return None
        return max(self.rest_s, self.reach.end_s)

    @property
    def rest_s(self) -> float:
        """When all came to rest."""
        return self.start_s + (self.motion.rest_s or 0.0)

    def advance(self, to_s: float) -> None:
        """Let the pieces move; falls darken the beams."""
        self.motion.advance(to_s - self.start_s)
        for fall in self.motion.falls[len(self.falls) :]:
            self.falls.append(fall)
            self.stage.fell(fall)
            piece = self.stage.kind(fall.key)
            self.beams.fell(piece, fall.pocket, self.start_s + fall.at_s)
        if self.motion.rest_s is not None:
            self.stage.settle(self.motion.poses(self.motion.now_s))

    def pieces(self, at_s: float) -> tuple[ScenePiece, ...]:
        """Where everything is by now, sinking pieces too."""
        poses = self.motion.poses(at_s - self.start_s)
        return tuple(self.stage.moving(key, pose) for key, pose in poses.items())

    def limbs(self, at_s: float) -> tuple[Limb, ...]:
        """The hand that flicked, until it is out of sight."""
        limb = self.reach.limb(at_s)
        return () if limb is None else (limb,)

    def count(self, piece: Piece) -> int:
        """How many of a piece fell."""
        return sum(self.stage.kind(fall.key) is piece for fall in self.falls)


Phase = Pause | Hands | Slide


def resting(stage: Stage) -> tuple[ScenePiece, ...]:
    """All lying pieces as the camera sees them."""
    return tuple(stage.piece(key, at) for key, at in sorted(stage.lying.items()))
