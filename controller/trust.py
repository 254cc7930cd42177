"""How far each source of evidence is trusted, as one value.

The rates are those of the `good` row of our Monte Carlo of fused strokes (0.4 %
wrong, 1.3 % asked); a table that has been watched and labelled gets its own. They
are part of the configuration (`[observer]`) and of the journal's first entry, so
that a replay weighs the evidence as it was weighed.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

Rate = Annotated[float, Field(gt=0, lt=0.5)]
Likely = Annotated[float, Field(gt=0.5, lt=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Error rates per stroke and the limits of what is scored without asking."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    accept: Likely = 0.95
    """The least probability of a reading that is scored without asking."""
    pulse_wait_s: Annotated[float, Field(ge=0, le=2)] = 0.15
    """How long a stroke waits for a pocket report that is still on its way."""
    pulse_match_s: Annotated[float, Field(ge=0.01, le=1)] = 0.25
    """A track's end and a pulse of one pocket closer than this are one fall."""
    one_stroke_s: Annotated[float, Field(ge=0, le=60)] = 5.0
    """A gap in watching shorter than this holds at most one stroke: quick players take 6 s
    for two and their coming to rest, and a first one may run for 1 s before it is told."""
    still_mm: Annotated[float, Field(ge=0.5, le=20)] = 4.0
    """A piece seen this close to where it was has not moved."""
    doubtful_below: Annotated[float, Field(ge=0, le=1)] = 0.5
    """A sighting of less confidence than this weakens its census."""
    miss: Rate = 0.0005
    """A piece on the table not seen in a census."""
    confusion: Rate = 0.0005
    """A piece in a census taken for another kind."""
    false: Rate = 0.005
    """A piece seen in a census that is not there."""
    track_seen: Likely = 0.95
    """A fall that the camera saw as a track ending in that pocket."""
    track_false: Rate = 0.02
    """A track that ended in a pocket although nothing fell."""
    sensor_seen: Likely = 0.98
    """A fall that its pocket's sensor reported."""
    sensor_ghost: Rate = 0.005
    """A report although nothing fell."""
    sensor_merge: Rate = 0.15
    """Two pieces falling together that were reported as one."""
    jump: Rate = 0.003
    """A piece that left the table other than through a pocket."""
    book_wrong: Rate = 0.002
    """The table does not hold what the record says (a hand, an old error)."""
