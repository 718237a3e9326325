"""The rules by which mutants are made, and the mutants of a solution in either language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.changes import Change, apply_changes, change_span, diff_lines
from grader.kernels.mutation.edits import Edit
from grader.kernels.problem import Problem

RULES = (
    "argument", "extent", "narrow", "half", "constant", "compare", "drop", "ticket", "padding",
)  # fmt: skip
"""`argument`: a number or size is its value at the first shape. `extent`: a size is no more than
the shapes reach. `narrow`: an index, or an integer that was read, in 16 or 8 bits. `half`: a sum,
or what is added, in float16. `constant`: an integer ± 1. `compare`: another comparison. `drop`: no
barrier, fence, mask or guard. `ticket`: the block's index in place of what an atomic returned.
`padding`: 0 in place of a value below or above all others."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A solution with a change.

    Attributes:
        rule: one of `RULES`.
        changes: of the solution, that make it.
        line: of the solution, where the first one is.
        source: the solution with the changes.
    """

    rule: str
    changes: tuple[Change, ...]
    line: int
    source: str
    diff: tuple[str, ...]


def write_mutants(problem: Problem, solution: str) -> Iterator[Mutant]:
    """Write each mutant of a solution that a rule allows; no two have the same text.

    Args:
        solution: a submission that passes.
    """
    seen = {solution}
    for made in _list_edits(problem, solution):
        pieces = sorted(made.pieces)
        changes = tuple(change_span(solution, *piece) for piece in pieces)
        source = apply_changes(solution, changes)
        if source not in seen:
            seen.add(source)
            line = _find_line(solution, changes)
            yield Mutant(made.rule, changes, line, source, tuple(diff_lines(solution, source)))


def _find_line(solution: str, changes: tuple[Change, ...]) -> int:
    """Return the line of the first change that does not only add a line at the top."""
    lines = [change.place for change in changes]
    return next((line for line in lines if line > 1), lines[0])


def _list_edits(problem: Problem, solution: str) -> Iterator[Edit]:
    if problem.language != "cuda":
        from grader.kernels.mutation.python import python_edits  # noqa: PLC0415

        return python_edits(problem, solution)
    from grader.kernels.mutation.cuda import cuda_edits  # noqa: PLC0415

    return cuda_edits(problem, solution)
