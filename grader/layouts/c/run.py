"""Runs a C program for all elements at once, each a thread of the lockstep machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.c.lowering import lower_c
from grader.layouts.c.nodes import CProgram
from grader.layouts.c.types import CValue
from grader.layouts.errors import WRITE_SHORTER, BoolArray, TooMuchWork
from grader.layouts.lowered import as_numbers, as_vector, make_elements
from grader.simt.lockstep.independent import run_function
from grader.simt.machine.chunk import OutOfBudget


class CResult(NamedTuple):
    """What a C program gives.

    Attributes:
        indices: one or two (elements,) or (1,) arrays of int64.
        rounded: (elements,) True where a `/` or `%` differs from Python's, which rounds down.
    """

    indices: tuple[Array, ...]
    rounded: BoolArray


def run_c(program: CProgram, names: Mapping[str, CValue], elements: int) -> CResult:
    """Compute the indices of a program.

    Args:
        program: as it was read.
        names: a value for each name that it may use, (elements,) or (1,) numbers.
        elements: how many there are.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    chunk = make_elements(elements)
    rounded = np.zeros((1, chunk.threads), dtype=np.bool_)
    function = lower_c(program, names, rounded)
    given = {name: as_vector(names[name].data, chunk) for name in function.parameters}
    try:
        indices = run_function(function, chunk, given)
    except OutOfBudget as stop:
        site = stop.site
        what = fact("layout.too-much-work")
        raise TooMuchWork(what, site.line, site.column, WRITE_SHORTER) from None
    return CResult(tuple(as_numbers(index, elements) for index in indices), rounded[0, :elements])
