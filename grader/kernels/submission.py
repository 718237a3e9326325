"""Reads a submission in the language of its problem as a kernel that can be launched."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from grader.facts import fact
from grader.kernels.accepting import (
    NotAccepted,
    OperatorCounts,
    ParameterType,
    PreparedKernel,
    check_text,
)
from grader.kernels.inputs import ArgumentValue
from grader.kernels.problem import Problem
from grader.kernels.python_submission import read_python
from grader.simt import Function, Recorder, Refused, compile_for


class Submission(Protocol):
    """A kernel that can be launched."""

    @property
    def name(self) -> str:
        """The name of the kernel."""

    @property
    def parameters(self) -> Sequence[str]:
        """Its own name for each argument of the problem, in the problem's order."""

    @property
    def entry(self) -> str:
        """The kernel as a compiler of its language names it."""

    @property
    def takes(self) -> tuple[ParameterType, ...] | None:
        """The arguments and sizes that it takes, in order; None if it takes the arguments alone."""

    def prepare(
        self,
        given: Sequence[ArgumentValue],
        shape: Mapping[str, int],
        recorder: Recorder | None = None,
    ) -> PreparedKernel:
        """Compile it for a launch.

        Args:
            given: the problem's arguments, in order.
            recorder: what looks at a thread in the launch; None for nothing.

        Raises:
            NotAccepted: its parameters cannot take these arguments.
            Refused: it holds what is not emulated.
        """

    def count_operators(self) -> OperatorCounts:
        """Count the operators in each line of the kernel and its functions.

        Raises:
            Refused: it holds what is not emulated.
        """


@dataclass(frozen=True, eq=False)
class PythonSubmission:
    """A kernel for Numba."""

    function: Function

    @property
    def name(self) -> str:
        """The name of the kernel."""
        return self.function.name

    @property
    def parameters(self) -> Sequence[str]:
        """Its own names for its arguments."""
        return self.function.parameters

    @property
    def entry(self) -> str:
        """The function's name."""
        return self.function.name

    @property
    def takes(self) -> None:
        """The arguments bring their sizes."""
        return

    def prepare(
        self,
        given: Sequence[ArgumentValue],
        shape: Mapping[str, int],
        recorder: Recorder | None = None,
    ) -> PreparedKernel:
        """Compile it for the arguments, which bring their sizes."""
        del shape
        return PreparedKernel(compile_for(self.function, given, recorder), given)

    def count_operators(self) -> OperatorCounts:
        """Count the operators in each line of the kernel and of the module's functions."""
        division, arithmetic = Counter[int](), Counter[int]()
        others = (each for each in self.function.names.values() if isinstance(each, Function))
        for function in {self.function, *others}:
            waiting: list[tuple[ast.AST, int]] = [(function.node, function.node.lineno)]
            for node, line in waiting:  # which grows
                if isinstance(node, (ast.BinOp, ast.AugAssign)):
                    arithmetic[line] += 1
                    division[line] += isinstance(node.op, (ast.FloorDiv, ast.Mod))
                for child in ast.iter_child_nodes(node):
                    own = child.lineno if isinstance(child, ast.stmt) else line
                    waiting.append((child, own))
        return OperatorCounts(+division, arithmetic)


def read_submission(problem: Problem, source: str) -> Submission:
    """Find the kernel in a submission; its parameters may have names of their own.

    Args:
        source: what was handed in; nothing of it is executed.

    Raises:
        NotAccepted: it is no kernel that takes this.
        Refused: it holds what is not emulated.
    """
    text = check_text(source)
    _check_language(problem, text)
    if problem.language == "python":
        return PythonSubmission(read_python(text, problem.kernel, problem.parameter_names))
    if problem.language == "triton":
        from grader.kernels.triton_submission import read_triton_submission  # noqa: PLC0415

        return read_triton_submission(problem, text)
    # The parser of C++ takes 100 ms that Python saves
    from grader.kernels.cuda_submission import read_cuda_submission  # noqa: PLC0415

    return read_cuda_submission(problem, text)


def entry_of(problem: Problem, source: str) -> str:
    """Return what a compiler calls the kernel of a submission that was accepted."""
    if problem.language == "python":
        return problem.kernel
    return read_submission(problem, source).entry


def _check_language(problem: Problem, text: str) -> None:
    """Check that a submission is not plainly in the other language.

    Raises:
        NotAccepted: it is.
    """
    if problem.language == "python" and (found := _CUDA.search(text)) is not None:
        what = fact("submission.is-cuda")
    elif problem.language == "cuda" and (found := _PYTHON.search(text)) is not None:
        what = fact("submission.is-python")
    else:
        return
    raise NotAccepted(what, text.count("\n", 0, found.start()) + 1)


_CUDA = re.compile(r"^[^#\n]*\b__global__\b", re.MULTILINE)
_PYTHON = re.compile(r"^(?:@cuda\.jit|def \w+\(.*\):|from numba import)", re.MULTILINE)


__all__ = ["NotAccepted", "ParameterType", "Refused", "Submission", "entry_of", "read_submission"]
