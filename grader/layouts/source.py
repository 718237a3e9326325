"""A source: its language, what it may hold, and its value for all elements."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array, as_whole
from grader.layouts.c.nodes import CProgram
from grader.layouts.c.statements import read_c
from grader.layouts.c.types import CValue, make_constant
from grader.layouts.errors import NAME_PARTS, BoolArray, NotUnderstood, TooMuchWork
from grader.layouts.names import write
from grader.layouts.python.source import PythonProgram, read_python

LONGEST = 8_000
"""Characters. Python's own parser overruns a stack of 512 KB at about 10,000 nested operators."""

_DEFINES = re.compile(r"\b(?:def|class|lambda|import)\b|[{}@#]")
_RETURNED = re.compile(r"\s*(?P<word>return\b)?(?P<value>[^;]*);?\s*")

_PYTHON_FOR_SURE = re.compile(
    r"^\s*(?:(?:async|def|class|import|from)\b|@)|\blambda\b", re.MULTILINE
)
_C_FOR_SURE = re.compile(r"[;{}]|^\s*#\s*define\b", re.MULTILINE)
_PYTHON = re.compile(r"^\s*(?:return|for|while|if|with|try)\b", re.MULTILINE)
"""Other beginnings of a Python line; C would have a semicolon or a brace."""


@dataclass(frozen=True, eq=False)
class LayoutSource:
    """A source that was understood: a Python program or a C program."""

    program: PythonProgram | CProgram
    constants: Mapping[str, int]

    @property
    def language(self) -> str:
        """`Python` or `C`."""
        return "Python" if isinstance(self.program, PythonProgram) else "C"


def read(
    source: str,
    *,
    names: Collection[str] = (),
    parameters: tuple[str, ...] = ("row", "col"),
    constants: Mapping[str, int] | None = None,
) -> LayoutSource:
    """Read a source, without evaluating it.

    Args:
        source: a Python `def` or `lambda` (then the language is Python), else C: an expression,
            statements that return, or a function.
        names: variables that C may use: those of `evaluate`.
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
        return LayoutSource(read_c(source, {*names, *given}, parameters), given)
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


class Evaluation(NamedTuple):
    """The value of a source for all elements.

    Attributes:
        indices: one (elements,) array of int64, or two for (row, col) and `tile[i][j]`.
        truncated: (elements,) True where C's `/` or `%` differs from Python's; never for Python.
    """

    indices: tuple[Array, ...]
    truncated: BoolArray


def evaluate(
    source: LayoutSource, names: Mapping[str, CValue], parameters: tuple[str, ...] = ("row", "col")
) -> tuple[Array, ...]:
    """Compute the indices of all elements: one array, or two for (row, col) and `tile[i][j]`.

    Args:
        source: as it was read.
        names: a value for each name, (n,) or (1,) numbers; `parameters` are among them.
        parameters: which of them a Python function is given, in order.

    Returns:
        One or two (n,) arrays of int64.

    Raises:
        NoValue: with the first element that has none.
        NotWhole: with the first element whose value is not an integer.
        TooMuchWork: the bound was reached.
    """
    return evaluate_divisions(source, names, parameters).indices


def evaluate_divisions(
    source: LayoutSource, names: Mapping[str, CValue], parameters: tuple[str, ...] = ("row", "col")
) -> Evaluation:
    """Compute as `evaluate` does, and find where C's divisions are not Python's."""
    elements = max(value.data.size for value in names.values())
    try:
        if isinstance(source.program, CProgram):
            found = _run_c(source, source.program, names, elements)
        else:
            values = _run_python(
                source, source.program, [names[name] for name in parameters], elements
            )
            found = Evaluation(values, np.zeros(elements, dtype=np.bool_))
    except RecursionError:
        raise TooMuchWork(fact("source.nested-too-deeply"), 1, 1, NAME_PARTS) from None
    indices = tuple(np.broadcast_to(value, elements) for value in found.indices)
    return found._replace(indices=indices)


def _run_c(
    source: LayoutSource, program: CProgram, names: Mapping[str, CValue], elements: int
) -> Evaluation:
    from grader.layouts.c.run import run_c  # noqa: PLC0415 - the machine takes 50 ms

    constants = {name: make_constant(value) for name, value in source.constants.items()}
    return Evaluation(*run_c(program, {**names, **constants}, elements))


def _run_python(
    source: LayoutSource, program: PythonProgram, given: Sequence[CValue], elements: int
) -> tuple[Array, ...]:
    from grader.layouts.python.run import run_python  # noqa: PLC0415 - as above

    numbers = [value.data.astype(np.int64) for value in given]
    value = run_python(program, numbers, source.constants, elements)
    values = value if isinstance(value, tuple) else (value,)
    if len(values) > 2:
        place = program.place(program.entry.node)
        raise NotUnderstood(fact("layout.numbers-returned", count=len(values)), *place)
    return tuple(as_whole(value) for value in values)
