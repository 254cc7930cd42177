"""The JSON Schema of every topic, generated from the models and committed.

`python -m controller.feed.schemas` writes them into `schemas/`; with `--check` it only
says whether they are current.
"""

import json
import sys
from pathlib import Path

from controller.feed.models import PAYLOADS, Envelope, Topic

FOLDER = Path(__file__).with_name("schemas")


def schema(level: Topic) -> dict[str, object]:
    """One topic's schema: the envelope's fields and the payload's side by side."""
    envelope = Envelope.model_json_schema(by_alias=True)
    payload = PAYLOADS[level].model_json_schema()
    definitions = {**envelope.get("$defs", {}), **payload.get("$defs", {})}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"carrom/v1/{level}",
        "title": str(level),
        "description": payload.get("description", ""),
        "type": "object",
        "properties": {**envelope["properties"], **payload["properties"]},
        "required": [*envelope["required"], *payload.get("required", [])],
        "$defs": definitions,
    }


def file_of(level: Topic) -> Path:
    """Where a topic's schema is kept."""
    return FOLDER / f"{level.replace('/', '-')}.json"


def text(level: Topic) -> str:
    """The schema as it is committed."""
    return json.dumps(schema(level), indent=2, ensure_ascii=False) + "\n"


def stale() -> list[Path]:
    """Files that are not what the models say now."""
    return [
        file_of(level)
        for level in Topic
        if not file_of(level).exists() or file_of(level).read_text() != text(level)
    ]


def main() -> int:
    """Write the files, or with --check say which are stale."""
    if "--check" in sys.argv:
        for path in stale():
            print(f"stale: {path.name}: run python -m controller.feed.schemas")
        return bool(stale())
    FOLDER.mkdir(exist_ok=True)
    for level in Topic:
        file_of(level).write_text(text(level))
    return 0


if __name__ == "__main__":
    sys.exit(main())
