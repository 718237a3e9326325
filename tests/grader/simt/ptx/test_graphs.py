"""Branches of any shape: threads together give what each gives alone, step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_THREADS, _FUEL, _MASK = 40, 60, 0xFFFFFFFF
_HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p;
.reg .b32 %x, %fuel, %bit, %i;
.reg .b64 %out, %at;
ld.param.u64 %out, [out];
mov.u32 %i, %tid.x;
mad.lo.u32 %x, %i, 2654435761, 12345;
mov.u32 %fuel, 60;
"""
_TAIL = """END:
mad.wide.u32 %at, %i, 4, %out;
st.global.u32 [%at], %x;
ret;
}
"""
_Block = tuple[int, int, int, int]
"""What a block multiplies by and the bit that it tests, and the blocks that follow it."""


@st.composite
def _programs(draw: st.DrawFn) -> list[_Block]:
    count = draw(st.integers(2, 9))
    targets = st.integers(0, count)  # `count` is the end
    return [
        (draw(st.integers(3, 999)) | 1, draw(st.integers(0, 31)), draw(targets), draw(targets))
        for _ in range(count)
    ]


def _label(number: int, blocks: list[_Block]) -> str:
    return "END" if number == len(blocks) else f"L{number}"


def _write(blocks: list[_Block]) -> str:
    text = _HEAD
    for number, (factor, bit, yes, no) in enumerate(blocks):
        text += f"""L{number}:
mad.lo.u32 %x, %x, {factor}, {number};
sub.u32 %fuel, %fuel, 1;
setp.eq.u32 %p, %fuel, 0;
@%p bra END;
bfe.u32 %bit, %x, {bit}, 1;
setp.ne.u32 %p, %bit, 0;
@%p bra {_label(yes, blocks)};
bra {_label(no, blocks)};
"""
    return text + _TAIL


def _alone(thread: int, blocks: list[_Block]) -> int:
    x, at = (thread * 2654435761 + 12345) & _MASK, 0
    for _ in range(_FUEL):
        factor, bit, yes, no = blocks[at]
        x = (x * factor + at) & _MASK
        at = yes if x >> bit & 1 else no
        if at == len(blocks):
            break
    return x


def _check(blocks: list[_Block]) -> None:
    module = read_ptx(_write(blocks))
    kernel = find_kernel(module, "k")
    out = np.zeros(_THREADS, np.uint32)
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), 1, _THREADS, [out])
    assert done.finished
    assert out.tolist() == [_alone(thread, blocks) for thread in range(_THREADS)]


@settings(max_examples=10, deadline=None)
@given(_programs())
def test_graphs_of_any_shape(blocks: list[_Block]) -> None:
    _check(blocks)


_SLOW = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 flag, .param .u64 data)
{
.reg .pred %p;
.reg .b32 %t, %i, %v;
.reg .b64 %f, %d;
ld.param.u64 %f, [flag];
ld.param.u64 %d, [data];
mov.u32 %t, %ctaid.x;
setp.eq.u32 %p, %t, 0;
@%p bra WORK;
SPIN:
ld.acquire.gpu.global.u32 %v, [%f];
setp.eq.u32 %p, %v, 0;
@%p bra SPIN;
ld.global.u32 %v, [%d];
add.u32 %v, %v, 1;
st.global.u32 [%d], %v;
ret;
WORK:
mov.u32 %i, 0;
LOOP:
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, 9000;
@%p bra LOOP;
st.global.u32 [%d], 41;
st.release.gpu.global.u32 [%f], 1;
ret;
}
"""


def test_threads_wait_long_for_what_another_releases() -> None:
    module = read_ptx(_SLOW)
    kernel = find_kernel(module, "k")
    flag, data = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), 2, 1, [flag, data])
    assert done.finished
    assert int(data[0]) == 42
    assert not done.findings


_NESTED = """mov.u32 %fuel, 0;
AGAIN:
mov.u32 %bit, 0;
ROUND:
shl.b32 %x, %x, 1;
add.u32 %bit, %bit, 1;
setp.ne.u32 %p, %bit, {rounds};
@%p bra ROUND;
add.u32 %fuel, %fuel, 1;
setp.ne.u32 %p, %fuel, {times};
@%p bra AGAIN;
"""


@pytest.mark.parametrize(
    ("rounds", "times"),
    [
        (2, 200),  # the inner loop is looked at where the outer one would be
        (97, 4),  # the inner one has the same values as often as rounds are compared
    ],
)
def test_a_loop_that_is_begun_again_and_again_ends(rounds: int, times: int) -> None:
    module = read_ptx(_HEAD + _NESTED.format(rounds=rounds, times=times) + _TAIL)
    kernel, out = find_kernel(module, "k"), np.zeros(64, np.uint32)
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), 1, 64, [out])
    assert done.finished
    assert not done.findings


@pytest.mark.long
@settings(max_examples=2_000, deadline=None)
@given(_programs())
def test_many_graphs_of_any_shape(blocks: list[_Block]) -> None:
    _check(blocks)


def test_a_jump_is_counted_once_and_volatile_flags_synchronize() -> None:
    """ISA: `ld.volatile` has the semantics of `ld.relaxed` at the scope of the system."""
    module = read_ptx(_HANDED)
    kernel = find_kernel(module, "handed")
    ready = lower_ptx(module, kernel, list_fields(kernel))
    data, flag, out = (np.zeros(1, np.int32) for _ in range(3))
    done = launch(ready, 2, 1, (data, flag, out), budget=50_000_000)
    assert not done.findings
    assert out[0] == 42
    jump = next(at for at, line in enumerate(_HANDED.split("\n"), 1) if "bra.uni" in line)
    assert done.line(jump)["instructions"] == 2
    bare = launch(
        lower_ptx(other := read_ptx(_HANDED.replace(".volatile", "")), find_kernel(other, "handed"),
                  list_fields(kernel)),
        2, 1, tuple(np.zeros(1, np.int32) for _ in range(3)), budget=50_000_000,
    )  # fmt: skip
    assert {each.kind for each in bare.findings} == {"global-race"}


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("", "", ""),
        ("st.release", "st.relaxed", "advice.not-released"),
        ("ld.acquire", "ld.relaxed", "advice.not-acquired"),
        ("%tid.x", "%ctaid.x; mul.lo.u32 %block, %block, 32", "advice.narrow-scopes"),
    ],
)
def test_release_and_acquire_order_threads_in_their_scope(old: str, new: str, hint: str) -> None:
    """From warp to warp of a block, or by mistake from block to block."""
    text = _HANDED.replace("fence.acq_rel.gpu;\n", "")
    text = text.replace("st.volatile", "st.release.cta").replace("ld.volatile", "ld.acquire.cta")
    text = text.replace("%ctaid.x;", "%tid.x; shr.u32 %block, %block, 5;").replace(old, new)
    module = read_ptx(text)
    kernel = find_kernel(module, "handed")
    given = tuple(np.zeros(1, np.int32) for _ in range(3))
    ready = lower_ptx(module, kernel, list_fields(kernel))
    done = launch(ready, *((2, 1) if "scope" in hint else (1, 64)), given, budget=50_000_000)
    assert [each.hint and each.hint.code for each in done.findings] == [hint] * bool(hint)


_HANDED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry handed(.param .u64 data, .param .u64 flag, .param .u64 out)
{
.reg .pred %p, %q;
.reg .b32 %block, %x;
.reg .b64 %data, %flag, %out;
ld.param.u64 %data, [data];
ld.param.u64 %flag, [flag];
ld.param.u64 %out, [out];
mov.u32 %block, %ctaid.x;
setp.ne.u32 %p, %block, 0;
bra.uni NEXT;
NEXT:
@%p bra WAIT;
st.global.u32 [%data], 42;
fence.acq_rel.gpu;
st.volatile.global.u32 [%flag], 1;
ret;
WAIT:
ld.volatile.global.u32 %x, [%flag];
setp.eq.u32 %q, %x, 0;
@%q bra WAIT;
fence.acq_rel.gpu;
ld.global.u32 %x, [%data];
st.global.u32 [%out], %x;
ret;
}
"""
