"""Attributes: of modules, arrays, tuples, enumerations and complex numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import partial
from operator import attrgetter

import numpy as np

from grader.did_you_mean import name_near
from grader.facts import fact
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.extents import shape_of, size_of, strides_of
from grader.simt.memory.views import View
from grader.simt.numba.globals import compile_held, resolve
from grader.simt.numba.reading.paths import MLIR, NONES, canonical, dtype_of, number_of
from grader.simt.numba.records import change_each, compile_field
from grader.simt.numba.refused_names import MODULES, instead_of
from grader.simt.numba.typed import cast, constant, item
from grader.simt.numba.unit import ExpressionForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Expression, Operate, Perform, Static
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
    RecordType,
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
        return cast(base, INT64)
    values = np.array([member.value for member in enum])
    if values.dtype not in SCALARS or values.ndim != 1:
        raise unit.refusal(node, fact("python.enum-values", name=enum.__name__))
    return Apply(values.dtype, "value", values.take, (base,))


def _compile_attribute(unit: Unit, node: ast.Attribute) -> Expression:
    base = unit.compile_expression(node.value)
    match base.type:
        case NamePath(name):
            return resolve(unit, compile_path(unit, node, f"{name}.{node.attr}"))
        case Namespace(value):
            return compile_held(unit, node, value, node.attr)
        case Member(enum) if node.attr == "value":
            return _compile_enum_value(unit, node, base, enum)
        case RecordType():
            return compile_field(unit, node, base, node.attr)
        case Array() as kind:
            return _compile_array_attribute(unit, node, base, kind)
        case Tuple(names=fields) | VectorType(names=fields) if node.attr in fields:
            return item(base, fields.index(node.attr))
        case Opaque(kind):
            return Static(NamePath(f"{kind}.{node.attr}"))
        case kind if node.attr in _PARTS and number(kind) is not None:
            return _compile_part(base, node.attr)
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
            return nodes.Part(dtype, base, _RANGE.index(node.attr))
        case other:
            what = fact("python.no-attribute", type=describe(other), name=node.attr)
            raise unit.refusal(node, what)


def compile_path(unit: Unit, node: ast.expr, path: str) -> Expression:
    """Compile the dotted name of something that kernels can use.

    Raises:
        Refused: it is not emulated.
    """
    path = canonical(path)
    typed = Static(NamePath(path))
    known = [*unit.forms.calls, *unit.forms.values]
    if (
        any(candidate == path or candidate.startswith(f"{path}.") for candidate in known)
        or dtype_of(NamePath(path)) is not None
        or number_of(NamePath(path)) is not None
        or NamePath(path) in NONES
        or path in ("cuda", "cuda.types", "numba.types", f"{MLIR}.types", *MODULES)
    ):
        return typed
    if (instead := instead_of(path)) is not None or not path.startswith("cuda."):
        raise unit.refusal(node, fact("python.not-emulated", name=path), instead)
    last = path.rpartition(".")[2]
    base = path.removesuffix(last)
    within = [name.removeprefix(base) for name in known if name.startswith(base)]
    instead = name_near(
        last, [part for name in within for part in (name.split(".")[0], name)], base
    )
    raise unit.typing_error(node, fact("python.no-such-name", name=path), instead)


def _compile_array_attribute(
    unit: Unit, node: ast.Attribute, base: Expression, kind: Array
) -> Expression:
    """Compile `a.shape`, `a.size`, `a.ndim`, `a.dtype` and `a.T`; `a.x` of records."""
    match node.attr:
        case "shape":
            return _extents(kind, "shape", shape_of, base)
        case "strides":
            return _extents(kind, "strides", strides_of, base)
        case "size":
            return _size(kind, base)
        case "nbytes":
            each = constant(kind.dtype.itemsize, INT64)
            return Operate(INT64, "*", (_size(kind, base), each))
        case "T":
            return transpose(unit, node, base)
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
            return Static(DType(kind.dtype))
        case "itemsize":
            return constant(kind.dtype.itemsize, INT64)
        case "real" if kind.dtype.kind != "c":
            return base
        case other:
            raise unit.refusal(node, fact("python.array-attribute", name=other, known=_OF_ARRAYS))


def _extents(
    kind: Array, name: str, find: Callable[..., tuple[Value, ...]], base: Expression
) -> Expression:
    """Compile a number for each axis."""
    return Apply(Tuple((INT64,) * kind.ndim), name, partial(find, ndim=kind.ndim), (base,))


def _size(kind: Array, base: Expression) -> Expression:
    return Apply(INT64, "size", partial(size_of, ndim=kind.ndim), (base,))


def transpose(unit: Unit, node: ast.expr, base: Expression) -> Expression:
    """Compile an array with its axes in reverse order."""
    run = partial(change_each, _transpose)
    return Perform(base.type, "transpose", run, (base,), unit.site(node), alone=True)


def _transpose(view: View, _mask: Mask) -> View:
    return replace(view, shape=view.shape[::-1], strides=view.strides[::-1])


def _compile_part(typed: Expression, name: str) -> Expression:
    """Compile the real or the imaginary part of a number."""
    dtype = number(typed.type)
    assert dtype is not None  # the caller has looked
    result = real_of(dtype) if dtype.kind == "c" else dtype
    return Apply(result, name, _PARTS[name], (typed,))


_PARTS = {"real": attrgetter("real"), "imag": attrgetter("imag")}
"""What a number has."""

FORMS: ExpressionForms = {ast.Attribute: _compile_attribute}
