"""Applies a function of libdevice to C++ values of its types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.library.overloads import LibraryOverload
from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    BOOLEAN,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Arithmetic,
)
from grader.simt.cuda.lowering.model.values import Plain
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Convert, Expression
from grader.simt.program.types import Scalar, Tuple, name_of

COST = 20
"""Operations of a function, for each number."""
_TYPES: dict[str, Arithmetic] = {
    name_of(kind.dtype): kind
    for kind in (
        *(BOOLEAN, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED, LONG_LONG),
        *(UNSIGNED_LONG_LONG, HALF, BFLOAT, FLOAT, DOUBLE),
    )
}
_UNSIGNED = {INT: UNSIGNED, LONG_LONG: UNSIGNED_LONG_LONG}


def type_of(dtype: Scalar, *, unsigned: bool = False) -> Arithmetic:
    """Return the C++ type of an operand or a result; libdevice types unsigned ones as signed."""
    kind = _TYPES[name_of(dtype)]
    return _UNSIGNED[kind] if unsigned else kind


def as_dtype(node: Expression, dtype: Scalar) -> Expression:
    """Return a number of a dtype; between signed and unsigned, of the same bits."""
    return node if node.type == dtype else Convert(dtype, node)


def apply(
    unit: CudaUnit,
    name: str,
    function: Callable[..., Any],
    result: Arithmetic,
    *operands: Expression,
    cost: int | None = COST,
) -> Plain:
    """Apply a function of values alone; one of numbers that are known is a number itself."""
    node = Apply(result.dtype, name, function, operands, cost)
    known = folding.fold(node)
    return Plain(result, node if known is None else nodes.Number(result.dtype, known))


def apply_entry(
    unit: CudaUnit, name: str, entry: FixedSignature, result: Arithmetic, given: Sequence[Plain]
) -> Plain:
    """Apply a function of one result to numbers, whose types are as wide as its operands'."""
    pairs = zip(given, entry.operands, strict=True)
    operands = [as_dtype(value.node, dtype) for value, dtype in pairs]
    own = type_of(entry.results[0])
    made = apply(unit, name, entry.apply, own, *operands)
    return Plain(result, as_dtype(made.node, result.dtype))


def apply_several(
    unit: CudaUnit, name: str, entry: FixedSignature, given: Sequence[Plain]
) -> list[Plain]:
    """Apply a function of several results, once."""
    pairs = zip(given, entry.operands, strict=True)
    operands = tuple(as_dtype(value.node, dtype) for value, dtype in pairs)
    whole = unit.hold(Apply(Tuple(entry.results), name, entry.apply, operands, COST))
    parts = enumerate(entry.results)
    return [Plain(type_of(dtype), nodes.Part(dtype, whole, at)) for at, dtype in parts]


def as_overload(
    name: str, entry: FixedSignature, parameters: Sequence[Arithmetic], result: Arithmetic
) -> LibraryOverload:
    """Make an overload of a function of libdevice."""
    return LibraryOverload(
        tuple(parameters), lambda unit, _node, given: apply_entry(unit, name, entry, result, given)
    )
