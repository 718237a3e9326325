"""Whole verdicts in CUDA C++ beside the same question's in Python, of layouts and of kernels.

Processor time, in turn within one run. The text differs each time, so what was read before is read
again. A layout's verdict is the question's exercise and all gates; a kernel's is reading, lowering,
all runs, values, findings and the run that confirms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

from bench.data import Data
from bench.figures import Figure, time_alternately
from bench.gpu.cuda.programs import CONTENT, SOLUTION, programs
from grader.kernels import grade
from grader.kernels.reference import ReferenceOutputs
from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.domain.question import Index
from quizapp.exercises.kernels import problem
from quizapp.exercises.layouts import check

MOST = 1.2
"""Of the verdict's time in C++ to that in Python."""
_HIDDEN = 7
"""The shapes that confirm a pass follow from it, not from the text: both languages get the same."""


class Twins(NamedTuple):
    """A question's solution in both languages: each graded by a call, which says if it passed."""

    question: str
    python: Callable[[str], bool]
    cuda: Callable[[str], bool]


def measure(_data: Data, repeat: int = 9) -> list[Figure]:
    """The medians over all questions that have, or whose solution is easily put in, both."""
    return [
        *_figures("layouts", _layouts(), repeat),
        *_figures("kernels", _kernels(), repeat),
    ]


def _figures(what: str, every: Iterator[Twins], repeat: int) -> list[Figure]:
    ratios: dict[str, float] = {}
    for twins in every:
        ours, theirs = time_alternately(
            repeat, partial(_seconds, twins.cuda, "//"), partial(_seconds, twins.python, "#")
        )
        ratios[twins.question] = median(ours) / median(theirs)
    each = ", ".join(f"{name} {ratio:.2f}" for name, ratio in sorted(ratios.items()))
    worst = max(ratios, key=lambda name: ratios[name])
    said = f"verdicts of {len(ratios)} {what} in C++ beside Python"
    return [
        Figure("verdicts", f"{said}, median", median(ratios.values()), MOST, "×", each),
        Figure("verdicts", f"the slowest, {worst}", ratios[worst], None, "×", ""),
    ]


_NUMBERS = count()


def _seconds(grade_text: Callable[[str], bool], comment: str) -> float:
    ending = f"\n{comment} {next(_NUMBERS)}\n"
    began = process_time()
    passed = grade_text(ending)
    took = process_time() - began
    assert passed  # a solution
    return took


def _layouts(content: Path = CONTENT) -> Iterator[Twins]:
    deck = Deck(compile_deck(index.sources([str(content)])).compiled)
    for entry in deck.entries.values():
        question = deck.question(entry.id)
        if isinstance(question, Index) and (texts := put_in_both(question.solution)):
            python, cuda = texts
            yield Twins(
                question.id,
                lambda ending, q=question, text=python: check(q, text + ending).passed,  # type: ignore[misc]
                lambda ending, q=question, text=cuda: check(q, text + ending).passed,  # type: ignore[misc]
            )


def put_in_both(solution: str) -> tuple[str, str] | None:
    """Return an index function in Python and in C++; None for one with `divmod` or constants.

    Args:
        solution: an expression of C++, or one Python function of assignments and a `return`.
    """
    head, *body = solution.strip().splitlines()
    if not body:
        return f"def index(row, col):\n    return {head.replace('/', '//')}", _function([head])
    if "divmod" in solution or not head.startswith("def "):
        return None
    return solution, _function([line.strip().replace("//", "/") for line in body])


def _function(lines: list[str]) -> str:
    """Return a C++ function of Python's lines, whose last one, or only one, is its value."""
    *assignments, value = lines
    declared, body = set[str](), list[str]()
    for line in assignments:
        name = line.partition(" = ")[0]
        body.append(line if name in declared else f"int {line}")
        declared.add(name)
    value = value.removeprefix("return ")
    pair = re.fullmatch(r"(\w+), (.*)", value)
    result = f"make_int2({pair[1]}, {pair[2]})" if pair else value
    statements = "".join(f"    {line};\n" for line in [*body, f"return {result}"])
    return f"{'int2' if pair else 'int'} index(int row, int col) {{\n{statements}}}"


def _kernels() -> Iterator[Twins]:
    for program in programs():
        question = program.question
        if program.path.name == SOLUTION and question.solution:
            asked = replace(problem(question), hidden=_HIDDEN)
            right = ReferenceOutputs(asked)
            own, theirs = replace(asked, language="cuda"), question.solution
            yield Twins(
                program.path.parent.name,
                lambda ending, p=asked, e=right, t=theirs: grade(p, t + ending, e).passed,  # type: ignore[misc]
                lambda ending, p=own, e=right, t=program.source: grade(p, t + ending, e).passed,  # type: ignore[misc]
            )
