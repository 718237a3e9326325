"""The bank model against what the hardware counted, closed forms, and a twin written anew."""

from __future__ import annotations

import csv
from collections import defaultdict
from math import gcd
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.banks import Access, AccessCost, InvalidAccess, bank, cost

RECORDED = Path(__file__).parents[1] / "data" / "h200_wavefronts.csv"
KIND_OF = {"ld": "load", "st": "store"}
EVERYONE = (1 << 32) - 1
MATRIX = ("ldmatrix", "stmatrix")


def access(kind: str, width: int, addresses: list[int], mask: int = EVERYONE) -> Access:
    active = np.array([mask >> lane & 1 for lane in range(32)], dtype=np.bool_)
    return Access(kind, width, np.array(addresses, dtype=np.int64), active)


def count(kind: str, width: int, addresses: list[int], mask: int = EVERYONE) -> tuple[int, int]:
    """Wavefronts and conflicts."""
    found = cost(access(kind, width, addresses, mask))
    return found.wavefronts, found.conflicts


def strided(width: int, stride: int) -> list[int]:
    return [stride * lane * width for lane in range(32)]


def twin(kind: str, width: int, addresses: list[int], mask: int) -> tuple[int, int]:
    """The six rules of the hardware notes in plain sets and loops: wavefronts and conflicts."""
    if kind in MATRIX:
        width, mask = 16, EVERYONE
    active = {lane for lane in range(32) if mask & 1 << lane}
    lanes_together = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}[width]

    def agrees(lane: int, other: int) -> bool:
        return other not in active or addresses[other] == addresses[lane]

    if kind == "load" and width >= 8:
        by_one = all(agrees(lane, lane ^ 1) for lane in active)
        by_two = all(agrees(lane, lane ^ 2) for lane in active)
        if by_one or by_two:
            lanes_together *= 2

    wavefronts = groups = 0
    for first in range(0, 32, lanes_together):
        members = active & set(range(first, first + lanes_together))
        if not members:
            continue
        groups += 1
        lanes_on, words_on = defaultdict(int), defaultdict(set)
        for lane in members:
            for word in range(addresses[lane] // 4, (addresses[lane] + width - 1) // 4 + 1):
                lanes_on[word % 32] += 1
                words_on[word % 32].add(word)
        per_bank = lanes_on.values() if kind == "atom" else map(len, words_on.values())
        wavefronts += max(per_bank)
    return wavefronts, wavefronts - groups


# Recorded counters


def recorded() -> list[dict[str, str]]:
    with RECORDED.open(newline="") as file:
        return list(csv.DictReader(file))


def test_all_900_recorded_instructions_cost_what_the_profiler_counted():
    rows = recorded()
    assert len(rows) == 900
    wrong = []
    for line, row in enumerate(rows, 2):
        found = count(
            KIND_OF.get(row["op"], row["op"]),
            int(row["width"]),
            [int(offset) for offset in row["offsets"].split()],
            int(row["mask"], 16),
        )
        counted = int(row["wavefronts"]), int(row["conflicts"])
        if found != counted:
            wrong.append((line, row["op"], row["width"], found, counted))
    assert wrong == []


def test_the_recording_has_every_kind_and_width_so_that_the_test_above_means_something():
    assert {(row["op"], row["width"]) for row in recorded()} >= {
        *((op, width) for op in ("ld", "st") for width in ("1", "2", "4", "8", "16")),
        ("atom", "4"),
        ("atom_inc", "4"),
        ("ldmatrix", "16"),
        ("stmatrix", "16"),
    }


# Closed forms


@pytest.mark.parametrize("kind", ["load", "store"])
@pytest.mark.parametrize("width", [4, 8, 16])
def test_a_stride_costs_its_closed_form(kind, width):
    parts = width // 4  # 1, 2, 4 lane groups
    for stride in range(1, 130):
        wavefronts = parts * gcd(stride, 32 // parts)
        assert count(kind, width, strided(width, stride)) == (wavefronts, wavefronts - parts), (
            f"stride {stride}"
        )


@pytest.mark.parametrize(
    ("kind", "width", "wavefronts"),
    [
        ("load", 4, 1),
        ("load", 8, 1),
        ("load", 16, 2),
        ("store", 4, 1),
        ("store", 8, 2),
        ("store", 16, 4),
    ],
)
def test_all_lanes_at_one_address_are_no_conflict(kind, width, wavefronts):
    assert count(kind, width, strided(width, 0)) == (wavefronts, 0)


@pytest.mark.parametrize(
    ("kind", "wavefronts", "conflicts"), [("atom", 32, 31), ("atom_inc", 1, 0)]
)
def test_lanes_on_one_word_are_combined_only_where_the_result_is_unused(
    kind, wavefronts, conflicts
):
    assert count(kind, 4, [0] * 32) == (wavefronts, conflicts)


@pytest.mark.parametrize(("width", "wavefronts"), [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)])
def test_a_contiguous_access_is_wide_and_not_conflicted(width, wavefronts):
    assert count("load", width, strided(width, 1)) == (wavefronts, 0)


# The condition under which loads merge

ROW = 128
"""Bytes of all banks once: addresses a multiple of it apart conflict."""


def paired(step: int, *, broken_at: int | None = None) -> list[int]:
    """Lane i and i^step at one address, every pair on words of its own in the same banks.

    `broken_at`: this lane goes to another row.
    """
    addresses = [ROW * (lane & ~step) for lane in range(32)]
    if broken_at is not None:
        addresses[broken_at] += 64 * ROW
    return addresses


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize(("width", "groups"), [(8, 1), (16, 2)])
def test_loads_merge_when_all_lanes_agree_with_their_partner(step, width, groups):
    # All pairs are in one bank: 16 rows cost 16 however they are grouped; groups tell.
    assert cost(access("load", width, paired(step))) == AccessCost(16, groups)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize(("width", "groups"), [(8, 2), (16, 4)])
@pytest.mark.parametrize("lane", [0, 13, 31])
def test_one_lane_that_disagrees_keeps_the_whole_warp_unmerged(step, width, groups, lane):
    """Deciding group by group would merge the other half."""
    assert cost(access("load", width, paired(step, broken_at=lane))).groups == groups


@pytest.mark.parametrize(("width", "groups"), [(8, 2), (16, 4)])
def test_half_the_warp_by_one_condition_and_half_by_the_other_is_neither(width, groups):
    addresses = paired(1)[:16] + paired(2)[16:]
    assert cost(access("load", width, addresses)).groups == groups


@pytest.mark.parametrize(("width", "groups"), [(8, 2), (16, 4)])
@pytest.mark.parametrize("step", [4, 8, 16])
def test_partners_further_away_do_not_merge(width, groups, step):
    assert cost(access("load", width, paired(step))).groups == groups


@pytest.mark.parametrize(
    ("mask", "why"),
    [
        (0x55555555, "i^1 is inactive for every active lane"),
        (0x33333333, "i^2 is inactive for every active lane"),
        (0x00000001, "one lane alone"),
    ],
)
def test_an_inactive_partner_counts_as_agreement(mask, why):
    active = mask.bit_count()
    found = cost(access("load", 8, strided(8, 16), mask))
    assert found == AccessCost(active, 1), why


def test_the_address_of_an_inactive_lane_does_not_matter():
    addresses = paired(1)
    for lane in range(1, 32, 2):
        addresses[lane] = -3
    assert cost(access("load", 16, addresses, 0x55555555)) == AccessCost(16, 2)


def test_merging_saves_wavefronts_where_groups_would_have_paid_apart():
    # The lower half reads bank 0–1, the upper half bank 2–3: apart 1 + 1, together 1.
    addresses = [0] * 16 + [8] * 16
    assert count("load", 8, addresses) == (1, 0)
    assert count("store", 8, addresses) == (2, 0)


@pytest.mark.parametrize("kind", ["store", *MATRIX])
def test_nothing_but_a_load_merges(kind):
    assert cost(access(kind, 16, [0] * 32)).groups == 4


def test_a_group_without_an_active_lane_costs_nothing():
    assert cost(access("store", 16, strided(16, 1), 0x00FF0000)) == AccessCost(1, 1)
    assert cost(access("load", 4, [0] * 32, 0)) == AccessCost(0, 0)


# Against the twin, and invariants

KINDS = ("load", "store", "atom", "atom_inc", *MATRIX)


@st.composite
def accesses(draw: st.DrawFn) -> tuple[str, int, list[int], int]:
    kind = draw(st.sampled_from(KINDS))
    width = 16 if kind in MATRIX else draw(st.sampled_from([1, 2, 4, 8, 16]))
    # Few different elements, so that lanes meet; sometimes in equal pairs, so that loads merge.
    reach = draw(st.sampled_from([2, 8, 64, 1024]))
    elements = draw(st.lists(st.integers(0, reach), min_size=32, max_size=32))
    step = draw(st.sampled_from([0, 0, 1, 2]))
    elements = [elements[lane & ~step] for lane in range(32)]
    pitch = draw(st.sampled_from([1, 1, 8, 32, 33]))
    mask = draw(st.sampled_from([EVERYONE, 0x55555555, 0x0F0F0F0F]) | st.integers(0, EVERYONE))
    return kind, width, [element * pitch * width for element in elements], mask


@given(accesses())
def test_any_access_costs_what_the_twin_says(one):
    assert count(*one) == twin(*one)


@given(accesses(), st.integers(1, 1000))
def test_moving_all_lanes_by_whole_rows_of_banks_changes_nothing(one, rows):
    kind, width, addresses, mask = one
    assert count(kind, width, [a + rows * ROW for a in addresses], mask) == count(*one)


@given(accesses(), st.permutations(range(32)))
def test_which_lane_has_which_address_does_not_matter_up_to_four_bytes(one, order):
    kind, width, addresses, mask = one
    width = min(width, 4)
    kind = "load" if kind in MATRIX else kind
    shuffled = [addresses[lane] for lane in order]
    new_mask = sum((mask >> lane & 1) << position for position, lane in enumerate(order))
    assert count(kind, width, shuffled, new_mask) == count(kind, width, addresses, mask)


@given(accesses())
def test_conflicts_are_never_negative_and_a_warp_has_at_most_32_lanes(one):
    wavefronts, conflicts = count(*one)
    assert 0 <= conflicts <= wavefronts <= 32 * max(1, one[1] // 4)


def test_the_bank_of_an_element_is_that_of_its_first_byte():
    for width in (1, 2, 4, 8, 16):
        for index in range(0, 300, 7):
            assert bank(width, index) == (index * width // 4) % 32


# Impossible accesses


@pytest.mark.parametrize(
    ("lane", "address", "width"), [(0, 2, 4), (7, 12, 8), (31, 8, 16), (19, -4, 4)]
)
def test_a_misaligned_or_negative_address_is_refused_by_lane(lane, address, width):
    addresses = strided(width, 1)
    addresses[lane] = address
    with pytest.raises(InvalidAccess, match=rf"lane {lane}\b.*{address}"):
        cost(access("load", width, addresses))


def test_the_first_wrong_lane_is_named():
    with pytest.raises(InvalidAccess, match="lane 3:"):
        cost(access("load", 4, [0, 0, 0, 1] + [1] * 28))


def test_a_wrong_address_of_an_inactive_lane_is_allowed_except_for_matrices():
    addresses = strided(16, 1)
    addresses[5] = 1
    mask = EVERYONE & ~(1 << 5)
    assert count("load", 16, addresses, mask) == twin("load", 16, addresses, mask)
    with pytest.raises(InvalidAccess, match="lane 5:"):
        cost(access("ldmatrix", 16, addresses, mask))


@pytest.mark.parametrize("width", [0, 3, 5, 12, 32, -4])
def test_other_widths_are_refused(width):
    with pytest.raises(InvalidAccess, match=f"{width} bytes"):
        cost(access("load", width, [0] * 32))


def test_other_kinds_and_shapes_are_refused():
    with pytest.raises(InvalidAccess, match="'read'"):
        cost(access("read", 4, [0] * 32))
    with pytest.raises(InvalidAccess, match="32 addresses"):
        cost(Access("load", 4, np.zeros(31, dtype=np.int64), np.ones(31, dtype=np.bool_)))
