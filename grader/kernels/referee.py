"""Grades kernels in a process of its own: started when first needed, kept warm, replaced.

So a reference that loops, crashes or takes all memory harms nobody, and a person can cancel.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.kernels.outcome import Graded, graded_from
from grader.kernels.problem import InvalidProblem, Problem
from grader.kernels.reference import ReferenceFailed
from grader.process import Process, ProcessEnded, ProcessOwner, ProcessSlow, python

SECONDS = 20.0
"""For one submission: several runs of a second each, on a machine that is busy."""


class RefereeFailed(Exception):
    """No verdict: the process ended. `what` says how, for a person to read."""

    def __init__(self, what: str, *, cancelled: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.cancelled = cancelled


class Referee(ProcessOwner):
    """Grades one submission at a time; `cancel` may be called from another thread."""

    def __init__(self, seconds: float = SECONDS) -> None:
        super().__init__()
        self._seconds = seconds

    def prepare(self, problem: Problem) -> None:
        """Start the process and let it work out what is right, so that grading is quick.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended.
        """
        self._ask({"do": "prepare", "problem": asdict(problem)})

    def right(self, problem: Problem) -> list[NDArray[Any]]:
        """What the problem's reference says of the first shape: an array for each output.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        answer = self._ask({"do": "right", "problem": asdict(problem)})
        return [np.asarray(one) for one in answer["right"]]

    def grade(self, problem: Problem, source: str) -> Graded:
        """The verdict on a submission.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        answer = self._ask({"do": "grade", "problem": asdict(problem), "source": source})
        return graded_from(answer["graded"])

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        before = self._cancelled
        with self._lock:
            self._go_on(before)  # it may have waited long
            if self._process is None or not self._process.alive:
                self._drop()
                self._process = Process(python("grader.kernels.worker"))
            self._go_on(before)  # `cancel` may have met no process
            try:
                answer = self._process.ask(request, self._seconds)
            except ProcessEnded as error:
                self._go_on(before)
                raise self._failed(error) from None
        if "problem" in answer:
            fault = answer["problem"]
            raise InvalidProblem(tuple(fault["path"]), fault["what"], fault["todo"])
        if "reference" in answer:
            raise ReferenceFailed(**answer["reference"])
        return answer

    def _go_on(self, before: int) -> None:
        """Stop here if `cancel` was called since."""
        if before != self._cancelled:
            raise RefereeFailed("cancelled", cancelled=True)

    def _failed(self, error: ProcessEnded) -> RefereeFailed:
        if isinstance(error, ProcessSlow):
            return RefereeFailed(f"grading took longer than {self._seconds:g} s and was ended")
        why = f": {error.last_line}" if error.last_line else ""
        return RefereeFailed(f"the grading process {error.what}{why}")
