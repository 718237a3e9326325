"""What a launch raises that a device would refuse: an error that a script can catch as Numba's."""

from __future__ import annotations

from grader.simt.errors import DeviceRefusal
from grader.simt.host.numba_names.numba_errors import DRIVER_ERRORS

_REAL = DRIVER_ERRORS["CudaAPIError"]


class _CudaAPIError(DeviceRefusal, _REAL):  # type: ignore[misc, valid-type]
    """The driver's error for sizes that it does not take.

    Attributes:
        code, msg: as Numba's error has them.
    """

    code = 1

    def __init__(self, error: DeviceRefusal) -> None:
        super().__init__(error.what, error.instead)
        self.msg = f"CUDA_ERROR_INVALID_VALUE: {error.what}"

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}"


_CudaAPIError.__name__ = _CudaAPIError.__qualname__ = _REAL.__name__
_CudaAPIError.__module__ = _REAL.__module__


def as_drivers(error: DeviceRefusal) -> DeviceRefusal:
    """Return the same error, as the driver's error of the stand-in too."""
    return _CudaAPIError(error)
