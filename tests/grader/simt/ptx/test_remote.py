"""Accesses to shared memory of other blocks are counted as Nsight Compute counts them on an H200.

`python -m bench.gpu.ptx.remote count RAW` makes what tests/data/ptx/remote.csv keeps.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bench.gpu.ptx.remote import BLOCKS, LANES, RemoteAccess, load, read
from grader.simt.launches.launching import launch
from grader.simt.program.kernel import CompiledKernel
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

RECORD = load()


@cache
def _ready(name: str) -> CompiledKernel:
    module = read_ptx(read())
    kernel = find_kernel(module, name)
    return lower_ptx(module, kernel, list_fields(kernel))


_EVERY = pytest.param(1, marks=pytest.mark.long)


@pytest.mark.parametrize("step", [11, _EVERY])
def test_remote_accesses_are_counted_as_on_an_h200(step: int) -> None:
    for access in [*RECORD][::step]:
        assert _count(access) == RECORD[access], access


def _count(access: RemoteAccess) -> dict[str, int]:
    ready, out = _ready(access.kernel), np.zeros(LANES, np.int32)
    done = launch(ready, BLOCKS, LANES, [*access.tables, out], budget=3_000_000_000)
    assert {each.kind for each in done.findings} <= {"race"}  # lanes that store to one place
    return {name: done.totals.get(name, 0) for name in RECORD[access]}
