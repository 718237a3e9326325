"""What the compiler makes of a kernel, without a GPU: registers, spills, occupancy, instructions.

    with KernelCompiler() as compiler:
        found = compiler.compile(problem_source, "transpose", types, threads=256)
        found.architecture("9.0").registers, found.line(12).counts["integer"]

numba-cuda, NVVM and the linker that the GPU worker uses run in a process of their own, and so does
the disassembler. The kernel is compiled there and never run. Needs the extra `compile`.
"""

from grader.compiled.client import CompileFailed, KernelCompiler
from grader.compiled.linking import find_architectures
from grader.compiled.outcome import (
    ARCHITECTURES,
    CATEGORIES,
    MAIN,
    ArchitectureReport,
    Category,
    CompilerReport,
    KernelText,
    LineInstructions,
)
from grader.compiled.parts import has_nvrtc, is_installed
from grader.compiled.reasons import MIX, Reason, find_reasons

__all__ = [
    "ARCHITECTURES", "CATEGORIES", "MAIN", "MIX", "ArchitectureReport", "Category", "CompileFailed",
    "CompilerReport", "KernelCompiler", "KernelText", "LineInstructions", "Reason",
    "find_architectures", "find_reasons", "has_nvrtc", "is_installed",
]  # fmt: skip
