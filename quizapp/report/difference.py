"""Two texts, line by line: what is new and what is gone."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from quizapp.report.lines import Line, Role
from quizapp.report.words import Words

_ROLES: dict[str, Role] = {"+": "good", "-": "conflict", "@": "dim"}


def lines(old: str, new: str, say: Words) -> Iterator[Line]:
    """Draw the difference, with two lines of context."""
    texts = [*difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)][2:]
    if not texts:
        yield ((say("kernel.no-difference"), "dim"),)
    for text in texts:
        yield ((text, _ROLES.get(text[:1], "text")),)
