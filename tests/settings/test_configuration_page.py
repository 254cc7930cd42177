"""The configuration's page: its examples are accepted, and it leaves no key out."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from controller.broker_address import reading_url
from controller.config import Config, parse
from controller.trust import Trust

PAGE = Path(__file__).parents[2] / "docs/configuration.md"
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
SECTIONS = ("table", "match", "camera", "pockets", "broker", "console", "journal")


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_can_be_used_as_it_stands(example: str) -> None:
    parse(example, "the page")


def test_every_key_is_on_the_page() -> None:
    keys = {field.name for field in fields(Trust)} | {"calibration"}
    for section in SECTIONS:
        keys |= set(type(getattr(Config(), section)).model_fields)
    named = set(re.findall(r"`(\w+)`", PAGE.read_text()))
    assert keys - named == set()


@pytest.mark.parametrize(
    ("broker", "url"),
    {
        "": "mqtt://127.0.0.1:1883",
        "host = '0.0.0.0'\nport = 1900": "mqtt://127.0.0.1:1900",
        "host = '::'": "mqtt://[::1]:1883",
        "url = 'mqtts://hall:8883'": "mqtts://hall:8883",
        "url = 'mqtt://hall:1883'\nuser = 'a@b'": "mqtt://a%40b:@hall:1883",
    }.items(),
)
def test_the_display_finds_the_broker_of_its_table(broker: str, url: str) -> None:
    assert reading_url(parse(f"[broker]\n{broker}", "x").broker) == url
