"""Wrong elements of a kernel's outputs, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.kernels import KernelGrade
from quizapp.report.lines import Line, Span, table
from quizapp.report.words import Words

_MOST = 8
_HEAD = ("kernel.element", "kernel.expected", "kernel.got", "kernel.writer")
_NUMBERS = (1, 2)
"""Columns of numbers, which are aligned to the right."""


def lines(graded: KernelGrade, say: Words) -> Iterator[Line]:
    """Draw the first run that has any: what was expected, what came, and which thread wrote it."""
    run = next(run for run in graded.runs if run.wrong)
    head = say(
        "kernel.wrong-of",
        n=run.wrong_count,
        wrong=f"{run.wrong_count:,}",
        elements=f"{run.elements:,}",
        shape=run.shape_text,
    )
    yield ((head, "dim"),)
    rows: list[Sequence[str | Span]] = [
        tuple((say(key), "dim") for key in _HEAD),
        *(
            (wrong.element, wrong.expected, wrong.got, say.fact(wrong.last_write))
            for wrong in run.wrong[:_MOST]
        ),
    ]
    yield from table(rows, right=_NUMBERS, indent="  ")
