"""The process in which kernels are interpreted and a problem's reference runs: see `referee`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import get_args

from grader.confine import confine
from grader.confine.layers import readable_paths
from grader.kernel_worker import COMPILES
from grader.kernels import messages
from grader.kernels.grading import find_failure, grade, observe
from grader.kernels.problem import InvalidProblem, Problem
from grader.kernels.recording import record
from grader.kernels.reference import ReferenceFailed, ReferenceOutputs
from grader.request_loop import limit, serve
from grader.wire import to_plain

MEMORY = 4 << 30
"""Bytes of address space."""
_KEPT = 8
"""How many problems' right outputs are cached."""


class _KernelWorker:
    """Answers requests; remembers what the last problems expect."""

    def __init__(self) -> None:
        self._expected: dict[str, ReferenceOutputs] = {}

    def answer(self, request: messages.AnyRequest) -> messages.ProblemReply:
        """Do what is asked, unless the problem itself is at fault."""
        try:
            return self._answer(request)
        except (InvalidProblem, ReferenceFailed) as error:
            return messages.fault_reply(error)

    def _answer(self, request: messages.AnyRequest) -> messages.ProblemReply:
        problem = request.problem
        if isinstance(request, messages.ObserveRequest):
            return messages.GradeReply(graded=replace(observe(problem, request.source), source=""))
        if isinstance(request, messages.RecordRequest):
            seen = record(problem, request.source, request.moment, request.run)
            return messages.RecordReply(snapshot=seen)
        if isinstance(request, messages.ProbeRequest):
            return _probe(request)
        expected = self._prepare(problem) if problem.reference else None
        match request:
            case messages.ExpectRequest():
                for run in range(len(problem.shapes)):
                    if expected is not None:
                        expected.for_run(run)
                return messages.ProblemReply()
            case messages.OutputsRequest():
                right = self._prepare(problem).for_run(0)
                return messages.OutputsReply(outputs=tuple(map(messages.encode_array, right)))
            case messages.GradeRequest():
                graded = grade(problem, request.source, expected, advise=request.advise)
                return messages.GradeReply(graded=replace(graded, source=""))

            case messages.FailureRequest():
                return messages.FailureReply(gate=find_failure(problem, request.source, expected))

    def _prepare(self, problem: Problem) -> ReferenceOutputs:
        key = json.dumps(to_plain(problem))
        if key not in self._expected:
            if len(self._expected) >= _KEPT:
                del self._expected[next(iter(self._expected))]
            self._expected[key] = ReferenceOutputs(problem)
        return self._expected[key]


def _probe(request: messages.ProbeRequest) -> messages.ProbeReply:
    # Only a person who asks for them needs them: 30 ms
    from grader.kernels.probing import probe_submission  # noqa: PLC0415

    made = probe_submission(request.problem, request.source)
    return messages.ProbeReply(probes=None if made is None else replace(made, source=""))


def main() -> None:
    """Answer until the application exits; confined, since a reference may come from anywhere."""
    if COMPILES in sys.argv:
        from grader.triton.kernels import start_compiler  # noqa: PLC0415 - PTX's 90 ms

        start_compiler()
    limit(MEMORY)
    confine(readable_paths())
    serve(_KernelWorker().answer, *get_args(messages.AnyRequest))
