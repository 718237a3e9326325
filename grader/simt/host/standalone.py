"""Writes the kernels of a script as texts of their own, which another process can compile.

One in CUDA C++ is all that its source has for the device. One for Numba has the kernel and its
device functions in the lines where they stand in their file, then the imports and numbers that they
name. What it cannot say, such as an array, makes no text.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

import numpy as np

from grader.facts import FactError, fact
from grader.mistakes import Mistake
from grader.simt.cuda.lowering.program import CudaFunction
from grader.simt.numba.names import path_of
from grader.simt.numba.reading.source import Function, of_function
from grader.simt.program.types import NamePath
from grader.simt.ptx.shown import PtxFunction

_ROOTS = {"np": "numpy", "cuda": "numba.cuda", "numba": "numba", "math": "math", "cmath": "cmath"}
_TYPES = "numba.types."
_Number = bool | int | float


class Unsaid(FactError):
    """Something that the text would need cannot be written; `what` names it."""


class KernelTexts:
    """The kernels of a script, each once for the same types, block and shared memory.

    Attributes:
        plain: as plain data: `kernel`, `file`, `line`, `language`, `text` (empty: it cannot be
            written), `entry`, the kernel's name in C++ or PTX, `arguments` (dtype and axes of
            each, for Numba), `block`, `dynamic` in bytes, `why` it cannot be written, and
            `executed`, by line how often warps execute it.
    """

    def __init__(self) -> None:
        self.plain: list[dict[str, Any]] = []
        self._known: dict[str, dict[str, Any]] = {}

    def add(
        self, function: Any, arguments: Sequence[Any], shared_bytes: int, record: Mapping[str, Any]
    ) -> None:
        """Keep the kernel of a launch.

        Args:
            function: the kernel, of any language.
            shared_bytes: dynamic shared memory of a block.
            record: the launch as plain data.
        """
        found = {name: record[name] for name in ("kernel", "file", "line", "block")}
        found |= {"text": "", "arguments": [], "dynamic": shared_bytes}
        if isinstance(function, Function):
            found |= _write_numba(function, arguments)
        elif isinstance(function, PtxFunction):
            text = "\n".join(function.text)
            found |= {"language": "ptx", "text": text, "entry": function.entry}
        else:
            found |= _write_cuda(function)
        known = self._known.setdefault(json.dumps(found), {**found, "executed": {}})
        if not known["executed"]:
            self.plain.append(known)
        executed = Counter(known["executed"])
        for line in record["lines"]:
            if "file" not in line:
                executed[str(line["line"])] += line.get("instructions", 0)
        known["executed"] = dict(executed)


def write_typed(function: Function, arguments: Sequence[Any]) -> tuple[str, list[tuple[str, int]]]:
    """Return the text of a kernel in Python, and the types of arguments: dtype and axes of each.

    Raises:
        Unsaid: it cannot be written, or an argument is neither an array nor a number.
    """
    return standalone(function), _types(function, arguments)


def _write_numba(function: Function, arguments: Sequence[Any]) -> dict[str, Any]:
    try:
        return {"arguments": _types(function, arguments), "text": standalone(function)}
    except Unsaid as error:
        return {"why": asdict(error.what)}


def _write_cuda(function: CudaFunction) -> dict[str, Any]:
    arguments = function.name.partition("<")
    entry = f"{function.qualified}{''.join(arguments[1:])}"
    return {"language": "cuda", "text": function.device_text(), "entry": entry}


def _types(function: Function, arguments: Sequence[Any]) -> list[tuple[str, int]]:
    types = []
    for name, argument in zip_longest(function.parameters, arguments):
        found = _type_of(argument)
        if found is None:
            raise Unsaid(fact("compile.argument", name=str(name)))
        types.append(found)
    return types


def _type_of(argument: Any) -> tuple[str, int] | None:
    """Return NumPy's name of the elements, and the axes; None for what is neither."""
    if not isinstance(argument, np.ndarray | np.generic | _Number):
        return None
    array = np.asarray(argument)
    return None if array.dtype.kind not in "biufc" else (array.dtype.name, array.ndim)


def standalone(function: Function) -> str:
    """Return the text of a kernel in Python.

    Raises:
        Unsaid: it cannot be written.
    """
    lines = [""] * len(function.lines)
    known: dict[str, str] = {}
    try:
        _add(function, function.path, lines, known)
    except Mistake as error:
        raise Unsaid(error.what) from None
    return "\n".join([*lines, *known.values(), ""])


def _add(function: Function, path: str, lines: list[str], known: dict[str, str]) -> None:
    """Put a function where it stands, and all that it names behind."""
    node = function.node
    if function.path != path or node.end_lineno is None or node.name == "<lambda>":
        raise Unsaid(fact("compile.function", name=function.name))
    known[node.name] = ""
    start = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
    for at in range(start + function.first, node.end_lineno + function.first + 1):
        line = function.lines[at - 1]
        if lines[at - 1] or line[: function.indent].strip():
            # two in one line, or a text that is not indented
            raise Unsaid(fact("compile.function", name=function.name))
        lines[at - 1] = line[function.indent :]
    for name in _names(function):
        if name not in known and name in function.names:
            _define(name, function.names[name], path, lines, known)


def _names(function: Function) -> Iterator[str]:
    """Yield the names in a function's body that are neither parameters nor assigned there."""
    names = [
        inner
        for statement in function.node.body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Name)
    ]
    local = {*function.parameters, *(name.id for name in names if isinstance(name.ctx, ast.Store))}
    yield from dict.fromkeys(name.id for name in names if name.id not in local)


def _define(name: str, value: Any, path: str, lines: list[str], known: dict[str, str]) -> None:
    literal = _literal(value)
    if literal:
        known[name] = f"{name} = {literal}"
        return
    place = value if isinstance(value, NamePath) else path_of(value)
    if place is not None and (written := _import(name, place.name)) is not None:
        known[name] = written
        return
    if isinstance(value, type) and issubclass(value, np.generic):
        known[name] = f"from numpy import {value.__name__} as {name}"
        return
    inner = of_function(value) if hasattr(value, "__code__") or hasattr(value, "py_func") else None
    if inner is None or inner.name != name:
        raise Unsaid(fact("compile.name", name=name))
    _add(inner, path, lines, known)


def _literal(value: Any) -> str:
    """Write a number, or a tuple of numbers; empty for anything else."""
    if isinstance(value, _Number):
        return repr(value)
    if type(value) is tuple and value and all(isinstance(item, _Number) for item in value):
        return repr(value)
    return ""


def _import(name: str, place: str) -> str | None:
    """Write the import of something of a library; None if no import of its own gives it."""
    root, _, rest = place.partition(".")
    if root == "builtins":
        return ""
    if place.startswith(_TYPES):  # a type's own name: `numba` has it too, but not `bool`
        rest = rest.partition(".")[2].replace("bool", "boolean", rest.endswith(".bool"))
    if root not in _ROOTS or "." in rest:
        return None
    if rest:
        return f"from {_ROOTS[root]} import {rest} as {name}"
    module = "from numba import cuda" if root == "cuda" else f"import {_ROOTS[root]}"
    return f"{module} as {name}"
