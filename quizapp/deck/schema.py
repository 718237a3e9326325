"""The JSON Schema of a question file, from the same types that validate it."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import msgspec

from quizapp.domain.question import SET_WHEN_PUT, AnyQuestion


def schema() -> dict[str, Any]:
    """Build a schema for a file: one question, or a list of them."""
    (question,), definitions = msgspec.json.schema_components(
        [AnyQuestion], ref_template="#/$defs/{name}"
    )
    for definition in definitions.values():
        # Python before 3.13 keeps the indentation of docstrings: an editor would show it
        definition["description"] = cleandoc(definition["description"])
        for name in SET_WHEN_PUT:
            definition.get("properties", {}).pop(name, None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quiz questions",
        "anyOf": [question, {"type": "array", "items": question}],
        "$defs": definitions,
    }
