"""Runs kernels of a PTX text by the CUDA driver; needs NumPy and libcuda alone."""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_NAME_BYTES = 100
_MAP_BYTES, _MAP_ALIGNED = 128, 64
_UNASKED, _MOST_SHARED = 48 << 10, 8
"""Bytes that a launch may take as it is; `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`."""
_CLUSTER_DIMENSION = 4
"""`CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION`."""


def _check(code: int, what: str) -> None:
    if code:
        raise SystemExit(f"{what}: CUDA error {code}")


class _Attribute(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16))


class _Configuration(ctypes.Structure):
    _fields_ = (
        ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint),
    )  # fmt: skip


class MapRequest(NamedTuple):
    """What `cuTensorMapEncodeTiled` is asked for, beside an address; numbers as it takes them."""

    type: int
    sizes: Sequence[int]
    strides: Sequence[int]
    box: Sequence[int]
    steps: Sequence[int]
    swizzle: int = 0
    fill: int = 0
    interleave: int = 0


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

    def load(self, code: str | bytes) -> Any:
        """Compile a text, or take machine code; return its module."""
        module = ctypes.c_void_p()
        data = code.encode() + b"\0" if isinstance(code, str) else code
        _check(self._cuda.cuModuleLoadData(ctypes.byref(module), data), "cuModuleLoadData")
        return module

    @contextmanager
    def memory(self, arrays: Sequence[Any]) -> Iterator[list[int]]:
        """Copy arrays to the device, and what is there back at the end; yield their addresses."""
        cuda, pointers = self._cuda, list[Any]()
        for array in arrays:
            pointer, size = ctypes.c_uint64(), ctypes.c_size_t(array.nbytes)
            room = ctypes.c_size_t(max(array.nbytes, 1))
            _check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), room), "memory")
            _check(cuda.cuMemcpyHtoD_v2(pointer, ctypes.c_void_p(array.ctypes.data), size), "copy")
            pointers.append(pointer)
        yield [pointer.value for pointer in pointers]
        for pointer, array in zip(pointers, arrays, strict=True):
            data, size = ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes)
            _check(cuda.cuMemcpyDtoH_v2(data, pointer, size), "copy")
            cuda.cuMemFree_v2(pointer)

    def encode(self, address: int, asked: MapRequest) -> tuple[int, bytes]:
        """Return the driver's code, and the tensor map that it made."""
        made = ctypes.create_string_buffer(_MAP_BYTES + _MAP_ALIGNED)
        start = -(-ctypes.addressof(made) // _MAP_ALIGNED) * _MAP_ALIGNED
        longs = [(ctypes.c_uint64 * 5)(*each) for each in (asked.sizes, asked.strides)]
        words = [(ctypes.c_uint32 * 5)(*each) for each in (asked.box, asked.steps)]
        code = self._cuda.cuTensorMapEncodeTiled(
            ctypes.c_void_p(start), asked.type, len(asked.sizes), ctypes.c_void_p(address),
            *longs, *words, asked.interleave, asked.swizzle, 0, asked.fill,
        )  # fmt: skip
        return int(code), ctypes.string_at(start, _MAP_BYTES)

    def start(
        self,
        module: Any,
        kernel: str,
        sizes: tuple[tuple[int, int], int],
        parameters: Sequence[bytes],
        cluster: int | None = None,
    ) -> int:
        """Run a kernel to its end; return the driver's code.

        Args:
            module: that has it.
            kernel: its name.
            sizes: blocks along two axes, and threads of each.
            parameters: as they are in memory.
            cluster: blocks of a cluster, if the launch says so.
        """
        (across, down), threads = sizes
        shape = ((across, down, 1), (threads, 1, 1))
        return self.start_grid(module, kernel, shape, parameters, cluster=cluster)

    def start_grid(
        self,
        module: Any,
        kernel: str,
        shape: tuple[Sequence[int], Sequence[int]],
        parameters: Sequence[bytes],
        *,
        shared: int = 0,
        cluster: int | None = None,
    ) -> int:
        """Run a kernel to its end; return the driver's code.

        Args:
            module: that has it.
            kernel: its name.
            shape: blocks, and threads of each, along three axes.
            parameters: as they are in memory.
            shared: bytes of dynamic shared memory.
            cluster: blocks of a cluster, if the launch says so.
        """
        cuda, function = self._cuda, ctypes.c_void_p()
        found = cuda.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode())
        _check(found, "function")
        if shared > _UNASKED:
            _check(cuda.cuFuncSetAttribute(function, _MOST_SHARED, shared), "shared memory")
        kept = [_aligned(each) for each in parameters]
        addresses = (ctypes.c_void_p * len(kept))(*(ctypes.addressof(each) for each in kept))
        attribute = _Attribute(_CLUSTER_DIMENSION, 0, (ctypes.c_uint * 16)(cluster or 1, 1, 1))
        configuration = _Configuration(
            *((ctypes.c_uint * 3)(*each) for each in shape), shared, None,
            ctypes.addressof(attribute), int(cluster is not None),
        )  # fmt: skip
        code = cuda.cuLaunchKernelEx(ctypes.byref(configuration), function, addresses, None)
        return int(code or cuda.cuCtxSynchronize())

    def launch(
        self, module: Any, kernel: str, sizes: tuple[int, int], arrays: Sequence[Any], *numbers: int
    ) -> None:
        """Run a kernel; its arrays get what it stored.

        Args:
            module: that has it.
            kernel: its name.
            sizes: blocks, and threads of each.
            arrays: its first arguments.
            numbers: the further ones, of 32 bits.
        """
        blocks, threads = sizes
        with self.memory(arrays) as addresses:
            parameters = [each.to_bytes(8, "little") for each in addresses]
            parameters += [each.to_bytes(4, "little", signed=each < 0) for each in numbers]
            _check(self.start(module, kernel, ((blocks, 1), threads), parameters), kernel)


def _aligned(data: bytes) -> Any:
    """Return a buffer with the bytes, aligned as a tensor map is."""
    whole = ctypes.create_string_buffer(len(data) + _MAP_ALIGNED)
    start = -ctypes.addressof(whole) % _MAP_ALIGNED
    found = (ctypes.c_char * len(data)).from_buffer(whole, start)
    found.raw = data
    return found


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
