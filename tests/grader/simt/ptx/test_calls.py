"""Calls through pointers to functions and of `printf`; `nvcc` compiled tests/data/ptx/calls."""

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


def _octets(text: str) -> str:
    return ", ".join(map(str, (*text.encode(), 0)))


_FORMAT, _FIRST, _SECOND = map(_octets, ("%3s: %d\n", "up", "d\u00f6wn"))
_PRINTS = f""".version 8.7
.target sm_90a
.address_size 64
.global .align 1 .b8 $str[9] = {{{_FORMAT}}};
.global .align 1 .b8 $str1[3] = {{{_FIRST}}};
.global .align 1 .b8 $str2[6] = {{{_SECOND}}};
.visible .entry k()
{{
.local .align 8 .b8 values[16];
.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd<9>;
mov.u32 %r1, %tid.x;
setp.eq.u32 %p, %r1, 0;
mov.u64 %rd1, $str1;
mov.u64 %rd2, $str2;
selp.b64 %rd3, %rd1, %rd2, %p;
cvta.global.u64 %rd4, %rd3;
mov.u64 %rd5, values;
st.local.u64 [%rd5], %rd4;
st.local.u32 [%rd5+8], %r1;
cvta.local.u64 %rd6, %rd5;
mov.u64 %rd7, $str;
cvta.global.u64 %rd8, %rd7;
{{
.param .b64 param0;
st.param.b64 [param0+0], %rd8;
.param .b64 param1;
st.param.b64 [param1+0], %rd6;
.param .b32 retval0;
call.uni (retval0), vprintf, (param0, param1);
}}
ret;
}}
"""


def test_each_thread_prints_the_text_that_it_points_to() -> None:
    module, said = read_ptx(_PRINTS), list[str]()
    kernel = find_kernel(module, "k")
    done = launch(lower_ptx(module, kernel, []), 1, 2, [], printed=said.append)
    assert said == [" up: 0", "d\u00f6wn: 1"]
    assert not done.findings
