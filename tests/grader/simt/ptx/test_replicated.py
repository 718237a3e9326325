"""Threads with copies of one element, as Triton's compiler makes them, do not race."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_IN_PLACE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry change(.param .u64 a) {
    .reg .pred %p1;
    .reg .b32 %r<6>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 31;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3+FROM];
    add.f32 %f2, %f1, %f1;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 st.global.f32 [%rd3], %f2;
    ret;
}
"""
_SHARED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry keep(.param .u64 a) {
    .reg .b32 %r<6>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<5>;
    .shared .align 4 .b8 s[4];
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f1, %r1;
    st.shared.f32 [s], %f1;
    ret;
}
"""


def _count_races(text: str, *, replicated: bool) -> int:
    module = read_ptx(text)
    (kernel,) = module.functions.values()
    ready = lower_ptx(module, kernel, list_fields(kernel), replicated=replicated)
    done = launch(ready, 2, 64, [np.zeros(64, np.float32)][: len(ready.function.parameters)])
    return sum("race" in each.kind for each in done.findings)


@pytest.mark.parametrize("replicated", [False, True])
def test_what_a_copy_reads_is_not_used(replicated: bool) -> None:
    """Within a block: a read of another block's, or of another element, is a race as ever."""
    one_block = _IN_PLACE.replace("%rd3, %rd1, %rd2;", "%rd3, %rd1, %rd4;").replace(
        "mul.wide.u32 %rd2, %r2, 4;",
        "mov.u32 %r3, %ctaid.x; shl.b32 %r3, %r3, 5; add.u32 %r2, %r2, %r3;\n"
        "    mul.wide.u32 %rd4, %r2, 4;",
    )
    races = _count_races(one_block.replace("FROM", "0"), replicated=replicated)
    assert bool(races) is not replicated
    assert _count_races(_IN_PLACE.replace("FROM", "4"), replicated=replicated)


@pytest.mark.parametrize("replicated", [False, True])
def test_copies_that_are_rounded_in_other_orders_are_stored_as_one(replicated: bool) -> None:
    assert bool(_count_races(_SHARED, replicated=replicated)) is not replicated
