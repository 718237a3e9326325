"""Asks the process that compiles: started when first needed, kept warm, ended if it is too slow.

Types of an answer are checked when it is decoded; here, that it fits the request.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from typing import Literal

from grader.compiled.messages import CompileReply, CompileRequest
from grader.compiled.outcome import ARCHITECTURES, MAIN, CompilerReport
from grader.compiled.parts import is_installed
from grader.facts import FactError, fact
from grader.process import Process, ProcessEnded, ProcessOwner, python
from grader.wire import Malformed, impossible

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


SECONDS = 60.0
"""For one kernel and six architectures; 2 s on an idle machine."""


class CompileFailed(FactError):
    """Nothing was compiled; `what` says why."""


class KernelCompiler(ProcessOwner):
    """Compiles one kernel at a time; `cancel` may be called from another thread."""

    def __init__(self, seconds: float = SECONDS) -> None:
        super().__init__()
        self._seconds = seconds
        self._folder = ""

    def compile(
        self,
        source: str,
        kernel: str,
        arguments: Sequence[tuple[str, int]],
        threads: int,
        dynamic: int = 0,
        *,
        capabilities: Sequence[str] = ARCHITECTURES,
        disassembled: str = MAIN,
        language: Literal["python", "cuda", "ptx"] = "python",
    ) -> CompilerReport:
        """Compile a kernel for each architecture.

        Args:
            kernel: its name; in CUDA C++ with its template arguments.
            arguments: NumPy's name of each argument's elements, and its axes; 0 for a number.
            threads: of a block.
            dynamic: bytes of dynamic shared memory of a block.
            capabilities: architectures, major.minor.
            disassembled: the one of them whose instructions are counted.

        Raises:
            CompileFailed: the extra is missing, the compiler rejects it, or the process ended.
        """
        if not is_installed(language):
            raise CompileFailed(fact("compile.missing"))
        request = CompileRequest(
            source=source, kernel=kernel, arguments=tuple(arguments), threads=threads,
            dynamic=dynamic, capabilities=tuple(capabilities), disassembled=disassembled,
            language=language,
        )  # fmt: skip
        answer = self._ask(request)
        if answer.refused is not None:
            raise CompileFailed(fact("compile.refused", why=answer.refused))
        try:
            if answer.compiled is None:
                raise impossible("compiled")
            check_compiled(answer.compiled, request)
        except Malformed as error:
            raise CompileFailed(fact("compile.ended", how=error.what)) from None
        return answer.compiled

    def _ask(self, request: CompileRequest) -> CompileReply:
        before = self._cancelled
        with self._lock:
            if self._process is None or not self._process.alive:
                self._drop()
                self._folder = tempfile.mkdtemp(prefix="quiz-compile-")
                self._process = Process(python("grader.compiled.worker"), {"TMPDIR": self._folder})
            if before != self._cancelled:
                raise CompileFailed(fact("grading.cancelled"))
            try:
                return self._process.ask(request, self._seconds, CompileReply)
            except ProcessEnded as error:
                self._drop()
                if error.last_line:
                    what = fact("compile.ended-saying", how=error.what, said=error.last_line)
                else:
                    what = fact("compile.ended", how=error.what)
                raise CompileFailed(what) from None

    def _drop(self) -> None:
        """End the process, if there is one, and remove its folder. With the lock held."""
        super()._drop()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = ""
