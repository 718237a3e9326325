"""`__dp4a` and `__dp2a_…`: sums of products of bytes and halves, in words or in vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.simt.cuda.lowering.library.entries import as_overload
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, overloaded
from grader.simt.cuda.lowering.model.types import INT, UNSIGNED, VECTORS, Arithmetic
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature, Vector
from grader.simt.program.nodes import Apply
from grader.simt.program.types import INT32

_DOTS = {"__dp4a": (1, slice(None)), "__dp2a_lo": (2, slice(2)), "__dp2a_hi": (2, slice(2, None))}
"""Bytes of the left factors, and which bytes of the right word are the others."""
_WORDS = (INT32,) * 3
_VECTORS = {("i", 1): "char4", ("u", 1): "uchar4", ("i", 2): "short2", ("u", 2): "ushort2"}
"""By sign and bytes of an element."""


def _dot(letter: str, left_bytes: int, part: slice) -> Callable[[Vector, Vector, Vector], Vector]:
    """Add products to a number: of a word's bytes or halves, and of some bytes of another word."""

    def compute(left: Vector, right: Vector, more: Vector) -> Vector:
        first, second = (
            np.ascontiguousarray(word)[..., None].view(f"{letter}{size}").astype(np.int64)
            for word, size in ((left, left_bytes), (right, 1))
        )
        wide = (first * second[..., part]).sum(axis=-1) + more.astype(np.int64)
        found: Vector = wide.astype(np.uint64).astype(np.uint32).view(INT32)
        return found

    return compute


def _join(*parts: Vector) -> Vector:
    """Return the words that bytes or halves make."""
    together = np.stack(np.broadcast_arrays(*parts), axis=-1)
    words: Vector = together.view(np.uint32)[..., 0]
    return words


def _of_vectors(
    letter: str, size: int, kind: Arithmetic, words: LibraryOverload
) -> LibraryOverload:
    """Make the overload that takes vectors where another one takes words."""

    def to_word(value: Value) -> Plain:
        assert isinstance(value, Aggregate)  # as its type says
        parts = tuple(part.node for part in value.members if isinstance(part, Plain))
        return Plain(kind, Apply(kind.dtype, "to word", _join, parts))

    def lower(unit: Any, node: Any, given: Sequence[Any]) -> Value:
        found: Value = words.lower(unit, node, (to_word(given[0]), to_word(given[1]), given[2]))
        return found

    vectors = VECTORS[_VECTORS[letter, size]], VECTORS[_VECTORS[letter, 1]]
    return LibraryOverload((*vectors, kind), lower)


def _overloads(name: str) -> Iterator[LibraryOverload]:
    size, part = _DOTS[name]
    for letter, kind in (("i", INT), ("u", UNSIGNED)):
        entry = FixedSignature((INT32,), _WORDS, _dot(letter, size, part))
        made = as_overload(name, entry, (kind,) * 3, kind)
        yield from (made, _of_vectors(letter, size, kind, made))


HANDLERS: dict[str, Handler] = {name: overloaded(*_overloads(name)) for name in _DOTS}
