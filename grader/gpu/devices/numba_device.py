"""The real device, through numba-cuda or numba-cuda-mlir, with CUDA 12 or 13.

`open_device` imports one of them when called. Written by their manuals and sources (numba-cuda 0.20
to 0.30, numba-cuda-mlir 0.6); everything that needs a GPU is here, and nothing else.
"""

from __future__ import annotations

import math
import re
import time
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact, quote
from grader.gpu.devices.compilers import (
    COMPILERS,
    Compiler,
    CompilerMissing,
    CompilerName,
    open_compiler,
)
from grader.gpu.devices.device import (
    GUARD_BYTE,
    GUARD_BYTES,
    DeviceArray,
    DeviceError,
    DeviceKernel,
    DeviceLaunch,
    ErrorKind,
    FetchedArray,
)
from grader.gpu.devices.driver import driver_version
from grader.gpu.devices.loading import load
from grader.gpu.devices.nvrtc import NotCompiled, compile_cubin
from grader.gpu.devices.ptx_module import PtxRefused, load_ptx
from grader.gpu.outcome import DeviceFacts
from grader.kernels.inputs import ArgumentValue
from grader.simt.errors import Refused

_PACKAGES = {
    "numba-cuda": ("numba-cuda", "numba", "cuda-core", "cuda-bindings", "llvmlite", "numpy"),
    "numba-cuda-mlir": ("numba-cuda-mlir", "cuda-core", "cuda-bindings", "numpy"),
}
"""Whose versions are reported, the compiler's first."""
_NAMED: dict[str, ErrorKind] = {
    "ILLEGAL_ADDRESS": "illegal-access",
    "MISALIGNED_ADDRESS": "misaligned",
    "LAUNCH_OUT_OF_RESOURCES": "resources",
    "LAUNCH_TIMEOUT": "timed-out",
    "LAUNCH_FAILED": "launch-failed",
    "OUT_OF_MEMORY": "out-of-memory",
    "ILLEGAL_INSTRUCTION": "launch-failed",
    "INVALID_ADDRESS_SPACE": "illegal-access",
    "INVALID_PC": "launch-failed",
    "HARDWARE_STACK_ERROR": "launch-failed",
    "ASSERT": "launch-failed",
    "INVALID_VALUE": "resources",
    "NO_DEVICE": "no-device",
}
"""CUresult by name; of a launch, INVALID_VALUE is a block or a shared size beyond the device."""
_NUMBERED: dict[int, ErrorKind] = {
    700: "illegal-access", 716: "misaligned", 701: "resources", 702: "timed-out",
    719: "launch-failed", 2: "out-of-memory", 715: "launch-failed", 717: "illegal-access",
    718: "launch-failed", 714: "launch-failed", 710: "launch-failed", 1: "resources",
    100: "no-device",
}  # fmt: skip
"""The same by number: older packages report only that."""
_CUDA_FILE = "kernel.cu"
"""What the log of NVRTC calls a submission."""
_SHARED_WORDS = ("uses too much shared data", "shared memory", "shared data")
_FLUSH_OF_L2 = 4
"""How many times its size is written to flush the L2 cache."""
_LEAST_FLUSH = 64 << 20
_OVER_HOST = 2.0
"""Duration of the flush, in host parts of a launch, so that no gap is timed."""
_MOST_FLUSHES = 64
_COPIED = 1 << 30
_COPIES = 9
_POLL = 20e-6


def kind_of(text: str, code: int | None = None) -> ErrorKind:
    """Classify an error of the driver by its name in a message or by its number."""
    found = re.search(r"CUDA_ERROR_(\w+)", text)
    if found and found.group(1) in _NAMED:
        return _NAMED[found.group(1)]
    if code in _NUMBERED:
        return _NUMBERED[code]
    return "launch-failed"


_INTERNAL = (TypeError, AttributeError, KeyError, IndexError, NameError, AssertionError)
"""What Numba raises only by a mistake of its own: of a kernel's it has errors of its own."""


def compile_kind(text: str) -> ErrorKind:
    """Classify an error of ptxas or the linker: too much shared memory is about resources."""
    return "shared-memory" if any(word in text for word in _SHARED_WORDS) else "compile"


def open_device(names: Sequence[CompilerName] = COMPILERS) -> NumbaDevice:
    """Open the first device that CUDA lists, with the first of these compilers that is installed.

    Raises:
        DeviceError: `no-package` or `no-device`.
    """
    try:
        compiler = open_compiler(names)
    except CompilerMissing as error:
        raise DeviceError("no-package", quote(str(error))) from None
    if not compiler.cuda.is_available():
        raise DeviceError("no-device", _explain_absence(compiler.cuda))
    return NumbaDevice(compiler)


def _explain_absence(cuda: Any) -> Fact:
    error = cuda.cuda_error()
    return quote(" ".join(str(error).split())) if error else fact("gpu.none-listed")


class NumbaDevice:
    """One GPU: see `device.Device`. Everything is queued on one stream of its own."""

    def __init__(self, compiler: Compiler) -> None:
        cuda = compiler.cuda
        self._cuda = cuda
        self._numba = compiler.numba
        self._stream = cuda.stream()
        self._memset = compiler.driver.device_memset
        self._facts = _facts(cuda, _PACKAGES[compiler.name])
        size = max(_LEAST_FLUSH, _FLUSH_OF_L2 * self._facts.l2)
        self._flushed = cuda.device_array(size, np.uint8)
        self._flush_seconds = 0.0
        self._flush_counts: dict[int, int] = {}
        # Small grids are meant here, and warnings would fill what the worker prints.
        warnings.filterwarnings("ignore", message="Grid size")

    @property
    def facts(self) -> DeviceFacts:
        """The device's properties."""
        return self._facts

    def compile(
        self, source: str, kernel: str, arguments: Sequence[ArgumentValue], *, gated: bool = True
    ) -> DeviceKernel:
        """Compile a kernel for arguments of these types; their values do not matter."""
        cuda = self._cuda
        names = {"cuda": cuda, "math": math, "np": np, "numba": self._numba}
        try:
            dispatcher = load(source, kernel, names, cuda.jit, gated=gated)
            types = tuple(dispatcher.typeof_pyval(self._sample(argument)) for argument in arguments)
            dispatcher.compile(types)
        except Refused as error:
            raise DeviceError("compile", _mistake(error)) from None
        except Exception as error:  # Numba's, the linker's and the driver's have no common root
            text = str(error).strip()
            internal = type(error) in _INTERNAL
            kind: ErrorKind = "compiler" if internal else compile_kind(text)
            raise DeviceError(kind, quote(f"{type(error).__name__}: {text}")) from None
        return DeviceKernel(
            _only(dispatcher.get_regs_per_thread()), _only(dispatcher.get_shared_mem_per_block()),
            _only(dispatcher.get_local_mem_per_thread()),
            _only(dispatcher.get_max_threads_per_block()), dispatcher,
        )  # fmt: skip

    def compile_cuda(self, source: str, entry: str) -> DeviceKernel:
        """Compile a kernel in CUDA C++ with NVRTC."""
        try:
            image = compile_cubin(source, _CUDA_FILE, self._facts.capability, entry)
        except NotCompiled as error:
            raise DeviceError(compile_kind(str(error)), quote(str(error))) from None
        except ImportError as error:
            raise DeviceError("no-package", quote(str(error))) from None
        return self.load_ptx(image.code, [image.entry])[0]

    def load_ptx(self, text: str | bytes, kernels: Sequence[str]) -> tuple[DeviceKernel, ...]:
        """Compile kernels of a PTX text with the driver, which knows every device it drives.

        Bytes are machine code for this device, and are loaded as they are.
        """
        self._cuda.current_context()
        library = self._cuda.cudadrv.driver.driver.lib
        with _Driver():
            try:
                return load_ptx(library, text, kernels)
            except PtxRefused as error:
                raise DeviceError(compile_kind(str(error)), quote(str(error))) from None

    def to_device(self, array: NDArray[Any], *, refillable: bool = False) -> DeviceArray:
        """Copy an array to the device, between guards, in one allocation."""
        plain = np.ascontiguousarray(array)
        size = plain.nbytes
        with _Driver():
            whole = self._cuda.device_array(size + 2 * GUARD_BYTES, np.uint8)
            guard = np.full(GUARD_BYTES, GUARD_BYTE, np.uint8)
            whole[:GUARD_BYTES].copy_to_device(guard)
            whole[GUARD_BYTES + size :].copy_to_device(guard)
            middle = whole[GUARD_BYTES : GUARD_BYTES + size]
            middle.copy_to_device(plain.reshape(-1).view(np.uint8))
            first = None
            if refillable:
                first = self._cuda.device_array(whole.size, np.uint8)
                first.copy_to_device(whole)
            shaped = middle.view(plain.dtype).reshape(plain.shape)
        return DeviceArray(plain.shape, plain.dtype, _DeviceBuffer(whole, shaped, first))

    def from_device(self, array: DeviceArray) -> FetchedArray:
        """Fetch what it holds, and check whether the guards are intact."""
        held: _DeviceBuffer = array.handle
        with _Driver():
            self._stream.synchronize()
            size = held.whole.size - GUARD_BYTES
            guards = (held.whole[:GUARD_BYTES], held.whole[size:])
            guarded = all(bool((guard.copy_to_host() == GUARD_BYTE).all()) for guard in guards)
            return FetchedArray(held.shaped.copy_to_host(), guarded)

    def refill(self, array: DeviceArray) -> None:
        """Restore its initial contents, on the device."""
        held: _DeviceBuffer = array.handle
        with _Driver():
            held.whole.copy_to_device(held.first, stream=self._stream)

    def free(self, array: DeviceArray) -> None:
        """Drop the references: Numba then frees the memory."""
        array.handle.clear()

    def launch(self, launch: DeviceLaunch, seconds: float) -> None:
        """Run a kernel to its end."""
        with _Driver():
            self._begin(launch)
            done = self._cuda.event(timing=False)
            done.record(self._stream)
            self._wait(done, seconds)

    def time_launches(self, launches: Sequence[DeviceLaunch], seconds: float) -> list[float]:
        """Measure seconds by device events, behind refills and a flush that hide the host."""
        return [self._time_launch(launch, seconds) for launch in launches]

    def copy_bandwidth(self) -> float:
        """Measure bytes per second, read and written: the median of several copies."""
        with _Driver():
            free, _all = self._cuda.current_context().get_memory_info()
            size = min(_COPIED, free // 4)
            source = self._cuda.device_array(size, np.uint8)
            target = self._cuda.device_array(size, np.uint8)
            # Not zeros: some devices copy them faster.
            noise = np.random.default_rng(0).integers(0, 256, size, np.uint8)
            source.copy_to_device(noise)
            found: list[float] = []
            for _ in range(_COPIES):
                start, stop = self._cuda.event(), self._cuda.event()
                start.record(self._stream)
                target.copy_to_device(source, stream=self._stream)
                stop.record(self._stream)
                self._wait(stop, _SECONDS)
                found.append(start.elapsed_time(stop) / 1e3)
        return float(2 * size / median(found))

    def _time_launch(self, launch: DeviceLaunch, seconds: float) -> float:
        start, stop = self._cuda.event(), self._cuda.event()
        with _Driver():
            flushes = self._flushes(launch)  # which may run the kernel once
            for array in launch.refilled:
                self.refill(array)
            for _ in range(flushes):
                self._flush()
            start.record(self._stream)
            self._begin(launch)
            stop.record(self._stream)
            self._wait(stop, seconds)
            elapsed: float = start.elapsed_time(stop) / 1e3
            return elapsed

    def _flush(self) -> None:
        self._memset(self._flushed, 0, self._flushed.size, stream=self._stream)

    def _flushes(self, launch: DeviceLaunch) -> int:
        """Count the flushes to queue so that they last longer than the host's part of a launch."""
        if not self._flush_seconds:
            start, stop = self._cuda.event(), self._cuda.event()
            self._flush()
            start.record(self._stream)
            self._flush()
            stop.record(self._stream)
            self._wait(stop, _SECONDS)
            self._flush_seconds = max(1e-6, start.elapsed_time(stop) / 1e3)
        key = id(launch.kernel.handle)
        if key not in self._flush_counts:
            began = time.perf_counter()
            self._begin(launch)
            host = time.perf_counter() - began
            done = self._cuda.event(timing=False)
            done.record(self._stream)
            self._wait(done, _SECONDS)
            wanted = math.ceil(_OVER_HOST * host / self._flush_seconds)
            self._flush_counts[key] = min(max(1, wanted), _MOST_FLUSHES)
        return self._flush_counts[key]

    def _begin(self, launch: DeviceLaunch) -> None:
        arguments = [
            argument.handle.shaped if isinstance(argument, DeviceArray) else argument
            for argument in launch.arguments
        ]
        configured = launch.kernel.handle[launch.grid, launch.block, self._stream, launch.shared]
        configured(*arguments)

    def _wait(self, event: Any, seconds: float) -> None:
        """Wait until the device reaches an event; a running kernel cannot be stopped.

        Raises:
            DeviceError: `timed-out`.
        """
        until = time.monotonic() + seconds
        while not event.query():
            if time.monotonic() > until:
                raise DeviceError("timed-out", fact("gpu.still-running", seconds=seconds))
            time.sleep(_POLL)

    def _sample(self, argument: ArgumentValue) -> Any:
        """Make a small device array of the same type: the launch must find the same overload."""
        if not isinstance(argument, np.ndarray):
            return argument
        return self._cuda.device_array((2,) * argument.ndim, argument.dtype)


_SECONDS = 10.0


class _DeviceBuffer:
    """The memory of one array: all of it, the array between the guards, and what it held."""

    def __init__(self, whole: Any, shaped: Any, first: Any) -> None:
        self.whole = whole
        self.shaped = shaped
        self.first = first

    def clear(self) -> None:
        """Let go."""
        self.whole = self.shaped = self.first = None


class _Driver:
    """Turns what the driver raises into a DeviceError."""

    def __enter__(self) -> None:
        """Prepare nothing."""

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        if error is not None and isinstance(error, Exception):
            _translate(error)


def _translate(error: Exception) -> NoReturn:
    if isinstance(error, DeviceError):
        raise error
    code = getattr(error, "code", None)
    text = str(error).strip()
    if "CUDA_ERROR" not in text and code is None:
        raise error  # ours, or Numba's: no word of the device
    raise DeviceError(kind_of(text, None if code is None else int(code)), quote(text)) from None


def _mistake(error: Refused) -> Fact:
    return fact("gpu.refused-source", line=error.line, column=error.column, what=error.what)


def _only(by_signature: Mapping[Any, Any]) -> int:
    """Return the value of a kernel that was compiled for one signature."""
    (value,) = by_signature.values()
    return int(value)


def _facts(cuda: Any, packages: Sequence[str]) -> DeviceFacts:
    device, driver = cuda.get_current_device(), cuda.cudadrv.driver.driver
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    _free, memory = cuda.current_context().get_memory_info()
    clock, width = (
        _attribute(device, "MEMORY_CLOCK_RATE"),
        _attribute(device, "GLOBAL_MEMORY_BUS_WIDTH"),
    )
    return DeviceFacts(
        name=name,
        capability=".".join(map(str, device.compute_capability)),
        driver=driver_version(),
        driver_cuda=".".join(map(str, driver.get_version())),
        runtime=".".join(map(str, cuda.runtime.get_version())),
        versions={package: found for package in packages if (found := _version(package))},
        multiprocessors=device.MULTIPROCESSOR_COUNT,
        memory=int(memory),
        l2=_attribute(device, "L2_CACHE_SIZE"),
        peak=2.0 * clock * 1e3 * width / 8,  # both edges of a clock in kHz, bits
    )


def _attribute(device: Any, name: str) -> int:
    """Read a device attribute; 0 if the driver no longer reports it."""
    try:
        return int(getattr(device, name))
    except Exception:  # AttributeError or the driver's own, by version
        return 0


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
