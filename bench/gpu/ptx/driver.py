"""Runs the kernels of `writing` by the CUDA driver; needs NumPy and libcuda alone."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

_NAME_BYTES = 100


def _check(code: int, what: str) -> None:
    if code:
        raise SystemExit(f"{what}: CUDA error {code}")


def run(folder: Path) -> None:
    """Compute every case of a folder; results are left in `results.npz`."""
    cuda = ctypes.CDLL("libcuda.so.1")
    _check(cuda.cuInit(0), "cuInit")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    _check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    name = ctypes.create_string_buffer(_NAME_BYTES)
    cuda.cuDeviceGetName(name, _NAME_BYTES, device)
    _check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "context")
    _check(cuda.cuCtxSetCurrent(context), "context")
    module = ctypes.c_void_p()
    text = (folder / "forms.ptx").read_bytes() + b"\0"
    _check(cuda.cuModuleLoadData(ctypes.byref(module), text), "cuModuleLoadData")
    operands = np.load(folder / "operands.npz")
    results: dict[str, Any] = {}
    for number in range(len(operands.files)):
        given = np.ascontiguousarray(operands[f"case{number}"])
        results[f"case{number}"] = _launch(cuda, module, number, given)
    np.savez_compressed(folder / "results.npz", **results)
    (folder / "device.json").write_text(json.dumps({"device": name.value.decode()}))
    print(f"{len(results)} instructions on {name.value.decode()}")


def _launch(cuda: Any, module: Any, number: int, given: Any) -> Any:
    count = given.shape[1]
    found = np.zeros(count, np.uint64)
    function = ctypes.c_void_p()
    kernel = f"case{number}".encode()
    _check(cuda.cuModuleGetFunction(ctypes.byref(function), module, kernel), "function")
    pointers = []
    for array in (given, found):
        pointer = ctypes.c_uint64()
        _check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(array.nbytes)), "memory")
        data = ctypes.c_void_p(array.ctypes.data)
        _check(cuda.cuMemcpyHtoD_v2(pointer, data, ctypes.c_size_t(array.nbytes)), "copy")
        pointers.append(pointer)
    arguments = [*pointers, ctypes.c_uint32(count)]
    addresses = (ctypes.c_void_p * 3)(
        *(ctypes.cast(ctypes.byref(each), ctypes.c_void_p) for each in arguments)
    )
    _check(cuda.cuLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, None, addresses, None), "launch")
    _check(cuda.cuCtxSynchronize(), f"case{number}")
    data = ctypes.c_void_p(found.ctypes.data)
    _check(cuda.cuMemcpyDtoH_v2(data, pointers[1], ctypes.c_size_t(found.nbytes)), "copy")
    for pointer in pointers:
        cuda.cuMemFree_v2(pointer)
    return found


if __name__ == "__main__":
    run(Path(sys.argv[1]))
