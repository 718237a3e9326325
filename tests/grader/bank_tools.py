"""Warp accesses to test with, the recorded counters, and a twin of the bank model."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st

from grader.banks import Access, AccessCost, cost

RECORDED = tuple(
    Path(__file__).parents[1] / "data" / f"h200_{name}.csv"
    for name in ("wavefronts", "probes", "drawn")
)
EVERYONE = (1 << 32) - 1
MATRIX = ("ldmatrix", "stmatrix")
ROW = 128
"""Bytes of all banks once: addresses a multiple of it apart conflict."""

CASES = [100, pytest.param(20_000, marks=pytest.mark.long)]
"""How many cases a property is tried with in `make test` and in `make test-long`."""


class Warp(NamedTuple):
    kind: str
    width: int
    addresses: list[int]
    mask: int = EVERYONE

    @property
    def active(self) -> list[bool]:
        return [bool(self.mask >> lane & 1) for lane in range(32)]

    @property
    def access(self) -> Access:
        addresses = np.array(self.addresses, dtype=np.int64)
        return Access(self.kind, self.width, addresses, np.array(self.active))

    def cost(self, arch: str = "9.0") -> AccessCost:
        return cost(self.access, arch)


def count(kind: str, width: int, addresses: list[int], mask: int = EVERYONE) -> tuple[int, int]:
    """Wavefronts and conflicts on 9.0."""
    found = Warp(kind, width, addresses, mask).cost()
    return found.wavefronts, found.conflicts


def strided(width: int, stride: int) -> list[int]:
    return [stride * lane * width for lane in range(32)]


class Recorded(NamedTuple):
    """An instruction and what the profiler counted; `place` is where it stands."""

    warp: Warp
    wavefronts: int
    conflicts: int
    place: str


@cache
def recorded() -> list[Recorded]:
    """Each recorded instruction, of all recordings."""
    return [one for path in RECORDED for one in _rows(path)]


def _rows(path: Path) -> Iterator[Recorded]:
    kinds = {"ld": "load", "st": "store"}
    with path.open(newline="") as file:
        for line, row in enumerate(csv.DictReader(file), 2):
            warp = Warp(
                kinds.get(row["op"], row["op"]),
                int(row["width"]),
                [int(offset) for offset in row["offsets"].split()],
                int(row["mask"], 16),
            )
            place = f"{path.name}:{line}"
            yield Recorded(warp, int(row["wavefronts"]), int(row["conflicts"]), place)


PAIRS = [
    *((kind, width) for kind in ("load", "store") for width in (1, 2, 4, 8, 16)),
    *(("load", width) for width in (8, 16)),  # twice as often: only these merge
    *((kind, 4) for kind in ("atom", "atom_inc", "atom_float", "atom_cas")),
    *((kind, 8) for kind in ("atom", "atom_cas")),
    *((kind, 16) for kind in MATRIX),
]


@st.composite
def warps(draw: st.DrawFn, pairs: list[tuple[str, int]] = PAIRS) -> Warp:
    """Few different elements, so that lanes meet; often in equal pairs, so that loads merge."""
    kind, width = draw(st.sampled_from(pairs))
    reach = draw(st.sampled_from([2, 3, 9, 65, 1025, 65535]))
    pitch = draw(st.sampled_from([1, 1, 8, 32, 33]))
    elements = np.frombuffer(draw(st.binary(min_size=64, max_size=64)), dtype="<u2") % reach
    step = draw(st.sampled_from([0, 0, 1, 2, 3]))
    addresses = [int(elements[lane & ~step]) * pitch * width for lane in range(32)]
    if draw(st.integers(0, 3)) == 0:  # one lane leaves its pair
        addresses[draw(st.integers(0, 31))] += 64 * ROW
    masks = [EVERYONE, EVERYONE, 0xFF, 0xFFFF, 0x55555555, 0x0F0F0F0F, 0x33330000]
    mask = draw(st.sampled_from(masks) | st.integers(0, EVERYONE))
    return Warp(kind, width, addresses, mask)


class Counted(NamedTuple):
    wavefronts: int
    conflicts: int
    ideal: int
    ways: int


BANKS = {  # banks, bytes of a bank, bytes a bank serves at once, lane groups by width
    "2.x": (32, 4, 4, {1: 32, 2: 32, 4: 32, 8: 16}),
    "3.5": (32, 4, 8, {1: 32, 2: 32, 4: 32, 8: 32, 16: 16}),
    "3.5-8byte": (32, 8, 8, {1: 32, 2: 32, 4: 32, 8: 32, 16: 16}),
    "9.0": (32, 4, 4, {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}),
}


def twin(warp: Warp, arch: str = "9.0") -> Counted:
    """Serve pass after pass until no lane waits, instead of counting who meets whom."""
    active = {lane for lane in range(32) if warp.mask & 1 << lane}
    if warp.kind in MATRIX:
        active = {lane for lane in range(32) if warp.mask & 0xFF << lane // 8 * 8}
    swaps = warp.kind == "atom_cas" and warp.width in (4, 8)
    retries = warp.kind == "atom_float" or (warp.kind, warp.width) == ("atom", 8)
    size = 32 if retries else BANKS[arch][3][warp.width]
    if arch == "9.0" and warp.kind == "load" and warp.width >= 8 and pairwise(warp, active):
        size *= 2
    passes, ideals = [], []
    for first in range(0, 32, size):
        touched = {
            (lane, byte // 4)
            for lane in active & set(range(first, first + size))
            for byte in range(warp.addresses[lane], warp.addresses[lane] + warp.width)
        }
        if touched:
            passes.append(_serve(touched, warp.kind, arch, retries=retries))
            ideals.append(_ideal(touched, arch, alone=retries or swaps or warp.kind == "atom"))
    each = 2 if swaps else 1
    conflicts = sum(passes) - len(passes)
    return Counted(each * sum(passes), conflicts, each * sum(ideals), max(passes, default=0))


def pairwise(warp: Warp, active: set[int]) -> bool:
    """Whether a load by these lanes would merge."""

    def agrees(lane: int, other: int) -> bool:
        return other not in active or warp.addresses[other] == warp.addresses[lane]

    by_one = all(agrees(lane, lane ^ 1) for lane in active)
    by_two = all(agrees(lane, lane ^ 2) for lane in active)
    return by_one or by_two


def _serve(waiting: set[tuple[int, int]], kind: str, arch: str, *, retries: bool) -> int:
    """Passes until every (lane, word) was served."""
    banks, bank_bytes, at_once, _ = BANKS[arch]
    passes = 0
    while waiting:
        passes += 1
        busy: dict[int, int] = {}
        served = set()
        for lane, word in sorted(waiting):
            # Who may go through a place together: lanes of one row, or one lane alone.
            place = word if retries else word * 4 // bank_bytes % banks
            alone = retries or kind in ("atom", "atom_cas")
            together = lane if alone else word * 4 // (banks * at_once)
            if busy.setdefault(place, together) == together:
                served.add((lane, word))
        waiting = waiting - served
    return passes


def _ideal(touched: set[tuple[int, int]], arch: str, *, alone: bool) -> int:
    banks, _, at_once, _ = BANKS[arch]
    words = [word for _, word in touched]
    if alone:
        return max(words.count(word) for word in words)
    return -(-len(set(words)) // (banks * at_once // 4))


def counted(found: AccessCost) -> Counted:
    return Counted(found.wavefronts, found.conflicts, found.ideal, found.ways)
