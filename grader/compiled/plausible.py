"""Checks that an answer of the process that compiles fits the request; types are checked before."""

from __future__ import annotations

import re

from grader.compiled.messages import CompileRequest
from grader.compiled.outcome import CompilerReport
from grader.wire import impossible

_LINE = re.compile(r"^#line (\d{1,9}) ", re.MULTILINE)
"""A directive of C++ that says which line follows."""


def check_compiled(found: CompilerReport, request: CompileRequest) -> None:
    """Check an answer.

    Raises:
        Malformed: other architectures, lines beyond the source, or more in loops than in all.
    """
    if tuple(report.capability for report in found.architectures) != request.capabilities:
        raise impossible("architectures")
    if found.disassembled != request.disassembled:
        raise impossible("disassembled")
    said = [int(number) for number in _LINE.findall(request.source)]
    last = max(said, default=0) + request.source.count("\n") + 1
    for line in found.lines:
        if line.line > last or any(
            count > line.counts.get(name, 0) for name, count in line.looped.items()
        ):
            raise impossible("lines")
