"""The process that compiles kernels: answers one request at a time; imports Numba with the first.

What it is given is compiled, never run. Its memory, its files and its time are limited.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from functools import partial

from grader.compiled.cuda_compiler import CudaCompiler
from grader.compiled.linking import Linked, NotLinked, PtxLinker
from grader.compiled.messages import CompileReply, CompileRequest
from grader.compiled.numba_compiler import ArgumentType, NumbaCompiler, disassemble
from grader.compiled.outcome import MOST_LINES, ArchitectureReport, CompilerReport
from grader.compiled.sass import by_line
from grader.facts import fact, quote
from grader.gpu.devices.loading import FILE
from grader.gpu.devices.nvrtc import NotCompiled
from grader.gpu.occupancy import occupancy
from grader.request_loop import serve, set_limits
from grader.simt import Refused

MEMORY = 8 << 30
"""Bytes of address space: NVIDIA's libraries and LLVM map 1.5 GB before they work."""
_FILE_BYTES = 64 << 20
"""Of a file: the disassembler reads machine code from one."""

_INTERNAL = (AssertionError, AttributeError, LookupError, NotImplementedError)
"""Numba's own errors say what the kernel does wrong; these only where its code stopped."""
_MOST_SAID = 3
"""Lines of an error: Numba's first says in which step it is, the second what it is."""


class _CompileWorker:
    """Answers requests; has the compiler from the first on."""

    def __init__(self) -> None:
        self._numba: NumbaCompiler | None = None
        self._cuda: CudaCompiler | None = None

    def answer(self, request: CompileRequest) -> CompileReply:
        """Compile, or say why not."""
        try:
            return CompileReply(compiled=self._compile(request))
        except Refused as error:
            line, column = error.line, error.column
            what = fact("gpu.refused-source", line=line, column=column, what=error.what)
            return CompileReply(refused=what)
        except (NotCompiled, NotLinked) as error:
            return CompileReply(refused=quote(str(error)))
        except _INTERNAL as error:
            return CompileReply(refused=fact("compile.internal", name=type(error).__name__))
        except Exception as error:  # Numba's, NVVM's and the linker's have no common root
            said = [line.strip() for line in str(error).splitlines() if line.strip()]
            text = " ".join(said[:_MOST_SAID])
            return CompileReply(refused=quote(f"{type(error).__name__}: {text}"))

    def _prepare(self, request: CompileRequest) -> tuple[Callable[..., Linked], str]:
        """Return what compiles a request for an architecture, and its packages' versions."""
        if request.language == "cuda":
            self._cuda = self._cuda or CudaCompiler()
            what = (request.source, FILE, request.kernel)
            return partial(self._cuda.compile, *what), self._cuda.name
        if request.language == "ptx":
            linker = PtxLinker()
            return partial(linker.compile, request.source, request.kernel), linker.name
        self._numba = self._numba or NumbaCompiler()
        arguments = [ArgumentType(*argument) for argument in request.arguments]
        what_numba = (request.source, request.kernel, arguments)
        return partial(self._numba.compile, *what_numba), self._numba.name

    def _compile(self, request: CompileRequest) -> CompilerReport:
        compile_for, name = self._prepare(request)
        reports: list[ArchitectureReport] = []
        for capability in request.capabilities:
            taken = compile_for(capability).report
            shared = taken.shared + request.dynamic
            held = occupancy(capability, request.threads, taken.registers, shared)
            reports.append(ArchitectureReport(capability, *taken, *held))
        if request.language == "ptx":  # its machine code names lines of another text, if any
            return CompilerReport(name, tuple(reports), request.disassembled, ())
        cubin = compile_for(request.disassembled, lines=True).cubin
        lines = by_line(disassemble(cubin), FILE)[:MOST_LINES]
        return CompilerReport(name, tuple(reports), request.disassembled, lines)


def limit() -> None:
    """Bound what this process, and the disassembler that it starts, may take."""
    files = resource.RLIMIT_FSIZE, _FILE_BYTES
    set_limits([(resource.RLIMIT_CORE, 0), files, (resource.RLIMIT_AS, MEMORY)])


def main() -> None:
    """Answer until the application goes away."""
    limit()
    serve(_CompileWorker().answer, CompileRequest)


if __name__ == "__main__":
    main()
