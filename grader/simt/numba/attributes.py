"""Attributes: of modules, arrays, tuples, enumerations and complex numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum
from operator import attrgetter

import numpy as np

from grader.did_you_mean import find_nearest, name_nearest
from grader.facts import fact
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import change_arrays
from grader.simt.memory.extents import shape_of, size_of, strides_of
from grader.simt.memory.views import View
from grader.simt.numba.globals import compile_held, resolve
from grader.simt.numba.reading.paths import NONES, dtype_of, number_of
from grader.simt.numba.records import compile_field
from grader.simt.numba.refused_names import MODULES, instead_of
from grader.simt.numba.typed import TypedValue, constant, item
from grader.simt.numba.unit import ExpressionForms, Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import (
    INT64,
    SCALARS,
    Array,
    DType,
    Member,
    NamePath,
    Namespace,
    Opaque,
    Range,
    Record,
    Tuple,
    VectorType,
    describe,
    number,
    real_of,
)

_RANGE = ("start", "stop", "step")
_OF_ARRAYS = (
    *("shape", "strides", "size", "ndim", "dtype", "itemsize", "nbytes", "T"),
    *("view()", "reshape()", "transpose()", "fill()", "sum()"),
)


def _compile_enum_value(
    unit: Unit, node: ast.expr, base: Expression, enum: type[Enum]
) -> Expression:
    if isinstance(base.type, Member) and base.type.whole:
        return TypedValue(INT64, base.evaluate)
    values = np.array([member.value for member in enum])
    if values.dtype not in SCALARS or values.ndim != 1:
        raise unit.refusal(node, fact("python.enum-values", name=enum.__name__))
    return TypedValue(values.dtype, lambda frame, mask: values.take(base.evaluate(frame, mask)))


def _compile_attribute(unit: Unit, node: ast.Attribute) -> Expression:
    base = unit.compile_expression(node.value)
    match base.type:
        case NamePath(name):
            return resolve(unit, compile_path(unit, node, f"{name}.{node.attr}"))
        case Namespace(value):
            return compile_held(unit, node, value, node.attr)
        case Member(enum) if node.attr == "value":
            return _compile_enum_value(unit, node, base, enum)
        case Record():
            return compile_field(unit, node, base, node.attr)
        case Array() as kind:
            return _compile_array_attribute(unit, node, base, kind)
        case Tuple(names=fields) | VectorType(names=fields) if node.attr in fields:
            return item(base, fields.index(node.attr))
        case Opaque(kind):
            return TypedValue(NamePath(f"{kind}.{node.attr}"))
        case kind if node.attr in _PARTS and number(kind) is not None:
            return _PARTS[node.attr](base)
        case _:
            return _compile_detail(unit, node, base)


def _compile_detail(unit: Unit, node: ast.Attribute, base: Expression) -> Expression:
    """Compile an attribute of a type or of a range."""
    match base.type:
        case DType() if node.attr == "type":
            return base
        case DType(dtype) if node.attr in ("itemsize", "bitwidth") and not dtype.names:
            size = dtype.itemsize * (8 if node.attr == "bitwidth" else 1)
            return constant(size)
        case Range(dtype) if node.attr in _RANGE:
            place = _RANGE.index(node.attr)
            return TypedValue(dtype, lambda frame, mask: base.evaluate(frame, mask)[place])
        case other:
            what = fact("python.no-attribute", type=describe(other), name=node.attr)
            raise unit.refusal(node, what)


def compile_path(unit: Unit, node: ast.expr, path: str) -> Expression:
    """Compile the dotted name of something that kernels can use.

    Raises:
        Refused: it is not emulated.
    """
    typed = TypedValue(NamePath(path))
    known = [*unit.forms.calls, *unit.forms.values]
    if (
        any(candidate == path or candidate.startswith(f"{path}.") for candidate in known)
        or dtype_of(NamePath(path)) is not None
        or number_of(NamePath(path)) is not None
        or NamePath(path) in NONES
        or path in ("cuda.types", "numba.types", "numba.cuda", *MODULES)
    ):
        return TypedValue(NamePath("cuda")) if path == "numba.cuda" else typed
    if (instead := instead_of(path)) is not None or not path.startswith("cuda."):
        raise unit.refusal(node, fact("python.not-emulated", name=path), instead)
    last = path.rpartition(".")[2]
    base = path.removesuffix(last)
    beside = [name.removeprefix(base).split(".")[0] for name in known if name.startswith(base)]
    close = tuple(f"{base}{name}" for name in find_nearest(last, beside))
    instead = name_nearest(close) if close else None
    raise unit.typing_error(node, fact("python.no-such-name", name=path), instead)


def _compile_array_attribute(
    unit: Unit, node: ast.Attribute, base: Expression, kind: Array
) -> Expression:
    """Compile `a.shape`, `a.size`, `a.ndim`, `a.dtype` and `a.T`; `a.x` of records."""
    match node.attr:
        case "shape":
            types = Tuple((INT64,) * kind.ndim)
            return TypedValue(
                types,
                lambda frame, mask: shape_of(base.evaluate(frame, mask), kind.ndim),
            )
        case "size":
            return TypedValue(
                INT64, lambda frame, mask: size_of(base.evaluate(frame, mask), kind.ndim)
            )
        case "nbytes":
            each = kind.dtype.itemsize
            return TypedValue(
                INT64, lambda frame, mask: size_of(base.evaluate(frame, mask), kind.ndim) * each
            )
        case "strides":
            return TypedValue(
                Tuple((INT64,) * kind.ndim),
                lambda frame, mask: strides_of(base.evaluate(frame, mask), kind.ndim),
            )
        case "T":
            return TypedValue(
                kind,
                lambda frame, mask: change_arrays(base.evaluate(frame, mask), mask, _transpose),
            )
        case other if other in (kind.dtype.names or ()):
            return compile_field(unit, node, base, other)
        case _:
            return _compile_array_constant(unit, node, base, kind)


def _compile_array_constant(
    unit: Unit, node: ast.Attribute, base: Expression, kind: Array
) -> Expression:
    """Compile what an array's type says of it: `a.ndim`, `a.dtype`, `a.itemsize`."""
    match node.attr:
        case "ndim":
            return constant(kind.ndim)
        case "dtype":
            return TypedValue(DType(kind.dtype))
        case "itemsize":
            return constant(kind.dtype.itemsize, INT64)
        case "real" if kind.dtype.kind != "c":
            return base
        case other:
            raise unit.refusal(node, fact("python.array-attribute", name=other, known=_OF_ARRAYS))


def _transpose(view: View, _mask: Mask) -> View:
    return View(view.buffer, view.offset, view.shape[::-1], view.strides[::-1])


def _part(apply: Callable[[Value], Value]) -> Callable[[Expression], Expression]:
    def take_part(typed: Expression) -> Expression:
        dtype = number(typed.type)
        assert dtype is not None  # the caller has looked
        result = real_of(dtype) if dtype.kind == "c" else dtype
        return TypedValue(result, lambda frame, mask: apply(typed.evaluate(frame, mask)))

    return take_part


_PARTS: dict[str, Callable[[Expression], Expression]] = {
    "real": _part(attrgetter("real")),
    "imag": _part(attrgetter("imag")),
}
"""What a number has."""

FORMS: ExpressionForms = {ast.Attribute: _compile_attribute}
