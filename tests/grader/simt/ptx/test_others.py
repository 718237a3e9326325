"""Instructions that people write by hand: strong vectors and bytes, cache policies, `movmatrix`."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_LANES = 32
_TEXT = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 out)
{
.reg .pred %p;
.reg .b16 %h;
.reg .b32 %i, %r<4>;
.reg .b64 %a, %out, %d<2>, %policy;
ld.param.u64 %a, [a];
ld.param.u64 %out, [out];
mov.u32 %i, %tid.x;
mad.wide.u32 %a, %i, 16, %a;
mad.wide.u32 %out, %i, 16, %out;
INSTRUCTIONS
ret;
}
"""
_COPIES = {
    "vectors": """ld.relaxed.gpu.global.L1::no_allocate.v4.s32 {%r0, %r1, %r2, %r3}, [%a];
        st.release.sys.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};""",
    "an address among what is loaded": """ld.acquire.sys.global.v2.b64 {%a, %d1}, [%a];
        st.relaxed.sys.v2.u64 [%out], {%a, %d1};""",
    "bytes and halves": """ld.acquire.sys.global.u8 %r0, [%a];
        st.release.sys.global.u8 [%out], %r0;
        ld.relaxed.gpu.global.L1::no_allocate.b8 %h, [%a+1];
        st.relaxed.gpu.global.b8 [%out+1], %h;
        ld.relaxed.gpu.global.L1::no_allocate.b16 %h, [%a+2];
        st.relaxed.gpu.global.b16 [%out+2], %h;
        ld.acquire.sys.global.u32 %d0, [%a+4];
        ld.relaxed.sys.global.b32 %r1, [%a+8];
        ld.acquire.gpu.global.s32 %r2, [%a+12];
        mov.b64 {%r0, %r3}, %d0;
        st.global.v2.b32 [%out+8], {%r1, %r2};
        add.u32 %r0, %r0, %r3;
        st.global.b32 [%out+4], %r0;""",
    "policies": """createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;
        ld.global.L2::cache_hint.v2.b64 {%d0, %d1}, [%a], %policy;
        mov.b64 {%r0, %r1}, %d0;
        fence.proxy.alias;
        red.global.add.L2::cache_hint.u32 [%out], %r0, %policy;
        atom.global.or.L2::cache_hint.b32 %r2, [%out+4], %r1, %policy;
        st.global.L2::cache_hint.b64 [%out+8], %d1, %policy;""",
}


def _run(instructions: str, given: np.ndarray) -> np.ndarray:
    module, out = read_ptx(_TEXT.replace("INSTRUCTIONS", instructions)), np.zeros_like(given)
    kernel = find_kernel(module, "k")
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), 1, _LANES, [given.copy(), out])
    assert not done.findings
    return out


def _draw() -> np.ndarray:
    return np.random.default_rng(6).integers(0, 2**32, (_LANES, 4), np.uint32)


@pytest.mark.parametrize("copy", _COPIES)
def test_words_are_copied(copy: str) -> None:
    given = _draw()
    assert np.array_equal(_run(_COPIES[copy], given), given)


@pytest.mark.parametrize(
    ("kind", "wanted"), [("u8", 0xFE), ("s8", -2), ("u16", 0xFFFE), ("s16", -2)]
)
def test_only_signed_numbers_keep_their_sign(kind: str, wanted: int) -> None:
    given = np.full((_LANES, 4), 0xFFFFFFFE, np.uint32)
    out = _run(f"ld.acquire.gpu.{kind} %r0, [%a]; st.global.b32 [%out], %r0;", given)
    assert set(out[:, 0].view(np.int32).tolist()) == {wanted}


def test_a_matrix_is_transposed() -> None:
    given = _draw()
    out = _run(
        """ld.global.b32 %r0, [%a];
        movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;
        st.global.b32 [%out], %r1;""",
        given,
    )
    rows = np.ascontiguousarray(given[:, 0]).view(np.uint16).reshape(8, 8)
    turned = np.ascontiguousarray(out[:, 0]).view(np.uint16).reshape(8, 8)
    assert np.array_equal(turned, rows.T)


def test_three_inputs_give_a_word_and_a_test() -> None:
    given = _draw()
    given[::2, 1] = ~given[::2, 0]  # nothing in common
    out = _run(
        """ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a];
        setp.gt.s32 %p, %r3, 0;
        lop3.and.b32 %r2|%p, %r0, %r1, 0, 0xc0, %p;
        selp.b32 %r3, 1, 0, %p;
        st.global.v2.b32 [%out], {%r2, %r3};""",
        given,
    )
    both = given[:, 0] & given[:, 1]
    assert np.array_equal(out[:, 0], both)
    assert np.array_equal(out[:, 1], (both != 0) & (given[:, 3].view(np.int32) > 0))
