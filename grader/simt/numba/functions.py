"""Compiles one function for one list of argument types."""

from __future__ import annotations

from grader.facts import fact
from grader.simt.checks.findings import FLOAT64
from grader.simt.numba.environment import join_all
from grader.simt.numba.reading.source import Function
from grader.simt.numba.refused import explain_conflict
from grader.simt.numba.unit import Forms, NumbaProgram, Unit
from grader.simt.program import nodes
from grader.simt.program.assigned import find_unassigned
from grader.simt.program.guesses import mark_guesses
from grader.simt.program.kernel import CompiledFunction
from grader.simt.program.loaded import mark_indices
from grader.simt.program.types import Conflict, Constant, Nothing, Type, describe, layouts, number

_MOST_PASSES = 50
"""Each widens a type, and there are few; a nest of loops may take one for each level."""


def compile_function(
    program: NumbaProgram,
    forms: Forms,
    function: Function,
    types: tuple[Type, ...],
    *,
    is_kernel: bool = False,
) -> CompiledFunction:
    """Compile a function for its argument types, once for each list of them.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    args = function.node.args
    if (args.vararg and is_kernel) or args.kwarg or args.kwonlyargs:
        raise function.refusal(function.node, fact("python.star-parameters"))
    if len(types) != len(function.parameters):
        what = fact(
            "python.argument-count",
            function=function.name,
            n=len(function.parameters),
            given=len(types),
        )
        raise function.refusal(function.node, what)
    key = (id(function), types, layouts(types))
    if key not in program.compiled:
        env = dict(zip(function.parameters, types, strict=True))
        unit = Unit(program, forms, function, env, is_kernel=is_kernel)
        try:
            program.compiled[key] = function, _compile(unit)
        except RecursionError:
            what = fact("python.too-deep", function=function.name)
            raise function.refusal(function.node, what) from None
    return program.compiled[key][1]


def compile_body(unit: Unit) -> nodes.Block:
    """Compile a function's body, as often as it takes until no type changes.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    inference = unit.inference
    for _ in range(_MOST_PASSES):
        unit.begin_pass()
        body = unit.compile_block(unit.function.node.body)
        inference.note_result(unit.returns, falls_through=unit.env is not None)
        if not inference.changed:
            break
    if inference.errors:
        raise inference.errors[0]
    return body


def _compile(unit: Unit) -> CompiledFunction:
    lowered = unit.lowered
    lowered.body = _watch_unassigned(unit, compile_body(unit))
    for cause in unit.widening.causes():
        unit.warn(cause.node, FLOAT64, cause.what, other=cause.first)
    lowered.result, lowered.exits = _result(unit), unit.exits
    mark_indices(lowered.body)
    mark_guesses(lowered.body)
    return CompiledFunction(lowered, frozenset(unit.stored))


def _watch_unassigned(unit: Unit, body: nodes.Block) -> nodes.Block:
    """Return a body that notes which threads gave a variable a value that a path may lack."""
    own = unit.reassigned - frozenset(unit.function.parameters)
    uses = {key for key, read in unit.uses.items() if read.variable in own}
    unit.watched = find_unassigned(body, own, uses)
    if not unit.watched:
        return body
    unit.program.unassigned = True
    body = compile_body(unit)
    flags = [each for name in sorted(unit.watched) for each in unit.flag(name, value=False)]
    return nodes.Step(unit.site(unit.function.node), tuple(flags)), *body


def _result(unit: Unit) -> Type:
    """Join the types of all returns."""
    result = join_all(unit.returns) or Nothing()
    falls_through = unit.env is not None
    if isinstance(result, Conflict) or (falls_through and result != Nothing()):
        what = fact("python.return-types", function=unit.function.name, type=describe(result))
        kinds = [*unit.returns, Nothing()] if falls_through else unit.returns
        what = explain_conflict(kinds[0], kinds[-1], what)
        raise unit.typing_error(unit.function.node, what)
    return (number(result) or result) if isinstance(result, Constant) else result
