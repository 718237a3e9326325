"""Lists of values: which of them begins what, where C++ lets inner braces be left out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import repeat

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.model.types import Arithmetic, ArrayOf, CType, StructType

IsWhole = Callable[[CType, syntax.Expression], bool]
"""Returns True if a value without braces begins all of an array or a struct."""


def add_braces(
    kind: ArrayOf | StructType, values: tuple[syntax.Expression, ...], is_whole: IsWhole
) -> tuple[syntax.Expression, ...]:
    """Return a value for each part of an array or a struct, with the braces that were left out.

    Parts behind the last value have none; values behind the last part are returned as they are.
    """
    if any(isinstance(each, syntax.Designated) for each in values) or (
        isinstance(kind, StructType) and kind.alternatives
    ):
        return values
    rest, found = deque(spell_text(kind, values)), list[syntax.Expression]()
    for part in _parts(kind):
        if not rest:
            break
        found.append(_next(part, rest, is_whole))
    return (*found, *rest)


def spell_text(kind: CType, values: tuple[syntax.Expression, ...]) -> tuple[syntax.Expression, ...]:
    """Return the characters of a text that begins an array of them, with the zero at its end."""
    if not (
        isinstance(kind, ArrayOf) and isinstance(kind.element, Arithmetic) and len(values) == 1
    ):
        return values
    (text,) = values
    if not isinstance(text, syntax.StringLiteral) or kind.element.size != 1:
        return values
    codes = [*text.value, 0]
    if kind.element.is_signed:
        codes = [code - 256 if code > 127 else code for code in codes]
    return tuple(syntax.IntegerLiteral(text.place, code, "int") for code in codes)


def _next(kind: CType, rest: deque[syntax.Expression], is_whole: IsWhole) -> syntax.Expression:
    """Take what begins a part from the front of the values."""
    first = rest[0]
    if (
        isinstance(first, (syntax.BraceList, syntax.Designated))
        or spell_text(kind, (first,)) != (first,)
        or not isinstance(kind, (ArrayOf, StructType))
        or is_whole(kind, first)
    ):
        return rest.popleft()
    inner = list[syntax.Expression]()
    for part in _parts(kind):
        if not rest:
            break
        inner.append(_next(part, rest, is_whole))
    return syntax.BraceList(first.place, tuple(inner))


def _parts(kind: ArrayOf | StructType) -> Iterator[CType]:
    """Yield the types of the parts; of an array without a length there is no end."""
    if isinstance(kind, StructType) and kind.alternatives:
        yield kind.alternatives[0].type
    elif isinstance(kind, StructType):
        yield from (member.type for member in kind.members)
    elif kind.length is None:
        yield from repeat(kind.element)
    else:
        yield from repeat(kind.element, kind.length)
