"""PTX text or machine code as kernels to launch, through the C interface of NVIDIA's driver.

For kernels that Numba cannot compile; only the loaded driver library comes from Numba.
A module stays loaded as long as the process lives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.gpu.devices.device import DeviceKernel

_LOG_BYTES = 8192
_ERROR_LOG = (5, 6)
"""CU_JIT_ERROR_LOG_BUFFER, and its size in bytes."""
_MAX_THREADS, _SHARED, _LOCAL, _REGISTERS = 0, 1, 3, 4
"""CUfunction_attribute."""
_NOT_FOR_THIS = frozenset({200, 209, 218, 221, 222, 223, 300, 500, 801})
"""CUresult: no image, no code for this device, PTX that is invalid, no compiler, PTX of a version
that the driver does not know, compiling switched off, no source, no such entry, not supported."""


class PtxRefused(Exception):
    """The driver's compiler rejects the text, or rejects it for this device."""


class DriverRefused(Exception):
    """Any other error of the driver; `code` is its CUresult."""

    def __init__(self, call: str, code: int, name: str) -> None:
        super().__init__(f"{call} results in {name or code}")
        self.code = code


def load_ptx(library: Any, text: str | bytes, kernels: Sequence[str]) -> tuple[DeviceKernel, ...]:
    """Load entries of a module in the context of this thread.

    Args:
        library: libcuda, of ctypes.
        text: the module; bytes are machine code (a cubin).

    Raises:
        PtxRefused: with the compiler's message.
        DriverRefused: an error that has nothing to do with the text.
    """
    log = ctypes.create_string_buffer(_LOG_BYTES)
    options = (ctypes.c_int * len(_ERROR_LOG))(*_ERROR_LOG)
    values = (ctypes.c_void_p * len(_ERROR_LOG))(ctypes.addressof(log), _LOG_BYTES)
    module = ctypes.c_void_p()
    image = ctypes.c_char_p(text if isinstance(text, bytes) else text.encode("ascii"))

    def call(name: str, *arguments: Any) -> None:
        _call(library, name, *arguments, log=log)

    count = ctypes.c_uint(len(_ERROR_LOG))
    call("cuModuleLoadDataEx", ctypes.byref(module), image, count, options, values)
    found: list[DeviceKernel] = []
    for kernel in kernels:
        function = ctypes.c_void_p()
        entry = ctypes.c_char_p(kernel.encode("ascii"))
        call("cuModuleGetFunction", ctypes.byref(function), module, entry)
        found.append(_describe_kernel(library, function))
    return tuple(found)


class LoadedKernel:
    """An entry, called as Numba's kernels are: `kernel[grid, block, stream, shared](arguments)`."""

    def __init__(self, library: Any, function: ctypes.c_void_p) -> None:
        self._library = library
        self._function = function

    def __getitem__(
        self, configuration: tuple[tuple[int, ...], tuple[int, ...], Any, int]
    ) -> Callable[..., None]:
        """Return a function that queues a launch with device arrays and NumPy numbers."""
        grid, block, stream, shared = configuration

        def run(*arguments: Any) -> None:
            held = [_pack_argument(argument) for argument in arguments]
            pointers = (ctypes.c_void_p * len(held))(*map(ctypes.addressof, held))
            _call(
                self._library, "cuLaunchKernel", self._function,
                *_pad_extents(grid), *_pad_extents(block),
                ctypes.c_uint(shared), ctypes.c_void_p(int(stream)), pointers, None,
            )  # fmt: skip

        return run


def _describe_kernel(library: Any, function: ctypes.c_void_p) -> DeviceKernel:
    def read_attribute(attribute: int) -> int:
        value = ctypes.c_int()
        number = ctypes.c_int(attribute)
        _call(library, "cuFuncGetAttribute", ctypes.byref(value), number, function)
        return value.value

    return DeviceKernel(
        read_attribute(_REGISTERS),
        read_attribute(_SHARED),
        read_attribute(_LOCAL),
        read_attribute(_MAX_THREADS),
        LoadedKernel(library, function),
    )


def _pack_argument(argument: Any) -> Any:
    """Keep an argument's bytes where the driver can read them; for an array, its address."""
    device = getattr(argument, "__cuda_array_interface__", None)
    value = np.asarray(argument) if device is None else np.uint64(device["data"][0])
    return ctypes.create_string_buffer(value.tobytes(), value.nbytes)


def _pad_extents(extents: tuple[int, ...]) -> list[ctypes.c_uint]:
    return [ctypes.c_uint(extent) for extent in (*extents, 1, 1)[:3]]


def _call(library: Any, name: str, *arguments: Any, log: Any = None) -> None:
    """Call the driver.

    Raises:
        PtxRefused, DriverRefused: the call failed.
    """
    code = int(getattr(library, name)(*arguments))
    if code == 0:
        return
    said = ctypes.c_char_p()
    library.cuGetErrorName(ctypes.c_int(code), ctypes.byref(said))
    error = DriverRefused(name, code, (said.value or b"").decode("ascii", "replace"))
    if log is not None and code in _NOT_FOR_THIS:
        why = log.value.decode("utf-8", "replace").strip()
        raise PtxRefused(why or str(error))
    raise error
