"""Methods of arrays and numbers: the same elements with another shape or type, or all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayValue, change_arrays
from grader.simt.memory.extents import each_element, fill_elements
from grader.simt.memory.views import View
from grader.simt.numba.attributes import transpose
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.reading.paths import dtype_of
from grader.simt.numba.records import change_each
from grader.simt.numba.typed import cast, unpack
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Apply, Expression, Perform
from grader.simt.program.types import (
    INT64,
    Array,
    DType,
    NamePath,
    Nothing,
    Scalar,
    Tuple,
    describe,
    number,
)

Method = Callable[[Unit, ast.Call, Expression], Expression]


def find_method(unit: Unit, node: ast.Call) -> Expression | None:
    """Compile a call of a method that an array or a number has; None for any other call."""
    if not isinstance(node.func, ast.Attribute):
        return None
    of_array, of_number = _OF_ARRAYS.get(node.func.attr), _OF_NUMBERS.get(node.func.attr)
    if of_array is None and of_number is None:
        return None
    base = unit.compile_expression(node.func.value)
    if isinstance(base.type, Array):
        return None if of_array is None else of_array(unit, node, base)
    if number(base.type) is None or of_number is None:
        return None
    return of_number(unit, node, base)


def _no_arguments(unit: Unit, node: ast.Call) -> None:
    if node.args or node.keywords:
        raise unit.refusal(node, fact("python.method-arguments", code=ast.unparse(node.func)))


def _dtype(unit: Unit, node: ast.Call) -> Scalar:
    """Return the type that is the only argument."""
    if len(node.args) != 1 or node.keywords:
        raise unit.refusal(node, fact("python.method-arguments", code=ast.unparse(node.func)))
    match unit.compile_expression(node.args[0]).type:
        case DType(dtype):
            return dtype
        case NamePath() as path if (found := dtype_of(path)) is not None:
            return found.dtype
        case other:
            raise unit.typing_error(node, fact("python.view-type", type=describe(other)))


def _view(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile `a.view(dtype)`: the same bytes, as elements of another type."""
    kind, dtype = base.type, _dtype(unit, node)
    assert isinstance(kind, Array)  # the caller has looked
    if kind.dtype.names or dtype.names:
        raise unit.refusal(node, fact("python.view-size", dtype=str(dtype)))
    if dtype.itemsize != kind.dtype.itemsize and (kind.space != "shared" or kind.ndim != 1):
        raise unit.refusal(node, fact("python.view-size", dtype=dtype.name))

    run = partial(change_each, partial(_reinterpret, kind.dtype, dtype))
    whole = replace(kind, dtype=dtype)
    return Perform(whole, "view", run, (base,), unit.site(node), alone=True)


def _reinterpret(given: Scalar, dtype: Scalar, view: View, _mask: Mask) -> View:
    buffer = view.buffer.reinterpret(dtype)
    if dtype.itemsize == given.itemsize:
        return replace(view, buffer=buffer)
    offset, size = (
        part * given.itemsize // dtype.itemsize for part in (view.offset, view.shape[0])
    )
    return View(buffer, offset, (size,), (1,))


def _transpose(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    _no_arguments(unit, node)
    return transpose(unit, node, base)


def _reshape(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile `a.reshape(…)`; threads whose array is not contiguous exit, since Numba raises."""
    assert isinstance(base.type, Array)  # the caller has looked
    sizes = _sizes(unit, node)
    unit.exits = True
    kind = replace(base.type, ndim=len(sizes))
    return Perform(kind, "reshape", _reshape_each, (base, *sizes), unit.site(node), exits=True)


def _reshape_each(here: ExecutionPoint, array: ArrayValue, *sizes: Value) -> ArrayValue:
    def change(view: View, lanes: Mask) -> View:
        shape = _fit(sizes, _count(view))
        strides: list[Any] = [_step(view)]
        for size in reversed(shape[1:]):
            strides.insert(0, strides[0] * size)
        fits = _is_contiguous(view) and np.all(_product(shape) == _count(view))
        if not fits:
            here.chunk.end(lanes, here.site)
            shape = [0 for _ in shape]
        return View(view.buffer, view.offset, tuple(shape), tuple(strides))

    return change_arrays(array, here.mask, change)


def _sizes(unit: Unit, node: ast.Call) -> list[Expression]:
    given = [unit.compile_expression(argument) for argument in node.args]
    if len(given) == 1 and isinstance(given[0].type, Tuple):
        given = unpack(given[0], given[0].type)
    if not given or node.keywords:
        raise unit.refusal(node, fact("python.method-arguments", code=ast.unparse(node.func)))
    for size in given:
        if unit.dtype(node, size.type).kind not in "iu":
            raise unit.typing_error(node, fact("python.index-type", type=describe(size.type)))
    return [cast(size, INT64) for size in given]


def _fit(wanted: Sequence[Value], count: Any) -> list[Any]:
    """Return the sizes as extents; one of -1 is what is left."""
    sizes: list[Any] = [int(size[0, 0]) if size.size == 1 else size for size in wanted]
    known = _product([np.where(np.less(size, 0), 1, size) for size in sizes])
    left = count // np.maximum(known, 1)
    fitted = [np.where(np.less(size, 0), left, size) for size in sizes]
    return [int(size) if np.ndim(size) == 0 else size for size in fitted]


def _product(sizes: Any) -> Any:
    result: Any = 1
    for size in sizes:
        result = result * size
    return result


def _count(view: View) -> Any:
    return _product(view.shape)


def _step(view: View) -> int:
    """Return the cells from one element to the next where nothing lies between them."""
    watched = view.buffer.watched
    return watched.dtype.itemsize // watched.cell_bytes


def _is_contiguous(view: View) -> bool:
    expected: Any = _step(view)
    for size, stride in zip(reversed(view.shape), reversed(view.strides), strict=True):
        if not np.all((stride == expected) | np.equal(size, 1)):
            return False
        expected = expected * size
    return True


def _fill(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile `a.fill(value)`."""
    kind = base.type
    assert isinstance(kind, Array)  # the caller has looked
    if len(node.args) != 1 or node.keywords or not kind.writable:
        raise unit.refusal(node, fact("python.method-arguments", code=ast.unparse(node.func)))
    if isinstance(node.func, ast.Attribute):
        unit.note_store(node.func.value, kind)
    typed, _ = unit.compile_number(node.args[0])
    value = cast_narrow(unit, node, typed, kind.dtype)
    fill = partial(fill_elements, kind.ndim)
    return Perform(Nothing(), "fill", fill, (value, base), unit.site(node))


def _sum(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile `a.sum()`: the elements in order, in the type of a sum."""
    _no_arguments(unit, node)
    return sum_of(unit, node, base)


def sum_of(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile the sum of an array's elements: of integers in 64 bits."""
    kind = base.type
    assert isinstance(kind, Array)  # the caller has looked
    dtype = np.sum(np.zeros(1, dtype=kind.dtype)).dtype if kind.dtype.kind in "iub" else kind.dtype
    run = partial(_sum_all, dtype, kind.ndim)
    return Perform(dtype, "sum", run, (base,), unit.site(node), alone=True)


def _sum_all(dtype: Scalar, ndim: int, here: ExecutionPoint, array: ArrayValue) -> Value:
    total = uniform(0, dtype)
    for _, having, cells in each_element(array, ndim, here):
        more = total + cells.load().astype(dtype)
        total = more if having.mask is here.mask else np.where(having.mask.full, more, total)
    return total


def _view_number(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile `x.view(dtype)` of a number: its bits as those of another type."""
    own, dtype = unit.dtype(node, base.type), _dtype(unit, node)
    if own.itemsize != dtype.itemsize:
        raise unit.typing_error(node, fact("python.view-size", dtype=dtype.name))
    return Apply(dtype, "view", partial(_view_bits, dtype), (base,))


def _view_bits(dtype: Scalar, value: Value) -> Value:
    return np.ascontiguousarray(value).view(dtype)


def _conjugate(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    _no_arguments(unit, node)
    return Apply(unit.dtype(node, base.type), "conjugate", np.conjugate, (base,))


def _bit_count(unit: Unit, node: ast.Call, base: Expression) -> Expression:
    """Compile `x.bit_count()` of an integer, which is `cuda.popc(x)`."""
    _no_arguments(unit, node)
    if unit.dtype(node, base.type).kind not in "iu" or not isinstance(node.func, ast.Attribute):
        what = fact("python.no-attribute", type=describe(base.type), name="bit_count")
        raise unit.typing_error(node, what)
    counted = ast.copy_location(ast.Call(node.func, [node.func.value], []), node)
    return unit.forms.calls["cuda.popc"](unit, counted)


_OF_ARRAYS: dict[str, Method] = {
    "view": _view,
    "transpose": _transpose,
    "reshape": _reshape,
    "fill": _fill,
    "sum": _sum,
}
_OF_NUMBERS: dict[str, Method] = {
    "view": _view_number,
    "conjugate": _conjugate,
    "conj": _conjugate,
    "bit_count": _bit_count,
}
