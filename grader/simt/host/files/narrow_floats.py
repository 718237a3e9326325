"""Floats that NumPy lacks: bfloat16, and e4m3 and e5m2, which have 8 bits.

A kernel gets an array of their bits, a reference one of float32. An array that a person gives as
such a float has its name in the metadata of its dtype, which is otherwise that of the bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.cuda.lowering.model.encoded import FORMATS
from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    BUILT_IN,
    FP8,
    CType,
    StructType,
    numbers_of,
)
from grader.simt.intrinsics.functions import fp8
from grader.simt.intrinsics.functions.bfloat16 import from_bits, to_bits
from grader.simt.machine.conversion import convert
from grader.simt.program.types import BFLOAT16, FLOAT32

_FLOAT = "float"
"""The key in the metadata."""


class NarrowFloat(NamedTuple):
    """A float of 16 or 8 bits.

    Attributes:
        dtype: of its bits, with the name.
        decode: gives the float32 of bits.
        encode: gives the bits nearest to floats, as a conversion in C++ does.
        epsilon: the distance of 1 and the next larger number.
        is_added: True if it has arithmetic, so that a sum may be rounded term by term.
    """

    name: str
    dtype: np.dtype[Any]
    decode: Callable[[NDArray[Any]], NDArray[Any]]
    encode: Callable[[NDArray[Any]], NDArray[Any]]
    epsilon: float
    is_added: bool


def _named(name: str, bits: type[np.unsignedinteger[Any]]) -> np.dtype[Any]:
    return np.dtype(bits, metadata={_FLOAT: name})


def _from_bfloat(bits: NDArray[Any]) -> NDArray[Any]:
    return from_bits(bits).astype(FLOAT32)


def _to_bfloat(numbers: NDArray[Any]) -> NDArray[Any]:
    return to_bits(convert(numbers, BFLOAT16))


NARROW_FLOATS: Mapping[str, NarrowFloat] = {
    "bf16": NarrowFloat(
        "bf16", _named("bf16", np.uint16), _from_bfloat, _to_bfloat, 2.0**-7, is_added=True
    ),
    **{
        name: NarrowFloat(
            name, _named(name, np.uint8), partial(fp8.decode, format_=kind),
            partial(fp8.encode, format_=kind, saturate=True), 2.0**-kind.digits, is_added=False,
        )
        for name, kind in FORMATS.items()
    },
}  # fmt: skip
"""By the names that a person writes."""
C_TYPES: Mapping[str, CType] = {
    "bf16": BFLOAT,
    **{name: BUILT_IN[f"__nv_fp8_{name}"] for name in FORMATS},
}
"""What C++ calls them."""


def narrow_name(kind: CType) -> str:
    """Name the floats that a type of C++ is one or several of; "" for all others."""
    if isinstance(kind, StructType) and kind in FP8:
        return kind.name.rpartition("_")[2]
    numbers = set(numbers_of(kind)) if isinstance(kind, StructType) else {kind}
    return "bf16" if numbers == {BFLOAT} else ""


def narrow_float(dtype: np.dtype[Any], name: str = "") -> NarrowFloat | None:
    """Return the float that the elements of an array are bits of; None for all others.

    Args:
        name: what a kernel takes them for, if that is known.
    """
    known: str = dict[str, Any](dtype.metadata or {}).get(_FLOAT, name)
    return NARROW_FLOATS.get(known) if dtype.kind == "u" else None


def as_numbers(value: Any, name: str = "") -> Any:
    """Return bits of such floats as float32, and any other argument as it is.

    Args:
        value: the argument; several floats may be in one of its elements.
        name: what a kernel takes its elements for, if that is known.
    """
    narrow = narrow_float(value.dtype, name) if isinstance(value, np.ndarray) else None
    if narrow is None:
        return value
    return narrow.decode(np.ascontiguousarray(value).view(narrow.dtype))


def name_elements(dtype: np.dtype[Any]) -> str:
    """Name the elements of an array, as a person does who gives it."""
    narrow = narrow_float(dtype)
    return str(dtype) if narrow is None else narrow.name
