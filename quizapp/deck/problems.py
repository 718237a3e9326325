"""A problem in a content file: where it is, what it is, what to do. Only the value, no rules."""

from __future__ import annotations

from typing import NamedTuple

from grader.facts import Fact


class ContentProblem(NamedTuple):
    """One finding. `line` and `column` are 1-based; `question` is the canonical id where known.

    `hint` is None where the catalogue has advice for the code of `what`.
    """

    file: str
    line: int
    column: int
    what: Fact
    hint: Fact | None = None
    question: str = ""
