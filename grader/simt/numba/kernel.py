"""Compiles a kernel for its arguments' types: the tables of all forms come together here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grader.facts import fact
from grader.simt.memory.recorder import Recorder
from grader.simt.numba import (
    assignments,
    attributes,
    calls,
    closures,
    expressions,
    indexing,
    loops,
    operations,
    statements,
)
from grader.simt.numba.functions import compile_function
from grader.simt.numba.reading.source import Function
from grader.simt.numba.unit import ExpressionForms, Forms, NumbaProgram, StatementForms
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.nodes import Expression
from grader.simt.program.tickets import mark_tickets
from grader.simt.program.types import Nothing, Type, describe

EXPRESSIONS: ExpressionForms = {
    **expressions.FORMS,
    **operations.FORMS,
    **indexing.FORMS,
    **attributes.FORMS,
    **calls.FORMS,
    **closures.EXPRESSIONS,
}
STATEMENTS: StatementForms = {
    **statements.FORMS,
    **assignments.FORMS,
    **loops.FORMS,
    **closures.STATEMENTS,
}


def compile_kernel(
    function: Function,
    types: Sequence[Type],
    intrinsics: Mapping[str, Callable[..., Expression]],
    values: Mapping[str, Callable[[], Expression]],
    recorder: Recorder | None = None,
) -> CompiledKernel:
    """Compile a kernel.

    Args:
        intrinsics: functions that it can call, by name.
        values: values that have a name without being called.
        recorder: what looks at a thread while it runs; None for nothing.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    program = NumbaProgram(path=function.path, recorder=recorder)
    forms = Forms(EXPRESSIONS, STATEMENTS, intrinsics, values)
    compiled = compile_function(program, forms, function, tuple(types), is_kernel=True)
    if compiled.lowered.result != Nothing():
        what = fact("python.kernel-returns", type=describe(compiled.lowered.result))
        raise function.refusal(function.node, what)
    mark_tickets(compiled.lowered)
    return CompiledKernel(function, program, compiled)


def type_result(
    function: Function,
    types: Sequence[Type],
    intrinsics: Mapping[str, Callable[..., Expression]],
    values: Mapping[str, Callable[[], Expression]],
) -> Type:
    """Return the type of what a device function returns.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    forms = Forms(EXPRESSIONS, STATEMENTS, intrinsics, values)
    program = NumbaProgram(path=function.path)
    return compile_function(program, forms, function, tuple(types)).lowered.result
