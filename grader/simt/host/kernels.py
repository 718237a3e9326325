"""`cuda.jit`: a kernel that runs in the emulator, or a function that kernels call."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, NoReturn

import numpy as np

from grader.simt.host.arrays import DeviceArray
from grader.simt.host.session import Config, Out, Session
from grader.simt.host.signatures import Signature, fitted, signatures

_USUAL_BLOCK = 128


class Dispatcher:
    """What `cuda.jit` makes of a function.

    Attributes:
        py_func: the function, as Python has it.
    """

    def __init__(
        self, function: Callable[..., Any], session: Session, known: list[Signature]
    ) -> None:
        self.py_func = function
        self._session = session
        self._known = known
        update_wrapper(self, function)

    def __getitem__(self, config: Any) -> Configured:
        parts = config if isinstance(config, tuple) else (config,)
        if not 2 <= len(parts) <= 4:  # noqa: PLR2004
            raise ValueError("must specify at least the griddim and blockdim, at most 4 values")
        shared = parts[3] if len(parts) == 4 else 0  # noqa: PLR2004
        return self.configure(parts[0], parts[1], 0, shared)

    def configure(
        self,
        griddim: Any,
        blockdim: Any,
        stream: Any = 0,  # noqa: ARG002 - Numba's signature
        sharedmem: int = 0,
    ) -> Configured:
        """The kernel for a grid of blocks."""
        return Configured(self, Config(griddim, blockdim, int(sharedmem)))

    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Configured:
        """The kernel for as many threads as there are tasks, or a few more."""
        block = tpb or _USUAL_BLOCK
        return self.configure(max(1, -(-ntasks // block)), block, stream, sharedmem)

    def specialize(self, *_arguments: Any) -> Dispatcher:
        """Itself: types are taken from each launch."""
        return self

    def __call__(self, *_arguments: Any, **_options: Any) -> NoReturn:
        """Refuse: a kernel is launched, a device function called by kernels."""
        name = self.py_func.__name__
        raise ValueError(
            f"{name} was called without a launch configuration: write {name}[blocks, threads](…)"
        )

    def launch(self, config: Config, arguments: tuple[Any, ...]) -> None:
        """Run it."""
        name = self.py_func.__name__
        seen = [_as_seen(one) for one in arguments]
        fitting = fitted(self._known, name, seen)
        given = [
            one if isinstance(one, (DeviceArray, Out, np.ndarray)) else number
            for one, number in zip(arguments, fitting, strict=True)
        ]
        self._session.run(self, config, given)


class Configured:
    """`kernel[blocks, threads]`."""

    def __init__(self, kernel: Dispatcher, config: Config) -> None:
        self._kernel = kernel
        self._config = config

    def __call__(self, *arguments: Any) -> None:
        """Launch it."""
        self._kernel.launch(self._config, arguments)


def jit_for(session: Session) -> Callable[..., Any]:
    """The decorator `cuda.jit`, whose kernels are launched in a session."""

    def jit(
        func_or_sig: Any = None,
        device: bool = False,  # noqa: ARG001, FBT001, FBT002 - Numba's signature
        link: Any = (),
        **_options: Any,
    ) -> Any:
        if link:
            raise NotImplementedError("cuda.jit(link=…) is not emulated: it needs compiled code")
        if isinstance(func_or_sig, Dispatcher):
            return func_or_sig
        if callable(func_or_sig) and hasattr(func_or_sig, "__code__"):
            return Dispatcher(func_or_sig, session, [])
        known = signatures(func_or_sig)
        return lambda function: Dispatcher(function, session, known)

    return jit


def _as_seen(argument: Any) -> Any:
    match argument:
        case DeviceArray():
            return argument.base
        case Out():
            return argument.array
        case _:
            return argument
