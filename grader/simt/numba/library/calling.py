"""Makes entries of the tables: types and converts arguments, applies a function."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from grader.did_you_mean import name_near
from grader.facts import Fact, fact
from grader.simt.machine.chunk import OPERATION_OF_FUNCTION
from grader.simt.numba.reading.typing_rules import can_cast, resolve
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Apply, Expression
from grader.simt.program.types import (
    BFLOAT16,
    INT32,
    Constant,
    Scalar,
    Tuple,
    Type,
    describe,
    name_of,
)

Intrinsic = Callable[[Unit, ast.Call], Expression]
Special = Callable[[], Expression]
Table = dict[str, Intrinsic]


def arguments(
    unit: Unit, node: ast.Call, name: str, *takes: int, named: tuple[str, ...] = ()
) -> list[ast.expr]:
    """Return the arguments by position, as many as one of `takes`.

    Args:
        name: what is called, for the message.
        takes: the possible numbers of arguments, in order.
        named: the parameter names, where arguments may be given by name.
    """
    given = list(node.args)
    by_name = {keyword.arg: keyword.value for keyword in node.keywords}
    for wanted in named[len(given) :]:
        if wanted not in by_name:
            break
        given.append(by_name.pop(wanted))
    if unknown := [each for each in by_name if each and each not in named and named]:
        what = fact("simt.no-parameter", name=unknown[0], function=name)
        raise unit.refusal(node, what, name_near(unknown[0], named))
    if by_name or len(given) not in takes:
        if len(takes) == 1:
            what = fact("simt.argument-count", name=name, n=takes[0])
        else:
            what = fact("simt.argument-range", name=name, least=takes[0], most=takes[-1])
        raise unit.refusal(node, what)
    return given


def describe_mismatch(name: str, *types: Scalar) -> Fact:
    """Describe a call whose arguments have types that the function does not take."""
    return fact("simt.no-overload", name=name, types=tuple(map(name_of, types)))


def compile_whole(unit: Unit, node: ast.Call, name: str, given: ast.expr) -> Expression:
    """Compile an argument that Numba converts to a whole number.

    Raises:
        NotTyped: it is no number that can be converted.
    """
    typed, dtype = unit.compile_number(given)
    if not can_cast(dtype, INT32):
        raise unit.typing_error(node, describe_mismatch(name, dtype))
    return typed


def elementwise(name: str, rule: str, apply: Callable[..., Any], count: int = 1) -> Intrinsic:
    """Make an elementwise function, typed by a rule of `typing_rules`."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = [unit.compile_number(argument) for argument in arguments(unit, node, name, count)]
        kinds = [dtype for _, dtype in given]
        signature = resolve(rule, *kinds)
        if signature is None or (BFLOAT16 in kinds and name.startswith("np.")):
            raise unit.typing_error(node, describe_mismatch(name, *(dtype for _, dtype in given)))
        unit.widening.note(
            node, name, signature.result, tuple(argument.type for argument, _ in given)
        )
        operands = tuple(
            cast(argument, dtype)
            for (argument, _), dtype in zip(given, signature.operands, strict=True)
        )
        return apply_function(name, apply, operands, signature.result)

    return make


def apply_function(
    name: str, apply: Callable[..., Any], operands: tuple[Expression, ...], result: Type
) -> Apply:
    """Apply a function to operands; its last name is what the program shows."""
    shown = name.rpartition(".")[2]
    return Apply(result, shown, apply, operands, cost=OPERATION_OF_FUNCTION)


def axis_count(unit: Unit, node: ast.expr) -> int:
    """Return a number of axes, which must be known before the kernel runs.

    Raises:
        NotTyped: it is not a constant.
    """
    typed = unit.compile_expression(node)
    if not isinstance(typed.type, Constant):
        raise unit.typing_error(node, fact("simt.axes-not-constant"))
    return typed.type.value


def shape_of(unit: Unit, node: ast.expr) -> tuple[int, ...]:
    """Return a constant shape: a number, or a tuple of numbers."""
    typed = unit.compile_expression(node)
    parts = typed.type.items if isinstance(typed.type, Tuple) else (typed.type,)
    sizes = []
    for part in parts:
        if not isinstance(part, Constant):
            raise unit.typing_error(node, fact("simt.shape-not-constant", type=describe(part)))
        if part.value < 0:
            raise unit.refusal(node, fact("simt.shape-negative", size=part.value))
        sizes.append(part.value)
    return tuple(sizes)
