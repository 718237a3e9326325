"""Reads a submission in CUDA C++: one kernel that takes pointers, numbers and sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

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
from grader.kernels.problem import Problem
from grader.simt import CompiledKernel, InvalidLaunch, Recorder
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.kernel import CudaSource, lower_kernel, read_cuda
from grader.simt.cuda.lowering.model.types import DOUBLE, INT, CType, PointerTo
from grader.simt.host.files.fitting import fit_argument, type_of_argument
from grader.simt.program import nodes
from grader.simt.program.walking import (
    find_functions,
    own_expressions,
    walk_expression,
    walk_statements,
)

_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))


@dataclass(frozen=True, eq=False)
class CudaSubmission:
    """A kernel in CUDA C++."""

    problem: Problem
    source: CudaSource
    declared: declared.Function

    @property
    def name(self) -> str:
        """The name of the kernel."""
        return self.declared.name

    @property
    def parameters(self) -> Sequence[str]:
        """Its own name for each argument; "" for one that it does not take."""
        names = (each.name for each in self.declared.parameters)
        own = dict(zip(self.problem.parameter_names, names, strict=True))
        return tuple(own.get(argument.name, "") for argument in self.problem.arguments)

    @property
    def entry(self) -> str:
        """The kernel with its namespaces and template arguments: `transpose<32, float>`."""
        function = self._lowered[0].function
        return str(function.qualified + function.name.removeprefix(self.declared.name))

    @property
    def takes(self) -> tuple[ParameterType, ...]:
        """The address of each array, and numbers of the parameters' types."""
        kinds = (getattr(kind, "dtype", None) for kind in self._lowered[1])
        return tuple(
            ParameterType(name, None if dtype is None else dtype.name)
            for name, dtype in zip(self.problem.parameter_names, kinds, strict=True)
        )

    def prepare(
        self,
        given: Sequence[ArgumentValue],
        shape: Mapping[str, int],
        recorder: Recorder | None = None,
    ) -> PreparedKernel:
        """Lower it; pointers get arrays, numbers are converted to the parameters' types.

        Raises:
            NotAccepted: a parameter is of another type.
            Refused: it is not C++, or not emulated.
        """
        declared, problem = self.declared, self.problem
        names = (argument.name for argument in problem.arguments)
        values = {**shape, **dict(zip(names, given, strict=True))}
        at = declared.place
        fitting: list[Any] = []
        try:
            kernel, kinds = self._lowered if recorder is None else self._lower(recorder)
            for name, parameter, kind in zip(
                problem.parameter_names, declared.parameters, kinds, strict=True
            ):
                at = parameter.place
                fitting += fit_argument(parameter.name or name, kind, values[name])
        except InvalidLaunch as error:
            raise NotAccepted(error.what, at.line, at.column, _advice(problem)) from None
        return PreparedKernel(kernel, fitting)

    def count_operators(self) -> OperatorCounts:
        """Count the operators in each line of the kernel and of the source's functions.

        Raises:
            Refused: it is not C++, or not emulated.
        """
        arithmetic = Counter[int]()
        members = (each for struct in self.source.tree.structs for each in struct.functions)
        for function in (self.declared, *self.source.tree.functions, *members):
            if function.place.path:  # of a header
                continue
            for statement in trees.walk(*_body(function), parts=trees.statements_in):
                arithmetic[statement.place.line] += sum(map(_is_operator, _own_parts(statement)))
        division = Counter[int]()
        for lowered in find_functions(self._lowered[0].compiled.lowered):
            division |= _count_divisions(lowered)
        return OperatorCounts(division, +arithmetic)

    @cached_property
    def _lowered(self) -> tuple[CompiledKernel, tuple[CType, ...]]:
        return self._lower(None)

    def _lower(self, recorder: Recorder | None) -> tuple[CompiledKernel, tuple[CType, ...]]:
        asked = self.problem.parameter_names if self.declared.template else ()
        given = [_type(self.problem, name) for name in asked]
        return lower_kernel(self.source, self.declared.name, (), given, recorder)


def _body(function: declared.Function) -> tuple[syntax.Node, ...]:
    return () if function.body is None else (function.body,)


def _own_parts(statement: syntax.Node) -> Iterator[syntax.Node]:
    """Yield all that is below a statement, without the statements in it and what is below those."""
    inner = trees.statements_in(statement)
    return iter(trees.walk(*(each for each in trees.children(statement) if each not in inner)))


def _is_operator(node: syntax.Node) -> bool:
    """Return True for a binary operator that computes a number, and for assignments with one."""
    match node:
        case syntax.Binary(_, operator):
            return operator in _ARITHMETIC
        case syntax.Assignment(_, operator):
            return operator != "="
    return False


def _count_divisions(function: nodes.Function) -> Counter[int]:
    """Count the integer divisions by line that do not become a shift or a mask."""
    found = Counter[int]()
    for statement in walk_statements(function.body):
        own = () if statement.site.file else own_expressions(statement)
        # a node may be there twice: as an index is written, and as terms that move a pointer
        parts = {part for expression in own for part in walk_expression(expression)}
        found[statement.site.line] += sum(map(_is_division, parts))
    return +found


def _is_division(node: nodes.Expression) -> bool:
    match node:
        case nodes.Operate(np.dtype(kind="i"), "div" | "rem", _, site):
            return site is not None  # a difference of pointers has none
        case nodes.Operate(np.dtype(kind="u"), "div" | "rem", (_, divisor)):
            known = fold(divisor)
            return known is None or known.bit_count() != 1
    return False


def read_cuda_submission(problem: Problem, text: str) -> CudaSubmission:
    """Find the kernel in a submission.

    Raises:
        NotAccepted: it is no kernel of these parameters.
        Refused: it is not C++.
    """
    source = read_cuda(text)
    declared = _choose_kernel(problem, source)
    place, asked = declared.place, problem.parameter_names
    count = len(declared.parameters)
    if count != len(asked):
        what = fact("submission.arguments", name=declared.name, n=count, asked=len(asked))
        raise NotAccepted(what, place.line, place.column, _advice(problem))
    return CudaSubmission(problem, source, declared)


def signature(problem: Problem) -> str:
    """Write the kernel's declaration: pointers to constant elements unless it writes them."""
    outputs = {problem.arguments[i].name for i in problem.outputs}
    parameters = ", ".join(_parameter(problem, name, outputs) for name in problem.parameter_names)
    return f'extern "C" __global__ void {problem.kernel or ANY_NAME}({parameters})'


def _parameter(problem: Problem, name: str, outputs: set[str]) -> str:
    kind = _type(problem, name)
    if not isinstance(kind, PointerTo):
        return f"{kind.name} {name}"
    return f"{'' if name in outputs else 'const '}{kind.target.name}* {name}"


def _type(problem: Problem, name: str) -> CType:
    """Return the type that a parameter usually has; a size, or a whole number, is an int."""
    argument = next((each for each in problem.arguments if each.name == name), None)
    if argument is None:
        return INT
    dtype = np.dtype(argument.dtype or "float32")
    if argument.value is None:
        return type_of_argument(np.zeros(1, dtype))
    if argument.dtype:
        return type_of_argument(dtype.type(0))
    return DOUBLE if isinstance(argument.value, float) else INT


def _choose_kernel(problem: Problem, source: CudaSource) -> declared.Function:
    """Choose the kernel: the one of the problem's name, or the only one if it fits."""
    kernels = source.tree.kernels
    named = [kernel for kernel in kernels if kernel.name == problem.kernel]
    if not kernels:
        what = fact("submission.no-kernel", name=problem.kernel or ANY_NAME)
        raise NotAccepted(what, 1, 1, _advice(problem))
    fits = len(kernels) == 1 and len(kernels[0].parameters) == len(problem.parameter_names)
    if problem.kernel and not named and not fits:
        what = missing_kernel(problem.kernel, [kernel.name for kernel in kernels])
        place = kernels[0].place
        raise NotAccepted(what, place.line, place.column, _advice(problem))
    chosen = named or kernels
    if len(chosen) > 1:
        first, second = chosen[:2]
        line, other = first.place.line, second.name
        what = fact("submission.two-kernels", name=first.name, line=line, other=other)
        advice = fact("submission.one-kernel", name=problem.kernel or first.name)
        raise NotAccepted(what, second.place.line, second.place.column, advice)
    return chosen[0]


def _advice(problem: Problem) -> Fact:
    """Make the advice that names the signature."""
    return fact("submission.write-signature", code=signature(problem))
