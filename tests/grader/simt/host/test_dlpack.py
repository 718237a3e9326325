"""Arrays of other libraries are taken where they lie, to be written, too."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from grader.simt.host.dlpack import _Tensor, read_dlpack


class Exporter:
    """Memory of a library; before DLPack 1.0 there is no `max_version`."""

    def __init__(self, array: Any, *, device: int = 1) -> None:
        self.array = array
        self.device = device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0

    def __dlpack__(self) -> Any:
        return self.array.__dlpack__()


class Halves(Exporter):
    """bfloat16, of which NumPy hands over nothing."""

    def __dlpack__(self) -> Any:
        self.shape = (ctypes.c_int64 * 1)(self.array.size)
        start = self.array.ctypes.data
        self.tensor = _Tensor(start, 1, 0, 1, 4, 16, 1, ctypes.cast(self.shape, _LONGS), None, 0)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p,) * 3
        return make(ctypes.addressof(self.tensor), _NAME, None)


_LONGS = ctypes.POINTER(ctypes.c_int64)
_NAME = ctypes.cast(ctypes.c_char_p(b"dltensor"), ctypes.c_void_p)


@pytest.mark.parametrize("wrap", [Exporter, lambda array: array], ids=["before 1.0", "1.0"])
def test_the_memory_is_the_owners_and_may_be_written(wrap: Any) -> None:
    whole = np.arange(24, dtype=np.float32).reshape(4, 6)
    given = whole[:, ::2]
    found = read_dlpack(wrap(given))
    assert (found.dtype, found.array.shape) == ("float32", (4, 3))
    assert np.array_equal(found.array, given)
    found.array[1, 2] = -1
    assert whole[1, 4] == -1


def test_what_says_that_it_is_read_only_stays_so() -> None:
    given = np.arange(4)
    given.flags.writeable = False
    assert not read_dlpack(given).array.flags.writeable


def test_bfloat16_is_known_by_its_name() -> None:
    bits = np.array([0x3F80, 0x4000], np.uint16)
    found = read_dlpack(Halves(bits))
    assert (found.dtype, found.array.tolist()) == ("bfloat16", bits.tolist())


def test_memory_of_a_gpu_is_not_taken() -> None:
    with pytest.raises(BufferError, match="CPU"):
        read_dlpack(Exporter(np.zeros(2), device=2))
