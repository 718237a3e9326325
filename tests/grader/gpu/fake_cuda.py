"""What `numba_device` uses of `numba.cuda`, on NumPy: so that its own code runs without a GPU.

Nothing here is proof of what a driver does; it holds the calls to the signatures of numba-cuda.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np

STREAM = 0x7F00_0000_1000
FUNCTION = 0x7F00_0000_2000
"""Handles, too wide for an int of C."""


class FakeArray:
    """A DeviceNDArray: slices and views share its memory."""

    def __init__(self, array: np.ndarray) -> None:
        self.host = array

    dtype = property(lambda self: self.host.dtype)
    shape = property(lambda self: self.host.shape)
    size = property(lambda self: self.host.size)

    def __getitem__(self, index: slice) -> FakeArray:
        return FakeArray(self.host[index])

    def view(self, dtype: Any) -> FakeArray:
        return FakeArray(self.host.view(dtype))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"data": (self.host.ctypes.data, False)}

    def reshape(self, shape: Any) -> FakeArray:
        return FakeArray(self.host.reshape(shape))

    def copy_to_device(self, source: Any, stream: Any = None) -> None:
        assert stream is None or isinstance(stream, FakeStream)
        given = source.host if isinstance(source, FakeArray) else source
        assert given.dtype == self.dtype
        assert given.shape == self.shape
        self.host[...] = given

    def copy_to_host(self) -> np.ndarray:
        return self.host.copy()


class FakeStream:
    def __init__(self, cuda: FakeCuda) -> None:
        self.cuda = cuda

    def __int__(self) -> int:
        return STREAM

    def synchronize(self) -> None:
        self.cuda.queued.append("synchronize")


class FakeEvent:
    def __init__(self, cuda: FakeCuda) -> None:
        self.cuda = cuda
        self.at = 0.0

    def record(self, stream: FakeStream) -> None:
        assert stream is self.cuda.the_stream
        self.cuda.queued.append("event")
        self.at = self.cuda.clock

    def query(self) -> bool:
        return not self.cuda.hangs

    def elapsed_time(self, other: FakeEvent) -> float:
        """Milliseconds."""
        return (other.at - self.at) * 1e3


class FakeCuda:
    """The module."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.queued: list[str] = []
        self.hangs = False
        self.raises: Exception | None = None
        self.attributes = {"regs_per_thread": 40, "shared_mem_per_block": 128,
                           "local_mem_per_thread": 8, "max_threads_per_block": 1024}  # fmt: skip
        self.the_stream = FakeStream(self)
        self.cudadrv = SimpleNamespace(
            driver=SimpleNamespace(
                driver=SimpleNamespace(get_version=lambda: (13, 0), lib=FakeLibrary(self))
            )
        )
        self.runtime = SimpleNamespace(get_version=lambda: (12, 9))

    def is_available(self) -> bool:
        return True

    def stream(self) -> FakeStream:
        return self.the_stream

    def event(self, timing: bool = True) -> FakeEvent:
        assert timing in (True, False)
        return FakeEvent(self)

    def device_array(self, shape: Any, dtype: Any) -> FakeArray:
        return FakeArray(np.zeros(shape, dtype))

    def current_context(self) -> Any:
        return SimpleNamespace(get_memory_info=lambda: (1 << 22, 1 << 24))

    def get_current_device(self) -> Any:
        return SimpleNamespace(
            name=b"NVIDIA Fake", compute_capability=(9, 0), MULTIPROCESSOR_COUNT=4,
            L2_CACHE_SIZE=1 << 20, MEMORY_CLOCK_RATE=1_000_000,
        )  # fmt: skip

    def memset(self, array: FakeArray, value: int, size: int, stream: FakeStream) -> None:
        assert stream is self.the_stream
        array.host[:size] = value
        self.queued.append("flush")
        self.clock += 1e-3

    def jit(self, function: Any, **options: Any) -> Any:
        if options.pop("device", False):
            return function
        return FakeDispatcher(self, function, options)


class FakeDispatcher:
    def __init__(self, cuda: FakeCuda, function: Any, options: Any) -> None:
        self.cuda = cuda
        self.function = function
        self.options = options

    def typeof_pyval(self, value: Any) -> str:
        return f"{value.dtype}{len(value.shape)}" if isinstance(value, FakeArray) else "number"

    def compile(self, types: tuple[str, ...]) -> None:
        if self.cuda.raises is not None:
            raise self.cuda.raises
        self.types = types

    def __getattr__(self, name: str) -> Any:
        """`get_regs_per_thread` and its like: by signature."""
        return lambda: {self.types: self.cuda.attributes[name.removeprefix("get_")]}

    def __getitem__(self, configuration: tuple[Any, ...]) -> Any:
        _grid, _block, stream, _shared = configuration
        assert stream is self.cuda.the_stream

        def run(*given: Any) -> None:
            if self.cuda.raises is not None:
                raise self.cuda.raises
            self.cuda.queued.append("kernel")
            self.cuda.clock += 2e-5
            self.function(*(one.host if isinstance(one, FakeArray) else one for one in given))

        return run


class FakeLibrary:
    """libcuda, as ctypes gives it: the calls that load and launch PTX."""

    def __init__(self, cuda: FakeCuda) -> None:
        self.names = {218: b"CUDA_ERROR_INVALID_PTX", 700: b"CUDA_ERROR_ILLEGAL_ADDRESS"}
        self.cuda = cuda
        self.fails: dict[str, int] = {}
        self.log = b""
        self.launched: list[tuple[Any, ...]] = []

    def cuModuleLoadDataEx(self, module, image, count, options, values) -> int:  # noqa: N802
        assert image.value.startswith(b".version")
        assert count.value == len(options) == len(values) == 2
        ctypes.memmove(values[[*options].index(5)], self.log, len(self.log))
        assert values[[*options].index(6)] > len(self.log)
        module._obj.value = 0x1000
        return self.fails.get("cuModuleLoadDataEx", 0)

    def cuModuleGetFunction(self, function, module, name) -> int:  # noqa: N802
        assert module.value == 0x1000
        function._obj.value = FUNCTION
        return 500 if name.value == b"none" else 0

    def cuFuncGetAttribute(self, value, attribute, function) -> int:  # noqa: N802
        assert function.value == FUNCTION
        value._obj.value = {0: 1024, 1: 20480, 3: 8, 4: 40}[attribute.value]
        return 0

    def cuLaunchKernel(self, function, *given) -> int:  # noqa: N802
        assert function.value == FUNCTION
        *extents, shared, stream, pointers, extra = given
        assert extra is None
        assert stream.value == STREAM
        held = [
            ctypes.cast(one, ctypes.POINTER(ctypes.c_uint32)).contents.value for one in pointers
        ]
        self.launched.append((*(one.value for one in extents), shared.value, held))
        self.cuda.queued.append("kernel")
        return self.fails.get("cuLaunchKernel", 0)

    def cuGetErrorName(self, code, name) -> int:  # noqa: N802
        name._obj.value = self.names.get(code.value)
        return 0
