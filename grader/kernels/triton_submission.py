"""Reads a submission in Triton: a kernel whose PTX runs in the emulator, by lines of its source.

The text is parsed here, to find the kernel; Triton compiles it in a confined process of its own
(`grader.triton`), for each launch as Triton itself would: by the types of the arguments, by which
of them are multiples of 16, and by which numbers are 1.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from grader.banks import LANES
from grader.facts import Fact, fact
from grader.kernels.accepting import (
    ANY_NAME,
    NotAccepted,
    OperatorCounts,
    ParameterType,
    PreparedKernel,
    missing_kernel,
)
from grader.kernels.inputs import ArgumentValue
from grader.kernels.problem import Problem, evaluate_integer, evaluate_sizes
from grader.kernels.python_submission import check_parameters
from grader.mistakes import parse_python
from grader.simt import Recorder
from grader.triton import TritonRequest
from grader.triton.kernels import TYPES, TritonRecipe, TritonRefused, compile_kernel, is_jit

_ALIGNED = 16


@dataclass(frozen=True, eq=False)
class TritonSubmission:
    """A kernel in Triton."""

    problem: Problem
    source: str
    declared: ast.FunctionDef

    @property
    def name(self) -> str:
        """The name of the kernel."""
        return self.declared.name

    @property
    def parameters(self) -> Sequence[str]:
        """Its own name for each argument; "" for one that it does not take."""
        own = dict(zip(self.problem.parameter_names, self._names, strict=True))
        return tuple(own.get(argument.name, "") for argument in self.problem.arguments)

    @property
    def entry(self) -> str:
        """The function's name."""
        return self.declared.name

    @property
    def takes(self) -> tuple[ParameterType, ...] | None:
        """No GPU runs it."""
        return None

    def prepare(
        self,
        given: Sequence[ArgumentValue],
        shape: Mapping[str, int],
        recorder: Recorder | None = None,
    ) -> PreparedKernel:
        """Compile it for the arguments and sizes of a launch.

        Raises:
            NotAccepted: Triton refuses it.
            Refused: what Triton made is not emulated.
        """
        del recorder  # compiled code has no variables to look at
        request, live = self.request(given, shape)
        recipe = TritonRecipe(request, tuple(self._names), self.declared.lineno)
        try:
            kernel, shared = compile_kernel(recipe)
        except TritonRefused as error:
            raise NotAccepted(error.what, error.line, error.column) from None
        missing = [None] * (len(kernel.fields) - len(live))  # memory for a profiler of Triton's own
        fitting = kernel.fit([*live.values(), *missing])
        return PreparedKernel(kernel.compiled, fitting, shared)

    def request(
        self, given: Sequence[ArgumentValue], shape: Mapping[str, int]
    ) -> tuple[TritonRequest, dict[str, Any]]:
        """Return what Triton is asked for a launch, and what its kernel is launched with."""
        asked = self._list_values(given, shape)
        names = self.problem.parameter_names
        fixed = {
            at: int(value)
            for at, (name, value) in enumerate(zip(names, asked, strict=True))
            if name in self.problem.constants or (_is_integer(value) and value == 1)
        }
        live = [at for at in range(len(asked)) if at not in fixed]
        block = evaluate_sizes(self.problem.block, shape, ("launch", "block"))
        request = TritonRequest(
            source=self.source,
            kernel=self.name,
            types=tuple(
                "constexpr" if at in fixed else _type_of(value) for at, value in enumerate(asked)
            ),
            constants=tuple(fixed.items()),
            aligned=tuple(at for at in live if _is_aligned(asked[at])),
            warps=prod(block) // LANES,
        )
        return request, {self._names[at]: asked[at] for at in live}

    def _list_values(self, given: Sequence[ArgumentValue], shape: Mapping[str, int]) -> list[Any]:
        """Return what the parameters get, in their order."""
        problem = self.problem
        constants = {
            name: evaluate_integer(amount, shape, ("triton", "constants", name))
            for name, amount in problem.constants.items()
        }
        arguments = dict(zip((each.name for each in problem.arguments), given, strict=True))
        values = {**shape, **arguments, **constants}
        return [values[name] for name in problem.parameter_names]

    def count_operators(self) -> OperatorCounts:
        """Count nothing: operators of whole tiles say little of what a thread does."""
        return OperatorCounts({}, {})

    @property
    def _names(self) -> list[str]:
        return _parameters(self.declared)


def _type_of(value: Any) -> str:
    """Return the type that Triton gives an argument, by its value."""
    if isinstance(value, np.ndarray):
        return "*" + TYPES[value.dtype.name]
    if isinstance(value, float | np.floating):
        return "fp32"
    return "i32" if -(1 << 31) <= value < 1 << 31 else "i64"


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer)


def _is_aligned(value: Any) -> bool:
    """Return True for arrays, which begin at multiples of 16, and for numbers that are some."""
    return isinstance(value, np.ndarray) or (_is_integer(value) and value % _ALIGNED == 0)


def read_triton_submission(problem: Problem, text: str) -> TritonSubmission:
    """Find the kernel in a submission; its parameters may have names of their own.

    Args:
        text: what was handed in, as `accepting.check_text` returns it.

    Raises:
        NotAccepted: it is no kernel that takes this.
    """
    tree = parse_python(text, NotAccepted)
    node = _choose_kernel(problem, tree)
    asked, todo = problem.parameter_names, _advice(problem)
    for name, parameter in zip(asked, check_parameters(node, len(asked), todo), strict=True):
        marked = parameter.annotation is not None and ast.unparse(parameter.annotation)
        if bool(marked and marked.endswith("constexpr")) != (name in problem.constants):
            what = fact("triton.constexpr", name=parameter.arg)
            if name in problem.constants:
                what = fact("triton.no-constexpr", name=parameter.arg)
            raise NotAccepted(what, parameter.lineno, parameter.col_offset + 1, todo)
    return TritonSubmission(problem, text, node)


def _choose_kernel(problem: Problem, tree: ast.Module) -> ast.FunctionDef:
    """Choose the function of the problem's name, or the only one with `@triton.jit`."""
    functions = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(map(is_jit, node.decorator_list))
    ]
    named = [node for node in functions if node.name == problem.kernel]
    if not functions:
        raise NotAccepted(fact("triton.no-function"), 1, 1, _advice(problem))
    if len(named) > 1:
        what = fact(
            "submission.twice", name=named[0].name, line=named[0].lineno, other=named[1].lineno
        )
        raise NotAccepted(what, named[1].lineno)
    if not named and len(functions) > 1:
        what = missing_kernel(problem.kernel or ANY_NAME, [node.name for node in functions])
        raise NotAccepted(what, functions[0].lineno, 1, _advice(problem))
    return (named or functions)[0]


def _parameters(node: ast.FunctionDef) -> list[str]:
    return [each.arg for each in (*node.args.posonlyargs, *node.args.args)]


def _advice(problem: Problem) -> Fact:
    """Make the advice that names the signature."""
    names = [
        f"{name}: tl.constexpr" if name in problem.constants else name
        for name in problem.parameter_names
    ]
    code = f"def {problem.kernel or ANY_NAME}({', '.join(names)}):"
    return fact("submission.write-signature", code=code)
