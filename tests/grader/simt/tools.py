"""Kernels as texts, run in the emulator; and what Numba makes of the same text."""

from __future__ import annotations

import linecache
import math
import warnings
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pytest

from grader.simt import Launch, launch, read
from grader.simt.numba.functions import compile_body
from grader.simt.numba.kernel import EXPRESSIONS, STATEMENTS
from grader.simt.numba.library.tables import INTRINSICS, SPECIAL
from grader.simt.numba.unit import Forms, NumbaProgram, Unit
from grader.simt.program.types import Constant, Tuple, Type

_NUMBER = count()


def kernel(*lines: str, takes: str = "a") -> str:
    """The text of a kernel with these lines, the first of which is line 2."""
    return f"def kernel({takes}):\n" + "".join(f"    {line}\n" for line in lines)


def run(text: str, arguments: list[Any], *, grid: Any = 1, block: Any = 32, **options) -> Launch:
    """Launch the last function of a text."""
    return launch(text, grid, block, arguments, **options)


def kinds(done: Launch) -> list[str]:
    """Of the findings, in their order."""
    return [one.kind for one in done.findings]


def places(done: Launch) -> list[tuple[str, int]]:
    """Kind and line of each fault."""
    return [(one.kind, one.line) for one in done.faults]


def python_function(text: str, **names: Any) -> Any:
    """The last function of a text as Python has it: for Numba, never for the emulator."""
    file = f"<kernel {next(_NUMBER)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    numba, cuda = module("numba"), module("numba.cuda")
    space = {"math": math, "np": np, "numba": numba, "cuda": cuda, **names}
    exec(compile(text, file, "exec"), space)
    return next(value for value in reversed(space.values()) if hasattr(value, "__code__"))


def types_here(text: str, types: dict[str, Type]) -> dict[str, str]:
    """The types of a kernel's variables at its end, as the emulator has them."""
    function = read(text)
    forms = Forms(EXPRESSIONS, STATEMENTS, INTRINSICS, SPECIAL)
    unit = Unit(NumbaProgram(), forms, function, dict(types), is_kernel=True)
    compile_body(unit)
    assert unit.env is not None
    return {name: named(kind) for name, kind in unit.env.items() if name not in types}


@cache
def module(name: str) -> Any:
    """One of Numba's; the test is skipped where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name)


def named(kind: Type) -> str:
    """The name of a type, in Numba's words."""
    match kind:
        case Constant(value):
            return "int64" if value < 1 << 63 else "uint64"
        case Tuple(items):
            return f"({', '.join(map(named, items))})"
        case np.dtype():
            return kind.name
        case _:
            return type(kind).__name__
