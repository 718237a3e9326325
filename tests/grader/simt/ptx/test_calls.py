"""Calls through pointers to functions; `nvcc` compiled tests/data/ptx/calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_TEXT = (Path(__file__).parents[3] / "data" / "ptx" / "calls" / "pointers.ptx").read_text()
_GIVEN = np.arange(64, dtype=np.float32)
_WHICH = (np.arange(64) % 3).astype(np.int32)


def _run(text: str, name: str) -> tuple[Launch, Any]:
    module, out = read_ptx(text), np.zeros(64, np.float32)
    kernel = find_kernel(module, name)
    ready = lower_ptx(module, kernel, list_fields(kernel))
    return launch(ready, 1, 64, [_GIVEN.copy(), _WHICH.copy(), out]), out


@pytest.mark.parametrize(("name", "other"), [("ops", 3), ("picked", 2)])
def test_each_thread_calls_its_own_function(name: str, other: int) -> None:
    done, out = _run(_TEXT, name)
    far = _GIVEN - other if other > 2 else other - _GIVEN
    wanted = np.choose(_WHICH, [_GIVEN + other, _GIVEN * other, far])
    assert not done.findings
    assert np.array_equal(out, wanted)


def test_a_pointer_to_no_function_is_found() -> None:
    load = "ld.global.u64 \t%rd12, [%rd11];"
    assert _TEXT.count(load) == 1
    text = _TEXT.replace(load, "mov.u64 %rd12, 0;")
    done, _ = _run(text, "ops")
    [finding] = done.findings
    assert (finding.what.code, finding.count) == ("finding.no-function", 64)
    assert "call" in text.splitlines()[finding.line - 1]
