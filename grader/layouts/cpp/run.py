"""Runs an index in CUDA C++ for all elements at once, each a thread of the lockstep machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.cpp.lowering import CppProgram
from grader.layouts.errors import NoValue, TooMuchWork
from grader.layouts.lowered import as_numbers, as_vector, make_elements
from grader.simt.checks.findings import Findings
from grader.simt.lockstep.independent import run_function
from grader.simt.machine.chunk import OutOfBudget


def run_cpp(program: CppProgram, names: Mapping[str, Array], elements: int) -> tuple[Array, ...]:
    """Compute the indices of a program: one or two (elements,) or (1,) arrays of int64.

    Args:
        names: numbers for each name, (elements,) or (1,), of the types that it was read with.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    chunk = make_elements(elements)
    program.given = names
    try:
        arguments = {own: as_vector(names[its], chunk) for own, its in program.arguments.items()}
        found: Any = run_function(program.function, chunk, arguments, program.checked)
    except OutOfBudget as stop:
        site = stop.site
        raise TooMuchWork(fact("layout.does-not-end"), site.line, site.column) from None
    _check_findings(program, chunk.launch.findings)
    indices = found if isinstance(found, tuple) else (found,)
    return tuple(as_numbers(each, elements).astype(np.int64, copy=False) for each in indices)


def _check_findings(program: CppProgram, findings: Findings) -> None:
    """Make the first fault of memory, such as an index beyond a local array, one of its element."""
    for found in findings.all():
        if found.kind != "warning" and found.threads:
            said, element = program.shared.describe(found), found.threads[0][0]
            raise NoValue(said.what, said.line, said.column, said.hint, element)
