"""A source: its language, what it may hold, and its value for all elements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array, as_whole
from grader.layouts.errors import NAME_PARTS, BoolArray, LayoutError, NotUnderstood, TooMuchWork
from grader.layouts.names import write
from grader.layouts.python.source import PythonProgram, read_python

if TYPE_CHECKING:
    from grader.layouts.cpp.lowering import CppProgram

LONGEST = 8_000
"""Characters. Python's own parser overruns a stack of 512 KB at about 10,000 nested operators."""

_DEFINES = re.compile(r"\b(?:def|class|lambda|import)\b|[{}@#]")
_RETURNED = re.compile(r"\s*(?P<word>return\b)?(?P<value>[^;]*);?\s*")

_PYTHON_FOR_SURE = re.compile(
    r"^\s*(?:(?:async|def|import|from)\b|class\b[^{;\n]*:[^{\n]*$|@)|\blambda\b", re.MULTILINE
)
_C_FOR_SURE = re.compile(r"[;{}]|^\s*#\s*define\b", re.MULTILINE)
_NO_NAMES: Mapping[str, Array] = {}
_PYTHON = re.compile(r"^\s*(?:return|for|while|if|with|try)\b", re.MULTILINE)
"""Other beginnings of a Python line; C would have a semicolon or a brace."""


@dataclass(frozen=True, eq=False)
class LayoutSource:
    """A source that was understood: a Python program, or one in CUDA C++."""

    program: PythonProgram | CppProgram
    constants: Mapping[str, int]

    @property
    def language(self) -> str:
        """`Python` or `C++`."""
        return "Python" if isinstance(self.program, PythonProgram) else "C++"


def read(
    source: str,
    *,
    names: Mapping[str, Array] = _NO_NAMES,
    parameters: tuple[str, ...] = ("row", "col"),
    constants: Mapping[str, int] | None = None,
) -> LayoutSource:
    """Read a source, without evaluating it.

    Args:
        source: a Python `def` or `lambda` (then the language is Python), else CUDA C++: an
            expression, statements that return, or functions.
        names: variables that C++ may use, in its types: those of `evaluate`.
        parameters: what a function takes, in order; by place, so it may rename them.
        constants: numbers that either may use by name.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    given = dict(constants or {})
    if len(source) > LONGEST:
        raise NotUnderstood(fact("layout.source-too-long", count=len(source), most=LONGEST))
    source = _strip_return(source.replace("\r\n", "\n").replace("\r", "\n"))
    if "\0" in source:
        line = source.count("\n", 0, source.index("\0")) + 1
        column = source.index("\0") - source.rfind("\n", 0, source.index("\0"))
        raise NotUnderstood(fact("layout.nul-byte"), line, column)
    if not source.strip():
        wanted = write(f"def index({', '.join(parameters)}): return …")
        raise NotUnderstood(fact("layout.empty"), 1, 1, wanted)
    try:
        if _is_python(source):
            return LayoutSource(read_python(source, parameters, given), given)
        from grader.layouts.cpp.source import CppSource, read_cpp  # noqa: PLC0415 - it takes 150 ms

        return LayoutSource(read_cpp(CppSource(source, names, given, parameters)), given)
    except RecursionError:
        raise NotUnderstood(fact("source.nested-too-deeply"), 1, 1, NAME_PARTS) from None


def _is_python(source: str) -> bool:
    if _PYTHON_FOR_SURE.search(source):
        return True
    return not _C_FOR_SURE.search(source) and _PYTHON.search(source) is not None


def _strip_return(source: str) -> str:
    """Turn a lone `return x;` into `x`, each character where it was: people write it first."""
    found = _RETURNED.fullmatch(source)
    if found is None or _DEFINES.search(source):
        return source
    return " " * found.start("value") + found["value"]


def evaluate(
    source: LayoutSource, names: Mapping[str, Array], parameters: tuple[str, ...] = ("row", "col")
) -> tuple[Array, ...]:
    """Compute the indices of all elements: one array, or two for (row, col) and `tile[i][j]`.

    Args:
        names: a value for each name, (n,) or (1,) numbers; `parameters` are among them.
        parameters: which of them a Python function is given, in order.

    Returns:
        One or two (n,) arrays of int64.

    Raises:
        NoValue: with the first element that has none.
        NotWhole: with the first element whose value is not an integer.
        TooMuchWork: the bound was reached.
    """
    elements = max(numbers.size for numbers in names.values())
    try:
        if isinstance(source.program, PythonProgram):
            given = [names[name] for name in parameters]
            found = _run_python(source, source.program, given, elements)
        else:
            found = _run_cpp(source.program, names, elements)
    except RecursionError:
        raise TooMuchWork(fact("source.nested-too-deeply"), 1, 1, NAME_PARTS) from None
    return tuple(
        each if each.size == elements else np.broadcast_to(each, elements) for each in found
    )


def find_rounded(
    source: LayoutSource, names: Mapping[str, Array], indices: tuple[Array, ...]
) -> BoolArray:
    """Find the elements, (n,), whose indices C++'s `/` and `%` make other than Python's would."""
    if isinstance(source.program, PythonProgram):
        return np.zeros(indices[0].size, dtype=np.bool_)
    try:
        others = _run_cpp(source.program.round_down(), names, indices[0].size)
    except LayoutError:
        return np.zeros(indices[0].size, dtype=np.bool_)
    differ = [mine != other for mine, other in zip(indices, others, strict=True)]
    return np.asarray(np.any(np.broadcast_arrays(*differ), axis=0))


def _run_cpp(program: CppProgram, names: Mapping[str, Array], elements: int) -> tuple[Array, ...]:
    from grader.layouts.cpp.lowering import run_cpp  # noqa: PLC0415 - the machine takes 50 ms

    return run_cpp(program, names, elements)


def _run_python(
    source: LayoutSource, program: PythonProgram, given: Sequence[Array], elements: int
) -> tuple[Array, ...]:
    from grader.layouts.python.run import run_python  # noqa: PLC0415 - as above

    numbers = [each.astype(np.int64) for each in given]
    values = run_python(program, numbers, source.constants, elements)
    if len(values) > 2:
        place = program.place(program.entry.node)
        raise NotUnderstood(fact("layout.numbers-returned", count=len(values)), *place)
    return tuple(as_whole(value) for value in values)
