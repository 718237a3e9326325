"""Computes a warp instruction's cost: lane groups, wavefronts, and the lanes in conflict.

This is the rule in a form that a reader can follow; `many` does the same for many accesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.banks.access import (
    LANES,
    WORD_BYTES,
    Access,
    InvalidAccess,
    counted_lanes,
    find_refused,
    width_of,
)
from grader.banks.architectures import AccessRule, Architecture, CountRule, Evidence, architecture
from grader.facts import fact


class WordUse(NamedTuple):
    """A 4-byte word (its address // 4) and the lanes that touch it."""

    word: int
    lanes: tuple[int, ...]


class BankUse(NamedTuple):
    """The words that a lane group touches on one bank, in `rows` different rows.

    A row is what the bank serves at once: one word, but on 3.x two.
    """

    bank: int
    rows: int
    words: tuple[WordUse, ...]

    @property
    def lanes(self) -> int:
        """The number of lanes on this bank; one that touches two words of it counts twice."""
        return sum([len(word.lanes) for word in self.words])

    @property
    def lanes_on_a_word(self) -> int:
        """The most lanes on one word."""
        return max(len(word.lanes) for word in self.words)


@dataclass(frozen=True, slots=True)
class GroupCost:
    """The cost of lanes that are served together.

    Attributes:
        lanes: the active lanes of the group; at least one.
        wavefronts: the least that is possible where only bounds are known.
        at_most: the most that is possible, the same as `wavefronts` where the count is exact;
            None where no upper bound is known.
        ideal: what the best placement of the same words would take.
        banks: every bank that is touched, lowest first.
        witness: the busiest bank, which decides.
    """

    lanes: tuple[int, ...]
    wavefronts: int
    at_most: int | None
    ideal: int
    banks: tuple[BankUse, ...]
    witness: BankUse


@dataclass(frozen=True, slots=True)
class AccessCost:
    """What an access costs, and the evidence (`source` is a key of `SOURCES`).

    `lane_groups` are those with an active lane, in the order they are served; `count` is what
    makes a further pass, and `wavefronts_a_pass` the number of wavefronts that a pass takes.
    """

    lane_groups: tuple[GroupCost, ...]
    evidence: Evidence
    source: str
    count: CountRule
    wavefronts_a_pass: int

    @property
    def wavefronts(self) -> int:
        """Trips through the LSU data pipe; the least where only bounds are known."""
        return sum(group.wavefronts for group in self.lane_groups)

    @property
    def wavefronts_at_most(self) -> int | None:
        """The same as `wavefronts` if it is exact; None if no upper bound is known."""
        most = [group.at_most for group in self.lane_groups if group.at_most is not None]
        return sum(most) if len(most) == self.groups else None

    @property
    def groups(self) -> int:
        """Lane groups with an active lane, after merging."""
        return len(self.lane_groups)

    @property
    def conflicts(self) -> int:
        """What the profiler counts as bank conflicts: passes beyond one per lane group."""
        return self.wavefronts // self.wavefronts_a_pass - self.groups

    @property
    def conflicts_at_most(self) -> int | None:
        """The most conflicts; None where no upper bound is known."""
        most = self.wavefronts_at_most
        return None if most is None else most // self.wavefronts_a_pass - self.groups

    @property
    def ideal(self) -> int:
        """Wavefronts that the best placement of the same words would take."""
        return sum(group.ideal for group in self.lane_groups)

    @property
    def ways(self) -> int:
        """The degree of the bank conflict: the most passes of a group; 0 without active lanes."""
        most = max((group.at_most or group.wavefronts for group in self.lane_groups), default=0)
        return most // self.wavefronts_a_pass

    @property
    def witness(self) -> BankUse | None:
        """The busiest bank of the group that takes longest; None without active lanes."""
        if not self.lane_groups:
            return None
        return max(self.lane_groups, key=lambda group: group.wavefronts).witness


def cost(access: Access, arch: str = "9.0") -> AccessCost:
    """Compute what one warp instruction costs on an architecture (`8.9`, `3.x-8byte`).

    Raises:
        InvalidAccess: an unknown kind, width or architecture, a wrong shape, an access that the
            architecture does not have, or an active lane whose address is negative or not a
            multiple of the width.
    """
    row, width = architecture(arch), width_of(access.kind, access.width)
    rule = row.rule(access.kind, width)
    if access.addresses.shape != (LANES,) or access.active.shape != (LANES,):
        raise InvalidAccess(fact("bank.not-a-warp", lanes=LANES))
    addresses: list[int] = access.addresses.tolist()
    active: list[bool] = counted_lanes(access.kind, access.active).tolist()
    if wrong := find_refused(addresses, active, width):
        raise InvalidAccess(wrong)
    merging = rule.merges is True and merges(addresses, active)
    groups = [
        _group_cost(lanes, [addresses[lane] + part for lane in lanes], size, rule, row)
        for lanes in _lane_groups(rule, active, twice=merging)
        for part, size in _requests(width, rule)
    ]
    return AccessCost(tuple(groups), *rule.known, rule.count, rule.wavefronts_a_pass)


def merges(addresses: Sequence[int], active: Sequence[bool]) -> bool:
    """Return True if each active lane i has lane i^1 inactive or at its own address, or i^2.

    One of the two must hold for the whole warp; deciding group by group is wrong.
    """
    return any(
        all(
            not (active[lane] and active[lane ^ step]) or addresses[lane] == addresses[lane ^ step]
            for lane in range(LANES)
        )
        for step in (1, 2)
    )


def _lane_groups(rule: AccessRule, active: Sequence[bool], *, twice: bool) -> list[tuple[int, ...]]:
    """List the active lanes of each group that has any; merging doubles the size of a group."""
    size = min(LANES, rule.lanes * (1 + twice))
    groups = (range(first, first + size) for first in range(0, LANES, size))
    found = (tuple(lane for lane in group if active[lane]) for group in groups)
    return [lanes for lanes in found if lanes]


def _requests(width: int, rule: AccessRule) -> list[tuple[int, int]]:
    """List offset and bytes of each request that a lane's access is split into."""
    size = min(width, rule.request)
    return [(part, size) for part in range(0, width, size)]


def _group_cost(
    lanes: tuple[int, ...], addresses: Sequence[int], size: int, rule: AccessRule, row: Architecture
) -> GroupCost:
    """Compute the cost of `size` bytes per lane from `addresses`, one for each of `lanes`."""
    on_word: defaultdict[int, list[int]] = defaultdict(list)
    for lane, address in zip(lanes, addresses, strict=True):
        for word in range(address // WORD_BYTES, (address + size - 1) // WORD_BYTES + 1):
            on_word[word].append(lane)
    on_bank: defaultdict[int, list[WordUse]] = defaultdict(list)
    for word in sorted(on_word):
        number = word * WORD_BYTES // row.bank_bytes % row.banks
        on_bank[number].append(WordUse(word, tuple(on_word[word])))
    banks = tuple(
        [BankUse(number, _rows(uses, row), tuple(uses)) for number, uses in sorted(on_bank.items())]
    )
    passes = [_passes(rule.count, use) for use in banks]
    busiest = max(passes)
    most_used = [use for use, count in zip(banks, passes, strict=True) if count == busiest]
    witness = max(most_used, key=lambda use: use.lanes)
    least, most = _bounds(rule.count, busiest, banks)
    if rule.count in ("lanes", "lanes per word"):
        ideal = max(use.lanes_on_a_word for use in banks)
    else:
        ideal = -(-len(on_word) * WORD_BYTES // row.row_bytes)
    each = rule.wavefronts_a_pass
    most = None if most is None else most * each
    return GroupCost(lanes, least * each, most, ideal * each, banks, witness)


def _passes(count: CountRule, use: BankUse) -> int:
    """Count the passes that one bank takes by itself."""
    if count == "lanes":
        return use.lanes
    return use.lanes_on_a_word if count == "lanes per word" else use.rows


def _rows(uses: Sequence[WordUse], row: Architecture) -> int:
    if len(uses) == 1:
        return 1
    return len({use.word * WORD_BYTES // row.row_bytes for use in uses})


def _bounds(count: CountRule, busiest: int, banks: Sequence[BankUse]) -> tuple[int, int | None]:
    """Bound the passes of a lane group whose busiest bank takes `busiest`."""
    match count:
        case "words" | "lanes":
            return busiest, busiest
        case "lanes per word":
            return busiest, None
        case "words, or one more":
            return busiest, busiest + 1
        case "words to lanes":
            return busiest, max(use.lanes for use in banks)
        case "one word per step":
            return _fewest_steps(banks), _most_steps(banks)


def _fewest_steps(banks: Sequence[BankUse]) -> int:
    """Count the steps of one broadcast word each, when the words are chosen best.

    In n steps a bank with k broadcasts serves its k fullest words and n - k further lanes:
    the fewest steps are the first n for which the banks together need at most n broadcasts.
    """

    def broadcasts(use: BankUse, steps: int) -> int:
        lanes = sorted((len(word.lanes) for word in use.words), reverse=True)
        enough = (k for k in range(len(lanes) + 1) if k + sum(lanes[k:]) <= steps)
        return next(enough, steps + 1)

    steps = 1
    while sum(broadcasts(use, steps) for use in banks) > steps:
        steps += 1
    return steps


def _most_steps(banks: Sequence[BankUse]) -> int:
    """Count the same steps when the words are chosen worst.

    Each step finishes a word, and a bank with n lanes is done after n steps, broadcast or not: so
    the words of the emptiest bank go first, and those of the fullest last.
    """
    steps = 0
    for use in sorted(banks, key=lambda use: use.lanes):
        steps = min(steps + len(use.words), use.lanes)
    return steps
