"""What variables in constant and global memory begin with: numbers known before a launch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.cuda import syntax, trees
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.analysis.lists import add_braces
from grader.simt.cuda.lowering.conversions import convert, to_stored
from grader.simt.cuda.lowering.expressions import plain
from grader.simt.cuda.lowering.initializers import check_narrowing, designate_members, is_whole
from grader.simt.cuda.lowering.model.types import (
    ArrayOf,
    CType,
    StructType,
    bindings_of,
    defaults_of,
    has_defaults,
    members_of,
)
from grader.simt.cuda.lowering.model.values import MemoryPlace
from grader.simt.cuda.lowering.storage import layout_of, place_of
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.cuda.names import GLOBAL_SPACES
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.types import Array, Space

MOST_CONSTANT = 65_536
"""Bytes of constant memory of a source; ptxas refuses more."""


def place_global(
    unit: CudaUnit, node: syntax.Variable, kind: CType, name: str, *, fixed: bool
) -> MemoryPlace:
    """Return the place of a variable in constant or global memory; its data has the full `name`.

    One that is `fixed` needs no memory space where constants are the device's.

    Raises:
        Refused: it is the host's, or there is no room for it.
    """
    module = unit.module
    if not node.specifiers & GLOBAL_SPACES and not (module.device and fixed):
        raise unit.error(node, fact("cpp.no-global", name=node.name))
    dtype, shape = layout_of(kind)
    size = dtype.itemsize * math.prod(shape)
    if "__constant__" in node.specifiers:
        _count_constant(unit, node, size)
    if node.specifiers & GLOBAL_SPACES:
        if name not in module.symbols:
            module.symbols[name] = begin_global(unit, node, kind)
        data = module.symbols[name]
    else:  # no host knows it, and a template may have it once for each of its arguments
        data = begin_global(unit, node, kind)
    if data.nbytes != size:  # as a host's compiler has it
        what = fact("program.symbol-size", name=node.name, n=size, given=data.nbytes)
        raise unit.error(node, what)
    data = data.view(dtype).reshape(shape)
    space: Space = "constant" if "__constant__" in node.specifiers else "global"
    declared = DeclaredArray(node.name, dtype, shape, data=data)
    place = place_of(kind, nodes.Memory(Array(dtype, len(shape), space), declared))
    return replace(place, const=fixed, volatile=trees.is_volatile(node.type))


def _count_constant(unit: CudaUnit, node: syntax.Variable, size: int) -> None:
    """Count a variable in constant memory, of which a device has little."""
    unit.module.constant_bytes += size
    if unit.module.constant_bytes > MOST_CONSTANT:
        total = unit.module.constant_bytes
        raise unit.error(node, fact("cpp.constant-memory", bytes=total, most=MOST_CONSTANT))


def begin_global(unit: CudaUnit, node: syntax.Variable, kind: CType) -> NDArray[Any]:
    """Return the data that a variable begins with."""
    dtype, shape = layout_of(kind)
    try:
        data: NDArray[Any] = np.zeros(shape, dtype)
    except (MemoryError, ValueError):  # NumPy cannot count so many
        size = dtype.itemsize * math.prod(shape)
        raise unit.error(node, fact("cpp.no-room", name=node.name, bytes=size)) from None
    given = node.initializer
    values = () if given is None else given.values
    listed = given is not None and given.form == "{}"
    for offset, value in _values(unit, kind, values, 0, listed=listed):
        data.reshape(-1).view(np.uint8)[offset : offset + value.nbytes] = np.frombuffer(
            value.tobytes(), np.uint8
        )
    return data


def _values(
    unit: CudaUnit, kind: CType, given: tuple[syntax.Expression, ...], start: int, *, listed: bool
) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the numbers that a variable begins with, and their offsets; the rest are zero."""
    if len(given) == 1 and isinstance(given[0], syntax.BraceList):
        given, listed = given[0].values, True
    if not isinstance(kind, (ArrayOf, StructType)):
        for value in given:
            yield start, _number(unit, kind, value, listed=listed)
        if len(given) > 1:
            raise unit.error(given[1], fact("cpp.too-many-values"))
        return
    yield from _parts(unit, kind, given, start)


def _parts(
    unit: CudaUnit, kind: ArrayOf | StructType, given: tuple[syntax.Expression, ...], start: int
) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the numbers that an array or a struct begins with, and their offsets."""
    match given:
        case (syntax.Construction(_, named, inside, braces=True),) if (
            unit.module.type_of(unit, named) == kind
        ):
            given = inside
    values = add_braces(kind, given, partial(is_whole, unit))
    if (
        isinstance(kind, StructType)
        and values
        and (kind.alternatives or isinstance(values[0], syntax.Designated))
    ):
        yield from _named_values(unit, kind, values, start)
        return
    count = len(kind.members) if isinstance(kind, StructType) else kind.length or 0
    if len(values) > count:
        raise unit.error(values[-1], fact("cpp.too-many-values"))
    if not has_defaults(kind):  # an array may have a hundred million elements
        count = len(values)
    for at, part in enumerate(islice(members_of(kind), count)):
        own, bound = values[at : at + 1], dict[str, Any]()
        if not own and isinstance(kind, StructType) and part.name in (known := defaults_of(kind)):
            own, bound = known[part.name].values, bindings_of(kind)
        with unit.scopes.inner(bound):
            yield from _values(unit, part.type, own, start + part.offset, listed=True)


def _named_values(
    unit: CudaUnit, kind: StructType, values: tuple[syntax.Expression, ...], start: int
) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the numbers of a union's member, or of members that are given by name."""
    if kind.alternatives and len(values) > 1:
        raise unit.error(values[1], fact("cpp.too-many-values"))
    given = dict(designate_members(unit, kind, values))
    for at, part in enumerate(kind.named):
        own: tuple[syntax.Expression, ...] = (given[at],) if at in given else ()
        bound = dict[str, Any]()
        if kind.alternatives and not own:
            continue
        if not own and part.name in (known := defaults_of(kind)):
            own, bound = known[part.name].values, bindings_of(kind)
        with unit.scopes.inner(bound):
            yield from _values(unit, part.type, own, start + part.offset, listed=True)


def _number(unit: CudaUnit, kind: CType, value: syntax.Expression, *, listed: bool) -> NDArray[Any]:
    """Return a number that is known before the launch, as memory holds it: without axes."""
    if isinstance(value, syntax.StringLiteral):  # whose address is known at the launch
        raise unit.refusal(value, fact("cpp.no-string-here"))
    with unit.apart():
        number_given = plain(unit, value)
        if listed:
            check_narrowing(unit, value, number_given, kind)
        known = folding.fold(to_stored(kind, convert(unit, value, number_given, kind).node))
    if known is None:
        raise unit.error(value, fact("cpp.not-constant"))
    dtype, _ = layout_of(kind)
    return np.asarray(known).astype(dtype)
