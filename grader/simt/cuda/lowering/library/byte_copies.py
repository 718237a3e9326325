"""`memcpy`, `memmove` and `memset` of so many bytes as the source says, by the widest accesses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, load, number, offset, rvalue
from grader.simt.cuda.lowering.library.overloads import Handler, require
from grader.simt.cuda.lowering.model.types import (
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VECTORS,
    VOID,
    Arithmetic,
    CType,
    PointerTo,
)
from grader.simt.cuda.lowering.model.values import MemoryPlace, Plain, Value
from grader.simt.cuda.lowering.unit import CudaUnit

_WORDS: tuple[CType, ...] = (
    VECTORS["uint4"], UNSIGNED_LONG, UNSIGNED, UNSIGNED_SHORT, UNSIGNED_CHAR,
)  # fmt: skip
_MOST = 64
"""Accesses of a call: each is an operation of its own."""


def _size(unit: CudaUnit, node: syntax.Call, given: Value, words: CType) -> int:
    """Return how many words are copied.

    Raises:
        Refused: it is not known before the launch, or too many.
    """
    size = fold(convert(unit, node, rvalue(unit, node, given), UNSIGNED_LONG).node)
    if size is None or int(size) // words.size > _MOST:
        name = node.function.spelled if isinstance(node.function, syntax.Name) else ""
        raise unit.refusal(node, fact("cpp.no-byte-copies", name=name))
    return int(size) // words.size


def _pointer(unit: CudaUnit, node: syntax.Call, given: Value) -> Plain:
    value = rvalue(unit, node, given)
    if not isinstance(value.type, PointerTo):
        what = fact("cpp.no-conversion", type=value.type.name, wanted="void*")
        raise unit.error(node, what)
    return unit.hold_plain(value)


def _word(size: int | None, *pointers: Plain) -> CType:
    """Return the widest word in which bytes can be accessed, by what pointers point to."""
    aligned = min(each.type.target.alignment for each in pointers)  # type: ignore[union-attr]
    fitting = (each for each in _WORDS if each.alignment <= aligned and not (size or 0) % each.size)
    return next(fitting, UNSIGNED_CHAR)


def _places(
    unit: CudaUnit, node: syntax.Call, at: Plain, word: CType, count: int
) -> list[MemoryPlace]:
    kind = at.type
    assert isinstance(kind, PointerTo)  # the caller has looked
    base = convert(unit, node, at, PointerTo(word, kind.const), cast=True).node
    steps = range(0, count * word.size, word.size)
    return [MemoryPlace(word, offset(base, step, word), kind.const) for step in steps]


def _known_size(unit: CudaUnit, node: syntax.Call, given: Value) -> int | None:
    size = fold(convert(unit, node, rvalue(unit, node, given), UNSIGNED_LONG).node)
    return None if size is None else int(size)


def _copy(
    unit: CudaUnit, node: syntax.Call, given: Sequence[Value], *, first: bool = False
) -> Value:
    """Lower a copy; `first` if everything is read before anything is written."""
    require(unit, node, given, 3)
    to, source = _pointer(unit, node, given[0]), _pointer(unit, node, given[1])
    word = _word(_known_size(unit, node, given[2]), to, source)
    count = _size(unit, node, given[2], word)
    targets = _places(unit, node, to, word, count)
    sources = _places(unit, node, source, word, count)
    loaded = [unit.hold_value(load(unit, node, each)) for each in sources] if first else []
    for at, (place, each) in enumerate(zip(targets, sources, strict=True)):
        assign(unit, node, place, loaded[at] if first else load(unit, node, each))
    return convert(unit, node, to, PointerTo(VOID), cast=True)


def _set(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 3)
    to = _pointer(unit, node, given[0])
    byte = fold(convert(unit, node, rvalue(unit, node, given[1]), UNSIGNED_CHAR).node)
    words = [each for each in _WORDS if isinstance(each, Arithmetic)]
    word = _word(_known_size(unit, node, given[2]), to)
    word = word if word in words else UNSIGNED_LONG
    count = _size(unit, node, given[2], word)
    if byte is None:
        raise unit.refusal(node, fact("cpp.no-byte-copies", name="memset"))
    repeated = int.from_bytes(bytes([int(byte)]) * word.size, "little")
    assert isinstance(word, Arithmetic)  # as all that is left
    for place in _places(unit, node, to, word, count):
        assign(unit, node, place, number(word, repeated))
    return convert(unit, node, to, PointerTo(VOID), cast=True)


HANDLERS: dict[str, Handler] = {
    "memcpy": _copy,
    "memmove": partial(_copy, first=True),
    "memset": _set,
}
