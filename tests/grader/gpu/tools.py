"""The shipped kernel questions as problems, and a worker whose device is the emulator."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grader.gpu import Benchmark, WorkerSetup
from grader.gpu.messages import GpuGradeRequest
from grader.kernels import Argument, Problem
from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.domain.languages import dialect_of, put_in
from quizapp.domain.question import CodeLanguage, Kernel
from quizapp.exercises.kernels import problem

ROOT = Path(__file__).parents[3]
CONTENT = ROOT / "content"
DEVICE = "tests.grader.gpu.emulated_device"
SETUP = WorkerSetup(device=DEVICE)
UNGATED = replace(SETUP, gated=False)

DOUBLE = Problem(
    "double",
    (Argument("a", "float32", ("n",)), Argument("out", "float32", ("n",), "output")),
    ({"n": 512}, {"n": 256}, {"n": 100}),
    ("ceil(n / 128)",),
    (128,),
    terms=1,
    reference="def reference(a): return 2 * a",
)
GOOD = """\
from numba import cuda


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + a[i]
"""
SLOW = """\
from numba import cuda


@cuda.jit
def double(a, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = 0
        j = (i * 37) % out.size
        out[i] = a[j] - a[j] + a[i] + a[i]
"""
ZEROS = GOOD.replace("a[i] + a[i]", "0")


class Shipped(NamedTuple):
    """A kernel question."""

    id: str
    question: Kernel
    problem: Problem

    @property
    def small(self) -> Benchmark:
        """Timed at the first shape, which the emulator can do."""
        gpu = self.question.gpu
        assert gpu is not None
        return Benchmark(self.problem.shapes[0], gpu.baseline or "", {}, seconds=0)


@cache
def shipped(language: CodeLanguage = "python") -> tuple[Shipped, ...]:
    """All kernel questions of the content folder that have a language, put in it, in order."""
    deck = Deck(compile_deck(index.sources([str(CONTENT)])).compiled)
    names = [entry.id for entry in deck.entries.values() if entry.kind == "kernel"]
    questions = {name: put_in(deck.question(name), language) for name in names}
    return tuple(
        Shipped(name, question, problem(question))
        for name, question in questions.items()
        if isinstance(question, Kernel) and dialect_of(question) == language
    )


def request(
    problem: Problem, source: str, benchmark: Benchmark | None = None, seed: int = 7
) -> GpuGradeRequest:
    """What a worker is asked to grade."""
    return GpuGradeRequest(problem=problem, source=source, benchmark=benchmark, seed=seed)
