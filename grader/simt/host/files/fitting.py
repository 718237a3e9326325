"""Fits the arguments of a launch to the parameters of a CUDA C++ kernel, by their types."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.cuda.lowering.functions import number_types
from grader.simt.cuda.lowering.model.types import (
    ARITHMETIC,
    DOUBLE,
    FLOAT,
    FP8,
    INT,
    LONG_LONG,
    VOID,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    VoidType,
    unnest,
)
from grader.simt.errors import InvalidLaunch
from grader.simt.host.arrays import EmulatedArray
from grader.simt.host.files.narrow_floats import C_TYPES, name_elements, narrow_float
from grader.simt.host.interface import as_cuda_array, is_cuda_array
from grader.simt.host.staged import TransferArgument
from grader.simt.program.types import BFLOAT16, UINT8, UINT16

_INT_BITS = 31


def type_of_argument(value: Any) -> CType:
    """Return the type that a template takes an argument for: `float*`, `int`, `double`."""
    dtype = _dtype_of(value)
    if dtype is not None:
        return PointerTo(_number_type(dtype) or VOID)
    match value:
        case np.generic():
            return _number_type(value.dtype) or VOID
        case bool():
            return ARITHMETIC["bool"]
        case Integral():
            return INT if -(1 << _INT_BITS) <= int(value) < 1 << _INT_BITS else LONG_LONG
        case Real():
            return DOUBLE
    return VOID


def _number_type(dtype: np.dtype[Any]) -> CType | None:
    narrow = narrow_float(dtype)
    if narrow is not None:
        return C_TYPES[narrow.name]
    preferred = (INT, FLOAT, DOUBLE, *ARITHMETIC.values())
    return next((kind for kind in preferred if kind.dtype == dtype), None)


def _dtype_of(value: Any) -> np.dtype[Any] | None:
    """Return the dtype of the elements of an array; None for anything else."""
    if isinstance(value, TransferArgument):
        value = value.array
    if isinstance(value, (np.ndarray, EmulatedArray)):
        return value.dtype
    return as_cuda_array(value).dtype if is_cuda_array(value) else None


def fit_argument(name: str, kind: CType, value: Any) -> list[Any]:
    """Return what a parameter gets: an array, or a number of its type; of a struct, its members.

    Args:
        value: what was given: an array for a pointer, None for a null pointer, or a number; for a
            struct, what its members get, in order or by name, or a NumPy record.

    Raises:
        InvalidLaunch: it does not fit.
    """
    dtype = _dtype_of(value)
    match kind:
        case PointerTo() if value is None:
            return [np.int64(0)]
        case PointerTo():
            if dtype is None and isinstance(kind.target, PointerTo):
                raise InvalidLaunch(fact("cpp.argument-pointers", name=name, type=kind.name))
            if dtype is None:
                raise InvalidLaunch(
                    fact(
                        "cpp.argument-no-array",
                        name=name,
                        type=kind.name,
                        given=type(value).__name__,
                    )
                )
            _check_elements(name, kind, dtype)
            return [value]
        case StructType():
            parts = _members(name, kind, value)
            pairs = zip(kind.members, parts, strict=True)
            named = [(f"{name}.{each.name}", each.type, part) for each, part in pairs]
            return [fit for each in named for fit in fit_argument(*each)]
        case ArrayOf(element, length):
            if not isinstance(value, (tuple, list, np.ndarray)) or len(value) != length:
                raise InvalidLaunch(fact("cpp.argument-kind", name=name, type=kind.name))
            elements = [(f"{name}[{at}]", element, part) for at, part in enumerate(value)]
            return [fit for each in elements for fit in fit_argument(*each)]
        case Arithmetic():
            if dtype is not None or value is None:
                raise InvalidLaunch(fact("cpp.argument-no-number", name=name, type=kind.name))
            return [_number(name, kind, kind.dtype, value)]
    raise InvalidLaunch(fact("cpp.argument-kind", name=name, type=kind.name))


def wrong_count(signature: str, count: int, given: int) -> InvalidLaunch:
    """Make the error for too few or too many arguments."""
    what = fact("cpp.argument-count", function=signature, n=count, given=given)
    return InvalidLaunch(what)


def _members(name: str, kind: StructType, value: Any) -> Sequence[Any]:
    """Return what the members of a struct get, in order."""
    names = [each.name for each in kind.members]
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, np.void) and value.dtype.names:
        value = dict(zip(value.dtype.names, value.item(), strict=True))
    if isinstance(value, dict) and set(value) == set(names):
        return [value[each] for each in names]
    if isinstance(value, (tuple, list)) and len(value) == len(names):
        return value
    members = "{" + ", ".join(names) + "}"
    raise InvalidLaunch(fact("cpp.argument-struct", name=name, type=kind.name, members=members))


def _check_elements(name: str, kind: PointerTo, dtype: np.dtype[Any]) -> None:
    """Require that an array has the elements that a pointer points to."""
    target, _ = unnest(kind.target)
    if isinstance(target, PointerTo):
        raise InvalidLaunch(fact("cpp.argument-pointers", name=name, type=kind.name))
    if isinstance(target, VoidType) or (target.size == dtype.itemsize and dtype.names):
        return
    if all((UINT16 if each == BFLOAT16 else each) == dtype for each in number_types(target)):
        return
    if dtype == UINT8 and target in FP8:
        return
    given = name_elements(dtype)
    raise InvalidLaunch(fact("cpp.argument-dtype", name=name, type=kind.name, dtype=given))


def _number(name: str, kind: CType, dtype: np.dtype[Any], value: Any) -> Any:
    """Convert a number to a parameter's type, without a change of its value but rounding."""
    if not isinstance(value, (Real, np.bool_)):
        raise InvalidLaunch(fact("cpp.argument-no-number", name=name, type=kind.name))
    if dtype.kind == "f":
        return dtype.type(value)
    number: Any = value  # a `Real` has no `__int__` for type checkers
    whole = int(number) if isfinite(number) else None
    if whole is None or whole != number:
        raise InvalidLaunch(
            fact("cpp.argument-fraction", name=name, type=kind.name, value=str(value))
        )
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not least <= whole <= most:
        raise InvalidLaunch(fact("cpp.argument-range", name=name, type=kind.name, value=str(value)))
    return dtype.type(whole)
