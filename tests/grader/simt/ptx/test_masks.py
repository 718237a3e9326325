"""Instructions of a warp whose lanes have several masks, and a wait of many rounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_LANES = 32
_HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"
_MASKS = (
    _HEAD
    + """
.visible .entry k(.param .u64 a, .param .u64 m, .param .u64 out)
{
.reg .pred %p;
.reg .b32 %i, %v, %mask, %d;
.reg .b64 %a, %m, %out;
ld.param.u64 %a, [a];
ld.param.u64 %m, [m];
ld.param.u64 %out, [out];
mov.u32 %i, %tid.x;
mad.wide.u32 %a, %i, 4, %a;
mad.wide.u32 %m, %i, 4, %m;
mad.wide.u32 %out, %i, 4, %out;
ld.global.u32 %v, [%a];
ld.global.u32 %mask, [%m];
INSTRUCTION
st.global.u32 [%out], %d;
ret;
}
"""
)
_OWNERS = {
    "quads": lambda lane: lane // 4,
    "odd and even lanes": lambda lane: lane % 2,
    "every third lane": lambda lane: lane % 3,
    "the first lane alone": lambda lane: lane > 0,
}
_Wanted = Callable[[list[int], list[int], int], int]
"""From the values of all lanes, the members that a lane names, and the lane, to its result."""
_INSTRUCTIONS: dict[str, _Wanted] = {
    "match.any.sync.b32 %d, %v, %mask;": lambda values, those, lane: _bits(
        each for each in those if values[each] == values[lane]
    ),
    "match.all.sync.b32 %d|%p, %v, %mask;": lambda values, those, _lane: (
        _bits(those) if len({values[each] for each in those}) == 1 else 0
    ),
    "elect.sync %d|%p, %mask;": lambda _values, those, _lane: those[0],
    "elect.sync _|%p, %mask;\nselp.b32 %d, 1, 0, %p;": lambda _values, those, lane: int(
        lane == those[0]
    ),
    "redux.sync.add.u32 %d, %v, %mask;": lambda values, those, _lane: sum(
        values[each] for each in those
    ),
}


def _bits(lanes) -> int:
    return sum(1 << lane for lane in lanes)


@pytest.mark.parametrize("owner", _OWNERS)
@pytest.mark.parametrize("instruction", _INSTRUCTIONS)
def test_lanes_of_other_masks_take_no_part(instruction: str, owner: str) -> None:
    values = np.random.default_rng(2).integers(0, 3, _LANES, np.uint32)
    values[4:8] = 1  # a quad that agrees
    owners = [_OWNERS[owner](lane) for lane in range(_LANES)]
    named = [[other for other in range(_LANES) if owners[other] == own] for own in owners]
    masks, out = np.array([_bits(each) for each in named], np.uint32), np.zeros(_LANES, np.uint32)
    module = read_ptx(_MASKS.replace("INSTRUCTION", instruction))
    kernel = find_kernel(module, "k")
    done = launch(
        lower_ptx(module, kernel, list_fields(kernel)), 1, _LANES, [values.copy(), masks, out]
    )
    wanted = _INSTRUCTIONS[instruction]
    assert out.tolist() == [
        wanted(values.tolist(), those, lane) for lane, those in enumerate(named)
    ]
    assert not done.findings


_CHAIN = (
    _HEAD
    + """
.visible .entry k(.param .u64 out)
{
.reg .pred %p;
.reg .b32 %i, %seen, %next, %old;
.reg .b64 %out;
.shared .align 4 .b8 sum[4];
ld.param.u64 %out, [out];
mov.u32 %i, %tid.x;
setp.ne.s32 %p, %i, 0;
@%p bra BEGUN;
st.shared.u32 [sum], 0;
BEGUN:
bar.sync 0;
ld.relaxed.cta.shared.u32 %seen, [sum];
AGAIN:
add.u32 %next, %seen, %i;
atom.shared.cas.b32 %old, [sum], %seen, %next;
setp.ne.u32 %p, %old, %seen;
mov.u32 %seen, %old;
@%p bra AGAIN;
bar.sync 0;
ld.shared.u32 %old, [sum];
mad.wide.u32 %out, %i, 4, %out;
st.global.u32 [%out], %old;
ret;
}
"""
)


def test_who_has_added_waits_at_the_barrier_for_those_that_try_again() -> None:
    threads = 128  # one of them gets through in each round
    module, out = read_ptx(_CHAIN), np.zeros(threads, np.uint32)
    kernel = find_kernel(module, "k")
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), 1, threads, [out])
    assert set(out.tolist()) == {threads * (threads - 1) // 2}
    assert not done.findings
