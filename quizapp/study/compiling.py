"""Compiles the kernels of a profiled script, and says why where it cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from grader import compiled
from grader.facts import Fact, fact
from quizapp.domain.errors import EnvironmentProblem, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from grader.compiled import CompilerReport, KernelText, Reason
    from grader.scripts import Reads
    from quizapp.domain.question import CodeLanguage


@dataclass(frozen=True, slots=True)
class ScriptKernel:
    """A kernel of a script, compiled.

    Attributes:
        kernel: the text, its arguments and its block.
        found: what the compiler makes of it; None if it was not compiled.
        reasons: what may make it slow.
        why: why it was not compiled.
    """

    kernel: KernelText
    found: CompilerReport | None = None
    reasons: tuple[Reason, ...] = ()
    why: Fact | None = None

    @property
    def threads(self) -> int:
        """Of a block."""
        return prod(self.kernel.block)


def check_compiler(language: CodeLanguage) -> None:
    """Check that there is a compiler of a language. Raises EnvironmentProblem: there is none."""
    if not compiled.is_installed(language):
        raise EnvironmentProblem(fact("compile.missing"))


def choose_code(script: Path, *, ptx: bool, as_source: bool) -> Reads:
    """Return what of a script's kernels is run.

    `ptx`: it is to be what a compiler makes of them. `as_source`: it is to be as they are written.

    Raises:
        UsageError: it is PTX already, or both are asked for.
        EnvironmentProblem: there is no compiler.
    """
    if ptx and as_source:
        raise UsageError(fact("profile.ptx-or-source"))
    if (ptx or as_source) and script.suffix.lower() == ".ptx":
        option = "--ptx" if ptx else "--source"
        raise UsageError(
            fact("profile.ptx-already", file=str(script)), fact("profile.no-option", option=option)
        )
    if ptx and not compiled.has_nvrtc():
        raise EnvironmentProblem(fact("ptx.missing"))
    return "ptx" if ptx else "source" if as_source else "either"


def code_of_old(old: Path | None, script: Path, reads: Reads) -> Reads:
    """Return what is run of an older script: of the same file, what is not run of the new one."""
    if old is None or old.resolve() != script.resolve():
        return reads
    others: dict[Reads, Reads] = {"either": "either", "source": "ptx", "ptx": "source"}
    return others[reads]


def compile_kernels(kernels: Sequence[KernelText], name: str = "") -> list[ScriptKernel]:
    """Compile each kernel, or those of a name, one after the other."""
    return list(_compile([kernel for kernel in kernels if name in ("", kernel.kernel)]))


def _compile(kernels: Sequence[KernelText]) -> Iterator[ScriptKernel]:
    with compiled.KernelCompiler() as compiler:
        for kernel in kernels:
            if not kernel.text:
                yield ScriptKernel(kernel, why=kernel.why)
                continue
            threads = prod(kernel.block)
            able = _find_architectures(kernel)
            if not able:
                yield ScriptKernel(kernel, why=fact("compile.other-target"))
                continue
            try:
                found = compiler.compile(
                    kernel.text, kernel.entry or kernel.kernel, kernel.arguments, threads,
                    kernel.dynamic, language=kernel.language, capabilities=able,
                    disassembled=compiled.MAIN if compiled.MAIN in able else able[-1],
                )  # fmt: skip
            except compiled.CompileFailed as error:
                yield ScriptKernel(kernel, why=error.what)
                continue
            yield ScriptKernel(kernel, found, compiled.find_reasons(found, kernel.executed))


def _find_architectures(kernel: KernelText) -> tuple[str, ...]:
    if kernel.language == "ptx":
        return compiled.find_architectures(kernel.text)
    return compiled.ARCHITECTURES
