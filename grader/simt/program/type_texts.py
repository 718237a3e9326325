"""Writes types and numbers in a few characters, for the text of a typed program."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.simt.program.types import (
    BOOL,
    FLOAT64,
    INT64,
    Array,
    Constant,
    DeviceFunction,
    DType,
    Dynamic,
    NamePath,
    Nothing,
    Pointer,
    RecordType,
    Text,
    Tuple,
    Type,
    VectorType,
    name_of,
    number,
)


def type_text(kind: Type) -> str:
    """Return a type in a few characters."""
    match kind:
        case np.dtype():
            return name_of(kind)
        case Array(dtype, ndim, space):
            return f"{space} {name_of(dtype)}[{','.join(':' * ndim)}]"
        case RecordType(dtype, space):
            return f"{space} {name_of(dtype)}"
        case Pointer(target, space):
            return f"{space} {type_text(target)}*"
        case Tuple(items):
            return f"({', '.join(map(type_text, items))})"
        case VectorType(dtype, size):
            return f"{dtype.name}x{size}"
        case Nothing():
            return "nothing"
        case Dynamic(name):
            return name
    known = number(kind)
    return _static_text(kind) if known is None else known.name


def _static_text(kind: Type) -> str:
    """Return the name of what only the front end knows."""
    match kind:
        case NamePath(name):
            return name
        case DType(dtype):
            return name_of(dtype)
        case Text(value):
            return repr(value)
        case DeviceFunction(function):
            return str(function.name)
    return type(kind).__name__.lower()


def number_text(kind: Type, value: Any) -> str:
    """Return a number of the source; only int64 and float64 go without their type."""
    if kind == FLOAT64 and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    own = {np.bool_: BOOL, np.int64: INT64, np.float64: FLOAT64}
    if isinstance(kind, Constant) or own.get(np.result_type(value).type) == kind:
        return str(value)
    return f"{type_text(kind)}({value})"
