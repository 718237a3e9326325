"""Checks that an answer of the process that compiles fits the request; types are checked before."""

from __future__ import annotations

from grader.compiled.messages import CompileRequest
from grader.compiled.outcome import CompiledKernel
from grader.wire import impossible


def check_compiled(found: CompiledKernel, request: CompileRequest) -> None:
    """Check an answer.

    Raises:
        Malformed: other architectures, lines beyond the source, or more in loops than in all.
    """
    if tuple(report.capability for report in found.architectures) != request.capabilities:
        raise impossible("architectures")
    if found.disassembled != request.disassembled:
        raise impossible("disassembled")
    last = request.source.count("\n") + 1
    for line in found.lines:
        if line.line > last or any(
            count > line.counts.get(name, 0) for name, count in line.looped.items()
        ):
            raise impossible("lines")
