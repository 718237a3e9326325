"""What the lanes of a warp exchange: shuffles, votes, matches, active masks.

Masks of lanes are int64; a value for each lane broadcasts to the chunk's (blocks, threads).

What a shuffle reads from a lane that does not take part is undefined in PTX. It may be read: a tree
within some lanes of a warp leaves it in lanes whose result nobody uses. `checks.consequence`
decides whether it is used.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.facts import Fact, fact
from grader.simt.checks.consequence import UNDEFINED_LANE
from grader.simt.intrinsics.participants import (
    FULL,
    Lanes,
    Participants,
    by_lane,
    participants,
    report_participants,
    restore_shape,
)
from grader.simt.machine.chunk import OPERATION, Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools


def report_undefined(given: Value, here: ExecutionPoint, name: str, read: Lanes) -> Bools | None:
    """Report the lanes that read from a lane that takes no part.

    Left to `participants` are lanes that are waited for, which come or are a fault of their own,
    and warps with a caller that its own mask does not name.

    Args:
        given: the mask, int64.
        read: (warps, 32) or (1, 32) the lane that each lane reads from.

    Returns:
        (blocks, threads): the threads that get an undefined value; None if there are none.
    """
    chunk, mask, _ = here
    if mask.count == chunk.size and given.size == 1 and int(given.flat[0]) & FULL == FULL:
        return None
    lanes = participants(given, mask, chunk)
    source = np.broadcast_to(read, lanes.here.shape)
    named, itself = ((lanes.masks >> lane & 1) != 0 for lane in (source, _LANE))
    called, awaited = (
        np.take_along_axis(each, source, axis=1)
        for each in (lanes.here, lanes.there & ~lanes.exited)
    )
    wrong = (lanes.here & ~itself).any(axis=1, keepdims=True)
    undefined: Bools = lanes.here & (source != _LANE) & ~(named & (called | awaited)) & ~wrong
    if not undefined.any():
        return None
    row, lane = (int(number) for number in np.argwhere(undefined)[0])
    what = _describe(lanes, row, lane, int(source[row, lane]), name)
    threads: Bools = restore_shape(undefined, chunk)
    here.report("absent-lanes", threads, what, topic=UNDEFINED_LANE)
    return threads


def _describe(lanes: Participants, row: int, lane: int, source: int, name: str) -> Fact:
    """Say why what a lane reads is undefined."""
    mask = int(np.broadcast_to(lanes.masks, lanes.here.shape)[row, lane])
    if not mask >> source & 1:
        shown = f"{mask:#x}"
        return fact(
            "finding.undefined-lane.unnamed", name=name, lane=lane, source=source, mask=shown
        )
    if lanes.exited[row, source]:
        return fact("finding.undefined-lane.exited", name=name, lane=lane, source=source)
    return fact("finding.undefined-lane.missing", name=name, lane=lane, source=source)


_LANE = np.arange(LANES, dtype=np.int64)
_BIT = np.uint32(1) << np.arange(LANES, dtype=np.uint32)
_BELOW = _BIT - np.uint32(1)
_MOVED, _COMPARED = 20, 4
"""Operations for each value that a lane gets, and for each lane that it is compared with."""

Source = Callable[[Lanes, Lanes, Lanes, Lanes], tuple[Lanes, Lanes]]
"""From the own lanes, a shuffle's lane, distance or bits, and the first and the last lane of each
lane's segment, to the lanes to read from, and which exist."""
Decide = Callable[[Lanes, Lanes], Lanes]
"""From tests and members, (warps, 32) booleans, to what a vote gives all lanes, (warps, 1)."""


def _members(given: Value, here: ExecutionPoint) -> Lanes:
    """Return (warps, 32): the lanes that the mask names and that are here."""
    named = by_lane(given, here.chunk)
    members: Lanes = (named >> _LANE & 1 != 0) & here.mask.full.reshape(-1, LANES)
    return members


def shuffle(
    here: ExecutionPoint,
    members: Value,
    value: Value,
    operand: Value,
    width: Value | None = None,
    *,
    source: Source,
    name: str,
) -> Value:
    """Give each lane the value of another one; its own where there is no other.

    Args:
        operand: lane, distance or bits, int64.
        width: lanes of a segment, a power of two, int64; None for the whole warp.
        source: `from_lane`, `from_below`, `from_above` or `from_partner`.
    """
    chunk = here.chunk
    values = by_lane(value, chunk)
    first, last = _WHOLE if width is None else _segment(by_lane(width, chunk))
    target, there = source(_LANE, by_lane(operand, chunk), first, last)
    read = np.where(there, target, _LANE)
    report_participants(members, here, name, read)
    undefined = report_undefined(members, here, name, read)
    chunk.charge(_MOVED * values.size)
    found = np.take_along_axis(values, np.broadcast_to(target, values.shape), axis=1)
    result = restore_shape(np.where(there, found, values), chunk)
    poison = chunk.launch.poison
    if undefined is None or poison is None or here.site.number not in poison.sites:
        return result
    own: Value = np.where(undefined, value, result)
    return poison.replace(own, undefined)


_WHOLE = np.zeros(1, dtype=np.int64), np.full(1, LANES - 1)


def _segment(width: Lanes) -> tuple[Lanes, Lanes]:
    """Return the first and the last lane of each lane's segment."""
    first = _LANE & -width
    return first, first + width - 1


def from_lane(_own: Lanes, lane: Lanes, first: Lanes, last: Lanes) -> tuple[Lanes, Lanes]:
    """Read from the lane of this number in the segment."""
    return first + (lane & (last - first)), np.ones(1, dtype=np.bool_)


def from_below(own: Lanes, delta: Lanes, first: Lanes, _last: Lanes) -> tuple[Lanes, Lanes]:
    """Read from so many lanes below."""
    lane = own - (delta & (LANES - 1))
    return np.maximum(lane, 0), lane >= first


def from_above(own: Lanes, delta: Lanes, _first: Lanes, last: Lanes) -> tuple[Lanes, Lanes]:
    """Read from so many lanes above."""
    lane = own + (delta & (LANES - 1))
    return np.minimum(lane, LANES - 1), lane <= last


def from_partner(own: Lanes, bits: Lanes, _first: Lanes, last: Lanes) -> tuple[Lanes, Lanes]:
    """Read from the lane whose number differs in these bits; from none behind the segment."""
    lane = (own ^ bits) & (LANES - 1)
    return lane, lane <= last


def vote(here: ExecutionPoint, members: Value, test: Value, *, decide: Decide, name: str) -> Value:
    """Tell all lanes what the members' tests decide.

    Args:
        test: booleans.
        decide: `all_hold`, `any_holds`, `all_agree` or `ballot`.
    """
    chunk = here.chunk
    report_participants(members, here, name)
    values, lanes = _groups(by_lane(test, chunk), members, here)
    return _for_all_lanes(decide(values, lanes), chunk)


def _groups(values: Lanes, given: Value, here: ExecutionPoint) -> tuple[Lanes, Lanes]:
    """Return values and members as (warps, 32); (warps * 32, 32) where lanes give several masks."""
    members = _members(given, here)
    named = by_lane(given, here.chunk)
    if given.size == 1 or (named == named[:, :1]).all():
        return values, members
    theirs = (named[:, :, None] >> _LANE & 1 != 0) & members[:, None, :]
    return np.repeat(values, LANES, axis=0), theirs.reshape(-1, LANES)


def reduce(
    here: ExecutionPoint, members: Value, value: Value, *, function: np.ufunc, name: str
) -> Value:
    """Give all members what their values reduce to.

    Args:
        value: integers.
        function: such as `np.add`.
    """
    chunk = here.chunk
    report_participants(members, here, name)
    values, lanes = _groups(by_lane(value, chunk), members, here)
    chunk.charge(_MOVED * values.size)
    first = np.take_along_axis(values, lanes.argmax(axis=1)[:, None], axis=1)
    neutral = np.zeros_like(first) if function in (np.add, np.bitwise_xor) else first
    every = np.where(lanes, values, neutral)
    return _for_all_lanes(function.reduce(every, axis=1, keepdims=True, dtype=value.dtype), chunk)


def _for_all_lanes(value: Lanes, chunk: Chunk) -> Value:
    """Give all lanes what there is one of for each warp, (warps, 1), or for each lane."""
    if value.size == chunk.size:
        return restore_shape(value, chunk)
    return restore_shape(np.broadcast_to(value, (len(value), LANES)), chunk)


def all_hold(holds: Lanes, members: Lanes) -> Lanes:
    """Decide whether every member holds."""
    return np.asarray((holds | ~members).all(axis=1, keepdims=True))


def any_holds(holds: Lanes, members: Lanes) -> Lanes:
    """Decide whether any member holds."""
    return np.asarray((holds & members).any(axis=1, keepdims=True))


def all_agree(holds: Lanes, members: Lanes) -> Lanes:
    """Decide whether all members hold, or none."""
    return all_hold(holds, members) | ~any_holds(holds, members)


def ballot(holds: Lanes, members: Lanes) -> Lanes:
    """Set the bits of the members that hold, in an int32."""
    return _bits(holds & members)


def _bits(lanes: Lanes) -> Lanes:
    """Pack (warps, 32) booleans into (warps, 1) int32, a bit per lane."""
    packed = np.where(lanes, _BIT, np.uint32(0)).sum(axis=1, keepdims=True, dtype=np.uint32)
    bits: Lanes = packed.view(np.int32)
    return bits


def match_any(here: ExecutionPoint, members: Value, value: Value, *, name: str) -> Value:
    """Tell each lane which members have its value: int32, a bit per lane."""
    chunk = here.chunk
    report_participants(members, here, name)
    lanes, values = _members(members, here), by_lane(value, chunk)
    named = by_lane(members, chunk)
    result = np.zeros(values.shape, dtype=np.uint32)
    chunk.charge(LANES * (OPERATION + _COMPARED * values.size))
    for lane in range(LANES):
        together = lanes & (named >> lane & 1 != 0) & lanes[:, lane : lane + 1]
        same = together & (values == values[:, lane : lane + 1])
        result |= np.where(same, _BIT[lane], np.uint32(0))
    return restore_shape(result.view(np.int32), chunk)


def match_all(
    here: ExecutionPoint, members: Value, value: Value, *, name: str
) -> tuple[Value, Value]:
    """Tell all lanes whether all members have the same value.

    Returns:
        The members, a bit per lane of an int32, or 0; and whether they have.
    """
    chunk = here.chunk
    report_participants(members, here, name)
    values, lanes = _groups(by_lane(value, chunk), members, here)
    first = np.take_along_axis(values, lanes.argmax(axis=1)[:, None], axis=1)
    same = ((values == first) | ~lanes).all(axis=1, keepdims=True)
    bits = np.where(same, _bits(lanes), np.int32(0))
    return _for_all_lanes(bits, chunk), _for_all_lanes(same, chunk)


def first_member(here: ExecutionPoint, members: Value, *, name: str) -> Value:
    """Tell each lane the first member of its mask, int32."""
    report_participants(members, here, name)
    _, lanes = _groups(by_lane(members, here.chunk), members, here)
    return _for_all_lanes(lanes.argmax(axis=1)[:, None].astype(np.int32), here.chunk)


def active_mask(here: ExecutionPoint) -> Value:
    """Return the lanes that are here, uint32."""
    lanes = here.mask.full.reshape(-1, LANES)
    return _for_all_lanes(_bits(lanes), here.chunk).view(np.uint32)


def lanes_below(chunk: Chunk) -> Value:
    """Return the lanes below each one, uint32: for `nodes.Position`."""
    return _BELOW[chunk.lane]
