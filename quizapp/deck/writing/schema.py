"""The JSON Schema of a content file, from the same types that validate it."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import msgspec

from quizapp.deck.code_files import EDIT
from quizapp.domain.interview_theme import FROM_THEME, ThemeFields
from quizapp.domain.question import KINDS, SET_WHEN_PUT, AnyQuestion

_REF = "#/$defs/{name}"
_EDIT = {
    "type": "string",
    "description": "What the mistake changes, in place of a file: see `quiz docs authoring`.",
}


def schema() -> dict[str, Any]:
    """Build a schema for a file: a question, a list of them, or a theme of mock interviews."""
    (question, theme), definitions = msgspec.json.schema_components(
        [AnyQuestion, ThemeFields], ref_template=_REF
    )
    for definition in definitions.values():
        # Python before 3.13 keeps the indentation of docstrings: an editor would show it
        definition["description"] = cleandoc(definition["description"])
        for name in SET_WHEN_PUT:
            definition.get("properties", {}).pop(name, None)
    for name in ("WrongKernel", "CudaMistake"):  # which the deck turns into a source
        definitions[name]["properties"][EDIT] = _EDIT
    _describe_stages(definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quiz questions",
        "anyOf": [question, {"type": "array", "items": question}, theme],
        "$defs": definitions,
    }


def _describe_stages(definitions: dict[str, Any]) -> None:
    """Say what a stage may ask: a question that omits what its theme says."""
    kinds = [kind.__name__ for name, kind in KINDS.items() if name != "kernel"]
    for name in kinds:
        whole = definitions[name]
        required = [field for field in whole["required"] if field not in FROM_THEME]
        definitions[f"Asked{name}"] = {**whole, "required": required}
    asked = [{"$ref": _REF.format(name=f"Asked{name}")} for name in kinds]
    definitions["StageFields"]["properties"]["ask"] = {"anyOf": asked, "default": None}
