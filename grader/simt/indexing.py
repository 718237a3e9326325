"""Brackets: elements and slices of arrays, parts of tuples, and what an array knows of itself."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.simt.chunk import Here
from grader.simt.expressions import Expressions
from grader.simt.extents import extent_of, size_of
from grader.simt.raising import checked, raising
from grader.simt.typed import Evaluate, Frame, Typed, Value, cast, constant, unpacked
from grader.simt.types import (
    INT64,
    Array,
    Constant,
    DType,
    Holder,
    Nothing,
    Tuple,
    described,
    number,
)
from grader.simt.views import Extent, View, located, report_outside, report_wrapped, sliced, within


class _Part(NamedTuple):
    """A slice along one axis."""

    start: Evaluate | None
    stop: Evaluate | None
    step: int


Index = Evaluate | _Part


class Place(NamedTuple):
    """An element that can be read and written."""

    node: ast.Subscript
    array: Typed
    kind: Array
    indices: tuple[Evaluate, ...]


class Indexing(Expressions):
    """Expressions, with brackets."""

    def element(self, node: ast.Subscript) -> Typed:
        """`a[i]`, `a[i, j]`, `a[i:j]`, `t[0]`."""
        base = self.value(node.value)
        if isinstance(base.type, Tuple):
            return self._part(node, base)
        if isinstance(base.type, Holder) and isinstance(node.slice, ast.Constant):
            return self.held(node, base.type.value, str(node.slice.value))
        if not isinstance(base.type, Array):
            raise self.refused(node, f"{described(base.type)} cannot be indexed")
        indices = self._indices(node, base.type)
        if len(indices) < base.type.ndim or any(isinstance(one, _Part) for one in indices):
            return self._view(node, base, base.type, indices)
        return self.load(Place(node, base, base.type, tuple(indices)))  # type: ignore[arg-type]

    def place(self, node: ast.Subscript) -> Place:
        """An element to be written."""
        base = self.value(node.value)
        if not isinstance(base.type, Array):
            raise self.refused(node, f"{described(base.type)} cannot be written to")
        if not base.type.writable:
            raise self.refused(node, "this array is constant", "pass it as an argument")
        self.note_stored(node.value, base.type)
        indices = self._indices(node, base.type)
        if len(indices) < base.type.ndim or any(isinstance(one, _Part) for one in indices):
            raise self.refused(node, "only single elements can be written", "write a loop")
        return Place(node, base, base.type, tuple(indices))  # type: ignore[arg-type]

    def load(self, place: Place) -> Typed:
        """What stands at a place."""
        array, dtype, indices = place.array.evaluate, place.kind.dtype, place.indices
        site = self.site(place.node)
        zero = np.zeros((1, 1), dtype=dtype)

        def load(frame: Frame, mask: Any) -> Value:
            view = array(frame, mask)
            given = [one(frame, mask) for one in indices]
            here = Here(frame.chunk, mask, site)
            flat, left = located(view, given, here)
            if flat is None or left is None:
                return zero
            return view.buffer.load(flat, here._replace(mask=left))

        return Typed(dtype, load)

    def store(self, place: Place, value: Evaluate) -> Callable[[Frame, Any], None]:
        """Writes a value, of the array's dtype, to a place."""
        array, indices, site = place.array.evaluate, place.indices, self.site(place.node)

        def store(frame: Frame, mask: Any) -> None:
            given = value(frame, mask)
            view = array(frame, mask)
            given_at = [one(frame, mask) for one in indices]
            here = Here(frame.chunk, mask, site)
            flat, left = located(view, given_at, here)
            if flat is not None and left is not None:
                view.buffer.store(flat, given, here._replace(mask=left))

        return store

    def update(
        self, place: Place, change: Callable[[Typed], Evaluate]
    ) -> Callable[[Frame, Any], None]:
        """Reads a place, and writes what `change` makes of it; the place is found once."""
        array, indices, site = place.array.evaluate, place.indices, self.site(place.node)
        key = object()
        new = change(Typed(place.kind.dtype, lambda frame, _mask: frame.values[key]))  # type: ignore[index]

        def update(frame: Frame, mask: Any) -> None:
            view = array(frame, mask)
            given = [one(frame, mask) for one in indices]
            here = Here(frame.chunk, mask, site)
            flat, left = located(view, given, here)
            if flat is None or left is None:
                return
            frame.values[key] = view.buffer.load(flat, here._replace(mask=left))  # type: ignore[index]
            view.buffer.store(flat, new(frame, left), here._replace(mask=left))

        return update

    def subscripts(self, node: ast.AST, typed: Sequence[Typed]) -> list[Evaluate]:
        """Whole numbers, and tuples of them, as indices."""
        indices: list[Evaluate] = []
        for one in typed:
            if isinstance(one.type, Tuple):
                indices += self.subscripts(node, unpacked(one, one.type))
                continue
            dtype = number(one.type)
            if dtype is None or dtype.kind not in "iu":
                raise self.not_typed(
                    node, f"{described(one.type)} as an index", "an index is a whole number"
                )
            indices.append(one.evaluate if dtype.kind == "u" else cast(one, INT64))
        return indices

    def _indices(self, node: ast.Subscript, kind: Array) -> list[Index]:
        written = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        indices: list[Index] = []
        for one in written:
            if isinstance(one, ast.Slice):
                indices.append(self._slice(one))
            elif isinstance(one, ast.Constant) and one.value is ...:
                raise self.refused(one, "... is not available", "write : for each axis")
            else:
                indices += self.subscripts(one, [self.value(one)])
        if len(indices) > kind.ndim:
            what = f"{len(indices)} indices for {described(kind)}"
            raise self.not_typed(node, what)
        return indices

    def _slice(self, node: ast.Slice) -> _Part:
        step = 1
        if node.step is not None:
            typed = self.value(node.step)
            if not isinstance(typed.type, Constant) or typed.type.value == 0:
                raise self.refused(node, "the step of a slice is a constant, and not 0")
            step = typed.type.value
        return _Part(self._bound(node.lower), self._bound(node.upper), step)

    def _bound(self, node: ast.expr | None) -> Evaluate | None:
        if node is None:
            return None
        typed, _ = self.number(node)
        return None if isinstance(typed.type, Nothing) else cast(typed, INT64)

    def _view(self, node: ast.AST, base: Typed, kind: Array, indices: Sequence[Index]) -> Typed:
        """A part of an array."""
        site = self.site(node)
        fixed = sum(not isinstance(one, _Part) for one in indices)
        part = Array(kind.dtype, kind.ndim - fixed, kind.space, kind.writable)

        def view(frame: Frame, mask: Any) -> Value:
            whole: View = base.evaluate(frame, mask)
            axis = 0
            for index in indices:
                if isinstance(index, _Part):
                    start, stop = _clipped(index, whole.shape[axis], frame, mask)
                    whole = sliced(whole, axis, start, stop, index.step)
                    axis += 1
                else:
                    whole = _fixed(whole, axis, index(frame, mask), Here(frame.chunk, mask, site))
            return whole

        return Typed(part, view)

    def _part(self, node: ast.Subscript, base: Typed) -> Typed:
        """`t[0]`."""
        assert isinstance(base.type, Tuple)  # noqa: S101 — the caller has looked
        count = len(base.type.items)
        index = self.value(node.slice)
        if isinstance(index.type, Constant):
            place = index.type.value
            if not -count <= place < count:
                raise self.refused(node, f"the tuple has {count} parts")
            return self.item(base, place % count)
        kinds = set(map(number, base.type.items))
        dtype = kinds.pop()
        if kinds or dtype is None:
            raise self.refused(node, "a tuple of several types is indexed by a constant")
        where = cast(index, INT64)
        if self.function.debug:
            fail = raising(self.function, node, IndexError, "tuple index out of range")
            where = checked(where, lambda one: (one < -count) | (one >= count), fail)

        def choose(frame: Frame, mask: Any) -> Value:
            parts = base.evaluate(frame, mask)
            wanted = where(frame, mask)
            wanted = np.where(wanted < 0, wanted + count, wanted)
            value = parts[0]
            for place in range(1, count):
                value = np.where(wanted == place, parts[place], value)
            return value

        return Typed(dtype, choose)

    def attribute_of_array(self, node: ast.Attribute, base: Typed, kind: Array) -> Typed:
        """`a.shape`, `a.size`, `a.ndim`, `a.dtype`, `a.T`."""
        match node.attr:
            case "shape":
                types = Tuple((INT64,) * kind.ndim)
                return Typed(
                    types,
                    lambda frame, mask: tuple(map(extent_of, base.evaluate(frame, mask).shape)),
                )
            case "size":
                return Typed(INT64, lambda frame, mask: size_of(base.evaluate(frame, mask)))
            case "ndim":
                return constant(kind.ndim)
            case "dtype":
                return Typed(DType(kind.dtype))
            case "itemsize":
                return constant(kind.dtype.itemsize, INT64)
            case "nbytes":
                each = kind.dtype.itemsize
                return Typed(INT64, lambda frame, mask: size_of(base.evaluate(frame, mask)) * each)
            case "T":
                return Typed(kind, lambda frame, mask: _transposed(base.evaluate(frame, mask)))
            case other:
                known = "shape, size, ndim, dtype, itemsize, nbytes, T"
                raise self.refused(node, f"arrays have no {other} in a kernel", f"known: {known}")


def _single(value: Value) -> Extent:
    return int(value[0, 0]) if value.size == 1 else value


def _clipped(part: _Part, size: Extent, frame: Frame, mask: Any) -> tuple[Extent, Extent]:
    """Start and stop within an axis, as Python's slices have them."""
    lowest, most = (0, size) if part.step > 0 else (-1, size - 1)
    ends = (lowest, most) if part.step > 0 else (most, lowest)
    bounds: list[Extent] = []
    for bound, default in zip((part.start, part.stop), ends, strict=True):
        if bound is None:
            bounds.append(default)
            continue
        value = bound(frame, mask)
        value = np.clip(np.where(value < 0, value + size, value), lowest, most)
        bounds.append(_single(value))
    return bounds[0], bounds[1]


def _fixed(view: View, axis: int, index: Value, here: Here) -> View:
    """One index along an axis; the axis is gone. Beyond it, what is left has no elements."""
    whole, beyond, wrapped = within(index, view.shape[axis], here)
    shape = [*view.shape[:axis], *view.shape[axis + 1 :]]
    if wrapped is not None:
        report_wrapped(view, [index], wrapped, here, axis)
    if beyond is not None:
        report_outside(view, [index], beyond, here, axis)
        shape = [np.where(beyond, 0, size) for size in shape]
    offset = view.offset + _single(whole) * view.strides[axis]
    strides = (*view.strides[:axis], *view.strides[axis + 1 :])
    return View(view.buffer, offset, tuple(shape), strides)


def _transposed(view: View) -> View:
    return View(view.buffer, view.offset, view.shape[::-1], view.strides[::-1])
