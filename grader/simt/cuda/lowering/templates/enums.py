"""Enumerations of a source: the type that each is, with the values of its enumerators."""

from __future__ import annotations

from grader.simt.cuda import declared
from grader.simt.cuda.lowering.conversions import number
from grader.simt.cuda.lowering.model.types import INT, LONG, UNSIGNED, Arithmetic, EnumSource
from grader.simt.cuda.lowering.unit import CudaUnit

_UNNAMED = "enum"


def lower_enum(unit: CudaUnit, node: declared.Enum) -> Arithmetic:
    """Return the type of an enumeration.

    Raises:
        Refused: a value of it is not known before the launch.
    """
    given = None if node.underlying is None else unit.module.type_of(unit, node.underlying)
    base = given if isinstance(given, Arithmetic) else None
    values: dict[str, int] = {}
    following = 0
    with unit.scopes.inner():
        for each in node.enumerators:
            value = following if each.value is None else unit.module.constant(unit, each.value)
            values[each.name], following = value, value + 1
            unit.scopes.declare(each.name, number(base or _fitting([value]), value))
    own = base or _fitting(list(values.values()))
    source = EnumSource(values, node.scoped)
    return Arithmetic(node.name or _UNNAMED, own.dtype, own.rank, source)


def _fitting(values: list[int]) -> Arithmetic:
    """Return the first type that holds all values."""
    for kind, bits in ((INT, 31), (UNSIGNED, 32)):
        least = -(1 << bits) if kind.is_signed else 0
        if all(least <= value < 1 << bits for value in values):
            return kind
    return LONG
