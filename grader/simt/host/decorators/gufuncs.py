"""`@guvectorize(target="cuda")`: a function of parts of arrays, which a thread calls for each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.simt.host import arrays
from grader.simt.host.decorators.staging import (
    core_of,
    known_array,
    on_device,
    run_staged,
    spread,
    stage,
)
from grader.simt.host.numba_names.signatures import SignatureType, signatures
from grader.simt.host.session import ScriptSession
from grader.simt.numba.reading.source import Function
from grader.simt.program.types import Scalar

Axes = tuple[str, ...]
_PART = re.compile(r"\(([^()]*)\)")


class CoreLayout(NamedTuple):
    """What each thread gets: the names of the axes of each operand and of each result."""

    inputs: tuple[Axes, ...]
    outputs: tuple[Axes, ...]


class _Loop(NamedTuple):
    """A kernel for one list of operand types, and the dtypes of its results."""

    kernel: Function
    results: tuple[Scalar, ...]


Loops = dict[tuple[Scalar, ...], _Loop]


def parse_layout(text: str) -> CoreLayout:
    """Read `(m,n),(n)->(m)`.

    Raises:
        ValueError: it is written otherwise.
        NameError: a result has an axis that no operand has.
    """
    plain = "".join(text.split())
    left, arrow, right = plain.partition("->")
    if not arrow or any(_PART.sub("", side).strip(",") for side in (left, right)):
        raise ValueError(f'bad token in signature "{text}"')
    inputs, outputs = (tuple(map(_axes, _PART.findall(side))) for side in (left, right))
    unknown = {axis for part in outputs for axis in part} - {a for part in inputs for a in part}
    if unknown:
        raise NameError(f"undefined output symbols: {','.join(sorted(unknown))}")
    return CoreLayout(inputs, outputs)


def _axes(text: str) -> Axes:
    return tuple(name for name in text.split(",") if name)


class GUVectorizeBuilder:
    """Collects the signatures of a function; the interface is that of Numba's builders."""

    def __init__(
        self,
        func: Callable[..., Any],
        sig: str,
        *,
        session: ScriptSession,
        identity: Any = None,
        cache: bool = False,
        targetoptions: dict[str, Any] | None = None,
        writable_args: Sequence[Any] = (),
    ) -> None:
        options = dict(targetoptions or {})
        if cache or writable_args:
            raise TypeError(f"{'caching is' if cache else 'writable_args are'} not supported")
        if not options.pop("nopython", True):
            raise TypeError("nopython flag must be True")
        if options:
            shown = ", ".join(map(repr, options))
            raise TypeError(f"The following target options are not supported: {shown}")
        self._function = func
        self._session = session
        self._layout = parse_layout(sig)
        self._loops: Loops = {}

    def add(self, sig: Any) -> None:
        """Add a signature.

        Raises:
            TypeError: it has a result, or not as many parameters as the layout.
            ValueError: a number where the layout has axes.
        """
        returned = getattr(sig, "return_type", None)
        if returned is not None and str(returned) not in ("none", "void"):
            raise TypeError(
                f"guvectorized functions cannot return values: signature {sig} specifies "
                f"{returned} return type"
            )
        (known,) = signatures(sig)
        parts = (*self._layout.inputs, *self._layout.outputs)
        if len(known) != len(parts) or any(parameter.dtype is None for parameter in known):
            raise TypeError(f"{sig} does not fit the layout of the arguments")
        core = core_of(self._function)
        names = core.parameters
        items = ", ".join(map(_item, names, parts, known))
        size = f"min({', '.join(f'{name}.shape[0]' for name in names)})"
        kernel = stage(core, names, size, f"__core__({items})")
        dtypes = tuple(parameter.dtype for parameter in known if parameter.dtype is not None)
        count = len(self._layout.inputs)
        self._loops[dtypes[:count]] = _Loop(kernel, dtypes[count:])

    def disable_compile(self) -> None:
        """Accept no further signatures; there is nothing to do."""

    def build_ufunc(self) -> DeviceGUFunc:
        """Return what scripts call."""
        return DeviceGUFunc(self._function, self._layout, self._loops, self._session)


def _item(name: str, axes: Axes, kind: SignatureType) -> str:
    """Return the part of an argument that a thread gets."""
    if axes:
        if not kind.ndim:
            raise ValueError("gufunc signature mismatch: ndim>0 for scalar")
        return f"{name}[__tid__, {', '.join(':' for _ in axes)}]"
    if kind.ndim == 1:  # an element that the function writes as `x[0]`
        return f"{name}[__tid__ : __tid__ + 1]"
    return f"{name}[__tid__]"


class DeviceGUFunc:
    """A function that is applied to parts of arrays."""

    def __init__(
        self, function: Callable[..., Any], layout: CoreLayout, loops: Loops, session: ScriptSession
    ) -> None:
        self.__name__ = function.__name__
        self.max_blocksize = 1 << 30
        self._layout = layout
        self._loops = loops
        self._session = session

    def __call__(self, *args: Any, out: Any = None, stream: Any = 0) -> Any:
        """Apply it; the results stay on the device if an argument is there.

        Raises:
            TypeError: too few or too many arguments, or no signature for their dtypes.
            ValueError: the shapes do not fit the layout.
        """
        args, out = tuple(map(known_array, args)), known_array(out)
        given, outs = self._split(args, out)
        inputs = [array if on_device(array) else np.asarray(array) for array in given]
        dtypes, loop = self._choose(inputs)
        outer, sizes = self._schedule([array.shape for array in inputs])
        shapes = [(*outer, *(sizes[axis] for axis in axes)) for axes in self._layout.outputs]
        for shape, array in zip(shapes, outs, strict=True):
            if array is not None and array.shape != shape:
                raise ValueError("output shape mismatch")
        stays = any(on_device(array) for array in (*args, out))
        made = [
            array if on_device(array) else arrays.device_array(shape, dtype=dtype, stream=stream)
            for array, shape, dtype in zip(outs, shapes, loop.results, strict=True)
        ]
        threads = math.prod(outer)
        parts = zip(inputs, dtypes, self._layout.inputs, strict=True)
        sent = [_send(*part, outer, stream) for part in parts]
        rows = [array.reshape(threads, *array.shape[len(outer) :]) for array in made]
        run_staged(self._session, loop.kernel, threads, [*sent, *rows], stream)
        found = [
            array if stays else _take_back(array, own, stream)
            for array, own in zip(made, outs, strict=True)
        ]
        return found[0] if len(found) == 1 else tuple(found)

    def _split(self, args: Sequence[Any], out: Any) -> tuple[Sequence[Any], list[Any]]:
        """Separate operands and results."""
        nin, nout = len(self._layout.inputs), len(self._layout.outputs)
        if out is not None and len(args) > nin:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        if out is None and len(args) not in (nin, nin + nout):
            only, both, got = map(_count, (nin, nin + nout, len(args)))
            raise TypeError(
                f"This gufunc accepts {only} (when providing input only) or {both} (when "
                f"providing input and output). Got {got}."
            )
        outs = list(args[nin:]) or (list(out) if isinstance(out, tuple) else [out] * nout)
        return args[:nin], outs

    def _choose(self, inputs: Sequence[Any]) -> tuple[tuple[Scalar, ...], _Loop]:
        """Choose a signature: the exact one, else the first that can be converted from."""
        exact = tuple(array.dtype for array in inputs)
        if exact in self._loops:
            return exact, self._loops[exact]
        for operands, loop in self._loops.items():
            pairs = zip(operands, exact, strict=False)
            if all(np.can_cast(wanted, dtype) for wanted, dtype in pairs):
                return operands, loop
        raise TypeError("no matching signature")

    def _schedule(
        self, shapes: Sequence[tuple[int, ...]]
    ) -> tuple[tuple[int, ...], dict[str, int]]:
        """Return the shape over which threads go, and the size of each named axis."""
        sizes: dict[str, int] = {}
        outers = []
        for place, (shape, axes) in enumerate(zip(shapes, self._layout.inputs, strict=True), 1):
            if len(shape) < len(axes):
                raise ValueError(f"arg #{place}: insufficient inner dimension")
            outer = shape[: len(shape) - len(axes)]
            outers.append(outer)
            for axis, size in zip(axes, shape[len(outer) :], strict=True):
                if sizes.setdefault(axis, size) != size:
                    at = len(outer) + axes.index(axis)
                    raise ValueError(f"arg #{place}: shape[{at}] mismatch argument")
        largest = max(outers, key=math.prod)
        for place, outer in enumerate(outers, 1):
            if outer not in (largest, (), (1,)):
                raise ValueError(f"arg #{place}: outer dimension mismatch")
        return largest, sizes


def _count(arguments: int) -> str:
    return f"{arguments} positional argument{'s' * (arguments != 1)}"


def _send(array: Any, dtype: Scalar, axes: Axes, outer: tuple[int, ...], stream: Any) -> Any:
    """Return an operand on the device, with one axis before its own."""
    if array.dtype != dtype:
        if on_device(array):
            raise TypeError("compatible signature is possible by casting but the device array "
                            "does not support .astype()")  # fmt: skip
        array = array.astype(dtype)
    device = array if on_device(array) else arrays.to_device(np.ascontiguousarray(array), stream)
    threads, inner = math.prod(outer), device.shape[device.ndim - len(axes) :]
    if device.shape[: device.ndim - len(axes)] == outer and outer:
        return device.reshape(threads, *inner)
    return spread(device.reshape(1, *inner), (threads, *inner))


def _take_back(array: arrays.EmulatedArray, own: Any, stream: Any) -> Any:
    if own is None:
        return array.copy_to_host(stream=stream)
    own[...] = array.copy_to_host(stream=stream)
    return own


def guvectorize_for(session: ScriptSession) -> Callable[..., Any]:
    """Make the decorator for functions that a session runs."""

    def guvectorize(ftylist: Any, layout: str, target: str = "cuda", **options: Any) -> Any:
        if target != "cuda":
            raise ValueError(f"Unsupported target: {target}")
        known = {name: options.pop(name) for name in ("identity", "cache", "writable_args")
                 if name in options}  # fmt: skip

        def wrap(function: Callable[..., Any]) -> DeviceGUFunc:
            builder = GUVectorizeBuilder(
                function, layout, session=session, targetoptions=options, **known
            )
            for signature in [ftylist] if isinstance(ftylist, str) else ftylist:
                builder.add(signature)
            return builder.build_ufunc()

        return wrap

    return guvectorize
