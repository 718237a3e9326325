"""Where variables of a type live: registers, and memory that is local or shared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.conversions import dtype_of, pointer_type, vector_of
from grader.simt.cuda.lowering.model.types import (
    ANONYMOUS,
    BASE,
    CHAR,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    is_closure,
    parts_of,
    unnest,
)
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace, Register, Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import AddressOf
from grader.simt.program.types import INT8, INT64, UINT8, Array, Scalar, Space


def freeze(place: Value) -> Value:
    """Return a variable that nothing may change; what a lambda captured is its own matter."""
    match place:
        case Register(kind, variable):
            return Register(kind, variable, const=True)
        case MemoryPlace(kind, pointer):
            return MemoryPlace(kind, pointer, const=True, volatile=place.volatile)
        case Aggregate(kind, members) if not is_closure(kind):
            return Aggregate(kind, tuple(map(freeze, members)), const=True, whole=place.whole)
    return place


def make_variable(unit: CudaUnit, name: str, kind: CType) -> Value:
    """Make a variable without an address: of a struct, one for each member."""
    if isinstance(kind, StructType):
        members = (
            make_variable(unit, _member_name(name, member.name), member.type)
            for member in kind.members
        )
        return Aggregate(kind, tuple(members))
    if isinstance(kind, ArrayOf):  # within a parameter
        elements = (
            make_variable(unit, f"{name}[{at}]", part) for at, part in enumerate(parts_of(kind))
        )
        return Aggregate(kind, tuple(elements))
    variable = unit.variable(name)
    unit.types[variable] = dtype_of(kind)
    return Register(kind, variable)


def _member_name(name: str, member: str) -> str:
    """Return the name of a struct's member; of a base, which has none, the struct's own."""
    return name if member.startswith((ANONYMOUS, BASE)) else f"{name}.{member}"


def declare_local(
    unit: CudaUnit, node: syntax.Variable | declared.Parameter, kind: CType
) -> MemoryPlace:
    """Make a variable in a thread's own memory."""
    _require_size(unit, node, kind)
    return declare_memory(unit, node, node.name, kind, "local")


def declare_memory(
    unit: CudaUnit, node: syntax.Node, name: str, kind: CType, space: Space
) -> MemoryPlace:
    """Declare memory of a type: elements of its innermost numbers."""
    dtype, shape = layout_of(kind)
    declared = unit.module.program.declare(node, name, dtype, shape, space)
    return place_of(kind, nodes.Memory(Array(dtype, len(shape), space), declared))


def place_text(node: syntax.StringLiteral) -> MemoryPlace:
    """Return the place of a text in global memory, with the zero at its end."""
    codes = np.frombuffer(node.value + b"\0", np.int8).copy()
    declared = DeclaredArray("", INT8, codes.shape, data=codes)
    memory = nodes.Memory(Array(INT8, 1, "global"), declared)
    return freeze(place_of(ArrayOf(CHAR, codes.size), memory))  # type: ignore[return-value]


def layout_of(kind: CType) -> tuple[Scalar, tuple[int, ...]]:
    """Return what a type is made of in memory: numbers of a dtype, in a shape."""
    element, lengths = unnest(kind)
    shape = tuple(length or 0 for length in lengths)
    match element:
        case Arithmetic():
            return element.stored, shape or (1,)
        case StructType(vector=True, members=members):
            return vector_of(element).dtype, (*shape, len(members))
        case PointerTo():
            return INT64, shape or (1,)
    return UINT8, (*shape, element.size)


def place_of(kind: CType, memory: nodes.Memory) -> MemoryPlace:
    """Return the place of a variable in memory that is declared for it."""
    assert isinstance(memory.type, Array)  # of declared memory
    element, _ = unnest(kind)
    pointer = pointer_type(PointerTo(element), memory.type.space)
    return MemoryPlace(kind, AddressOf(pointer, memory))


def declare_shared(
    unit: CudaUnit, node: syntax.Variable, namespace: tuple[str, ...] | None = None
) -> MemoryPlace:
    """Declare a variable in shared memory, of a function or of the whole source.

    Args:
        namespace: around the declaration; None for that around the function.

    Raises:
        Refused: it has an initializer, or its type no size.
    """
    kind = unit.module.type_of(unit, node.type)
    if node.initializer is not None:
        raise unit.error(node, fact("cpp.shared-initializer", name=node.name))
    if "extern" in node.specifiers:
        around = unit.namespace if namespace is None else namespace
        return _dynamic(unit, node, kind, around)
    _require_size(unit, node, kind)
    place = declare_memory(unit, node, node.name, kind, "shared")
    return replace(place, volatile=trees.is_volatile(node.type))


def _dynamic(
    unit: CudaUnit, node: syntax.Variable, kind: CType, namespace: tuple[str, ...]
) -> MemoryPlace:
    """Declare dynamic shared memory, in which all such arrays begin at the same byte."""
    if not isinstance(kind, ArrayOf):
        raise unit.error(node, fact("cpp.extern-shared", name=node.name))
    check_dynamic(unit, node, kind, namespace)
    element = kind.element
    dtype = element.stored if isinstance(element, Arithmetic) else UINT8
    return place_of(kind, nodes.Memory(Array(dtype, 1, "shared"), None))


def check_dynamic(
    unit: CudaUnit, node: syntax.Variable, kind: ArrayOf, namespace: tuple[str, ...]
) -> None:
    """Check that all declarations of a dynamic shared array in a namespace agree on its type.

    Raises:
        Refused: another one has another type.
    """
    const = "const " if trees.is_const(node.type) else ""
    written = f"{const}{kind.element.name}"
    name = "::".join((*namespace, node.name))
    other = unit.module.dynamic.setdefault(name, written)
    if other != written:
        what = fact("cpp.extern-shared-types", name=node.name, first=other, second=written)
        raise unit.error(node, what)


def _require_size(unit: CudaUnit, node: syntax.Variable | declared.Parameter, kind: CType) -> None:
    if kind.size <= 0:
        raise unit.error(node, fact("cpp.no-size", name=node.name))
