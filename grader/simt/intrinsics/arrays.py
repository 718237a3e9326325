"""Arrays that a kernel declares: shared, local, constant."""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.checks.elements import WatchedArray, row_major
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.memory.local_memory import LocalBuffer
from grader.simt.memory.records import array_of, finest_cell
from grader.simt.memory.shared_memory import Region, shared_array
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, shape_of
from grader.simt.numba.program import DeclaredArray, Program
from grader.simt.numba.reading.paths import dtype_of
from grader.simt.numba.typed import TypedValue
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import NAMES, Array, DType, NamePath, Scalar, Space, Text

_DYNAMIC = "dynamic shared memory"


def _array(space: Space, name: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        named = ("shape", "dtype", "alignment")
        given = arguments(unit, _rename_alignment(node), name, 2, 3, named=named)
        shape, dtype = shape_of(unit, given[0]), _dtype(unit, given[1])
        kind = Array(dtype, len(shape), space)
        if space == "shared" and shape == (0,):
            program = unit.program
            cell = min(finest_cell(dtype), program.shared_cell or dtype.itemsize)
            program.dynamic_cell = min(program.dynamic_cell or cell, cell)
            return TypedValue(kind, _dynamic(dtype))
        declared = unit.program.declare(node, unit.naming or space, dtype, shape, space)
        if space == "shared":
            return TypedValue(kind, _shared(unit.program, declared, shape))
        return TypedValue(kind, _local(declared, shape))

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


def _shared(program: Program, declared: DeclaredArray, shape: tuple[int, ...]) -> Evaluate:
    label, dtype = declared.label, declared.dtype

    def evaluate(frame: Frame, _mask: object) -> Value:
        memory = frame.chunk.memory
        if declared not in memory:
            cell = min(finest_cell(dtype), program.shared_cell or dtype.itemsize)
            region = Region(frame.chunk, declared.bytes, cell, declared.base)
            memory[declared] = shared_array(label, dtype, region, shape)
        return memory[declared]

    return evaluate


def _local(declared: DeclaredArray, shape: tuple[int, ...]) -> Evaluate:
    watched = row_major("local", declared.label, declared.dtype, shape)

    def evaluate(frame: Frame, _mask: object) -> Value:
        chunk = frame.chunk
        if declared not in chunk.memory:

            def make(own: WatchedArray) -> LocalBuffer:
                return LocalBuffer(own, max(1, declared.bytes // own.cell_bytes), chunk)

            chunk.memory[declared] = array_of(watched, make, shape)
        return chunk.memory[declared]

    return evaluate


def _dynamic(dtype: Scalar) -> Evaluate:
    """Compile a dynamic array: all of them are the same memory."""

    def evaluate(frame: Frame, _mask: object) -> Value:
        chunk = frame.chunk
        if dtype not in chunk.memory:
            launch = chunk.launch
            if _DYNAMIC not in chunk.memory:
                chunk.memory[_DYNAMIC] = Region(
                    chunk, launch.dynamic_bytes, launch.dynamic_cell, launch.static_bytes
                )
            size = launch.dynamic_bytes // dtype.itemsize
            region = chunk.memory[_DYNAMIC]
            chunk.memory[dtype] = shared_array(_DYNAMIC, dtype, region, (size,), dynamic=True)
        return chunk.memory[dtype]

    return evaluate


def _array_like(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cuda.const.array_like", 1)
    typed = unit.compile_expression(given)
    if not isinstance(typed.type, Array) or typed.type.space != "constant":
        raise unit.refusal(given, fact("simt.not-global-array"))
    return typed


CALLS: Table = {
    **{name: _array("shared", name) for name in ("cuda.shared.array", "cuda.shared_array")},
    **{name: _array("local", name) for name in ("cuda.local.array", "cuda.local_array")},
    "cuda.const.array_like": _array_like,
}
