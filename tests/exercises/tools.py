"""What these tests are made with: a good question of either kind, to be changed field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quizapp.deck.validate import validate
from quizapp.domain.question import AnyQuestion, Index, Trace
from quizapp.exercises.errors import BadExercise

TRACE: Mapping[str, Any] = {
    "id": "a-trace",
    "kind": "trace",
    "topic": "banks",
    "concept": "strides",
    "difficulty": 2,
    "basis": "as-written",
    "prompt": "Pitch {{pitch}}.",
    "explanation": "So {{answer}}.",
    "sources": ["a document"],
    "ask": "wavefronts",
    "draw": {"pitch": [32, 33, 34, 36, 40, 48, 64, 65]},
    "access": {"index": "tile[threadIdx.x][0]", "pitch": "pitch"},
}
INDEX: Mapping[str, Any] = {
    "id": "an-index",
    "kind": "index",
    "topic": "swizzling",
    "concept": "both-ways",
    "difficulty": 3,
    "prompt": "Place it.",
    "explanation": "Like this.",
    "sources": ["a document"],
    "tile": {"rows": 32, "columns": 32, "element": 4, "storage": 1056},
    "accesses": [
        {"name": "row store", "op": "store", "along": "rows"},
        {"name": "column load", "op": "load", "along": "columns"},
    ],
    "starter": "def index(row, col):\n    return row * 32 + col\n",
    "solution": "def index(row, col):\n    return row * 33 + col\n",
    "wrong": [
        {"source": "row * 34 + col", "fails": "inside", "why": "There is no room."},
        {
            "source": "col * 32 + row",
            "fails": "wavefronts: row store",
            "why": {"en": "It moved.", "zh": "只是换了地方。"},
        },
        {
            "source": "row * 32 + (col ^ (row & 7))",
            "fails": "wavefronts: column load",
            "why": "Eight banks.",
        },
        {"source": "row * 31 + col", "fails": "one slot", "why": "Rows overlap."},
    ],
}


def trace(access: Mapping[str, Any] | None = None, **fields: Any) -> Trace:
    """A valid trace; `access` replaces parts of its access, None in it leaves one out."""
    parts = {**TRACE["access"], **(access or {})}
    kept = {name: value for name, value in parts.items() if value is not None}
    question = checked({**TRACE, "access": kept, **fields})
    assert isinstance(question, Trace), question
    return question


def index(**fields: Any) -> Index:
    """A valid exercise."""
    question = checked({**INDEX, **fields})
    assert isinstance(question, Index), question
    return question


def checked(data: Mapping[str, Any]) -> AnyQuestion:
    """The question; a field that no question may have is a fault like those found later."""
    question = validate(dict(data))
    if isinstance(question, list):
        raise BadExercise(question[0].path, question[0].what, question[0].todo)
    return question
