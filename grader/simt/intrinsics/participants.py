"""Compares the lanes that the mask of a warp primitive names with those that call it.

CUDA requires three things, else the result is undefined: a caller names itself, all lanes that are
named and have not exited call it, and they give the same mask. A device lets callers wait until
they do, so lanes in two branches may meet at two calls. Does not know what a primitive does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools, Mask

Lanes = NDArray[Any]
"""Reshape values to (warps, 32)."""
_LANE = np.arange(LANES, dtype=np.int64)
FULL = 0xFFFFFFFF


def by_lane(value: Value, chunk: Chunk) -> Lanes:
    """Reshape values to (warps, 32)."""
    return np.broadcast_to(value, (chunk.blocks, chunk.threads)).reshape(-1, LANES)


def restore_shape(value: Lanes, chunk: Chunk) -> Value:
    """Reshape (warps, 32) to the shape of the chunk."""
    return value.reshape(chunk.blocks, chunk.threads)


class Participants(NamedTuple):
    """The lanes of every warp at a primitive, (warps, 32) each but `masks`.

    Attributes:
        masks: what each lane gives as the mask, 32 bits; (1, 1) where all give the same.
        here: the lanes that call it.
        there: the lanes that exist; a block's last warp may lack some.
        exited: the lanes that have returned from the kernel.
    """

    masks: Lanes
    here: Bools
    there: Bools
    exited: Bools

    @property
    def whole(self) -> bool:
        """True if every lane that calls names all 32."""
        return self.masks.size == 1 and int(self.masks[0, 0]) == FULL

    def find_named(self) -> Bools:
        """Return (warps, 32, 32): True if a lane (second axis) names another one (third axis)."""
        bits: Bools = (self.masks[:, :, None] >> _LANE & 1) != 0
        return np.broadcast_to(bits, (*self.here.shape, LANES))


def participants(given: Value, mask: Mask, chunk: Chunk) -> Participants:
    """Return the lanes at a primitive that is given a mask, int64."""
    masks = given & FULL
    if masks.size > 1:
        masks = by_lane(masks, chunk)
        if masks.min() == masks.max():
            masks = masks[:1, :1]
    shape = (-1, LANES)
    everyone = chunk.everyone.full.reshape(shape)
    return Participants(masks, mask.full.reshape(shape), everyone, chunk.exited.reshape(shape))


def report_participants(
    given: Value, here: ExecutionPoint, name: str, read: Lanes | None = None
) -> None:
    """Report what leaves a primitive undefined.

    Args:
        given: the mask, int64.
        read: (warps, 32) or (1, 32) the lane that each lane reads from, if it reads.
    """
    chunk, mask, _ = here
    if given.size == 1 and int(given.flat[0]) & FULL == FULL and mask.count == chunk.everyone.count:
        return
    lanes = participants(given, mask, chunk)
    if not lanes.whole:
        _report_masks(lanes, here, name)
    if mask.count != chunk.everyone.count:
        _await(lanes, here, name, _Exchange(read))


def _report_masks(lanes: Participants, here: ExecutionPoint, name: str) -> None:
    """Report callers that their mask does not name, and named lanes that give another mask."""
    own = (np.broadcast_to(lanes.masks, lanes.here.shape) >> _LANE & 1) != 0
    outside = lanes.here & ~own
    if outside.any():
        row, lane = (int(number) for number in np.argwhere(outside)[0])
        value = int(np.broadcast_to(lanes.masks, lanes.here.shape)[row, lane])
        what = fact("finding.warp-mask.own-lane", lane=lane, name=name, mask=f"{value:#x}")
        here.report("warp-mask", restore_shape(outside, here.chunk), what, topic="own lane")
    if lanes.masks.size == 1:
        return
    masks = np.broadcast_to(lanes.masks, lanes.here.shape)
    differ = (masks[:, :, None] != masks[:, None, :]) & lanes.find_named()
    differ &= lanes.here[:, :, None] & lanes.here[:, None, :]
    apart = differ.any(axis=2)
    if apart.any():
        row, lane = (int(number) for number in np.argwhere(apart)[0])
        other = int(np.argmax(differ[row, lane]))
        what = fact(
            "finding.warp-mask.different-masks",
            lane=lane,
            name=name,
            mask=f"{int(masks[row, lane]):#x}",
            other=other,
            other_mask=f"{int(masks[row, other]):#x}",
        )
        here.report("warp-mask", restore_shape(apart, here.chunk), what, topic="different masks")


def _find_named(lanes: Participants) -> Bools:
    """Return (warps, 32) or (warps, 1): the lanes that a caller names."""
    if lanes.whole:
        return np.asarray(lanes.here.any(axis=1, keepdims=True))
    return np.asarray((lanes.find_named() & lanes.here[:, :, None]).any(axis=1))


_TOPIC = "absent lanes"
_MOST_RUNS = 4
"""Of lanes, that are written out."""


def _reads(read: Lanes | None, callers: Bools, absent: Bools) -> bool:
    """Return True if a caller reads from an absent lane, which no mask makes defined."""
    if read is None:
        return False
    rows, columns = np.nonzero(callers)
    source = np.broadcast_to(read, callers.shape)[rows, columns]
    return bool(absent[rows, source].any())


def _name_fewer(callers: Bools, absent: Bools) -> Fact:
    """Advise a mask without the lanes that are absent; both are (warps, 32)."""
    masks = (callers[absent.any(axis=1)].astype(np.int64) << _LANE).sum(axis=1)
    if (masks == masks[0]).all():
        return fact("advice.name-lanes", mask=f"{int(masks[0]):#x}")
    return fact("advice.name-own-lanes")


class _Exchange(NamedTuple):
    """What a primitive gives its callers beside waiting: `read` as in `report_participants`."""

    read: Lanes | None


@dataclass(eq=False)
class _Waiting:
    """Callers that wait for lanes that they name.

    Attributes:
        masks: what they give, as `Participants.masks`.
        callers: (warps, 32).
        absent: (warps, 32): those that have not come; shrinks as they call it with the same mask.
        exchange: None for a primitive that only synchronizes.
        times: calls of this place, one after the other, that all wait alike.
    """

    here: ExecutionPoint
    name: str
    masks: Lanes
    callers: Bools
    absent: Bools
    exchange: _Exchange | None
    hint: Fact
    times: int = 1

    def is_like(self, other: _Waiting) -> bool:
        """Return True if the other call waits for the same lanes with the same ones."""
        return (
            self.here.site is other.here.site
            and np.array_equal(self.masks, other.masks)
            and np.array_equal(self.callers, other.callers)
            and np.array_equal(self.absent, other.absent)
        )


_MOST_WAITING = 64
"""Calls that are kept while they wait; a further one is not met by anything."""
_MEETING = 70_000
"""Operations for each warp of which only some lanes synchronize."""


def meet_warps(here: ExecutionPoint, given: Value, *, name: str) -> None:
    """Order the lanes that the mask of a `syncwarp` names with each other.

    What is missing is kept in the chunk until `report_unmet`.

    Args:
        given: the mask, int64.
    """
    chunk, mask, _ = here
    every = given.size == 1 and int(given.flat[0]) & FULL == FULL
    if every and mask.count == chunk.everyone.count:
        chunk.clock.warp_barrier(mask)
        return
    lanes = participants(given, mask, chunk)
    _await(lanes, here, name, None)
    if every:
        chunk.clock.warp_barrier(mask)
        return
    _report_masks(lanes, here, name)
    met = _find_synchronized(lanes)
    if len(given) == mask.rows == 1:
        met = met[: chunk.threads // LANES]
    chunk.charge(_MEETING * len(met))
    chunk.clock.lanes_barrier(mask, met)


def _await(
    lanes: Participants, here: ExecutionPoint, name: str, exchange: _Exchange | None
) -> None:
    """Note the lanes that a call waits for, without those that wait for it at another one."""
    waiting = here.chunk.unmet
    waited = _arrive(lanes, waiting, name)
    absent = _find_named(lanes) & ~lanes.here & lanes.there & ~lanes.exited & ~waited
    if not absent.any():
        return
    reads = exchange is not None and _reads(exchange.read, lanes.here, absent)
    hint = fact("advice.whole-warp") if reads else _name_fewer(lanes.here, absent)
    new = _Waiting(here, name, lanes.masks, lanes.here, absent, exchange, hint)
    if waiting and waiting[-1].is_like(new):
        waiting[-1].times += 1
    elif len(waiting) < _MOST_WAITING:
        waiting.append(new)
    else:
        _report_absent(new)


def _arrive(lanes: Participants, waiting: list[_Waiting], name: str) -> Bools:
    """Return (warps, 32): lanes that waited for these at other calls, each for the earliest one."""
    waited, left = np.zeros_like(lanes.here), lanes.here
    give_up(lanes.here, waiting)
    for at, call in enumerate(list(waiting)):
        there = left & call.absent
        if not there.any():
            continue
        same = np.broadcast_to(lanes.masks == call.masks, left.shape) & (call.name == name)
        back = (lanes.find_named() & call.callers[:, None, :]).any(axis=2)
        left = left & ~(there & ~same & back)  # each waits for the other, at two primitives
        came = there & same
        if not came.any():
            continue
        met = call if call.times == 1 else replace(call, times=1)
        if met is not call:
            call.times -= 1
            waiting.insert(at, met)
        met.absent = met.absent & ~came
        left = left & ~came
        waited |= met.callers & came.any(axis=1, keepdims=True)
    return waited


def give_up(here: Bools, waiting: list[_Waiting]) -> None:
    """Report the calls of which both sides are somewhere else: they have not met.

    Args:
        here: (warps, 32): the threads that are there together.
        waiting: the calls; those that are reported are taken out.
    """
    for call in list(waiting):
        together = (call.callers & here).any(axis=1) & (call.absent & here).any(axis=1)
        if together.any():
            waiting.remove(call)
            _report_absent(call)


def _find_synchronized(lanes: Participants) -> Bools:
    """Return (warps, 32, 32): the pairs that synchronize; absent lanes are reported instead."""
    same = lanes.masks[:, :, None] == lanes.masks[:, None, :]
    met: Bools = lanes.find_named() & lanes.here[:, :, None] & (same | ~lanes.here[:, None, :])
    return met | np.eye(LANES, dtype=np.bool_)


def report_unmet(chunk: Chunk) -> None:
    """Report the calls that still wait when the blocks have ended, and values not exchanged."""
    for call in chunk.unmet:
        if call.absent.any():
            _report_absent(call)
        elif call.exchange is not None:
            what = fact("finding.absent-lanes.elsewhere", name=call.name)
            call.here.report("warning", restore_shape(call.callers, chunk), what, topic="two calls")


def _write_lanes(which: Bools) -> str:
    """Write the lanes of a warp: `1, 3, 8–31`."""
    lanes = [int(lane) for lane in np.flatnonzero(which)]
    starts = [lane for lane in lanes if lane - 1 not in lanes]
    ends = [lane for lane in lanes if lane + 1 not in lanes]
    runs = [
        f"{low}–{high}" if high > low else f"{low}" for low, high in zip(starts, ends, strict=True)
    ]
    return ", ".join(runs if len(runs) <= _MOST_RUNS else [*runs[: _MOST_RUNS - 1], "…", runs[-1]])


def _report_absent(call: _Waiting) -> None:
    lanes = restore_shape(call.absent, call.here.chunk)
    row = int(np.argmax(call.absent.any(axis=1)))
    masks = np.broadcast_to(call.masks, call.callers.shape)[row]
    named = (masks[:, None] >> _LANE & 1 != 0) & call.callers[row][:, None] & call.absent[row]
    lane = int(np.argmax(named.any(axis=1)))
    what = fact(
        "finding.absent-lanes", name=call.name, lane=lane, mask=f"{int(masks[lane]):#x}",
        absent=_write_lanes(named[lane]),
    )  # fmt: skip
    call.here.report("absent-lanes", lanes, what, topic=_TOPIC, hint=call.hint)
