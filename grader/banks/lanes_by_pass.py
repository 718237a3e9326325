"""Lists what each bank serves in each pass: an access as a table to draw.

The order in hardware is not known; here each bank serves its words from the lowest up, and each
lane group begins where the one before has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, zip_longest

from grader.banks.access import WORD_BYTES
from grader.banks.architectures import Architecture
from grader.banks.counting import AccessCost, BankUse, GroupCost

_KNOWN = ("words", "lanes", "lanes per word")
"""The counts for which it is known what a pass serves."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What the banks serve at once: one wavefront, or `AccessCost.wavefronts_a_pass`.

    Attributes:
        number: from 1, through all lane groups.
        group: the lane group that it serves, from 0.
        first: true for the group's first pass; every further one is a conflict.
        lanes: by bank, the lanes that are served, lowest first.
    """

    number: int
    group: int
    first: bool
    lanes: Mapping[int, tuple[int, ...]]


def passes(cost: AccessCost, arch: Architecture) -> Iterator[Pass]:
    """Yield the passes of an access, in order; none where only bounds of their number are known."""
    if cost.count not in _KNOWN:
        return
    number = 0
    for group, served in enumerate(cost.lane_groups):
        for step, banks in enumerate(_steps(cost, served, arch)):
            number += 1
            yield Pass(number, group, step == 0, banks)


def _steps(
    cost: AccessCost, group: GroupCost, arch: Architecture
) -> Iterator[dict[int, tuple[int, ...]]]:
    """Yield what the banks serve, pass by pass."""
    queues = {use.bank: list(_queue(cost, use, arch)) for use in group.banks}
    for row in zip_longest(*queues.values()):
        yield {bank: lanes for bank, lanes in zip(queues, row, strict=True) if lanes is not None}


def _queue(cost: AccessCost, use: BankUse, arch: Architecture) -> Iterator[tuple[int, ...]]:
    """Yield what one bank serves: all lanes of a row; of atomics one lane, or one per word."""
    match cost.count:
        case "lanes":
            yield from sorted((lane,) for word in use.words for lane in word.lanes)
        case "lanes per word":
            for lanes in zip_longest(*(word.lanes for word in use.words)):
                yield tuple(sorted({lane for lane in lanes if lane is not None}))
        case _:
            for _, words in groupby(use.words, lambda w: w.word * WORD_BYTES // arch.row_bytes):
                yield tuple(sorted({lane for word in words for lane in word.lanes}))
