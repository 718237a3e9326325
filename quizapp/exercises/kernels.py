"""A `kernel` question as the grader sees it, and a `spot` question with what may vary drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Self
from zlib import crc32

from grader import compiled as compiled_grader
from grader import gpu as gpu_grader
from grader.kernels import (
    Argument,
    Bounds,
    Cost,
    CountLimit,
    InvalidProblem,
    KernelGrade,
    Problem,
    argument_types,
    entry_of,
    evaluate_number,
    evaluate_sizes,
    find_costs,
)
from grader.kernels import check as check_problem
from quizapp.domain.kernel import Confirm, KernelArgument, Shape
from quizapp.domain.languages import dialect_of
from quizapp.domain.question import CodeLanguage, Kernel, Spot, WrongKernel
from quizapp.domain.starters import is_starter
from quizapp.exercises.faults import BadExercise
from quizapp.system.gpu import NotMeasured

if TYPE_CHECKING:
    from grader.compiled import CompilerReport, KernelCompiler, Reason
    from grader.gpu import Benchmark, GpuGrade

_ON_TENSOR_CORES = re.compile(r"\b(?:mma_sync|mma\.sync|wgmma)\b")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*", re.DOTALL | re.MULTILINE)
GPU_GATE = "gpu "
"""In front of the key of a gate that was not passed on a GPU."""


@dataclass(frozen=True, eq=False)
class Compilation:
    """A compiled kernel.

    Attributes:
        found: registers, memory, occupancy and instructions.
        threads: of a block.
        reasons: what may make it slow.
    """

    found: CompilerReport
    threads: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, eq=False)
class CheckedKernel:
    """A submission with its verdict.

    Attributes:
        graded: what the emulator says.
        gpu: what a GPU says of what the emulator passed, or why none does; None: not asked.
        mistake: the listed mistake that it makes, where that is known.
        costs: what it does more than the solution, where a GPU found it too slow.
        compiled: what the compiler makes of it; None where there is none, or it is not asked.
        solution: the same of the solution, where a GPU found it too slow.
        reference: the solution's verdict, where the budget ended the submission.
        tells_cures: whether what would mend it may be shown beside what failed.
    """

    question: Kernel
    graded: KernelGrade
    gpu: GpuGrade | NotMeasured | None = None
    mistake: WrongKernel | None = None
    costs: tuple[Cost, ...] = ()
    compiled: Compilation | None = None
    solution: Compilation | None = None
    reference: KernelGrade | None = None
    tells_cures: bool = True

    @property
    def source(self) -> str:
        """The code as it was submitted."""
        return self.graded.source

    @property
    def passed(self) -> bool:
        """True if every gate passed; GPU runs without a verdict are not counted."""
        return self.graded.passed and (self.measured is None or self.measured.right)

    @property
    def gate(self) -> str:
        """The key of the first gate that failed; empty if all passed."""
        if self.passed:
            return ""
        if self.graded.passed and self.measured is not None:
            return GPU_GATE + self.measured.verdict.failed_at
        return self.graded.verdict.failed_at

    @property
    def ran(self) -> bool:
        """False if it does not count as an attempt: refused, or the starter unchanged."""
        compiled = self.measured is None or self.measured.verdict.ran
        return self.graded.verdict.ran and compiled and not self.unchanged

    @property
    def unchanged(self) -> bool:
        """True if it is the starter."""
        return is_starter(self.source, self.question.starter)

    @property
    def lacks_tensor_cores(self) -> bool:
        """True if the solution multiplies on Tensor Cores, and this does not."""
        solution = self.question.solution or ""
        return _uses_tensor_cores(solution) and not _uses_tensor_cores(self.source)

    @property
    def measured(self) -> GpuGrade | None:
        """What a GPU reports; None where none does."""
        return None if isinstance(self.gpu, NotMeasured) else self.gpu

    def without_cures(self) -> Self:
        """Return it with the same verdict, to be shown without what would mend it."""
        return replace(self, tells_cures=False)


def _uses_tensor_cores(source: str) -> bool:
    return _ON_TENSOR_CORES.search(_COMMENT.sub(" ", source)) is not None


def add_costs(checked: CheckedKernel, solution: KernelGrade) -> CheckedKernel:
    """Add what a kernel does more than the solution; it was too slow on a GPU."""
    asked = problem(checked.question)
    return replace(checked, costs=find_costs(asked, checked.graded, solution))


def compile_kernel(compiler: KernelCompiler, made: Problem, graded: KernelGrade) -> Compilation:
    """Compile a graded kernel for the arguments and the launch of the first shape.

    Raises CompileFailed: it cannot be compiled here.
    """
    shape = made.shapes[0]
    block = evaluate_sizes(made.block, shape, ("launch", "block"))
    dynamic = evaluate_number(made.shared, shape, ("launch", "shared"))
    types = argument_types(made)
    threads = prod(block)
    entry = entry_of(made, graded.source)
    language: CodeLanguage = "cuda" if made.language == "cuda" else "python"
    found = compiler.compile(graded.source, entry, types, threads, int(dynamic), language=language)
    counted = graded.runs[0].counts.items()
    executed = {line: counts.get("instructions", 0) for line, counts in counted}
    return Compilation(found, threads, compiled_grader.find_reasons(found, executed))


def problem(question: Kernel, hidden: int | None = None) -> Problem:
    """Build the problem that the kernel must solve.

    `hidden`: seed of the inputs that no submission knows, where submissions are compared. None: it
    follows from the submission.

    Raises BadExercise: it cannot be.
    """
    own = question.cuda or question.triton
    made = Problem(
        kernel=question.kernel,
        arguments=tuple(_argument(argument) for argument in question.arguments),
        shapes=question.shapes,
        grid=question.launch.grid,
        block=question.launch.block,
        shared=question.launch.shared,
        limits=tuple(
            CountLimit(limit.counter, limit.most, limit.least) for limit in question.counts
        ),
        terms=question.terms,
        reference=question.reference or "",
        seed=_seed(question.id),
        confirm=_list_bounds(question.confirm),
        bounded=question.bounded,
        deterministic=question.deterministic,
        language=dialect_of(question),
        parameters=own.parameters if own is not None else (),
        constants=question.triton.constants if question.triton is not None else {},
        hidden=hidden,
        solution=question.solution or "",
    )
    return _check(made)


def _list_bounds(confirm: Confirm | tuple[Confirm, ...]) -> tuple[Bounds, ...]:
    return confirm if isinstance(confirm, tuple) else (confirm,) if confirm else ()


def benchmark(question: Kernel) -> Benchmark | None:
    """Build what a GPU times; None where the question has no GPU part."""
    part = question.gpu
    if part is None:
        return None
    return gpu_grader.Benchmark(part.shape, part.baseline or "", part.speedup, part.flops)


def spot_problem(question: Spot) -> Problem:
    """Build the launch of a `spot` kernel, with everything drawn: no values are compared.

    Raises BadExercise: it cannot be.
    """
    shapes: tuple[Shape, ...] = (question.shape,)
    arguments = tuple(_argument(argument) for argument in question.arguments)
    launch = question.launch
    return _check(
        Problem("", arguments, shapes, launch.grid, launch.block, launch.shared,
                seed=_seed(question.id), language=question.language,
                parameters=question.parameters)
    )  # fmt: skip


def _check(made: Problem) -> Problem:
    try:
        check_problem(made)
    except InvalidProblem as error:
        raise BadExercise(error.path, error.what) from None
    return made


def _argument(argument: KernelArgument) -> Argument:
    return Argument(
        name=argument.name, dtype=argument.dtype or "", shape=argument.shape or (),
        role=argument.role, filling=argument.values, low=argument.low, high=argument.high,
        value=argument.value, rounded=argument.rounded,
    )  # fmt: skip


def _seed(name: str) -> int:
    """Return the seed of the inputs: differs per question, never changes."""
    return crc32(name.encode())
