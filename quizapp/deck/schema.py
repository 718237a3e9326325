"""The JSON Schema of a question file, from the same types that validate it."""

from __future__ import annotations

from typing import Any

import msgspec

from quizapp.domain.question import AnyQuestion


def schema() -> dict[str, Any]:
    """A schema for a file: one question, or a list of them."""
    (question,), definitions = msgspec.json.schema_components(
        [AnyQuestion], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quiz questions",
        "anyOf": [question, {"type": "array", "items": question}],
        "$defs": definitions,
    }
