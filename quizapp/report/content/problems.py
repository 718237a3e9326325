"""Problems of content as lines and as plain data: where, what, and what to do about it."""

from __future__ import annotations

import os

from grader.facts import as_plain
from quizapp.deck.problems import ContentProblem
from quizapp.report.lines import Line
from quizapp.report.words import Words


def lines(problem: ContentProblem, say: Words) -> list[Line]:
    """Arrange a problem as `file:line:column: what; what to do`, which terminals make clickable."""
    position = f"{shortest(problem.file)}:{problem.line}:{problem.column}:"
    return [((position, "bold"), (f" {sentence(problem, say)}", "text"))]


def sentence(problem: ContentProblem, say: Words) -> str:
    """Say what is wrong and what to do, without the position."""
    return say.in_line(problem.what, problem.hint)


def plain(problem: ContentProblem) -> dict[str, object]:
    """Return a problem as `--json` prints it; the keys are promised in docs/cli.md."""
    return {
        "file": shortest(problem.file),
        "line": problem.line,
        "column": problem.column,
        **as_plain(problem.what),
        "hint": as_plain(problem.hint) if problem.hint else None,
        "question": problem.question or None,
    }


def shortest(file: str) -> str:
    """Write a path in its shortest form from the current folder."""
    return min(os.path.relpath(file), file, key=len)
