"""Numba's names of the arrays that a kernel declares: shared, local, constant."""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, shape_of
from grader.simt.numba.reading.paths import dtype_of
from grader.simt.numba.unit import Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import NAMES, Array, DType, NamePath, Scalar, Space, Text

_DECLARED: tuple[Space, ...] = ("shared", "local")


def _array(space: Space, name: str, *, renames: bool = False) -> Intrinsic:
    """Make what compiles the declaration of an array.

    Args:
        renames: whether `alignas=` means `alignment=`, as numba-cuda-mlir has it.
    """

    def make(unit: Unit, node: ast.Call) -> Expression:
        named = ("shape", "dtype", "alignment")
        call = _rename_alignment(node) if renames else node
        given = arguments(unit, call, name, 2, 3, named=named)
        shape, dtype = shape_of(unit, given[0]), _dtype(unit, given[1])
        kind = Array(dtype, len(shape), space)
        if space == "shared" and shape == (0,):
            return nodes.Memory(kind, None)
        return nodes.Memory(
            kind, unit.program.declare(node, unit.naming or space, dtype, shape, space)
        )

    return make


def _rename_alignment(node: ast.Call) -> ast.Call:
    """Return the call with numba-cuda-mlir's `alignas=` as numba-cuda's `alignment=`."""
    names = [
        ast.keyword("alignment", given.value) if given.arg == "alignas" else given
        for given in node.keywords
    ]
    return ast.copy_location(ast.Call(node.func, node.args, names), node)


def _dtype(unit: Unit, node: ast.expr) -> Scalar:
    typed = unit.compile_expression(node)
    match typed.type:
        case DType(dtype):
            return dtype
        case NamePath() as path if (found := dtype_of(path)) is not None:
            return found.dtype
        case NamePath(name) if name.startswith("builtins.") and name[9:] in (
            "int",
            "float",
            "bool",
        ):
            return NAMES[name[9:]]
        case Text(value) if value in NAMES:
            return NAMES[value]
        case _:
            raise unit.typing_error(
                node, fact("simt.not-a-dtype"), fact("advice.write", code="float32")
            )


def _array_like(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cuda.const.array_like", 1)
    typed = unit.compile_expression(given)
    if not isinstance(typed.type, Array) or typed.type.space != "constant":
        raise unit.refusal(given, fact("simt.not-global-array"))
    return typed


CALLS: Table = {
    "cuda.shared.array": _array("shared", "cuda.shared.array"),
    "cuda.local.array": _array("local", "cuda.local.array"),
    "cuda.const.array_like": _array_like,
}
MLIR_CALLS: Table = {
    f"cuda.{space}{dot}array": _array(space, f"cuda.{space}{dot}array", renames=True)
    for space in _DECLARED
    for dot in "._"
}
"""Those of numba-cuda-mlir."""
