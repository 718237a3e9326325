"""A person's source: which language it is in, what it may be, and its value for all elements."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from grader.layouts.arithmetic import Array, as_whole
from grader.layouts.c_nodes import CExpression
from grader.layouts.c_run import named_constant, run_c
from grader.layouts.c_source import read_c
from grader.layouts.c_types import CValue
from grader.layouts.errors import NotUnderstood, NotWhole, TooMuchWork
from grader.layouts.python_run import run_python
from grader.layouts.python_source import PythonProgram, read_python

LONGEST = 8_000
"""Characters. Python's own parser overruns a stack of 512 KB at about 10,000 nested operators."""

_DEFINES = re.compile(r"\b(?:def|class|lambda|import)\b|[{}@]")
_RETURNED = re.compile(r"\s*(?P<word>return\b)?(?P<value>[^;]*);?\s*")

_C_FUNCTION = re.compile(
    r"\s*(?:__\w+__|static|inline|constexpr|int|unsigned|size_t|auto)\b[^;{]*\{"
)

_PYTHON = re.compile(
    r"^\s*(?:(?:async|def|class|import|from|lambda|return|for|while|if|with|try)\b|@)", re.MULTILINE
)


@dataclass(frozen=True, eq=False)
class Source:
    """What was read: a Python program or a C expression."""

    program: PythonProgram | CExpression
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
) -> Source:
    """The source, understood and not yet evaluated.

    Args:
        source: a Python `def` (then the language is Python), else a C expression.
        names: variables a C expression may use: those of `evaluate`.
        parameters: what a Python function takes, in order; by place, so it may rename them.
        constants: numbers that either may use by name.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    given = dict(constants or {})
    if len(source) > LONGEST:
        what = f"the source has {len(source):,} characters"
        raise NotUnderstood(what, 1, 1, f"at most {LONGEST:,} are read")
    source = _bare(source.replace("\r\n", "\n").replace("\r", "\n"))
    if "\0" in source:
        line = source.count("\n", 0, source.index("\0")) + 1
        column = source.index("\0") - source.rfind("\n", 0, source.index("\0"))
        raise NotUnderstood("a NUL byte", line, column, "it is no text; write it anew")
    if not source.strip():
        wanted = f"write def index({', '.join(parameters)}): return …"
        raise NotUnderstood("there is nothing", 1, 1, wanted)
    if _C_FUNCTION.match(source):
        raise NotUnderstood("a C function", 1, 1, "write only the expression that it returns")
    try:
        if _PYTHON.search(source):
            return Source(read_python(source, parameters, given), given)
        return Source(read_c(source, {*names, *given}), given)
    except RecursionError:
        raise NotUnderstood("nested too deeply", 1, 1, "name parts of it") from None


def _bare(source: str) -> str:
    """`return x;` by itself as `x`, each character where it was: what people write first."""
    found = _RETURNED.fullmatch(source)
    if found is None or _DEFINES.search(source):
        return source
    return " " * found.start("value") + found["value"]


def evaluate(
    source: Source, names: Mapping[str, CValue], parameters: tuple[str, ...] = ("row", "col")
) -> tuple[Array, ...]:
    """The indices of all elements: one array, or two for (row, col) and `tile[i][j]`.

    Args:
        source: as it was read.
        names: a value for each name, (n,) or (1,) numbers; `parameters` are among them.
        parameters: which of them a Python function is given, in order.

    Returns:
        One or two (n,) arrays of int64.

    Raises:
        NoValue: with the first element that has none.
        NotWhole: with the first element whose value is no whole number.
        TooMuchWork: the bound was reached.
    """
    elements = max(value.data.size for value in names.values())
    try:
        values = _values(source, names, parameters, elements)
    except RecursionError:
        raise TooMuchWork("nested too deeply", 1, 1, "name parts of it") from None
    return tuple(np.broadcast_to(value, elements) for value in values)


def _values(
    source: Source, names: Mapping[str, CValue], parameters: tuple[str, ...], elements: int
) -> tuple[Array, ...]:
    if isinstance(source.program, CExpression):
        constants = {name: named_constant(value) for name, value in source.constants.items()}
        return run_c(source.program, {**names, **constants}, elements)
    given = [names[name].data.astype(np.int64) for name in parameters]
    value = run_python(source.program, given, source.constants, elements)
    values = value if isinstance(value, tuple) else (value,)
    place = source.program.place(source.program.entry.node)
    if len(values) > 2:  # noqa: PLR2004
        raise NotUnderstood(f"{len(values)} numbers are returned", *place, "return row, col")
    return tuple(_whole(value, place) for value in values)


def _whole(value: Array, place: tuple[int, int]) -> Array:
    if value.dtype.kind == "f":
        # Of floats, one that is no whole number shows best why.
        element = int(np.argmax(value % 1 != 0))
        what = f"{value[element]} is a float"
        raise NotWhole(what, *place, "write // instead of /, or int(…)", element)
    return as_whole(value)
