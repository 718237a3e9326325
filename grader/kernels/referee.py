"""Grades kernels in a process of its own: started when first needed, kept warm, replaced.

So a reference that loops, crashes or takes all memory does no harm, and a person can cancel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from numpy.typing import NDArray

from grader import kernel_worker
from grader.facts import Fact, FactError, fact
from grader.kernels import messages
from grader.kernels.accepting import check_text
from grader.kernels.outcome import KernelGrade
from grader.kernels.plausible import (
    check_graded,
    check_observed,
    check_probes,
    check_snapshot,
    decode_arrays,
    max_output_bytes,
    max_verdict_bytes,
)
from grader.kernels.problem import Problem
from grader.kernels.recording import Snapshot
from grader.probes import KernelProbes
from grader.process import Process, ProcessEnded, ProcessGarbled, ProcessOwner, ProcessSlow
from grader.simt import Moment
from grader.wire import MOST_BYTES, Malformed, impossible

MOST_RECORDED = 8 << 20
"""Bytes of one answer: 16 arrays of 4,096 cells, each with its state."""
MOST_PROBED = 4 << 20
"""The same of probes: some dozens, each with its changes and facts."""
_PROBE_TIMES = 4
"""A submission that is probed runs some dozens of times."""
R = TypeVar("R", bound=messages.ProblemReply)

SECONDS = 60.0
"""For one submission: several runs of a second each, on a machine that may be very busy."""


class RefereeFailed(FactError):
    """No verdict: the process ended, as `what` says."""

    def __init__(self, what: Fact, *, cancelled: bool = False) -> None:
        super().__init__(what)
        self.cancelled = cancelled


class Referee(ProcessOwner):
    """Grades one submission at a time; `cancel` may be called from another thread.

    A reference can change whatever runs in its process, also what compares. So no process judges by
    the references of two authors: it is replaced in between.
    """

    author = ""
    """Who wrote the references to come, such as a pack; to be set between turns. Without one, each
    reference counts as that of another author."""

    def __init__(self, seconds: float = SECONDS, process: Process | None = None) -> None:
        """`process`: one of `kernel_worker` that was started before, without a compiler."""
        super().__init__()
        self._seconds = seconds
        self._process = process
        self._author = ""
        """Whose references the process has run."""
        self._compiles = False
        """Whether the process has a compiler of Triton beside it."""

    def prepare(self, problem: Problem) -> None:
        """Start the process and let it work out what is right, so that grading is quick.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended.
        """
        self._ask(messages.ExpectRequest(problem=problem), messages.ProblemReply)

    def reference_outputs(self, problem: Problem) -> list[NDArray[Any]]:
        """Compute the right outputs of the first shape by the problem's reference.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        request = messages.OutputsRequest(problem=problem)
        answer = self._ask(request, messages.OutputsReply, max_output_bytes(problem))
        try:
            return decode_arrays(answer.outputs, problem)
        except Malformed as error:
            raise self._distrust(error) from None

    def grade(self, problem: Problem, source: str, *, advise: bool = False) -> KernelGrade:
        """Grade a submission.

        Args:
            advise: also try changes that may help a submission that fails, which takes as long as
                grading it several times.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        request = messages.GradeRequest(problem=problem, source=source, advise=advise)
        return self._ask_for_grade(request, check_graded)

    def find_failure(self, problem: Problem, source: str) -> str:
        """Find a gate that a submission fails, and run no more than that takes; "" for a pass.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        return self._ask(
            messages.FailureRequest(problem=problem, source=source), messages.FailureReply
        ).gate

    def observe(self, problem: Problem, source: str) -> KernelGrade:
        """Run a submission at the first shape; nothing is said of values and findings.

        Raises:
            InvalidProblem: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        request = messages.ObserveRequest(problem=problem, source=source)
        return self._ask_for_grade(request, check_observed)

    def _ask_for_grade(
        self,
        request: messages.GradeRequest | messages.ObserveRequest,
        check: Callable[[KernelGrade, Problem, str], None],
    ) -> KernelGrade:
        problem, source = request.problem, request.source
        answer = self._ask(request, messages.GradeReply, max_verdict_bytes(problem, source))
        if answer.graded is None:
            raise self._distrust(impossible("graded"))
        try:
            check(answer.graded, problem, source)
        except Malformed as error:
            raise self._distrust(error) from None
        return replace(answer.graded, source=source)

    def record(
        self, problem: Problem, source: str, moment: Moment, run: int = 0
    ) -> Snapshot | None:
        """Look at one thread of a submission in one line; None if it cannot be run.

        Args:
            run: at which of the problem's shapes.

        Raises:
            InvalidProblem: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        request = messages.RecordRequest(problem=problem, source=source, moment=moment, run=run)
        snapshot = self._ask(request, messages.RecordReply, MOST_RECORDED).snapshot
        try:
            if snapshot is not None:
                check_snapshot(snapshot)
        except Malformed as error:
            raise self._distrust(error) from None
        return snapshot

    def probe(self, problem: Problem, source: str) -> KernelProbes | None:
        """Make questions from a submission that passes; None if it cannot be run again.

        Raises:
            InvalidProblem: the problem itself is at fault.
            RefereeFailed: the process ended, or was cancelled.
        """
        request = messages.ProbeRequest(problem=problem, source=source)
        made = self._ask(request, messages.ProbeReply, MOST_PROBED, _PROBE_TIMES).probes
        if made is None:
            return None
        found = replace(made, source=check_text(source))
        try:
            check_probes(found)
        except Malformed as error:
            raise self._distrust(error) from None
        return found

    def _ask(
        self, request: messages.AnyRequest, kind: type[R], most: int = MOST_BYTES, times: int = 1
    ) -> R:
        """Ask; `times` as long as a submission may take."""
        before = self._cancelled
        with self._lock:
            self._go_on(before)  # it may have waited long
            author = self.author or request.problem.reference
            in_triton = request.problem.language == "triton"
            if self._author not in ("", author) or (in_triton and not self._compiles):
                self._drop()
            if self._process is None or not self._process.alive:
                self._drop()
                self._process = kernel_worker.start(compiles=in_triton)
                self._author, self._compiles = "", in_triton
            if request.problem.reference and not isinstance(request, messages.ObserveRequest):
                self._author = author
            self._go_on(before)  # `cancel` may have met no process
            try:
                answer = self._process.ask(request, times * self._seconds, kind, most)
            except ProcessEnded as error:
                self._go_on(before)
                raise self._fail(error) from None
        answer.raise_faults()
        return answer

    def _go_on(self, before: int) -> None:
        """Stop here if `cancel` was called since."""
        if before != self._cancelled:
            raise RefereeFailed(fact("grading.cancelled"), cancelled=True)

    def _distrust(self, error: Malformed) -> RefereeFailed:
        """Make the error for an impossible answer; the process is dropped."""
        with self._lock:
            self._drop()
        return RefereeFailed(fact("referee.ended", how=error.what))

    def _fail(self, error: ProcessEnded) -> RefereeFailed:
        if isinstance(error, ProcessSlow):
            return RefereeFailed(fact("referee.slow", seconds=self._seconds))
        if error.last_line and not isinstance(error, ProcessGarbled):
            return RefereeFailed(fact("referee.ended-saying", how=error.what, said=error.last_line))
        return RefereeFailed(fact("referee.ended", how=error.what))
