"""The real device through numba-cuda-mlir alone, where numba-cuda is installed, too."""

from __future__ import annotations

from grader.gpu.devices.numba_device import NumbaDevice
from grader.gpu.devices.numba_device import open_device as open_first


def open_device() -> NumbaDevice:
    """Open the first device that CUDA lists.

    Raises:
        DeviceError: `no-package` or `no-device`.
    """
    return open_first(("numba-cuda-mlir",))
