"""Textures and surfaces by their objects: `tex2D<float>(…)`, `surf2Dwrite(…)` and their like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, load, number, pointer_type, rvalue
from grader.simt.cuda.lowering.expressions import lower_arguments
from grader.simt.cuda.lowering.library.overloads import called, no_overload, require
from grader.simt.cuda.lowering.model.types import (
    FLOAT,
    INT,
    UNSIGNED_LONG_LONG,
    VOID,
    Arithmetic,
    CType,
    PointerTo,
    StructType,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value, VoidValue
from grader.simt.cuda.lowering.operators import dereference
from grader.simt.cuda.lowering.templates.structs import fill_members
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics import textures
from grader.simt.intrinsics.textures import TRAP
from grader.simt.program.nodes import Convert, Expression, Part, Perform, Read, Set, When
from grader.simt.program.types import BOOL, INT64, Tuple

_WIDEST = 4
"""Bytes of a channel."""


def _channels(unit: CudaUnit, node: syntax.Call, kind: CType) -> tuple[Arithmetic, int]:
    """Return the type of a channel and how many a type has.

    Raises:
        Refused: no element of a texture has this type.
    """
    members = [each.type for each in kind.members] if isinstance(kind, StructType) else [kind]
    base = members[0] if members else kind
    vector = not isinstance(kind, StructType) or kind.vector
    if not (isinstance(base, Arithmetic) and vector and base.size <= _WIDEST):
        raise unit.refusal(node, fact("cpp.texture-element", type=kind.name))
    return base, len(members)


def _written_type(unit: CudaUnit, node: syntax.Call) -> CType | None:
    """Return the type between the angles; None without them."""
    assert isinstance(node.function, syntax.Name)  # it was found by its name
    written = node.function.parts[-1].arguments
    if not written:
        return None
    if not isinstance(written[0], syntax.Type):
        raise no_overload(unit, node, lower_arguments(unit, node.arguments))
    kind: CType = unit.module.type_of(unit, written[0])
    return kind


def _handle(unit: CudaUnit, node: syntax.Call, given: Value) -> Expression:
    return Convert(INT64, convert(unit, node, rvalue(unit, node, given), UNSIGNED_LONG_LONG).node)


def _as_type(unit: CudaUnit, node: syntax.Call, kind: CType, parts: Sequence[Plain]) -> Value:
    return fill_members(unit, node, kind, parts) if isinstance(kind, StructType) else parts[0]


def _returning(
    unit: CudaUnit, node: syntax.Call, read: Callable[[CType, Sequence[Value]], Value]
) -> Value:
    """Read a type: the one that is written, or what the first argument points to."""
    given, kind = lower_arguments(unit, node.arguments), _written_type(unit, node)
    if given:
        first = rvalue(unit, node, given[0]) if not isinstance(given[0], Aggregate) else given[0]
        if isinstance(first.type, PointerTo) and isinstance(first, Plain):
            place = dereference(unit, node, first)
            assign(unit, node, place, read(kind or place.type, given[1:]))
            return VoidValue(VOID)
    if kind is None:
        raise no_overload(unit, node, given)
    return read(kind, given)


def _texture(name: str, axes: int, *, layered: bool = False) -> Callable[..., Value]:
    whole = name == "tex1Dfetch"

    def lower(unit: CudaUnit, node: syntax.Call) -> Value:
        def read(kind: CType, given: Sequence[Value]) -> Value:
            require(unit, node, given, 1 + axes + layered)
            base, count = _channels(unit, node, kind)
            types = [INT if whole else FLOAT] * axes + [INT] * layered
            at = [
                convert(unit, node, rvalue(unit, node, each), wanted).node
                for each, wanted in zip(given[1:], types, strict=True)
            ]
            run = partial(
                textures.fetch, name=name, dtype=base.dtype, channels=count, layered=layered
            )
            operands = (_handle(unit, node, given[0]), *at)
            site = unit.site(node.place)
            fetched = Perform(Tuple((base.dtype,) * count), name, run, operands, site, alone=True)
            found = unit.hold(fetched)
            parts = [Plain(base, Part(base.dtype, found, each)) for each in range(count)]
            return _as_type(unit, node, kind, parts)

        return _returning(unit, node, read)

    return lower


class _Element:
    """An element of a surface: the pointer to it, and whether it is there."""

    def __init__(
        self,
        unit: CudaUnit,
        node: syntax.Call,
        kind: CType,
        at: Sequence[Value],
        locate: Callable[..., tuple[Any, Any]],
    ) -> None:
        self.unit, self.node, self.kind = unit, node, kind
        coordinates = (convert(unit, node, rvalue(unit, node, each), INT).node for each in at[1:])
        name, run = called(node), partial(locate, size=kind.size)
        operands = (_handle(unit, node, at[0]), *coordinates)
        pair = Tuple((INT64, BOOL))
        found = unit.hold(Perform(pair, name, run, operands, unit.site(node.place), alone=True))
        pointer = PointerTo(kind)
        own = Convert(pointer_type(pointer, "global"), Part(INT64, found, 0))
        self.place = dereference(unit, node, Plain(pointer, own))
        self.there = Part(BOOL, found, 1)

    def read(self) -> Value:
        """Return it; 0 where it is not there."""
        unit, (base, count) = self.unit, _channels(self.unit, self.node, self.kind)
        names = [unit.temporary() for _ in range(count)]
        for each in names:
            unit.emit(Set(each, number(base, 0).node))
        with unit.apart() as operations:
            value = load(unit, self.node, self.place)
            parts = value.members if isinstance(value, Aggregate) else (value,)
            for each, part in zip(names, parts, strict=True):
                assert isinstance(part, Plain)  # a number of a vector
                unit.emit(Set(each, part.node))
        unit.emit(When(self.there, tuple(operations), ()))
        held = [Plain(base, Read(base.dtype, each)) for each in names]
        return _as_type(unit, self.node, self.kind, held)

    def write(self, value: Value) -> None:
        """Emit what gives it a value where it is there."""
        with self.unit.apart() as operations:
            assign(self.unit, self.node, self.place, value)
        self.unit.emit(When(self.there, tuple(operations), ()))


def _mode(unit: CudaUnit, node: syntax.Call, given: Sequence[Value], count: int) -> int:
    """Return what is done beyond a surface.

    Raises:
        Refused: it is no constant, or there are too few or too many arguments.
    """
    require(unit, node, given, count, count + 1)
    if len(given) == count:
        return TRAP
    known = fold(convert(unit, node, rvalue(unit, node, given[count]), INT).node)
    if known not in (0, 1, TRAP):
        raise unit.refusal(node, fact("cpp.surface-mode"))
    return int(known)


def _surface_read(name: str, axes: int, *, layered: bool = False) -> Callable[..., Value]:
    def lower(unit: CudaUnit, node: syntax.Call) -> Value:
        def read(kind: CType, given: Sequence[Value]) -> Value:
            _channels(unit, node, kind)
            count = 1 + axes + layered
            mode = _mode(unit, node, given, count)
            locate = partial(textures.locate, name=name, mode=mode, layered=layered)
            return _Element(unit, node, kind, given[:count], locate).read()

        return _returning(unit, node, read)

    return lower


def _surface_write(name: str, axes: int, *, layered: bool = False) -> Callable[..., Value]:
    def lower(unit: CudaUnit, node: syntax.Call) -> Value:
        given, count = lower_arguments(unit, node.arguments), 2 + axes + layered
        mode = _mode(unit, node, given, count)
        value = load(unit, node, given[0])
        kind = _written_type(unit, node) or value.type
        _channels(unit, node, kind)
        locate = partial(textures.locate, name=name, mode=mode, layered=layered)
        _Element(unit, node, kind, given[1:count], locate).write(value)
        return VoidValue(VOID)

    return lower


FORMS: dict[str, Callable[[CudaUnit, syntax.Call], Value]] = {
    "tex1Dfetch": _texture("tex1Dfetch", 1),
    **{f"tex{axes}D": _texture(f"tex{axes}D", axes) for axes in (1, 2, 3)},
    **{f"tex{axes}DLayered": _texture(f"tex{axes}DLayered", axes, layered=True) for axes in (1, 2)},
    **{f"surf{axes}Dread": _surface_read(f"surf{axes}Dread", axes) for axes in (1, 2, 3)},
    **{f"surf{axes}Dwrite": _surface_write(f"surf{axes}Dwrite", axes) for axes in (1, 2, 3)},
    **{
        f"surf{axes}DLayered{what}": make(f"surf{axes}DLayered{what}", axes, layered=True)
        for axes in (1, 2)
        for what, make in (("read", _surface_read), ("write", _surface_write))
    },
}
