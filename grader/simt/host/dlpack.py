"""Reads an array that has `__dlpack__` where it lies, as its owner may: to write, too.

`numpy.from_dlpack` does so for a part of them. It makes read-only what an exporter of before DLPack
1.0 hands over, such as PyTorch, of which nobody says whether it may be written, and it does not
know bfloat16.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_CPU = 1
_VERSIONED = "dltensor_versioned"
_READ_ONLY = 1
_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}
"""By the codes of `DLDataTypeCode`."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("axes", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    )  # fmt: skip


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    )  # fmt: skip


class ForeignArray(NamedTuple):
    """Memory of another library's.

    Attributes:
        array: its elements; those of bfloat16 are uint16.
        dtype: what they are: "float16", "bfloat16".
    """

    array: NDArray[Any]
    dtype: str


class _Memory:
    """Memory as NumPy takes it; keeps its owner."""

    def __init__(self, owner: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def read_dlpack(value: Any) -> ForeignArray:
    """Return what an object with `__dlpack__` has.

    Raises:
        BufferError, RuntimeError, TypeError: it is not in this process's memory, or of a type that
            NumPy has nothing like.
    """
    if getattr(value, "requires_grad", False):
        value = value.detach()  # PyTorch hands over no tensor that it differentiates by
    if int(value.__dlpack_device__()[0]) != _CPU:
        raise BufferError("it is not in the CPU's memory")
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except TypeError:  # of before 1.0
        capsule = value.__dlpack__()
    versioned = f'"{_VERSIONED}"' in repr(capsule)
    find = ctypes.pythonapi.PyCapsule_GetPointer
    find.restype, find.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    at = find(capsule, _VERSIONED.encode() if versioned else b"dltensor")
    if versioned:
        whole = _Versioned.from_address(at)
        tensor, read_only = whole.tensor, bool(whole.flags & _READ_ONLY)
    else:
        tensor, read_only = _Tensor.from_address(at), False
    dtype = f"{_KINDS.get(tensor.code, 'unknown')}{tensor.bits}".replace("bool8", "bool")
    shown = np.dtype("uint16" if dtype == "bfloat16" else dtype)
    axes, size = range(tensor.axes), shown.itemsize
    interface = {
        "version": 3, "typestr": shown.str, "data": ((tensor.data or 0) + tensor.offset, read_only),
        "shape": tuple(tensor.shape[axis] for axis in axes),
        "strides": tuple(tensor.strides[axis] * size for axis in axes) if tensor.strides else None,
    }  # fmt: skip
    # The capsule's own end frees what it holds, since nobody takes it over.
    return ForeignArray(np.asarray(_Memory((value, capsule), interface)), dtype)
