"""Builds the modules that scripts import: `numba.cuda`, `numba_cuda_mlir`, `numba` if absent."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, NoReturn

from grader.facts import fact
from grader.simt.host import arrays, device, interface, streams
from grader.simt.host.decorators.gufuncs import GUVectorizeBuilder, guvectorize_for
from grader.simt.host.decorators.kernels import jit_for
from grader.simt.host.decorators.reduction import Reduce
from grader.simt.host.decorators.ufuncs import VectorizeBuilder, vectorize_for
from grader.simt.host.generated import remember_texts
from grader.simt.host.importing import StandInFinder
from grader.simt.host.numba_names.names import NotEmulated, named
from grader.simt.host.numba_names.numba_errors import (
    DRIVER_ERRORS,
    ERRORS,
    NumbaSettings,
    core_modules,
)
from grader.simt.host.numba_names.scalar_types import TYPES, from_dtype
from grader.simt.host.random_states import MEMBERS as RANDOM_MEMBERS
from grader.simt.host.session import RUNNING, ScriptSession
from grader.simt.host.staged import TransferArgument
from grader.simt.host.triton.finder import watch_for_triton
from grader.simt.numba.reading.paths import MLIR_TYPES

VERSIONS = {"numba_cuda": "0.30.4", "numba_cuda_mlir": "0.6.0"}
"""Of the packages whose names are known here, in `tests/data/cuda_names.json`."""


def install(session: ScriptSession) -> None:
    """Let `from numba import cuda` and `from numba_cuda_mlir import cuda` give the stand-in."""
    remember_texts()
    RUNNING[:] = [session]
    cuda = cuda_module(session)
    sys.modules["numba.cuda"] = cuda
    if "numba" in sys.modules:
        vars(sys.modules["numba"])["cuda"] = cuda
    sys.meta_path.insert(0, StandInFinder(cuda, _packages(cuda), numba_module))
    watch_for_triton(session)


def _packages(cuda: ModuleType) -> dict[str, ModuleType]:
    """Make the packages that scripts import beside `numba`, by name."""
    mlir = make_module("numba_cuda_mlir", __version__=VERSIONS["numba_cuda_mlir"])
    types = make_module(
        "numba_cuda_mlir.types",
        _get_type_class,
        **{**TYPES, **{short: TYPES[name] for short, name in MLIR_TYPES.items()}},
        bool=TYPES["boolean"],
    )
    vars(mlir).update(cuda=cuda, numba_cuda=cuda, types=types, errors=cuda.errors)
    inner = make_module("numba_cuda.numba", cuda=cuda)
    older = make_module("numba_cuda", __version__=VERSIONS["numba_cuda"], numba=inner)
    return {module.__name__: module for module in (mlir, older)}


def make_module(
    name: str, missing: Callable[[str], Any] | None = None, **members: Any
) -> ModuleType:
    """Make a module that can be imported from.

    Args:
        missing: returns a member that it does not have, or raises AttributeError.
    """
    module = ModuleType(name, f"The emulator of quiz, in the place of {name}.")
    vars(module).update(members, __path__=[])
    if missing is not None:
        vars(module)["__getattr__"] = missing
    return module


def cuda_module(session: ScriptSession) -> ModuleType:
    """Make a `numba.cuda` whose launches go to a session."""
    emulated = device.DEVICES[0]
    streams.TIMELINE.restart(session.report_unordered)
    names: dict[str, Any] = {
        "jit": jit_for(session),
        "vectorize": vectorize_for(session),
        "guvectorize": guvectorize_for(session),
        "vectorizers": make_module(
            "numba.cuda.vectorizers",
            CUDAVectorize=partial(VectorizeBuilder, session=session),
            CUDAGUFuncVectorize=partial(GUVectorizeBuilder, session=session),
        ),
        "reduce": Reduce,
        "Reduce": Reduce,
        "In": partial(TransferArgument, there=True, back=False),
        "Out": partial(TransferArgument, there=False, back=True),
        "InOut": partial(TransferArgument, there=True, back=True),
        "DeviceNDArray": arrays.EmulatedArray,
        "to_device": arrays.to_device,
        "device_array": arrays.device_array,
        "device_array_like": arrays.device_array_like,
        "pinned_array": arrays.host_array,
        "pinned_array_like": arrays.host_array_like,
        "managed_array": arrays.mapped_array,
        "mapped_array": arrays.mapped_array,
        "mapped_array_like": arrays.mapped_array_like,
        "mapped": arrays.mapped,
        "as_cuda_array": interface.as_cuda_array,
        "from_cuda_array_interface": interface.from_cuda_array_interface,
        "is_cuda_array": interface.is_cuda_array,
        "stream": streams.Stream,
        "default_stream": lambda: streams.DEFAULT_STREAM,
        "legacy_default_stream": lambda: streams.DEFAULT_STREAM,
        "per_thread_default_stream": lambda: streams.PER_THREAD_STREAM,
        "external_stream": streams.external_stream,
        "event": lambda timing=True: device.StreamEvent(),  # noqa: ARG005 - Numba's signature
        "event_elapsed_time": lambda start, end: start.elapsed_time(end),
        "synchronize": emulated.synchronize,
        "close": emulated.reset,
        "profile_start": emulated.synchronize,
        "profile_stop": emulated.synchronize,
        "gpus": device.DEVICES,
        "list_devices": lambda: device.DEVICES,
        "select_device": device.select_device,
        "detect": device.detect,
        "get_current_device": lambda: emulated,
        "current_context": lambda _device=0: emulated,
        "require_context": lambda function: function,
        "runtime": device.RUNTIME,
        "MemoryInfo": device.MemoryInfo,
        "pinned": device.nothing_more,
        "defer_cleanup": device.nothing_more,
        "profiling": device.nothing_more,
    }
    return make_module("numba.cuda", _get_for_kernels, **TYPES, **names, **_FIXED, **_parts())


_FIXED: dict[str, Any] = {
    "is_available": lambda: True,
    "is_supported_version": lambda: True,
    "cuda_error": lambda: None,
    "is_float16_supported": lambda: True,
    "is_bfloat16_supported": lambda: True,
    "is_fp8_supported": lambda: False,
    "HAS_NUMBA": True,
    "bool": TYPES["boolean"],
    **{name: DRIVER_ERRORS[name] for name in ("CudaSupportError", "KernelRuntimeError")},
}
"""Members of `numba.cuda` that no session changes."""


def _parts() -> dict[str, ModuleType]:
    """Make the modules of `numba.cuda` that scripts import from."""
    types = make_module("numba.cuda.types", _get_type_class, **TYPES, bool=TYPES["boolean"])
    errors = make_module("numba.cuda.errors", **ERRORS, **DRIVER_ERRORS)
    error = make_module("numba.cuda.cudadrv.error", **DRIVER_ERRORS)
    driver = make_module("numba.cuda.cudadrv.driver", **DRIVER_ERRORS)
    driver.MemoryInfo = device.MemoryInfo  # type: ignore[attr-defined]
    devicearray = make_module(
        "numba.cuda.cudadrv.devicearray",
        DeviceNDArray=arrays.EmulatedArray,
        MappedNDArray=arrays.MappedArray,
        errmsg_contiguous_buffer=arrays.NOT_CONTIGUOUS,
        is_cuda_ndarray=lambda array: isinstance(array, (arrays.EmulatedArray, arrays.MappedArray)),
        auto_device=lambda array, stream=0: (arrays.to_device(array, stream), True),
    )
    devices = make_module(
        "numba.cuda.cudadrv.devices",
        gpus=device.DEVICES,
        get_context=lambda _device=None: device.DEVICES[0],
        reset=device.DEVICES[0].reset,
    )
    return {
        "types": types,
        "config": NumbaSettings("numba.cuda.config"),
        "errors": errors,
        "core": make_module("numba.cuda.core", types=types, errors=errors),
        "cudadrv": make_module(
            "numba.cuda.cudadrv", error=error, driver=driver, devicearray=devicearray,
            devices=devices,
        ),
        "devicearray": devicearray,
        "devices": devices,
        "driver": driver,
        "np": _numpy_module(),
        "random": make_module(
            "numba.cuda.random", lambda name: _get_for_kernels(f"random.{name}"), **RANDOM_MEMBERS
        ),
    }  # fmt: skip


def numba_module(reason: str = "") -> ModuleType:
    """Make a `numba` with the few names that scripts use beside `cuda`.

    Args:
        reason: why the real one cannot be imported; "" if it is not installed.
    """

    def find_missing(name: str) -> NoReturn:
        raise AttributeError(_numba_needed(f"numba.{name}", reason))

    types = make_module("numba.types", _get_type_class, **TYPES)
    module = make_module("numba", find_missing, **TYPES, **ERRORS, types=types, prange=range)
    vars(module).update(from_dtype=from_dtype, np=_numpy_module())
    vars(module).update(dict.fromkeys(("jit", "njit"), _plain_jit), __version__="0")
    for name in ("vectorize", "guvectorize", "stencil", "cfunc"):
        vars(module)[name] = partial(_by_target, name, _numba_needed(f"numba.{name}", reason))
    vars(module)["literal_unroll"] = named("cuda.literal_unroll")
    core_modules(module)
    return module


def _numpy_module() -> ModuleType:
    """Make `numba.np`, of which scripts use `numpy_support.from_dtype`."""
    support = make_module("numba.np.numpy_support", from_dtype=from_dtype)
    return make_module("numba.np", numpy_support=support)


def _numba_needed(name: str, reason: str) -> Any:
    if reason:
        return fact("script.numba-broken", name=name, reason=reason)
    return fact("script.numba-absent", name=name)


def _by_target(name: str, what: Any, *args: Any, target: str = "cpu", **options: Any) -> Any:
    """Call the stand-in's decorator for `target="cuda"`; for the CPU, Numba is needed."""
    if target == "cuda" and name in ("vectorize", "guvectorize"):
        return getattr(sys.modules["numba.cuda"], name)(*args, **options)
    raise NotEmulated(what)


def _get_for_kernels(name: str) -> Any:
    """Return a name that `numba.cuda` has for kernels, or one that is refused when used.

    Raises:
        AttributeError: it is not known.
    """
    found = None if name.startswith("__") else named(f"cuda.{name}")
    if found is None:
        raise AttributeError(fact("python.no-such-name", name=f"numba.cuda.{name}"))
    return found


def _get_type_class(name: str) -> Any:
    """Return a class of types, which is refused when used: `types.Array`.

    Raises:
        AttributeError: it is neither named like a class nor known.
    """
    return named(f"cuda.types.{name}") if name[:1].isupper() else _get_for_kernels(name)


def _plain_jit(function: Any = None, *_signatures: Any, **_options: Any) -> Any:
    """Return the function as Python runs it, for `jit` and `njit` of the host."""
    if hasattr(function, "__code__"):
        return function
    return lambda plain: plain
