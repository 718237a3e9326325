"""`quiz grade` of a kernel in a new process, and by an examiner that has graded it; `quiz profile`.

Every tenth shipped kernel question with its solution, in Numba; the medians over the questions. And
a script of ten lines.
"""

from __future__ import annotations

import resource
import subprocess
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.data import QUIZ, Data
from bench.figures import Figure, Took, count_rounds, p95, spread
from quizapp.deck.deck import Deck, load
from quizapp.domain.question import Kernel
from quizapp.study.examiner import Examiner

COLD_LIMIT_MS, WARM_LIMIT_MS, SCRIPT_LIMIT_MS = 700.0, 100.0, 800.0
_EVERY = 10
_SCRIPT = """\
import numpy as np
from numba import cuda

@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * a[i]

a = np.arange(1024, dtype=np.float32)
double[8, 128](a, np.zeros_like(a))
"""


def measure(data: Data, repeat: int = 3) -> list[Figure]:
    """Both medians, each question by its median."""
    with data.copy() as environment:
        home = Path(environment["QUIZ_HOME"])
        deck = load(data.roots, str(home / "cache" / "deck"))
        kernels = _choose_kernels(deck)
        cold = []
        for name, kernel in kernels.items():
            file = home / "submission.py"
            file.write_text(kernel.solution or "", "utf-8")
            command = [QUIZ, "grade", name, str(file), "--no-gpu", "--json"]
            cold.append(_middle([_run(command, environment) for _ in count_rounds(repeat)]))
        script = home / "script.py"
        script.write_text(_SCRIPT, "utf-8")
        command = [QUIZ, "profile", str(script)]
        profiled = [_run(command, environment) for _ in count_rounds(5 * repeat)]
    with closing(Examiner()) as examiner:
        warm = []
        for kernel in kernels.values():
            examiner.check(kernel, kernel.solution or "")
            warm.append(_middle([_check(examiner, kernel) for _ in count_rounds(repeat)]))
    return [
        _figure("graded", "quiz grade of a kernel, a new process", cold, COLD_LIMIT_MS),
        _figure("graded", "the same, graded once before", warm, WARM_LIMIT_MS),
        _figure("profiled", "quiz profile of a script of ten lines", profiled, SCRIPT_LIMIT_MS),
    ]


def _choose_kernels(deck: Deck) -> dict[str, Kernel]:
    """Some questions whose kernel is in Numba, by id."""
    named = ((name, deck.question(name)) for name in sorted(deck.entries))
    found = {n: q for n, q in named if isinstance(q, Kernel) and q.solution and q.triton is None}
    return {name: found[name] for name in [*found][::_EVERY]}


def _run(command: list[str], environment: dict[str, str]) -> Took:
    used, began = _used_by_children(), perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return Took(1000 * (perf_counter() - began), 1000 * (_used_by_children() - used))


def _check(examiner: Examiner, kernel: Kernel) -> Took:
    began = perf_counter()
    examiner.check(kernel, kernel.solution or "")
    return Took(1000 * (perf_counter() - began), 0.0)


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _middle(times: list[Took]) -> Took:
    return sorted(times)[len(times) // 2]


def _figure(name: str, what: str, times: list[Took], limit: float) -> Figure:
    clock, core = [took.ms for took in times], [took.core_ms for took in times]
    detail = f"{spread(clock)}, {len(clock)} of them, p95 {p95(clock):.0f}"
    if any(core):
        detail += f"; on a core, both processes, {spread(core)}"
    return Figure(name, f"{what}, median", median(clock), limit, "ms", detail, {"quiz": times})
