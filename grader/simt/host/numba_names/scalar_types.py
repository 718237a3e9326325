"""Numba's types as far as scripts name them, where Numba is absent: float32, void, float32[:]."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.program.types import NAMES, Scalar


@frozen
class ArrayType:
    """`float32[:, :]`; contiguous if it is written `[:, ::1]`."""

    dtype: Scalar
    ndim: int
    contiguous: bool = False


def _array_of(dtype: Scalar, axes: Any) -> ArrayType:
    given = axes if isinstance(axes, tuple) else (axes,)
    contiguous = any(isinstance(axis, slice) and axis.step == 1 for axis in given)
    return ArrayType(dtype, len(given), contiguous)


@frozen
class KernelSignature:
    """`void(float32[:], int32)`."""

    args: tuple[Any, ...]
    return_type: Any = None


class NumberType:
    """`float32`: calls convert, brackets make an array of it, types as arguments a signature."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dtype = NAMES[name]
        self.__simt_path__ = f"numba.types.{name}"

    def __getitem__(self, axes: Any) -> ArrayType:
        return _array_of(self.dtype, axes)

    def __call__(self, *given: Any) -> Any:
        """Make a number of this type, or the signature of a function that returns one."""
        if given and not all(isinstance(argument, (NumberType, ArrayType)) for argument in given):
            (value,) = given
            return self.dtype.type(value)
        return KernelSignature(given, self)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(fact("python.not-emulated", name=f"{self.__simt_path__}.{name}"))

    def __repr__(self) -> str:
        return self.name


class Record:
    """What `from_dtype` makes of a structured dtype; brackets make an array of it."""

    def __init__(self, dtype: Scalar) -> None:
        self.dtype = dtype

    def __getitem__(self, axes: Any) -> ArrayType:
        return _array_of(self.dtype, axes)

    def __repr__(self) -> str:
        return f"Record({', '.join(self.dtype.names or ())})"


def from_dtype(dtype: Any) -> NumberType | Record:
    """Return Numba's type for a dtype of NumPy."""
    kind = np.dtype(dtype)
    return Record(kind) if kind.names else NumberType(kind.name)


class Void:
    """The type that a kernel returns."""

    def __call__(self, *given: Any) -> KernelSignature:
        """Make the signature of a kernel."""
        return KernelSignature(given)

    def __repr__(self) -> str:
        return "void"


TYPES: dict[str, Any] = {name: NumberType(name) for name in NAMES if name not in ("bool", "int")}
del TYPES["float"]
TYPES["void"] = TYPES["none"] = Void()


def record_dtype(given: Any) -> Any:
    """Return the structured dtype of what `from_dtype` made, ours or Numba's; None of others."""
    return given.dtype if type(given).__name__ == "Record" else None


def dtype_of(given: Any) -> np.dtype[Any]:
    """Return the NumPy type for a type of NumPy or Numba."""
    record: np.dtype[Any] | None = record_dtype(given)
    if record is not None:
        return record
    numbas = isinstance(given, NumberType) or type(given).__module__.startswith("numba")
    return NAMES[str(given)] if numbas else np.dtype(given)
