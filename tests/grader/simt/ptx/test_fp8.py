"""FP8: conversions of all codes and halves, and of floats near every limit."""

from __future__ import annotations

import numpy as np
import pytest

from bench.gpu.ptx import hopper
from bench.gpu.ptx.fp8 import cases, read
from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_it_gives_an_h200s_codes(name: str) -> None:
    case, module = CASES[name], read_ptx(read())
    kernel, out = find_kernel(module, name), CASES[name].stored.copy()
    count = [np.int32(out.size)] if len(case.given) == 1 else []
    ready = lower_ptx(module, kernel, list_fields(kernel))
    given = [each.copy() for each in case.given]
    done = launch(ready, case.blocks, case.threads, [*given, out, *count])
    assert not done.findings
    assert hopper.digest(out) == hopper.load()[f"fp8/{name}"]
