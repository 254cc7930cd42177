"""What a screen shows beside the match itself."""

from dataclasses import dataclass

from controller.feed.models_match import (
    DecisionShown,
    FallShown,
    Phase,
    PieceShown,
    Question,
)
from controller.rules import match as rules

PHASES: dict[rules.Phase, Phase] = {
    rules.Phase.BREAK: Phase.BREAK,
    rules.Phase.PLAY: Phase.PLAYING,
    rules.Phase.CLAIM: Phase.BOARD_OVER,
    rules.Phase.BOARD_OVER: Phase.BOARD_OVER,
    rules.Phase.TIE: Phase.BOARD_OVER,
    rules.Phase.GAME_OVER: Phase.GAME_OVER,
    rules.Phase.MATCH_OVER: Phase.MATCH_OVER,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a screen shows beside the match itself.

    `phase` replaces the phase that follows from the match: racking, a stroke that
    runs, a question, not watching.
    """

    phase: Phase | None = None
    reason: str = ""
    affiliations: tuple[str, str] = ("", "")
    pieces: tuple[PieceShown, ...] = ()
    fallen: tuple[FallShown, ...] = ()
    question: Question | None = None
    last: DecisionShown | None = None
