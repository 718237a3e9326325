"""Runs a Python program for all elements at once, each a thread of the lockstep machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.facts import fact
from grader.layouts.arithmetic import Array, Value
from grader.layouts.errors import NAME_PARTS, TooMuchWork
from grader.layouts.lowered import as_numbers, as_vector, make_elements
from grader.layouts.python.functions import FunctionLowering
from grader.layouts.python.lowering import VALUE
from grader.layouts.python.source import PythonProgram
from grader.layouts.python.values import LayoutVariable
from grader.simt.lockstep.functions import build_function
from grader.simt.lockstep.independent import run_function
from grader.simt.machine.chunk import Chunk, OutOfBudget
from grader.simt.program import nodes


def run_python(
    program: PythonProgram,
    arguments: Sequence[Array],
    constants: Mapping[str, int],
    elements: int,
) -> tuple[Array, ...]:
    """Return the numbers that the entry returns: one, or several, each (elements,) or (1,).

    Args:
        arguments: one array, (elements,) or (1,), for each parameter.
        constants: values of the names that were given to the reader.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    chunk = make_elements(elements)
    try:
        value = _run(program, arguments, constants, chunk)
    except OutOfBudget as stop:
        site = stop.site
        raise TooMuchWork(fact("layout.does-not-end"), site.line, site.column) from None
    except RecursionError:
        raise TooMuchWork(fact("source.nested-too-deeply"), 1, 1, NAME_PARTS) from None
    return tuple(as_numbers(part, elements) for part in value)


def _run(
    program: PythonProgram, arguments: Sequence[Array], constants: Mapping[str, int], chunk: Chunk
) -> tuple[Array, ...]:
    lowering = FunctionLowering(program, constants)
    for name, node in program.constants:
        value: Value = run_function(lowering.constant(node), chunk, {})
        lowering.constants[name] = _literal(value)
    entry, *called = lowering.entry()
    for function in reversed(called):  # so that none is built within one that calls it
        build_function(function)
    given: dict[str, object] = {"%depth": 1}
    for name, argument in zip(program.entry.parameters, arguments, strict=True):
        vector = as_vector(argument, chunk)
        plain = name in program.entry.unassigned
        given[name] = vector if plain else LayoutVariable(vector, chunk.everyone.full)
    returned = run_function(entry, chunk, given)
    lowering.result.check()
    numbers: tuple[Array, ...] = returned if isinstance(returned, tuple) else (returned,)
    return numbers


def _literal(value: Value) -> nodes.Expression:
    """Return the node of a value that is the same in all elements."""
    if isinstance(value, tuple):
        return nodes.Pack(VALUE, tuple(map(_literal, value)))
    return nodes.Number(value.dtype, value.item())
