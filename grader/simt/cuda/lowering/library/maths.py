"""The CUDA math API: `sqrtf` of float, `sqrt` of any number as in C++, results by pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, rvalue
from grader.simt.cuda.lowering.library.entries import (
    COST,
    apply,
    apply_entry,
    apply_several,
    type_of,
)
from grader.simt.cuda.lowering.library.overloads import (
    Handler,
    LibraryOverload,
    no_overload,
    overloaded,
    require,
)
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_LONG,
    NARROW,
    VOID,
    Arithmetic,
    PointerTo,
)
from grader.simt.cuda.lowering.model.values import Plain, Value, VoidValue
from grader.simt.cuda.lowering.operators import dereference
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.cuda.names import REAL_FUNCTIONS, words
from grader.simt.intrinsics.functions import maths
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature, Vector
from grader.simt.intrinsics.functions.libdevice import BESSEL, ENTRIES, find_bessel
from grader.simt.intrinsics.functions.signed_zeros import larger, smaller
from grader.simt.program.types import INT64

_CUDA_UNARY = words(
    "cospi erfcinv erfcx erfinv exp10 normcdf normcdfinv rcbrt rsqrt sinpi j0 j1 y0 y1"
)
"""Not in C++: overloaded for float and double alone, so that an int is ambiguous."""
_SEVERAL = words("atan2 copysign fdim fma fmax fmin fmod hypot nextafter pow remainder")
_CHEAP = {"fabs", "fmax", "fmin"}
_BY_NUMPY: dict[str, Callable[..., Any]] = {
    name: function
    for name, function in {**maths.ONE, **maths.TWO, **maths.TWO_REALS}.items()
    if isinstance(function, np.ufunc)
} | {"fmax": larger, "fmin": smaller}
"""Computed in their own type, in half the time."""


def _norm(*values: Vector) -> Vector:
    """Return the square root of the sum of squares."""
    squares = sum(value.astype(np.float64) ** 2 for value in values)
    found: Vector = np.sqrt(squares)
    return found


def _reciprocal_norm(*values: Vector) -> Vector:
    found: Vector = 1 / _norm(*values)
    return found


def _scale(value: Vector, power: Vector) -> Vector:
    """Multiply by a power of two, whose exponent may be beyond an int."""
    found: Vector = np.ldexp(value, np.clip(power, -5000, 5000).astype(np.int32))
    return found


_NORMS: dict[str, tuple[int, Callable[..., Vector]]] = {
    "rhypot": (2, _reciprocal_norm),
    "norm3d": (3, _norm),
    "rnorm3d": (3, _reciprocal_norm),
    "norm4d": (4, _norm),
    "rnorm4d": (4, _reciprocal_norm),
    "fdivide": (2, np.divide),
}


def _named(name: str, kind: Arithmetic) -> FixedSignature:
    """Return the function of a type by its name in C."""
    suffix = "f" if kind == FLOAT else ""
    own = f"{name}{suffix}"
    if own in ENTRIES:
        return ENTRIES[own]
    if own in BESSEL:
        return find_bessel(own)
    if name == "scalbln":
        return FixedSignature((kind.dtype,), (kind.dtype, INT64), _scale)
    count, function = _NORMS[name]
    return FixedSignature((kind.dtype,), (kind.dtype,) * count, function)


def _compute(unit: CudaUnit, name: str, kind: Arithmetic, given: Sequence[Plain]) -> Plain:
    """Apply a function to numbers of its own type."""
    if name in _BY_NUMPY:
        operands = [value.node for value in given]
        cost = None if name in _CHEAP else COST
        return apply(unit, name, _BY_NUMPY[name], kind, *operands, cost=cost)
    return apply_entry(unit, name, _named(name, kind), kind, given)


def _common(
    unit: CudaUnit, node: syntax.Call, values: Sequence[Plain], *, integers: bool
) -> Arithmetic:
    """Return the type that C++ computes in: float of floats alone, else double.

    A half becomes a float where nothing but halves and floats is given, and a float among them; of
    functions that are CUDA's own, also alone.

    Raises:
        Refused: there is no one function for them: of pointers, of integers where C++ has none.
    """
    found = {value.type for value in values}
    if found <= {*NARROW, FLOAT} and (FLOAT in found or not integers):
        return FLOAT
    for kind in found:
        if not isinstance(kind, Arithmetic) or kind in NARROW or (kind.is_integer and not integers):
            raise no_overload(unit, node, values)
    return DOUBLE


def _generic(name: str, count: int, *, integers: bool = True) -> Handler:
    """Make a function of any number of one type; see `_common`."""

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, count)
        values = [rvalue(unit, node, value) for value in given]
        kind = _common(unit, node, values, integers=integers)
        return _compute(unit, name, kind, [convert(unit, node, each, kind) for each in values])

    return lower


def _of_type(name: str, count: int, kind: Arithmetic) -> Handler:
    """Make a function of floats, by the name that it has in C."""
    return overloaded(
        LibraryOverload(
            (kind,) * count, lambda unit, _node, given: _compute(unit, name, kind, given)
        )
    )


def _with_other(
    name: str, of: str, others: Sequence[Arithmetic], result: Arithmetic | None
) -> Iterator[tuple[str, Handler]]:
    """Make functions that take, or give, integers besides: `ldexp`, `ilogb`, `lround`.

    Args:
        name: in C.
        of: in libdevice.
        others: types of the other operands.
        result: type of the result; None for the real one's.
    """

    def make(kind: Arithmetic, *, generic: bool) -> Handler:
        def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
            require(unit, node, given, 1 + len(others))
            values = [rvalue(unit, node, value) for value in given]
            own = _common(unit, node, values[:1], integers=True) if generic else kind
            pairs = zip(values, (own, *others), strict=True)
            numbers = [convert(unit, node, *pair) for pair in pairs]
            return apply_entry(unit, name, _named(of, own), result or own, numbers)

        return lower

    yield name, make(DOUBLE, generic=True)
    yield f"{name}f", make(FLOAT, generic=False)


def _of_order(name: str, kind: Arithmetic) -> LibraryOverload:
    """Make a Bessel function of an order."""

    def lower(unit: CudaUnit, _node: syntax.Call, given: Sequence[Plain]) -> Value:
        return apply_entry(unit, name, _named(name, kind), kind, given)

    return LibraryOverload((INT, kind), lower)


def _test(name: str, function: Callable[[Any], Any]) -> Handler:
    """Make a test of a number: `isnan`."""

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, 1)
        value = rvalue(unit, node, given[0])
        kind = _common(unit, node, [value], integers=True)
        return apply(unit, name, function, BOOLEAN, convert(unit, node, value, kind).node)

    return lower


def _is_normal(value: Vector) -> Vector:
    found: Vector = np.isfinite(value) & (np.abs(value) >= np.finfo(value.dtype).tiny)
    return found


def by_pointer(name: str, entry: FixedSignature, *, returns: bool) -> LibraryOverload:
    """Make a function that writes results where its last arguments point to."""
    operands = tuple(type_of(dtype) for dtype in entry.operands)
    outputs = tuple(type_of(dtype) for dtype in entry.results[returns:])
    count = len(operands)

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
        results = apply_several(unit, name, entry, given[:count])
        for pointer, value in zip(given[count:], results[returns:], strict=True):
            assign(unit, node, dereference(unit, node, pointer), value)
        return results[0] if returns else VoidValue(VOID)

    return LibraryOverload((*operands, *map(PointerTo, outputs)), lower)


def _pointer_handlers() -> Iterator[tuple[str, Handler]]:
    for name in ("sincos", "sincospi", "modf", "frexp", "remquo"):
        returns = not name.startswith("sincos")
        double = by_pointer(name, ENTRIES[name], returns=returns)
        single = by_pointer(name, ENTRIES[f"{name}f"], returns=returns)
        yield name, overloaded(double, single)
        yield f"{name}f", overloaded(single)
    fast = by_pointer("sincos", ENTRIES["fast_sincosf"], returns=False)
    yield "__sincosf", overloaded(fast)


def _handlers() -> Iterator[tuple[str, Handler]]:
    yield from _pointer_handlers()
    for names, integers in ((REAL_FUNCTIONS, True), (_CUDA_UNARY, False), (_SEVERAL, True)):
        for name in names:
            count = len(_named(name, DOUBLE).operands)
            yield name, _generic(name, count, integers=integers)
            yield f"{name}f", _of_type(name, count, FLOAT)
    for name, (count, _) in _NORMS.items():
        yield name, _of_type(name, count, DOUBLE)
        yield f"{name}f", _of_type(name, count, FLOAT)
    for name in ("jn", "yn"):
        double, single = _of_order(name, DOUBLE), _of_order(name, FLOAT)
        yield name, overloaded(double, single)
        yield f"{name}f", overloaded(single)
    yield from _with_other("ldexp", "ldexp", (INT,), None)
    yield from _with_other("scalbn", "scalbn", (INT,), None)
    yield from _with_other("scalbln", "scalbln", (LONG,), None)
    yield from _with_other("ilogb", "ilogb", (), INT)
    for rounded in ("rint", "round"):
        yield from _with_other(f"l{rounded}", f"ll{rounded}", (), LONG)
        yield from _with_other(f"ll{rounded}", f"ll{rounded}", (), LONG_LONG)
    for name in ("isnan", "isinf", "isfinite", "signbit"):
        yield name, _test(name, getattr(np, name))
    yield "isnormal", _test("isnormal", _is_normal)


HANDLERS: dict[str, Handler] = dict(_handlers())
