"""CUDA's vector types: `cuda.float32x4(…)`, made of numbers and of smaller vectors of its dtype."""

from __future__ import annotations

import ast
from itertools import chain

from grader.facts import fact
from grader.simt.numba.library.calling import Intrinsic, Table, arguments
from grader.simt.numba.typed import cast, item, keep_value
from grader.simt.numba.unit import Unit
from grader.simt.program import nodes as program_nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import (
    FLOAT32,
    FLOAT64,
    SIGNED,
    UNSIGNED,
    Scalar,
    VectorType,
    describe,
)

_MOST = 4
_C_NAMES: dict[str, tuple[str, ...]] = {
    "int8": ("char",),
    "int16": ("short",),
    "int32": ("int",),
    "int64": ("long", "longlong"),
    "uint8": ("uchar",),
    "uint16": ("ushort",),
    "uint32": ("uint",),
    "uint64": ("ulong", "ulonglong"),
    "float32": ("float",),
    "float64": ("double",),
}
"""What CUDA C++ calls a vector's dtype: `float4` is `float32x4`."""


def _make(name: str, kind: VectorType) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        nodes = arguments(unit, node, name, *range(1, kind.size + 1))
        given = [unit.compile_expression(argument) for argument in nodes]
        parts = list(chain(*map(lambda *pair: _members(unit, kind, *pair), nodes, given)))
        if len(parts) != kind.size:
            shown = tuple(describe(typed.type) for typed in given)
            raise unit.typing_error(node, fact("simt.no-overload", name=name, types=shown))
        return program_nodes.Pack(kind, tuple(cast(part, kind.dtype) for part in parts))

    return make


def _members(unit: Unit, kind: VectorType, node: ast.expr, given: Expression) -> list[Expression]:
    """Return the numbers that an argument stands for; a vector is evaluated once."""
    if isinstance(given.type, VectorType) and given.type.dtype == kind.dtype:
        first, again = keep_value(given)
        return [item(again if place else first, place) for place in range(given.type.size)]
    dtype: Scalar = unit.dtype(node, given.type)
    if dtype.kind == "c":
        raise unit.typing_error(node, fact("simt.complex-as-real", dtype=dtype.name))
    return [given]


def _types() -> dict[str, VectorType]:
    found = {}
    for dtype in (*SIGNED, *UNSIGNED, FLOAT32, FLOAT64):
        for size in range(1, _MOST + 1):
            kind = VectorType(dtype, size)
            found[f"{dtype.name}x{size}"] = kind
            found.update({f"{name}{size}": kind for name in _C_NAMES[dtype.name]})
    return found


TYPES = _types()
"""By all their names."""

CALLS: Table = {f"cuda.{name}": _make(f"cuda.{name}", kind) for name, kind in TYPES.items()}
