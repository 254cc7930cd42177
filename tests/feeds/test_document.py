"""FEED.md and the schemas say what is really sent."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from calibration.table import Table
from controller.feed import schemas
from controller.feed.models import AT_MOST_ONCE, PAYLOADS, RETAINED, Envelope, Topic
from controller.feed.models_table import Info
from controller.feed.publications import drawing
from tests.feeds.messages import board, event, status, told

FEED = Path(schemas.__file__).with_name("FEED.md").read_text()
EXAMPLES = {
    level: example
    for level, example in re.findall(
        r"### (\S+)\n.*?```json\n(.*?)```", FEED, re.DOTALL
    )
}


@pytest.mark.parametrize("level", list(Topic))
def test_the_example_of_a_topic_validates_and_uses_known_fields_only(
    level: Topic,
) -> None:
    example = json.loads(EXAMPLES[level])
    Draft202012Validator(schemas.schema(level)).validate(example)
    assert example.keys() <= schemas.schema(level)["properties"].keys()
    assert example["schema"] == f"carrom/v1/{level}"


def test_the_committed_schemas_are_current() -> None:
    assert schemas.stale() == []


@pytest.mark.parametrize("level", list(Topic))
def test_no_field_of_a_payload_hides_one_of_the_envelope(level: Topic) -> None:
    own = set(PAYLOADS[level].model_fields)
    assert not own & {"schema", *Envelope.model_fields}


def test_the_table_of_topics_says_what_is_retained_and_how_it_is_sent() -> None:
    rows = re.findall(
        r"^\| (`\S+?`(?:, `\S+`)?) \| (yes|no) \| ([01]) \|", FEED, re.MULTILINE
    )
    said = {
        name: (kept == "yes", int(qos))
        for names, kept, qos in rows
        for name in re.findall(r"`(\S+?)`", names)
    }
    assert said == {
        level: (level in RETAINED, 0 if level in AT_MOST_ONCE else 1) for level in Topic
    }


@pytest.mark.parametrize(
    "sent",
    [
        status(),
        event(3),
        told(board((3, 4)), rev=9),
        told(Info(software="c", version="1", rule_set="icf", drawing=drawing(Table()))),
    ],
    ids=lambda sent: sent.topic,
)
def test_what_is_sent_validates_against_the_schema(sent: object) -> None:
    fields = json.loads(sent.payload)  # type: ignore[attr-defined]
    level = Topic(fields["schema"].removeprefix("carrom/v1/"))
    Draft202012Validator(schemas.schema(level)).validate(fields)


def test_the_drawing_has_every_hole_ring_and_line_of_the_table() -> None:
    drawn = drawing(Table())
    # ICF: four pockets; centre and outer circle, two base circles a side; two base
    # lines a side and four arrows.
    assert (len(drawn.pockets), len(drawn.rings), len(drawn.lines)) == (4, 10, 12)
