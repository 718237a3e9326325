"""Where the members of structs are, as the ABI of C++ has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.simt.cuda.lowering.model.types import (
    BASE,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    ArrayOf,
    CType,
    MemberOf,
    StructType,
    parts_of,
    unnest,
)

_POINTER = 8


def lay_out(
    made: StructType, members: Iterable[tuple[str, CType]], alignment: int, *, virtual: bool = False
) -> None:
    """Lay out a struct as C++ does: a base without members takes no place.

    One that is `virtual` begins with a pointer, which nothing here reads.
    """
    placed: list[MemberOf] = []
    offset, parts = (_POINTER if virtual else 0), 0
    alignment = max(alignment, _POINTER) if virtual else alignment
    for member, kind in members:
        base = kind if isinstance(kind, StructType) and member.startswith(BASE) else None
        empty = base is not None and not any(True for _ in numbers_in(base))
        if not empty:
            offset = -(-offset // kind.alignment) * kind.alignment
        placed.append(MemberOf(member, kind, 0 if empty else offset))
        offset += 0 if empty else (base.content if base else kind.size)
        alignment = max(alignment, kind.alignment)
        inner, _ = unnest(kind)
        parts += inner.parts if isinstance(inner, StructType) else 1
    made.members, made.alignment, made.parts = tuple(placed), alignment, parts
    made.size = max(-(-offset // alignment) * alignment, 1)
    made.content = made.size if is_plain(made) else offset


def is_plain(kind: StructType) -> bool:
    """Return True for what C++98 calls plain data: nothing is placed in what fills it up."""
    tree = kind.source.tree if kind.source else None
    if tree is None:
        return True
    own = not (tree.bases or tree.private or tree.virtual) and not any(
        each.name in (tree.name, "operator=") and not each.defaulted for each in tree.functions
    )
    inner = (unnest(each.type)[0] for each in kind.named)
    return own and all(is_plain(each) for each in inner if isinstance(each, StructType))


def numbers_in(kind: CType) -> Iterator[CType]:
    """Yield the numbers and pointers that a type is made of."""
    if isinstance(kind, (StructType, ArrayOf)):
        for part in parts_of(kind):
            yield from numbers_in(part)
    else:
        yield kind


def lay_out_union(made: StructType, members: Iterable[tuple[str, CType]], alignment: int) -> None:
    """Lay out a union: all members are at its beginning."""
    placed = tuple(MemberOf(member, kind, 0) for member, kind in members)
    alignment = max((alignment, *(each.type.alignment for each in placed)))
    content = max((each.type.size for each in placed), default=1)  # without what fills it up
    words = (UNSIGNED_LONG, UNSIGNED, UNSIGNED_SHORT, UNSIGNED_CHAR)
    word = next(each for each in words if not content % each.size and each.size <= alignment)
    made.alternatives, made.alignment, made.parts = placed, alignment, 1
    made.size = -(-content // alignment) * alignment
    made.members = (MemberOf("bits", ArrayOf(word, content // word.size), 0),)
    made.content = made.size
