"""`@vectorize(target="cuda")`: a function of numbers, called by a thread for each element."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.simt.host import arrays
from grader.simt.host.arrays import EmulatedArray
from grader.simt.host.decorators.kernels import pickle_function, rebuild
from grader.simt.host.decorators.staging import (
    core_of,
    known_array,
    on_device,
    result_of,
    run_staged,
    spread,
    stage,
)
from grader.simt.host.numba_names.signatures import signatures
from grader.simt.host.session import ScriptSession
from grader.simt.numba.reading.source import Function
from grader.simt.program.types import Scalar


class _Loop(NamedTuple):
    """A kernel for one list of operand types, and the dtype of its result."""

    kernel: Function
    result: Scalar


Loops = dict[tuple[Scalar, ...], _Loop]


class VectorizeBuilder:
    """Collects the signatures of a function; the interface is that of Numba's builders."""

    def __init__(
        self,
        func: Callable[..., Any],
        session: ScriptSession,
        identity: Any = None,
        cache: bool = False,
        targetoptions: dict[str, Any] | None = None,
    ) -> None:
        if cache:
            raise TypeError("caching is not supported")
        for option in targetoptions or {}:
            if option != "nopython":
                raise KeyError(
                    "Unrecognized options. cuda vectorize target does not support option: "
                    f"'{option}'"
                )
            warnings.warn(
                "nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=3
            )
        self._function = func
        self._session = session
        self._loops: Loops = {}
        self._given: list[Any] = []

    def add(self, sig: Any) -> None:
        """Add a signature.

        Raises:
            TypeError: its operands are not numbers.
            NotTyped: the function does not fit it.
        """
        (known,) = signatures(sig)
        operands = tuple(parameter.dtype for parameter in known if parameter.dtype is not None)
        if len(operands) != len(known) or any(parameter.ndim for parameter in known):
            raise TypeError(f"{sig} is not a signature of numbers")
        core = core_of(self._function, sig)
        result = result_of(core, operands)
        out = "out" if "out" not in core.parameters else "out_"
        items = ", ".join(f"{name}[__tid__]" for name in core.parameters)
        kernel = stage(
            core, [*core.parameters, out], f"{out}.shape[0]", f"{out}[__tid__] = __core__({items})"
        )
        self._loops[operands] = _Loop(kernel, result)
        self._given.append(sig)

    def disable_compile(self) -> None:
        """Accept no further signatures; there is nothing to do."""

    def build_ufunc(self) -> DeviceUFunc:
        """Return what scripts call."""
        return DeviceUFunc(self._function, self._loops, self._session, self._given)


class DeviceUFunc:
    """A function that is applied to whole arrays, as NumPy's ufuncs are."""

    def __init__(
        self,
        function: Callable[..., Any],
        loops: Loops,
        session: ScriptSession,
        given: Sequence[Any] = (),
    ) -> None:
        self.__name__ = function.__name__
        self._function, self._given = function, given
        self._loops = loops
        self._session = session

    def __call__(self, *args: Any, out: Any = None, stream: Any = 0) -> Any:
        """Apply it; the result stays on the device if an operand is there.

        Raises:
            TypeError: no signature, or more than one, has the dtypes of the arrays.
            ValueError: the shapes do not go together.
        """
        args, out = tuple(map(known_array, args)), known_array(out)
        operands, loop = self._resolve(args)
        shape = np.broadcast_shapes(*(array.shape for array in operands))
        given = [_flatten(array, shape) for array in operands]
        stays = any(map(on_device, args)) if out is None else on_device(out)
        if on_device(out):
            made = out.reshape(-1)
        else:
            made = arrays.device_array(int(np.prod(shape)), dtype=loop.result, stream=stream)
            if out is not None and (out.shape != shape or out.dtype != loop.result):
                raise ValueError(f"out must be of shape {shape} and of dtype {loop.result}")
        sent = [array if on_device(array) else arrays.to_device(array, stream) for array in given]
        run_staged(self._session, loop.kernel, made.size, [*sent, made], stream)
        if stays:
            return made.reshape(shape)
        found = made.copy_to_host(stream=stream).reshape(shape)
        if out is None:
            return found
        out[...] = found
        return out

    def __reduce__(self) -> Any:
        """Pickle the function and its signatures."""
        return rebuild, ("vectorize", pickle_function(self._function), list(self._given), {})

    def reduce(self, arg: Any, stream: Any = 0) -> Any:
        """Fold an array of one axis, halves of it at a time.

        Raises:
            TypeError: it is empty, or the function does not have two operands.
        """
        if any(len(operands) != 2 for operands in self._loops) or arg.ndim != 1:
            raise TypeError("reduce takes an array of one axis and a function of two operands")
        if arg.shape[0] == 0:
            raise TypeError("Reduction on an empty array.")
        values = arg if on_device(arg) else arrays.to_device(arg, stream)
        return self._fold(values, stream).copy_to_host(stream=stream)[0]

    def _fold(self, values: EmulatedArray, stream: Any) -> EmulatedArray:
        count = values.shape[0]
        if count == 1:
            return values
        if count % 2:
            first = self._fold(values[: count - 1], stream)
            self(first, values[count - 1 :], out=first, stream=stream)
            return first
        left, right = values[: count // 2], values[count // 2 :]
        self(left, right, out=left, stream=stream)
        return self._fold(left, stream)

    def _resolve(self, args: Sequence[Any]) -> tuple[list[Any], _Loop]:
        """Choose a signature: arrays have its dtypes exactly, numbers are converted to them."""
        given = [array if on_device(array) or _is_number(array) else np.asarray(array)
                 for array in args]  # fmt: skip
        own = [None if _is_number(array) else array.dtype for array in given]
        exact = [np.asarray(array).dtype if _is_number(array) else array.dtype for array in given]
        found = [loop for loop in self._loops if list(loop) == exact] if None in own else []
        if not found:
            found = [loop for loop in self._loops if _fits(loop, own)]
        if not found:
            raise TypeError(
                "No matching version.  GPU ufunc requires array arguments to have the exact "
                "types.  This behaves like regular ufunc with casting='no'."
            )
        if len(found) > 1:
            raise TypeError(
                "Failed to resolve ufunc due to ambiguous signature. Too many untyped scalars. "
                "Use numpy dtype object to type tag."
            )
        operands = [
            np.array([array], dtype) if _is_number(array) else array
            for array, dtype in zip(given, found[0], strict=True)
        ]
        return operands, self._loops[found[0]]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.number))


def _fits(operands: Sequence[Scalar], given: Sequence[Scalar | None]) -> bool:
    if len(operands) != len(given):
        return False
    pairs = zip(operands, given, strict=True)
    return all(dtype is None or dtype == wanted for wanted, dtype in pairs)


def _flatten(array: Any, shape: tuple[int, ...]) -> Any:
    """Broadcast an operand, and put its elements into one row; a device array is not copied."""
    if on_device(array):
        return spread(array, shape).reshape(-1) if len(shape) != 1 else spread(array, shape)
    return np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)


def vectorize_for(session: ScriptSession) -> Callable[..., Any]:
    """Make the decorator for functions that a session runs."""

    def vectorize(ftylist_or_function: Any = (), target: str = "cuda", **options: Any) -> Any:
        if target != "cuda":
            raise ValueError(f"Unsupported target: {target}")
        plain = callable(ftylist_or_function) and hasattr(ftylist_or_function, "__code__")
        identity, cache = options.pop("identity", None), options.pop("cache", False)

        def wrap(function: Callable[..., Any]) -> DeviceUFunc:
            builder = VectorizeBuilder(function, session, identity, cache, options)
            given = () if plain else ftylist_or_function
            for signature in [given] if isinstance(given, str) else given:
                builder.add(signature)
            return builder.build_ufunc()

        return wrap(ftylist_or_function) if plain else wrap

    return vectorize
