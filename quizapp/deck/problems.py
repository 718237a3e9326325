"""A problem in a content file: where it is, what it is, what to do. Only the value, no rules."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """One finding. `line` and `column` are 1-based; `question` is the canonical id where known."""

    file: str
    line: int
    column: int
    what: str
    todo: str
    question: str = ""

    def __str__(self) -> str:
        """`file:line:column: what; what to do`, the form editors and terminals make clickable."""
        return f"{self.file}:{self.line}:{self.column}: {self.what}; {self.todo}"
