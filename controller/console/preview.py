"""What a ruling would lead to, told before it is given."""

from dataclasses import dataclass

from controller.outcomes import Judged, RecordChanged, RulingRefused, Told
from controller.rules.articles import sentence
from controller.rules.contest import Contest
from controller.rules.difference import in_one_sentence


@dataclass(frozen=True, slots=True)
class Preview:
    """What would follow, in one line; `warnings` name what would no longer fit.

    Not `possible`: why it would be refused.
    """

    possible: bool
    text: str
    warnings: tuple[str, ...] = ()


def preview_of(told: tuple[Told, ...], before: Contest, after: Contest) -> Preview:
    """The preview of a ruling that told this and led from one match to the other."""
    said: list[str] = []
    for each in told:
        match each.what:
            case RulingRefused(text=text):
                return Preview(False, text)
            case RecordChanged(effect=effect, warnings=warnings):
                return Preview(True, effect, warnings)
            case Judged(verdict=verdict):
                said += [sentence(decision) for decision in verdict.decisions]
                said += [verdict.note] if verdict.note else []
            case _:
                pass
    return Preview(True, "; ".join([*said, in_one_sentence(before, after)]))
