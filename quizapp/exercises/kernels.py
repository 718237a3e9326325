"""A `kernel` question as the grader sees it, and a `spot` question with what may vary drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from grader.kernels import Argument, CountLimit, Graded, InvalidProblem, Problem
from grader.kernels import check as check_problem
from quizapp.domain.kernel import KernelArgument, Shape
from quizapp.domain.question import Kernel, Spot, WrongKernel
from quizapp.exercises.errors import BadExercise
from quizapp.gpu import NotMeasured

if TYPE_CHECKING:
    from grader.gpu import Benchmark, GpuGraded

GPU_GATE = "gpu "
"""In front of the key of a gate that was not passed on a GPU."""


@dataclass(frozen=True, eq=False)
class CheckedKernel:
    """A submission with its verdict.

    Attributes:
        graded: what the emulator says.
        gpu: what a GPU says of what the emulator passed, or why none does; None: not asked.
    """

    question: Kernel
    graded: Graded
    gpu: GpuGraded | NotMeasured | None = None

    @property
    def source(self) -> str:
        """What was handed in."""
        return self.graded.source

    @property
    def passed(self) -> bool:
        """Whether every gate was; those on a GPU that judged nothing count for nobody."""
        return self.graded.passed and (self.measured is None or self.measured.right)

    @property
    def gate(self) -> str:
        """The key of the first gate that was not passed; empty if all were."""
        if self.passed:
            return ""
        if self.graded.passed and self.measured is not None:
            return GPU_GATE + self.measured.verdict.failed_at
        return self.graded.verdict.failed_at

    @property
    def measured(self) -> GpuGraded | None:
        """What a GPU says; None where none does."""
        return None if isinstance(self.gpu, NotMeasured) else self.gpu

    @property
    def mistake(self) -> WrongKernel | None:
        """The listed mistake that this is, as written."""
        written = self.source.split()
        return next(
            (one for one in self.question.wrong if (one.source or "").split() == written), None
        )


def problem(question: Kernel) -> Problem:
    """What the kernel is to do.

    Raises:
        BadExercise: it cannot be.
    """
    made = Problem(
        kernel=question.kernel,
        arguments=tuple(_argument(one) for one in question.arguments),
        shapes=question.shapes,
        grid=question.launch.grid,
        block=question.launch.block,
        shared=question.launch.shared,
        limits=tuple(CountLimit(one.counter, one.most, one.least) for one in question.counts),
        terms=question.terms,
        reference=question.reference or "",
        seed=_seed(question.id),
    )
    return _checked(made)


def benchmark(question: Kernel) -> Benchmark | None:
    """How the kernel is timed on a GPU; None where the question says nothing of one."""
    from grader.gpu import Benchmark  # noqa: PLC0415 - only where there is a GPU

    part = question.gpu
    if part is None:
        return None
    return Benchmark(part.shape, part.baseline or "", part.speedup, part.flops)


def looked_at(question: Spot) -> Problem:
    """The launch of a kernel that is looked at, with everything drawn: no values are compared.

    Raises:
        BadExercise: it cannot be.
    """
    shapes: tuple[Shape, ...] = (question.shape,)
    arguments = tuple(_argument(one) for one in question.arguments)
    launch = question.launch
    return _checked(
        Problem("kernel", arguments, shapes, launch.grid, launch.block, launch.shared,
                seed=_seed(question.id))
    )  # fmt: skip


def _checked(made: Problem) -> Problem:
    try:
        check_problem(made)
    except InvalidProblem as error:
        raise BadExercise(error.path, error.what, error.todo) from None
    return made


def _argument(one: KernelArgument) -> Argument:
    return Argument(
        name=one.name, dtype=one.dtype or "", shape=one.shape or (), role=one.role,
        filling=one.values, low=one.low, high=one.high, value=one.value,
    )  # fmt: skip


def _seed(name: str) -> int:
    """Of the inputs: another for every question, the same for ever."""
    return crc32(name.encode())
