"""Kernel questions on a terminal: from the key that submits a kernel to the verdict on the screen.

Every shipped question, its listed mistakes and then its solution, in one session; the grading
process is warm, as it is once a person has read the question. Pasted, so that nobody types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bench.data import Data
from bench.figures import Figure, Took, count_rounds, p95, spread
from bench.newcomer import ask_all
from bench.person import sees_feedback
from quizapp.domain.question import Kernel

LIMIT_MS = 300.0
_FAILED = re.compile(r"submissions? failed")


def measure(data: Data, repeat: int = 1) -> list[Figure]:
    """The 95th percentile over all submissions; `data` is not used, kernels are shipped ones."""
    del data
    times = [took for _ in count_rounds(repeat) for took in _session()]
    clock = [took.ms for took in times]
    core = [took.core_ms for took in times]
    detail = (
        f"{spread(clock)}, {len(clock)} submissions, p50 {sorted(clock)[len(clock) // 2]:.0f}, "
        f"slowest {max(clock):.0f}; on a core of the screen's process {spread(core)}"
    )
    what = "kernel submitted to its verdict, p95"
    return [Figure("kernels", what, p95(clock), LIMIT_MS, "ms", detail, {"kernels": times})]


def _session() -> Iterator[Took]:
    """All kernel questions there are, one after the other, by somebody new."""
    for person, _ in ask_all("kernel", "kernels"):
        question = person.asked
        assert isinstance(question, Kernel)
        for wrong in question.wrong:
            yield person.hand_in(wrong.source or "", _sees_failure)
            person.pause()
        yield person.hand_in(question.solution or "", sees_feedback)
        person.pause()


def _sees_failure(text: str) -> bool | None:
    """The sentence that counts failures; the verdict is drawn with it."""
    return _FAILED.search(text) is not None or None
