"""Runs kernels of a PTX text by the CUDA driver; needs NumPy and libcuda alone."""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

_NAME_BYTES = 100


def _check(code: int, what: str) -> None:
    if code:
        raise SystemExit(f"{what}: CUDA error {code}")


class Device:
    """The first GPU.

    Attributes:
        name: as the driver says it.
    """

    def __init__(self) -> None:
        self._cuda = cuda = ctypes.CDLL("libcuda.so.1")
        _check(cuda.cuInit(0), "cuInit")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        _check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
        name = ctypes.create_string_buffer(_NAME_BYTES)
        cuda.cuDeviceGetName(name, _NAME_BYTES, device)
        _check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "context")
        _check(cuda.cuCtxSetCurrent(context), "context")
        self.name = name.value.decode()

    def load(self, text: str) -> Any:
        """Compile a text; return its module."""
        module = ctypes.c_void_p()
        data = text.encode() + b"\0"
        _check(self._cuda.cuModuleLoadData(ctypes.byref(module), data), "cuModuleLoadData")
        return module

    def launch(
        self, module: Any, kernel: str, sizes: tuple[int, int], arrays: Sequence[Any], *numbers: int
    ) -> None:
        """Run a kernel; the last array gets what it stored.

        Args:
            module: that has it.
            kernel: its name.
            sizes: blocks, and threads of each.
            arrays: its first arguments.
            numbers: the further ones, of 32 bits.
        """
        cuda, function = self._cuda, ctypes.c_void_p()
        found = cuda.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode())
        _check(found, "function")
        pointers = []
        for array in arrays:
            pointer = ctypes.c_uint64()
            size = ctypes.c_size_t(array.nbytes)
            _check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), size), "memory")
            _check(cuda.cuMemcpyHtoD_v2(pointer, ctypes.c_void_p(array.ctypes.data), size), "copy")
            pointers.append(pointer)
        arguments = [*pointers, *map(ctypes.c_uint32, numbers)]
        addresses = (ctypes.c_void_p * len(arguments))(
            *(ctypes.cast(ctypes.byref(each), ctypes.c_void_p) for each in arguments)
        )
        blocks, threads = sizes
        launched = cuda.cuLaunchKernel(
            function, blocks, 1, 1, threads, 1, 1, 0, None, addresses, None
        )
        _check(launched, "launch")
        _check(cuda.cuCtxSynchronize(), kernel)
        data, size = ctypes.c_void_p(arrays[-1].ctypes.data), ctypes.c_size_t(arrays[-1].nbytes)
        _check(cuda.cuMemcpyDtoH_v2(data, pointers[-1], size), "copy")
        for pointer in pointers:
            cuda.cuMemFree_v2(pointer)


def run(folder: Path) -> None:
    """Compute every case of a folder; results are left in `results.npz`."""
    device = Device()
    module = device.load((folder / "forms.ptx").read_text())
    operands = np.load(folder / "operands.npz")
    results: dict[str, Any] = {}
    for number in range(len(operands.files)):
        given = np.ascontiguousarray(operands[f"case{number}"])
        count = given.shape[1]
        found = results[f"case{number}"] = np.zeros(count, np.uint64)
        device.launch(module, f"case{number}", (1, count), (given, found), count)
    np.savez_compressed(folder / "results.npz", **results)
    (folder / "device.json").write_text(json.dumps({"device": device.name}))
    print(f"{len(results)} instructions on {device.name}")


if __name__ == "__main__":
    run(Path(sys.argv[1]))
