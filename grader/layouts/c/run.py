"""Runs a C program for all elements at once, each a thread of the lockstep machine."""

from __future__ import annotations

from collections.abc import Mapping

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


def run_c(
    program: CProgram,
    names: Mapping[str, CValue],
    elements: int,
    rounded: BoolArray | None = None,
) -> tuple[Array, ...]:
    """Compute one or two (elements,) or (1,) arrays of int64: the indices.

    Args:
        program: as it was read.
        names: a value for each name that it may use, (elements,) or (1,) numbers.
        elements: how many there are.
        rounded: as in `lower_c`.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    chunk = make_elements(elements)
    function = lower_c(program, {name: value.type for name, value in names.items()}, rounded)
    given = {name: as_vector(names[name].data, chunk) for name in function.parameters}
    try:
        indices = run_function(function, chunk, given)
    except OutOfBudget as stop:
        site = stop.site
        what = fact("layout.too-much-work")
        raise TooMuchWork(what, site.line, site.column, WRITE_SHORTER) from None
    return tuple(as_numbers(index, elements) for index in indices)


def find_rounded_toward_zero(
    program: CProgram, names: Mapping[str, CValue], elements: int
) -> BoolArray:
    """Find the elements in which a `/` or `%` differs from Python's, which rounds down.

    The program must have a value in all elements. (elements,)
    """
    rounded = np.zeros((1, make_elements(elements).threads), dtype=np.bool_)
    run_c(program, names, elements, rounded)
    found: BoolArray = rounded[0, :elements]
    return found
