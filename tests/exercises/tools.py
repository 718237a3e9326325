"""What these tests are made with: a good question of either kind, to be changed field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from quizapp.deck.validate import validate
from quizapp.domain.question import AnyQuestion, Index, Kernel, Spot, Trace
from quizapp.exercises.faults import BadExercise
from tests.deck.tools import KERNEL, KERNEL_FILES, SPOT

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
    question = check_question({**TRACE, "access": kept, **fields})
    assert isinstance(question, Trace), question
    return question


def index(**fields: Any) -> Index:
    """A valid exercise."""
    question = check_question({**INDEX, **fields})
    assert isinstance(question, Index), question
    return question


def check_question(data: Mapping[str, Any]) -> AnyQuestion:
    """The question; a field that no question may have is a fault like those found later."""
    question = validate(dict(data))
    if isinstance(question, list):
        raise BadExercise(question[0].path, question[0].what, question[0].hint)
    return question


def kernel(texts: Mapping[str, str] | None = None, **fields: Any) -> Kernel:
    """A valid kernel question; `texts` replaces files beside it, by their path."""
    files = {**KERNEL_FILES, **(texts or {})}
    (data,) = yaml.safe_load(KERNEL)
    data |= {name: files[f"{name}.py"] for name in ("starter", "solution", "reference")}
    data |= fields
    data["wrong"] = [
        {"source": files.get(f"wrong/{one['file']}.py", ""), **one} for one in data["wrong"]
    ]
    question = check_question(data)
    assert isinstance(question, Kernel), question
    return question


def spot(**fields: Any) -> Spot:
    """A valid kernel with a fault."""
    (data,) = yaml.safe_load(SPOT)
    question = check_question({**data, **fields})
    assert isinstance(question, Spot), question
    return question
