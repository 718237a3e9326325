"""`cost` for many accesses of one kind and width at once, without witnesses.

Accesses are stored lane by lane, (32, n): each step below is then one NumPy operation over n
accesses. To count distinct words, the lanes of a group are sorted; aligned wide accesses are sorted
as whole units of 8 or 16 bytes, since all words of a unit meet the same other units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grader.banks.access import (
    ADDRESSES,
    LANES,
    WORD_BYTES,
    Access,
    BoolArray,
    IntArray,
    InvalidAccess,
    Kind,
    counted_lanes,
    find_refusals,
    width_of,
)
from grader.banks.architectures import AccessRule, Architecture, Evidence, architecture
from grader.banks.counting import cost
from grader.facts import fact

_CHUNK = 4096
"""Accesses processed at once: their sorted lanes, 256 KB, stay in a core's cache."""

_FEW = 512
"""Accesses for which NumPy's own time for a call counts more than what it does with them."""
_LANE_BITS = 5
_UNSIGNED = tuple((kind, int(np.iinfo(kind).max)) for kind in (np.uint16, np.uint32, np.uint64))

Units = NDArray[Any]
"""Unsigned integers of the smallest type that holds them."""


class _Warps(NamedTuple):
    """The addresses of n accesses, lane by lane.

    Attributes:
        units: (32, n) address // `unit` of each lane; 0 for an inactive one.
        active: (32, n); None: all.
        unit: bytes per lane, at least those of a word.
    """

    units: Units
    active: BoolArray | None
    unit: int

    def select(self, which: BoolArray) -> _Warps:
        """Return the accesses that `which`, (n,), selects."""
        active = None if self.active is None else self.active[:, which]
        return _Warps(self.units[:, which], active, self.unit)


@dataclass(frozen=True, eq=False)
class Costs:
    """What N accesses cost: (N,) arrays, each as in `AccessCost`.

    Attributes:
        wavefronts_at_most: the same as `wavefronts` where it is exact; None where no upper bound
            is known.
        evidence, source: as in `AccessCost`, of all.
    """

    wavefronts: IntArray
    wavefronts_at_most: IntArray | None
    groups: IntArray
    ideal: IntArray
    ways: IntArray
    evidence: Evidence
    source: str
    wavefronts_a_pass: int

    @property
    def conflicts(self) -> IntArray:
        """What the profiler counts as bank conflicts."""
        return self.wavefronts // self.wavefronts_a_pass - self.groups


def cost_many(
    kind: Kind, width: int, addresses: ArrayLike, active: ArrayLike | None = None, arch: str = "9.0"
) -> Costs:
    """Compute what N warp instructions of one kind and width cost on an architecture.

    Millions per second, except for 1.x, whose bounds are found one access after the other.

    Args:
        kind: as in `Access`.
        width: bytes per lane.
        addresses: (N, 32) integers, byte addresses.
        active: (N, 32) booleans; None: all lanes of all accesses.
        arch: a row's name or a compute capability.

    Raises:
        InvalidAccess: as `cost`; for an address, with access (from 0) and lane.
    """
    row, width = architecture(arch), width_of(kind, width)
    rule = row.rule(kind, width)
    where, on = _validate(addresses, active)
    on = None if on is None else counted_lanes(kind, on)
    if rule.count in ("one word per step", "words to lanes"):
        return _cost_each(kind, width, where, on, arch)
    table = np.zeros((4, len(where)), dtype=np.int64)
    for first in range(0, len(where), _CHUNK):
        part = slice(first, first + _CHUNK)
        some = None if on is None or on[part].all() else on[part]
        warps = _warps(where[part], some, width, first)
        _fill(table[:, part], warps, rule, row)
    passes, groups, ideal, ways = table
    wavefronts, ideal = passes * rule.wavefronts_a_pass, ideal * rule.wavefronts_a_pass
    most: IntArray | None = wavefronts
    if rule.count == "words, or one more":
        most, ways = wavefronts + groups, ways + (groups > 0)
    elif rule.count == "lanes per word":
        most = None
    return Costs(wavefronts, most, groups, ideal, ways, *rule.known, rule.wavefronts_a_pass)


def _validate(addresses: ArrayLike, active: ArrayLike | None) -> tuple[IntArray, BoolArray | None]:
    where = np.asarray(addresses)
    if where.ndim != 2 or where.shape[1] != LANES or where.dtype.kind not in "iu":
        raise InvalidAccess(fact("bank.addresses-shape"))
    if active is None:
        return where, None
    on = np.asarray(active)
    if on.shape != where.shape or on.dtype != np.bool_:
        raise InvalidAccess(fact("bank.active-shape"))
    return where, on


def _cost_each(
    kind: Kind, width: int, where: IntArray, active: BoolArray | None, arch: str
) -> Costs:
    """Compute the same access by access with `cost`."""
    rule = architecture(arch).rule(kind, width)
    on = np.ones(where.shape, dtype=np.bool_) if active is None else active
    table = np.zeros((5, len(where)), dtype=np.int64)
    for number, (addresses, lanes) in enumerate(zip(where, on, strict=True)):
        try:
            found = cost(Access(kind, width, addresses, lanes), arch)
        except InvalidAccess as error:
            raise InvalidAccess(fact("bank.in-access", number=number, reason=error.what)) from None
        upper = found.wavefronts_at_most or 0
        table[:, number] = found.wavefronts, upper, found.groups, found.ideal, found.ways
    wavefronts, most, groups, ideal, ways = table
    return Costs(wavefronts, most, groups, ideal, ways, *rule.known, rule.wavefronts_a_pass)


def _warps(addresses: IntArray, active: BoolArray | None, width: int, first: int) -> _Warps:
    """Transpose the addresses so that lanes come first, once all are valid."""
    where = addresses if active is None else addresses * active
    bits = int(np.bitwise_or.reduce(where, axis=None))  # out of bounds or misaligned if any one is
    if not 0 <= bits < ADDRESSES or bits % width:
        _refuse(where, width, first)
    unit = max(width, WORD_BYTES)
    units = where.astype(_choose_dtype(bits)) >> _log2(unit)
    units = np.ascontiguousarray(units.astype(_choose_dtype(bits // unit)).T)
    return _Warps(units, None if active is None else np.ascontiguousarray(active.T), unit)


def _refuse(where: IntArray, width: int, first: int) -> None:
    """Name the first access and lane that hardware would refuse. Inactive lanes are at 0 here."""
    number, reason = next(find_refusals(where, np.ones(where.shape, dtype=np.bool_), width))
    raise InvalidAccess(fact("bank.in-access", number=first + number, reason=reason))


def _choose_dtype(largest: int) -> type[np.unsignedinteger[Any]]:
    """Return the type for numbers up to `largest`: half as wide is twice as fast."""
    return next(kind for kind, most in _UNSIGNED if largest <= most)


def _fill(out: IntArray, warps: _Warps, rule: AccessRule, row: Architecture) -> None:
    """Write passes, groups, ideal (in passes) and ways, (4, n)."""
    if not rule.merges:
        out[:] = _serve(warps, rule.lanes, rule, row)
        return
    for which, size in _split_by_size(_find_merging(warps), rule):
        if which is None:
            out[:] = _serve(warps, size, rule, row)
        else:
            out[:, which] = _serve(warps.select(which), size, rule, row)


def _split_by_size(merging: BoolArray, rule: AccessRule) -> Iterator[tuple[BoolArray | None, int]]:
    """Yield the accesses (None: all) that are served in lane groups of each size."""
    twice = min(LANES, 2 * rule.lanes)
    if not merging.any():
        yield None, rule.lanes
    elif merging.all():
        yield None, twice
    else:
        yield merging, twice
        yield ~merging, rule.lanes


def _find_merging(warps: _Warps) -> BoolArray:
    """Find the accesses that merge, (n,), by the condition of `counting.merges`."""
    units, active, _ = warps
    found = np.zeros(units.shape[1], dtype=np.bool_)
    for step in (1, 2):
        pairs = units.reshape(-1, 2, step, units.shape[1])
        agree = pairs[:, 0] == pairs[:, 1]
        if active is not None:
            both = active.reshape(pairs.shape)
            agree |= ~(both[:, 0] & both[:, 1])
        found |= agree.all(axis=(0, 1))
    return found


def _serve(
    warps: _Warps, size: int, rule: AccessRule, row: Architecture
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Compute passes, groups, ideal and ways, (n,) each, in lane groups of `size`."""
    units, active, _ = warps
    if rule.count in ("lanes", "lanes per word"):
        passes, ideal = _count_lanes(warps, size, rule, row)
    else:
        passes, ideal = _count_rows(warps, size, row)
    if active is None:
        groups = np.full(units.shape[1], LANES // size)
    else:
        there = active.reshape(-1, size, units.shape[1]).any(axis=1)
        passes, ideal, groups = passes * there, ideal * there, there.sum(axis=0)
    return passes.sum(axis=0), groups, ideal.sum(axis=0), passes.max(axis=0)


def _count_rows(warps: _Warps, size: int, row: Architecture) -> tuple[IntArray, IntArray]:
    """Count the most distinct rows on one bank, and the ideal; (groups, n) each."""
    keys, bits = _order_by_bank(warps, row)
    most, words = _count_distinct(_sort_groups(keys, warps.active, size), bits)
    if row.row_bytes > row.banks * WORD_BYTES:  # two words per row: count words by themselves
        _, words = _count_distinct(_sort_groups(warps.units, warps.active, size), 0)
    return most, -(words * -warps.unit // row.row_bytes)


def _count_lanes(
    warps: _Warps, size: int, rule: AccessRule, row: Architecture
) -> tuple[IntArray, IntArray]:
    """Count the most lanes on one bank, or on one word, and the ideal; (groups, n) each."""
    on_word, _ = _count_distinct(
        _sort_groups(_append_lanes(warps.units), warps.active, size), _LANE_BITS
    )
    if rule.count == "lanes per word":
        return on_word, on_word
    keys, bits = _order_by_bank(warps, row)
    on_bank, _ = _count_distinct(
        _sort_groups(_append_lanes(keys), warps.active, size), bits + _LANE_BITS
    )
    return on_bank, on_word


def _order_by_bank(warps: _Warps, row: Architecture) -> tuple[Units, int]:
    """Make (32, n) keys that order units by bank, then by row; also return the bits of the row."""
    place = max(warps.unit, row.bank_bytes)  # a unit of several banks goes by the first of them
    bank = warps.units >> _log2(place // warps.unit) & (row.banks * row.bank_bytes // place - 1)
    segment = warps.units >> _log2(row.row_bytes // warps.unit)
    bits = int(segment.max()).bit_length()
    dtype = _choose_dtype((row.banks << bits) - 1)
    keys: Units = bank.astype(dtype) << dtype(bits) | segment.astype(dtype)
    return keys, bits


def _append_lanes(keys: Units) -> Units:
    """Add the lane as the lowest bits of each key: then distinct keys are lanes."""
    dtype = _choose_dtype(int(keys.max()) << _LANE_BITS | (LANES - 1))
    with_lane: Units = keys.astype(dtype) << dtype(_LANE_BITS)
    with_lane |= np.arange(LANES, dtype=dtype)[:, None]
    return with_lane


def _log2(power: int) -> int:
    return power.bit_length() - 1


def _sort_groups(keys: Units, active: BoolArray | None, size: int) -> Units:
    """Sort the keys of each lane group, (groups, size, n); inactive lanes repeat another's."""
    groups = keys.reshape(-1, size, keys.shape[1]).copy()
    if active is not None:
        # Bits, all ones in an active lane: `np.where` is five times as slow.
        mask = -active.reshape(groups.shape).astype(keys.dtype)
        groups |= ~mask
        np.minimum(groups, groups.min(axis=1, keepdims=True) | mask, out=groups)
    _sort(groups.reshape(keys.shape), size)
    return groups


def _sort(keys: Units, size: int) -> None:
    """Sort every `size` rows of each column, in place: a bitonic network, unless columns are few.

    Some 30 ns for 32 16-bit rows, where `np.sort` takes as long only on processors with AVX-512;
    but of 32 columns, `np.sort` takes 3 µs, and the network 53.
    """
    run, count = 1, keys.shape[1]
    if count <= _FEW:
        keys.reshape(-1, size, count).sort(axis=1)
        return
    while run < size:
        halves = keys.reshape(-1, 2, run, count)
        _exchange(halves[:, 0], halves[:, 1, ::-1])
        step = run // 2
        while step:
            halves = keys.reshape(-1, 2, step, count)
            _exchange(halves[:, 0], halves[:, 1])
            step //= 2
        run *= 2


def _exchange(lower: Units, upper: Units) -> None:
    smaller = np.minimum(lower, upper)
    np.maximum(lower, upper, out=upper)
    lower[...] = smaller


def _count_distinct(ordered: Units, bits: int) -> tuple[IntArray, IntArray]:
    """Count, of sorted keys, the most that differ only in the low `bits`, and all that differ.

    Equal keys count once. (groups, size, n) in, (groups, n) each out.
    """
    later, earlier = ordered[:, 1:], ordered[:, :-1]
    new = (later != earlier).view(np.uint8)
    shift = ordered.dtype.type(bits)
    together = (later >> shift == earlier >> shift).view(np.uint8)
    if ordered.shape[2] <= _FEW:  # 18 µs for 32 accesses, where the loop takes 70
        count = np.add.accumulate(new, axis=1, dtype=np.uint8)
        first = np.maximum.accumulate(count * (together ^ 1), axis=1)
        return (count - first).max(axis=1) + np.int64(1), count[:, -1] + np.int64(1)
    run = np.ones_like(new[:, 0])
    most = run.copy()
    for lane in range(new.shape[1]):
        run *= together[:, lane]
        run += new[:, lane]
        np.maximum(most, run, out=most)
    return most.astype(np.int64), 1 + new.sum(axis=1, dtype=np.int64)
