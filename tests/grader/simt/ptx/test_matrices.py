"""Forms of `mma` and `wmma` with drawn numbers give an H200's bits (`bench.gpu.ptx.hopper`)."""

from __future__ import annotations

from functools import cache
from math import prod

import numpy as np
import pytest

from bench.gpu.ptx import hopper, wholes
from bench.gpu.ptx.matrices import BLOCKS, CASES, LANES, MatrixCase, given, write
from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx
from grader.simt.ptx.syntax import Module
from tests.sampling import every

RECORD = hopper.load()
GIVEN = given()


@cache
def _module() -> Module:
    return read_ptx(write())


@pytest.mark.parametrize("case", every(3, CASES.values(), lambda case: case.name))
def test_a_form_gives_an_h200s_bits(case: MatrixCase) -> None:
    kernel = find_kernel(_module(), case.name)
    ready = lower_ptx(_module(), kernel, list_fields(kernel))
    out = np.zeros((BLOCKS, case.registers[0], LANES), np.uint64)
    words = [each.reshape(-1).view(np.int64) for each in (GIVEN[case.name], out)]
    done = launch(ready, BLOCKS, LANES, words, budget=3_000_000_000)
    assert not done.findings
    assert done.totals["tensor_products"] == BLOCKS * prod(case.shape)
    assert hopper.digest(case.results(out)) == RECORD[f"matrices/{case.name}"]


WHOLES = wholes.given()


@pytest.mark.parametrize("case", wholes.CASES.values(), ids=wholes.CASES)
def test_a_form_of_whole_matrices_gives_an_h200s_bits(case: wholes.WholeCase) -> None:
    module = read_ptx(wholes.write())
    kernel = find_kernel(module, case.name)
    ready = lower_ptx(module, kernel, list_fields(kernel))
    arrays = [each.copy() for each in WHOLES[case.name]]
    done = launch(ready, BLOCKS, LANES, arrays, budget=3_000_000_000)
    assert not done.findings
    assert hopper.digest(wholes.results(case, arrays[-1])) == RECORD[f"wmma/{case.name}"]
