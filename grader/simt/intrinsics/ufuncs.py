"""NumPy's ufuncs in a kernel, typed by NumPy's own loops: of numbers, or of arrays into an array.

Each thread goes through all elements of the arrays, as what Numba compiles does.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.simt.chunk import Here
from grader.simt.intrinsics.calling import Intrinsic, Maker, Table, arguments
from grader.simt.typed import Evaluate, Frame, Typed, Value, cast, converted
from grader.simt.types import FLOAT16, FLOAT32, Array, Nothing, Scalar, described, number
from grader.simt.views import View

_NAMES = (
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "hypot", "sinh", "cosh"),
    *("tanh", "arcsinh", "arccosh", "arctanh", "deg2rad", "radians", "rad2deg", "degrees"),
    *("greater", "greater_equal", "less", "less_equal", "not_equal", "equal", "logical_and"),
    *("logical_or", "logical_xor", "logical_not", "maximum", "minimum", "fmax", "fmin"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"),
    *("log", "log2", "log10"),
)
"""Those that Numba has on a device."""


def _loop(ufunc: np.ufunc, given: Sequence[Scalar]) -> list[Scalar]:
    """What operands are converted to, and the result's type; Numba has no loops for float16.

    Raises:
        TypeError: there is no such loop.
    """
    found = list(ufunc.resolve_dtypes((*given, None)))
    if FLOAT16 in found:
        wide = [FLOAT32 if one == FLOAT16 else one for one in found[: len(given)]]
        found = list(ufunc.resolve_dtypes((*wide, None)))
    return found


def _ufunc(name: str, scalar: Intrinsic | None) -> Intrinsic:
    """Of numbers, `scalar` where there is one: it knows what Numba does there."""
    ufunc: np.ufunc = getattr(np, name)
    called = f"np.{name}"

    def make(maker: Maker, node: ast.Call) -> Typed:
        named = (*(f"x{place}" for place in range(ufunc.nin)), "out")
        nodes = arguments(maker, node, called, ufunc.nin, ufunc.nin + 1, named=named)
        given = [maker.value(one) for one in nodes]
        whole = len(given) == ufunc.nin
        if whole and scalar is not None and not any(isinstance(one.type, Array) for one in given):
            return scalar(maker, node)
        kinds = [_dtype(maker, place, one) for one, place in zip(given, nodes, strict=True)]
        try:
            loop = _loop(ufunc, kinds[: ufunc.nin])
        except TypeError:
            shown = ", ".join(one.name for one in kinds)
            raise maker.not_typed(node, f"no {called} for {shown}") from None
        if not whole:
            return _into(maker, node, ufunc, loop, given)
        if any(isinstance(one.type, Array) for one in given):
            what = f"{called} would make an array, which no kernel can"
            raise maker.refused(node, what, f"write {called}(…, out)")
        operands = [cast(one, dtype) for one, dtype in zip(given, loop, strict=False)]
        return Typed(loop[-1], lambda frame, mask: ufunc(*(one(frame, mask) for one in operands)))

    return make


def _dtype(maker: Maker, node: ast.expr, typed: Typed) -> Scalar:
    return typed.type.dtype if isinstance(typed.type, Array) else maker.dtype(node, typed.type)


def _into(
    maker: Maker, node: ast.Call, ufunc: np.ufunc, loop: list[Scalar], given: list[Typed]
) -> Typed:
    """All elements of an array, written."""
    *operands, out = given
    kind = out.type
    if not isinstance(kind, Array) or not kind.writable:
        raise maker.not_typed(node, f"{described(kind)} where an array to write to is needed")
    if loop[-1].kind == "c" and kind.dtype.kind != "c":
        raise maker.not_typed(node, f"{loop[-1].name} as {kind.dtype.name}")
    maker.note_stored([*node.args, *(one.value for one in node.keywords)][-1], kind)
    site = maker.site(node)
    elements = [_element(one, dtype) for one, dtype in zip(operands, loop, strict=False)]

    def evaluate(frame: Frame, mask: Any) -> None:
        here = Here(frame.chunk, mask, site)
        view: View = out.evaluate(frame, mask)
        begun = [one(frame, mask) for one in elements]
        for index in np.ndindex(*map(int, view.shape)):
            result = ufunc(*(one(here, index) for one in begun))
            view.buffer.store(_flat(view, index), converted(result, kind.dtype), here)

    return Typed(Nothing(), evaluate)


def _element(typed: Typed, dtype: Scalar) -> Evaluate:
    """What gives, in a loop, an operand's element for an index of the result."""
    if number(typed.type) is not None:
        value = cast(typed, dtype)

        def one(frame: Frame, mask: Any) -> Value:
            found = value(frame, mask)
            return lambda _here, _index: found

        return one

    def many(frame: Frame, mask: Any) -> Value:
        view: View = typed.evaluate(frame, mask)

        def at(here: Here, index: tuple[int, ...]) -> Value:
            own = index[len(index) - len(view.shape) :]
            clipped = tuple(min(i, int(size) - 1) for i, size in zip(own, view.shape, strict=True))
            return converted(view.buffer.load(_flat(view, clipped), here), dtype)

        return at

    return many


def _flat(view: View, index: tuple[int, ...]) -> Any:
    parts = (i * stride for i, stride in zip(index, view.strides, strict=True))
    return np.zeros((1, 1), np.int64) + sum(parts, view.offset)


def with_arrays(table: Table) -> Table:
    """The ufuncs, which fall back on a table's entries where all operands are numbers."""
    return {f"np.{name}": _ufunc(name, table.get(f"np.{name}")) for name in _NAMES}
