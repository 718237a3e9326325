"""Runs a script's Triton kernels in the emulator: Triton compiles them to PTX, without a GPU.

The driver that Triton asks for a device is ours, and PTX is its last stage. Arrays
are NumPy's, or have `__dlpack__`, such as PyTorch's tensors on the CPU. Triton is a
person's own, and so is the script: nothing of either is imported before the script imports it.
Registers and spills are counted by the ptxas that Triton brings. Only a script that asks for them
waits for it: a tuned launch by occupancy, as in Triton's tutorial.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.compiled.linking import read_report
from grader.facts import fact
from grader.simt.errors import InvalidLaunch
from grader.simt.host.arrays import MappedArray
from grader.simt.host.dlpack import read_dlpack
from grader.simt.host.files.ptx_kernels import LineInSource, PtxKernel
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.streams import ScriptPlace
from grader.simt.host.triton.torch_on_cpu import TorchOnCpu
from grader.simt.ptx.kernel import find_kernel
from grader.simt.ptx.reading import read_ptx
from grader.triton.kernels import CONSTANT, TritonRecipe
from grader.triton.messages import Constant, TritonRequest

_SECONDS = 60


def answer_when_asked(compiled_kernel: Any, nvidia: Any, capability: int) -> None:
    """Have Triton's class of compiled kernels count when `n_regs` or `n_spills` is read.

    Args:
        nvidia: Triton's module that knows where ptxas is.
        capability: what is compiled for.
    """
    program = nvidia.get_ptxas(capability).path

    def make(at: int) -> property:
        def count(self: Any) -> int:
            text = self.asm["ptx"]
            code = text.encode() if isinstance(text, str) else bytes(text)
            return _count(program, capability, code)[at]

        return property(count, lambda _self, _value: None)

    compiled_kernel.n_regs, compiled_kernel.n_spills = make(0), make(1)


@lru_cache(maxsize=64)
def _count(program: str, capability: int, text: bytes) -> tuple[int, int]:
    """Return registers, and bytes that a thread spills."""
    asked = [
        program,
        "/dev/stdin",
        "--verbose",
        f"--gpu-name=sm_{capability}",
        "--output-file=/dev/null",
    ]
    done = subprocess.run(asked, input=text, capture_output=True, timeout=_SECONDS, check=True)
    report = read_report(done.stderr.decode("utf-8", "replace"))
    return report.registers, report.spill_stores + report.spill_loads


_CAPABILITY = 80
"""Ampere's, which the counts that were compared with a GPU's are of."""
_PROPERTIES = {
    "max_shared_mem": 166_912, "max_num_regs": 65_536, "multiprocessor_count": 108, "warpSize": 32,
    "sm_clock_rate": 1, "mem_clock_rate": 1, "mem_bus_width": 1,
}  # fmt: skip
_MOST_THREADS = 1024
_ALIGNED = ["tt.divisibility", 16]
_LANES = 32


def install(triton: Any, session: ScriptSession) -> Callable[[Any], None]:
    """Give Triton, which was just imported, our driver; return what follows PyTorch."""
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415 - the script imported it
    from triton.backends.nvidia import compiler as nvidia  # noqa: PLC0415
    from triton.compiler import compiler  # noqa: PLC0415
    from triton.runtime import driver, jit  # noqa: PLC0415

    warnings.filterwarnings("ignore", ".*TRITON_DEFAULT_FP_FUSION")  # 3.9 says so in each process
    _stop_at_ptx(nvidia)
    answer_when_asked(compiler.CompiledKernel, nvidia, _CAPABILITY)
    ours = _Driver(session, GPUTarget("cuda", _CAPABILITY, _LANES), triton.__version__)
    driver.set_active(ours)
    run = jit.JITFunction.run

    def run_with_arrays(self: Any, *given: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        named = {name: _wrap(value) for name, value in options.items()}
        return run(self, *map(_wrap, given), grid=grid, warmup=warmup, **named)

    jit.JITFunction.run = run_with_arrays
    return ours.torch.follow


def _stop_at_ptx(nvidia: Any) -> None:
    backend = nvidia.CUDABackend
    add_stages, begin = backend.add_stages, backend.__init__

    def add(self: Any, stages: Any, options: Any, language: Any) -> None:
        add_stages(self, stages, options, language)
        stages.pop("cubin")

    def make(self: Any, target: Any) -> None:
        begin(self, target)
        self.binary_ext = "ptx"

    backend.add_stages, backend.__init__ = add, make
    # Triton keeps what it compiled by its source alone; lines are those of the script's own path.
    script = Path(sys.argv[0]).absolute()
    backend.hash = lambda self: f"quiz-{self.target.arch}-{script}"


class _ElementType:
    """What Triton's binder asks of an array's type: its name, after the last dot."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return f"torch.{self._name}"

    def __hash__(self) -> int:
        return hash(self._name)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other)


class _Array:
    """An array as Triton's binder takes one."""

    def __init__(self, array: NDArray[Any], dtype: str) -> None:
        self.array = array
        self.dtype = _ElementType(dtype)
        self.shape = array.shape

    def data_ptr(self) -> int:
        """Return where its elements begin."""
        return int(self.array.ctypes.data)


def _wrap(value: Any) -> Any:
    """Return what Triton takes for an argument.

    Raises:
        InvalidLaunch: it is memory of a GPU.
    """
    if isinstance(value, np.ndarray):
        return _Array(value, value.dtype.name)
    if not hasattr(value, "__dlpack__") or not hasattr(value, "__dlpack_device__"):
        return value
    try:
        return _Array(*read_dlpack(value))
    except (BufferError, RuntimeError, TypeError) as error:
        what = fact("triton.memory", type=type(value).__name__, why=str(error))
        raise InvalidLaunch(what) from None


class _Utils:
    """Loads nothing: what it is given is text."""

    def load_binary(
        self, name: str, kernel: bytes | str, shared: int, _device: int
    ) -> tuple[Any, ...]:
        """Return a handle of a kernel, with its registers, spills and most threads."""
        text = kernel.decode() if isinstance(kernel, bytes) else kernel
        return object(), (name, text, shared), 0, 0, _MOST_THREADS

    def unload_module(self, _module: Any) -> None:
        """Forget a kernel."""

    def get_device_properties(self, _device: int) -> Mapping[str, int]:
        """Return what a device of that capability has."""
        return _PROPERTIES

    def get_default_stream(self, _device: int) -> int:
        """Return the stream that waits for nothing."""
        return 0


class _Driver:
    """What Triton asks for a device."""

    def __init__(self, session: ScriptSession, target: Any, version: str) -> None:
        self._session = session
        self._target = target
        self._version = version
        self.utils = _Utils()
        self.torch = TorchOnCpu(session, self.get_device_capability(), _PROPERTIES)
        self.counted = 0

    def launcher_cls(self, source: Any, metadata: Any) -> Callable[..., None]:
        """Return what launches a kernel."""
        return _Launcher(self, source, metadata)

    def get_current_device(self) -> int:
        """Return the only device."""
        return 0

    def set_current_device(self, _device: int) -> None:
        """Choose the only device."""

    def get_current_stream(self, _device: int | None = None) -> int:
        """Return the only stream."""
        return 0

    def get_device_capability(self, _device: int = 0) -> tuple[int, int]:
        """Return the compute capability that kernels are compiled for."""
        return divmod(_CAPABILITY, 10)

    def get_current_target(self) -> Any:
        """Return the same as Triton names it."""
        return self._target

    def get_active_torch_device(self) -> Any:
        """Return where PyTorch's tensors say they are; without PyTorch, where arrays are."""
        return self.torch.device or "cpu"

    def get_device_interface(self) -> Any:
        """Return what times launches on a GPU: nothing does.

        Raises:
            InvalidLaunch: always.
        """
        raise InvalidLaunch(fact("triton.no-times", name="triton.testing"))

    def get_empty_cache_for_benchmark(self) -> None:
        """Return what a benchmark clears between runs: nothing."""

    def clear_cache(self, _cache: Any) -> None:
        """Clear nothing."""

    def map_python_to_cpp_type(self, kind: str) -> str:
        """Return the name of a type."""
        return kind

    def get_benchmarker(self) -> Callable[..., list[float]]:
        """Return what `autotune` ranks by: the warps' instructions that the emulator counts."""

        def count(call: Callable[[], Any], quantiles: Any = None, **_: Any) -> list[float]:
            call()
            return [float(self.counted)] * len(quantiles or [0])

        return count

    def run(self, kernel: PtxKernel, config: Config, values: Sequence[Any]) -> None:
        """Launch a kernel in the session.

        Raises:
            InvalidLaunch: kernels are to be run as they are written.
        """
        if self._session.reads == "source":
            raise InvalidLaunch(fact("triton.only-compiled"))
        done = self._session.run(kernel.compiled, config, kernel.fit(values))
        self.counted = done.totals.get("instructions", 0)

    @property
    def compiler(self) -> str:
        """What compiled the kernels."""
        major, minor = self.get_device_capability()
        return f"Triton {self._version} for {major}.{minor}"


class _Launcher:
    def __init__(self, driver: _Driver, source: Any, metadata: Any) -> None:
        self._driver = driver
        self._source = source
        self._metadata = metadata
        self._warps = metadata.num_warps

    def __call__(
        self, x: int, y: int, z: int, _stream: Any, function: tuple[str, str, int], *rest: Any
    ) -> None:
        """Launch: what follows the metadata and the hooks are the kernel's arguments."""
        _packed, _metadata, _enter, _leave, *given = rest
        name, text, shared = function
        source = self._source
        constants = {
            key[0] if isinstance(key, tuple) else source.fn.arg_names.index(key): value
            for key, value in source.constants.items()
        }
        live = [
            (own, value)
            for at, ((own, kind), value) in enumerate(
                zip(source.signature.items(), given, strict=True)
            )
            if kind != CONSTANT and at not in constants
        ]
        names = tuple(own for own, _ in live)
        place = _place_of(source.fn)
        recipe = self._make_recipe(place, constants)
        kernel = _read((name, text), names, place, self._driver.compiler, recipe)
        wrapped = (_wrap(value) for _, value in live)  # `kernel[grid](…)` gives them as they are
        values = [  # of two views of one array, one sees what is stored through the other
            value.array.view(MappedArray) if isinstance(value, _Array) else value
            for value in wrapped
        ]
        more = [None] * (len(kernel.fields) - len(values))  # memory for a profiler of Triton's own
        config = Config(
            (x, y, z), (_LANES * self._warps,), shared, caller=_find_caller(),
            heap=self._driver.torch.addresses.known,
        )  # fmt: skip
        self._driver.run(kernel, config, [*values, *more])

    def _make_recipe(
        self, place: tuple[str, str, int], constants: Mapping[int, Any]
    ) -> TritonRecipe | None:
        """Return what the kernel is compiled again with; None for constants that are objects."""
        if not all(isinstance(value, Constant) for value in constants.values()):
            return None
        source, (name, _, line) = self._source, place
        types = [
            CONSTANT if at in constants else str(kind)
            for at, kind in enumerate(source.signature.values())
        ]
        request = TritonRequest(
            source="", kernel=name, types=tuple(types), constants=tuple(constants.items()),
            aligned=tuple(key[0] for key, found in source.attrs.items() if _ALIGNED in found),
            warps=self._warps, stages=self._metadata.num_stages,
        )  # fmt: skip
        return TritonRecipe(request, tuple(source.signature), line)


def _find_caller() -> ScriptPlace:
    """Return the line of the script that launches."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - `inspect` takes 100 times as long
    inside = (str(Path(__file__).parents[1]), f"{os.sep}triton{os.sep}")
    while frame is not None and any(each in frame.f_code.co_filename for each in inside):
        frame = frame.f_back
    return ScriptPlace(frame.f_code.co_filename, frame.f_lineno) if frame else ScriptPlace("", 0)


def _place_of(function: Any) -> tuple[str, str, int]:
    """Return a kernel's name, its file, and its line there."""
    code = function.fn.__code__
    return function.fn.__name__, code.co_filename, code.co_firstlineno


@lru_cache(maxsize=64)
def _read(
    function: tuple[str, str], names: tuple[str, ...], place: tuple[str, str, int],
    compiler: str, recipe: TritonRecipe | None,
) -> PtxKernel:  # fmt: skip
    """Read what Triton compiled, once."""
    name, text = function
    module = read_ptx(text)
    kernel = find_kernel(module, name)
    shown, path, line = place
    lines = tuple(Path(path).read_text("utf-8", "replace").split("\n")) if path else ()
    source = LineInSource(shown, path, (line, 1), {"": lines}, {})
    return PtxKernel(
        module, kernel, names, compiler=compiler, place=source, recipe=recipe, replicated=True
    )
