"""`cuda.jit`: a kernel that runs in the emulator, or a function that kernels call."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, update_wrapper
from importlib import import_module
from typing import Any, NoReturn

import numpy as np

from grader.facts import fact
from grader.simt.errors import InvalidLaunch, NotTyped, Refused, SimtError
from grader.simt.host.arrays import EmulatedArray
from grader.simt.host.configured import Launchable
from grader.simt.host.decorators import numba_compiled
from grader.simt.host.numba_names.numba_errors import as_numbas
from grader.simt.host.numba_names.scalar_types import ArrayType, NumberType
from grader.simt.host.numba_names.signatures import (
    Signature,
    explicit,
    fit_arguments,
    keys,
    signatures,
    types_of,
)
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.staged import TransferArgument
from grader.simt.launches.api import compile_once
from grader.simt.launches.arguments import type_of
from grader.simt.launches.resources import PROCESSORS, RESIDENT_BLOCKS, RESIDENT_WARPS
from grader.simt.masks import LANES
from grader.simt.numba.reading.source import of_function

_MOST_BOUNDS = 3
_CARVEOUTS = ("default", "maxl1", "maxshared")
_MACHINE_CODE = ("inspect_asm", "inspect_llvm", "inspect_sass", "inspect_types")


class Dispatcher(Launchable):
    """A function that `cuda.jit` decorated.

    Attributes:
        debug: True if an error of a thread is raised on the host.
        explicit: signatures that a device function was given.
        specializations: what `specialize` made, by types.
        overloads: what was compiled, by types: those of its signatures, else those of launches.
        fastmath: True if a division by zero raises nothing even with `debug`.
        extensions: each changes arguments before a launch: `prepare_args(type, value, …)`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        session: ScriptSession,
        given: Any = None,
        extensions: Sequence[Any] = (),
        *,
        debug: bool = False,
        fastmath: bool = False,
        device: bool = False,
    ) -> None:
        self.py_func = function
        self._session = session
        self._given = given
        self._options: dict[str, Any] = {
            "extensions": extensions,
            "debug": debug,
            "fastmath": fastmath,
            "device": device,
        }
        self._known = signatures(given)
        self._device = device
        self._specialised = False
        self._as_compiled: numba_compiled.CompiledNumba | None = None
        self.specializations: dict[Any, Dispatcher] = {}
        self.explicit = explicit(given) if device else []
        self.overloads: dict[Any, TypedOverload] = {key: TypedOverload() for key in keys(given)}
        self.debug = debug
        self.fastmath = fastmath
        self.extensions = list(extensions)
        update_wrapper(self, function)
        if not device:
            for candidate in self._known:
                self._compile(candidate)

    def _compile(self, signature: Signature) -> None:
        """Compile it for a signature now, as Numba does; a launch refuses what is not emulated.

        Raises:
            NotTyped: its types do not fit, or Numba does not compile it either.
        """
        types = types_of(signature)
        if types is None:
            return
        try:
            compile_once(self, types)
        except Refused as error:
            seen = as_numbas(error)
            if isinstance(seen, NotTyped):
                raise seen from None
        except SimtError:
            pass

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse: there is no machine code to inspect.

        Raises:
            AttributeError: always.
        """
        if name in _MACHINE_CODE:
            raise AttributeError(fact("not-emulated.machine-code", name=name))
        raise AttributeError(fact("not-emulated.of-kernel", name=name))

    def __reduce__(self) -> Any:
        """Name it, where its module has it; otherwise pickle the function, as Numba does.

        Raises:
            NotImplementedError: that needs Numba's cloudpickle, and Numba is not installed.
        """
        if find_named(self.__module__, self.__qualname__) is self:
            return self.__qualname__
        return rebuild, ("jit", pickle_function(self.py_func), self._given, self._options)

    def specialize(self, *arguments: Any) -> Dispatcher:
        """Return a dispatcher for arguments of these types; each launch is typed anyway.

        Raises:
            RuntimeError: it is one already, or has signatures.
        """
        if self._known or self._specialised:
            raise RuntimeError("Dispatcher already specialized")
        key = tuple(map(str, map(_kind, arguments)))
        if key not in self.specializations:
            made = Dispatcher(
                self.py_func,
                self._session,
                extensions=self.extensions,
                debug=self.debug,
                fastmath=self.fastmath,
            )
            made._specialised = True
            self.specializations[key] = made
        return self.specializations[key]

    def __call__(self, *_arguments: Any, **_options: Any) -> NoReturn:
        """Refuse: a kernel is launched, a device function called by kernels."""
        name = self.py_func.__name__
        raise ValueError(
            f"Kernel launch configuration was not specified: write {name}[blocks, threads](…)"
        )

    def launch(self, config: Config, arguments: tuple[Any, ...]) -> None:
        """Launch it in the session."""
        name = self.py_func.__name__
        if "numba_cuda_mlir" not in sys.modules:  # which opts in to what a launch asks for
            config = replace(config, opted_in=None)
        arguments = tuple(map(self._prepare, arguments))
        seen = [_as_seen(argument) for argument in arguments]
        fitting = fit_arguments(self._known, name, seen)
        given = [
            argument
            if isinstance(argument, (EmulatedArray, TransferArgument, np.ndarray))
            else number
            for argument, number in zip(arguments, fitting, strict=True)
        ]
        if self._device:
            raise RuntimeError(
                f"Cannot compile a device function as a kernel: {name} is called by kernels"
            )
        if not self._known:
            self.overloads.setdefault(tuple(map(_kind, seen)), TypedOverload())
        if self._session.reads != "ptx":
            self._session.run(self, config, given)
            return
        if self._as_compiled is None:
            self._as_compiled = numba_compiled.CompiledNumba(of_function(self))
        seen = [_as_seen(argument) for argument in given]
        ready, fitting = self._as_compiled.fit(given, seen)
        self._session.run(ready, config, fitting)

    def _prepare(self, argument: Any) -> Any:
        for extension in reversed(self.extensions):
            _, argument = extension.prepare_args(None, argument, stream=0, retr=[])
        return argument


def find_named(module: str, qualified: str) -> Any:
    """Return what a module has by a qualified name; None if it has nothing."""
    found: Any = sys.modules.get(module)
    for part in qualified.split("."):
        found = getattr(found, part, None)
    return found


def pickle_function(function: Callable[..., Any]) -> bytes:
    """Pickle a function wherever it is defined.

    Raises:
        NotImplementedError: that needs Numba's cloudpickle, and Numba is not installed.
    """
    try:
        cloudpickle = import_module("numba.cloudpickle")
    except ImportError:
        raise NotImplementedError(fact("not-emulated.pickle")) from None
    pickled: bytes = cloudpickle.dumps(function)
    return pickled


def rebuild(decorator: str, function: bytes, given: Any, options: dict[str, Any]) -> Any:
    """Decorate a function that was pickled, by the stand-in of this process."""
    loaded = pickle.loads(function)  # noqa: S301 - part of a pickle that is being loaded
    return getattr(import_module("numba.cuda"), decorator)(given, **options)(loaded)


class TypedOverload:
    """A kernel compiled for some types, as far as the emulator can answer for it."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(fact("not-emulated.of-compiled-kernel", name=name))

    def max_cooperative_grid_blocks(self, blockdim: Any, dynsmemsize: int = 0) -> int:
        """Return how many blocks are resident at once, by their threads."""
        threads = int(np.prod(blockdim))
        warps = -(-threads // LANES)
        return PROCESSORS * min(RESIDENT_BLOCKS, RESIDENT_WARPS // warps)


def jit_for(session: ScriptSession) -> Callable[..., Any]:
    """Make the decorator `cuda.jit`, whose kernels are launched in a session."""

    def jit(
        func_or_sig: Any = None,
        device: bool = False,
        *,
        link: Any = (),
        extensions: Sequence[Any] = (),
        debug: bool = False,
        fastmath: bool = False,
        launch_bounds: Any = None,
        shared_memory_carveout: Any = None,
        **_options: Any,
    ) -> Any:
        if link:
            raise NotImplementedError(fact("not-emulated.link"))
        _check_limits(launch_bounds, shared_memory_carveout)
        if isinstance(func_or_sig, Dispatcher):
            return func_or_sig
        make = partial(
            Dispatcher,
            session=session,
            extensions=extensions,
            debug=debug,
            fastmath=bool(fastmath),
            device=device,
        )
        if callable(func_or_sig) and hasattr(func_or_sig, "__code__"):
            return make(func_or_sig)
        if func_or_sig is not None:
            signatures(func_or_sig)  # an error here, not where the decorator is applied
        return partial(make, given=func_or_sig)

    return jit


def _check_limits(bounds: Any, carveout: Any) -> None:
    """Require what Numba requires of `launch_bounds` and `shared_memory_carveout`."""
    if isinstance(bounds, (tuple, list)) and len(bounds) > _MOST_BOUNDS:
        raise ValueError(f"Got {len(bounds)} launch bounds: {bounds}. A maximum of three is usable")
    if isinstance(carveout, str) and carveout.lower() not in _CARVEOUTS:
        raise ValueError(f"Invalid carveout value: {carveout}. Must be one of {_CARVEOUTS}")
    if isinstance(carveout, int) and not -1 <= carveout <= 100:
        raise ValueError(f"Carveout value must be between -1 and 100, got {carveout}")


def _kind(argument: Any) -> Any:
    """Return the type of an argument as a key; Numba's types are their own."""
    try:
        return type_of(argument)
    except InvalidLaunch:
        known = isinstance(argument, (ArrayType, NumberType))
        known = known or type(argument).__module__.startswith("numba")
        return argument if known else type(argument)


def _as_seen(argument: Any) -> Any:
    match argument:
        case EmulatedArray():
            return argument.base
        case TransferArgument():
            return argument.array
        case _:
            return argument
