"""Kernels for Numba as compiled: numba-cuda makes PTX of their source, in a process of its own.

A kernel is compiled from its text, as `standalone` writes it: nothing of a script runs there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.ptx_kernels import (
    CAPABILITY,
    LineInSource,
    PtxKernel,
    ask_compiler,
    shorten,
)
from grader.simt.host.standalone import Unsaid, write_typed
from grader.simt.numba.reading.source import Function
from grader.simt.program.kernel import CompiledKernel
from grader.simt.ptx.reading import read_ptx

_COMPILER = "grader.compiled.numba_ptx"
_HEAD = ("meminfo", "parent", "size", "itemsize")
"""What an array is passed as before its data, in Numba's order; its sizes and strides follow."""


class ArgumentPart(NamedTuple):
    """A parameter in the PTX: its name, which argument it is of, what of it, and along which axis.

    `what` is "" for a number, and `data` for where an array's elements are.
    """

    name: str
    argument: int
    what: str
    axis: int = 0


class CompiledNumba:
    """A kernel as compiled, by the types of its arguments."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[tuple[tuple[str, int], ...], tuple[PtxKernel, list[ArgumentPart]]] = {}

    def fit(self, given: Sequence[Any], seen: Sequence[Any]) -> tuple[CompiledKernel, list[Any]]:
        """Return the kernel for some arguments, and what it gets for them.

        Args:
            seen: the same as NumPy's arrays and numbers.

        Raises:
            Refused: it is not compiled, or uses what is not emulated.
            InvalidLaunch: there is no compiler, or an array is not contiguous.
        """
        for name, array in zip(self._function.parameters, seen, strict=False):
            if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
                raise InvalidLaunch(fact("ptx.not-contiguous", name=name))
        try:
            text, types = write_typed(self._function, seen)
        except Unsaid as error:
            raise self._refusal(fact("ptx.not-written", why=error.what)) from None
        key = tuple(types)
        if key not in self._known:
            self._known[key] = self._compile(text, types)
        kernel, parts = self._known[key]
        values = []
        for each in kernel.fields:
            part = parts[each.parameter]
            values.append(part_value(part, given[part.argument], seen[part.argument], each.dtype))
        return kernel.compiled, values

    def _compile(
        self, text: str, types: Sequence[tuple[str, int]]
    ) -> tuple[PtxKernel, list[ArgumentPart]]:
        function = self._function
        request = {
            "source": text, "kernel": function.name, "arguments": types, "capability": CAPABILITY,
        }  # fmt: skip
        reply = ask_compiler(_COMPILER, request)
        if reply.get("missing"):
            raise InvalidLaunch(fact("ptx.no-numba"))
        if "refused" in reply:
            raise self._refusal(fact("ptx.numba-refuses", log=shorten(reply["refused"])))
        module = read_ptx(reply["ptx"])
        found = module.functions[module.kernels[0]]
        parts = [
            part
            for at, (name, (_, axes)) in enumerate(zip(function.parameters, types, strict=True))
            for part in list_parts(at, name, axes)
        ]
        if len(found.parameters) != len(parts):
            raise self._refusal(fact("ptx.numba-arguments"))
        place = LineInSource(
            function.name, function.path, function.start, {"": function.lines}, {},
            function.qualified,
        )  # fmt: skip
        names = [part.name for part in parts]
        compiler = f"numba-cuda {reply['version']}"
        kernel = PtxKernel(module, found, names, compiler=compiler, place=place, reads_all=False)
        return kernel, parts

    def _refusal(self, what: Any) -> Refused:
        return Refused(what, *self._function.start, file=self._function.path)


def list_parts(argument: int, name: str, axes: int) -> list[ArgumentPart]:
    """Return what numba-cuda passes of an argument: a number (no axes), or an array."""
    if not axes:
        return [ArgumentPart(name, argument, "")]
    head = [ArgumentPart(f"{name}.{what}", argument, what) for what in _HEAD]
    tail = [
        ArgumentPart(f"{name}.{what}[{axis}]", argument, what, axis)
        for what in ("shape", "strides")
        for axis in range(axes)
    ]
    return [*head, ArgumentPart(name, argument, "data"), *tail]


def part_value(part: ArgumentPart, given: Any, seen: Any, dtype: np.dtype[Any]) -> Any:
    """Return what a parameter gets."""
    match part.what:
        case "data":
            return given
        case "":
            number = np.asarray(seen)
            same = number.dtype.itemsize == dtype.itemsize
            return number.view(dtype)[()] if same else number.astype(dtype)[()]
        case "size" | "itemsize":
            return np.int64(getattr(seen, part.what))
        case "shape" | "strides":
            return np.int64(getattr(seen, part.what)[part.axis])
    return np.int64(0)
