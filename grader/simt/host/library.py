"""Builds the modules that scripts import: `numba.cuda`, and `numba` itself if not installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, NoReturn

from grader.facts import fact
from grader.simt.host import arrays, device, streams
from grader.simt.host.generated import remember_texts
from grader.simt.host.kernels import jit_for
from grader.simt.host.names import on_device
from grader.simt.host.numba_errors import ERRORS, core_modules
from grader.simt.host.reduction import Reduce
from grader.simt.host.scalar_types import TYPES
from grader.simt.host.session import ScriptSession, TransferArgument

_NOT_EMULATED = (
    *("declare_device", "as_cuda_array", "from_cuda_array_interface"),
    *("compile", "compile_ptx", "compile_for_current_device", "compile_ptx_for_current_device"),
    *("open_ipc_array", "set_memory_manager"),
)
"""Imported by name too, where an AttributeError would not say that they are known."""


def install(session: ScriptSession) -> None:
    """Let `from numba import cuda` give the stand-in, from now on."""
    remember_texts()
    cuda = cuda_module(session)
    sys.modules["numba.cuda"] = cuda
    sys.modules["numba.cuda.types"] = cuda.types
    sys.meta_path.insert(0, _RefusingFinder())
    try:
        numba = importlib.import_module("numba")
    except ImportError:
        numba = sys.modules["numba"] = numba_module()
        sys.modules["numba.types"] = sys.modules["numba.core.types"] = numba.types
        sys.modules.update(core_modules(numba))
    vars(numba)["cuda"] = cuda


class _RefusingFinder:
    """Refuses the other parts of `numba.cuda`, which are not emulated."""

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> None:
        """Find no module.

        Raises:
            ModuleNotFoundError: the name is one of those parts.
        """
        if name.startswith("numba.cuda."):
            raise ModuleNotFoundError(fact("python.not-emulated", name=name), name=name)


def cuda_module(session: ScriptSession) -> ModuleType:
    """Make a `numba.cuda` whose launches go to a session."""
    module = ModuleType("numba.cuda", "The emulator of quiz, in the place of numba.cuda.")
    emulated = device.DEVICES[0]
    streams.TIMELINE.restart(session.report_unordered)
    names: dict[str, Any] = {
        "jit": jit_for(session),
        "reduce": Reduce,
        "Reduce": Reduce,
        "In": partial(TransferArgument, there=True, back=False),
        "Out": partial(TransferArgument, there=False, back=True),
        "InOut": partial(TransferArgument, there=True, back=True),
        "pinned_array": arrays.host_array,
        "pinned_array_like": arrays.host_array_like,
        "managed_array": arrays.mapped_array,
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
        "is_available": lambda: True,
        "cuda_error": lambda: None,
        "gpus": device.DEVICES,
        "list_devices": lambda: device.DEVICES,
        "get_current_device": lambda: emulated,
        "current_context": lambda _device=0: emulated,
        "require_context": lambda function: function,
        "pinned": device.nothing_more,
        "defer_cleanup": device.nothing_more,
        "profiling": device.nothing_more,
        "is_float16_supported": lambda: True,
        "is_bfloat16_supported": lambda: False,
        **{name: _make_refusal(f"cuda.{name}") for name in _NOT_EMULATED},
    }
    for name in ("to_device", "device_array", "device_array_like"):
        names[name] = getattr(arrays, name)
    for name in ("mapped_array", "mapped_array_like"):
        names[name] = getattr(arrays, name)
    for name in ("select_device", "detect"):
        names[name] = getattr(device, name)
    vars(module).update({**TYPES, **names}, types=_types_module(), __getattr__=_for_kernels)
    module.__path__ = []
    return module


def numba_module() -> ModuleType:
    """Make a `numba` with the few names that scripts use beside `cuda`."""
    module = ModuleType("numba", "The few names of Numba that scripts use; Numba is not installed.")
    vars(module).update(TYPES)
    passed_through = dict.fromkeys(("jit", "njit"), _plain_jit)
    refused = {
        name: _make_refusal(name) for name in ("vectorize", "guvectorize", "stencil", "cfunc")
    }
    vars(module).update(passed_through, prange=range, **refused)
    vars(module).update(ERRORS, types=_types_module(), __version__="0")
    module.__path__ = []
    return module


def _types_module() -> ModuleType:
    module = ModuleType("numba.types", "Numba's types, by name.")
    vars(module).update(TYPES)
    return module


def _for_kernels(name: str) -> Any:
    """Return a name that `numba.cuda` has for kernels.

    Raises:
        AttributeError: it is not emulated.
    """
    found = None if name.startswith("__") else on_device(name)
    if found is None:
        raise AttributeError(fact("python.not-emulated", name=f"numba.cuda.{name}"))
    return found


def _make_refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(*_args: Any, **_options: Any) -> NoReturn:
        raise NotImplementedError(fact("not-emulated.compiler", name=name))

    return refuse


def _plain_jit(function: Any = None, *_signatures: Any, **_options: Any) -> Any:
    """Return the function as Python runs it, for `jit` and `njit` of the host."""
    if hasattr(function, "__code__"):
        return function
    return lambda plain: plain
