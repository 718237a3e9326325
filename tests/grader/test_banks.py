"""The bank model of 9.0 against what the hardware counted, closed forms, and a twin."""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.banks import Access, InvalidAccess, architecture, bank, cost, counted_lanes
from tests.grader.bank_tools import (
    CASES,
    EVERYONE,
    MATRIX,
    PAIRS,
    ROW,
    Warp,
    count,
    counted,
    pairwise,
    recorded,
    strided,
    twin,
    warps,
)
from tests.refusals import raises

# Recorded counters


def test_all_recorded_instructions_cost_what_the_profiler_counted():
    assert len(recorded()) == 900 + 284 + 1300
    wrong = []
    for warp, wavefronts, conflicts, place in recorded():
        found = warp.cost()
        if (found.wavefronts, found.conflicts) != (wavefronts, conflicts):
            wrong.append((place, warp.kind, warp.width, found.wavefronts, found.conflicts))
        assert (found.wavefronts_at_most, found.conflicts_at_most) == (wavefronts, conflicts)
        assert (found.evidence, found.source) == ("measured", "H200")
    assert wrong == []


def test_the_recordings_have_all_that_is_measured_so_that_the_test_above_means_something():
    assert {(one.warp.kind, one.warp.width) for one in recorded()} == {
        (kind, width)
        for rule in architecture("9.0").rules
        if rule.known.evidence == "measured"
        for kind in rule.kinds
        for width in rule.widths
    }
    masks = {one.warp.mask for one in recorded() if one.warp.kind in MATRIX}
    assert masks == {0xFF, 0xFFFF, EVERYONE}
    same = [
        one for one in recorded() if one.warp.kind in MATRIX and pairwise(one.warp, {*range(32)})
    ]
    assert {one.warp.kind for one in same} == {*MATRIX}  # those that would merge if they were loads


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
    ("kind", "width", "wavefronts", "conflicts"),
    [("atom", 4, 32, 31), ("atom_cas", 4, 64, 31), ("atom_cas", 8, 64, 30), ("atom_inc", 4, 1, 0)],
)
def test_lanes_on_one_word_are_combined_only_where_the_result_is_unused(
    kind, width, wavefronts, conflicts
):
    assert count(kind, width, [0] * 32) == (wavefronts, conflicts)


@pytest.mark.parametrize("width", [4, 8])
def test_a_stride_of_compare_and_swaps_takes_two_wavefronts_a_pass(width):
    parts = width // 4
    for stride in range(1, 130):
        passes = parts * gcd(stride, 32 // parts)
        assert count("atom_cas", width, strided(width, stride)) == (2 * passes, passes - parts)


@pytest.mark.parametrize(("width", "wavefronts"), [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)])
def test_a_contiguous_access_is_wide_and_not_conflicted(width, wavefronts):
    assert count("load", width, strided(width, 1)) == (wavefronts, 0)


# The condition under which loads merge


def sizes(warp: Warp) -> tuple[int, int]:
    """Wavefronts and lane groups."""
    found = warp.cost()
    return found.wavefronts, found.groups


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
    assert sizes(Warp("load", width, paired(step))) == (16, groups)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize(("width", "groups"), [(8, 2), (16, 4)])
@pytest.mark.parametrize("lane", [0, 13, 31])
def test_one_lane_that_disagrees_keeps_the_whole_warp_unmerged(step, width, groups, lane):
    """Deciding group by group would merge the other half."""
    assert Warp("load", width, paired(step, broken_at=lane)).cost().groups == groups


@pytest.mark.parametrize(("width", "groups"), [(8, 2), (16, 4)])
def test_half_the_warp_by_one_condition_and_half_by_the_other_is_neither(width, groups):
    addresses = paired(1)[:16] + paired(2)[16:]
    assert Warp("load", width, addresses).cost().groups == groups


@pytest.mark.parametrize(("width", "groups"), [(8, 2), (16, 4)])
@pytest.mark.parametrize("step", [4, 8, 16])
def test_partners_further_away_do_not_merge(width, groups, step):
    assert Warp("load", width, paired(step)).cost().groups == groups


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
    assert sizes(Warp("load", 8, strided(8, 16), mask)) == (active, 1), why


def test_the_address_of_an_inactive_lane_does_not_matter():
    addresses = paired(1)
    for lane in range(1, 32, 2):
        addresses[lane] = -3
    assert sizes(Warp("load", 16, addresses, 0x55555555)) == (16, 2)


def test_merging_saves_wavefronts_where_groups_would_have_paid_apart():
    # The lower half reads bank 0–1, the upper half bank 2–3: apart 1 + 1, together 1.
    addresses = [0] * 16 + [8] * 16
    assert count("load", 8, addresses) == (1, 0)
    assert count("store", 8, addresses) == (2, 0)


@pytest.mark.parametrize("kind", ["store", *MATRIX])
def test_nothing_but_a_load_merges(kind):
    assert Warp(kind, 16, [0] * 32).cost().groups == 4


def test_a_group_without_an_active_lane_costs_nothing():
    assert sizes(Warp("store", 16, strided(16, 1), 0x00FF0000)) == (1, 1)
    assert sizes(Warp("load", 4, [0] * 32, 0)) == (0, 0)


@pytest.mark.parametrize("kind", MATRIX)
@pytest.mark.parametrize(
    ("mask", "matrices"), [(0xFF, 1), (0xFFFF, 2), (EVERYONE, 4), (0x80, 1), (0x101, 2), (0, 0)]
)
def test_a_matrix_with_an_active_lane_counts_whole_and_another_is_not_there(kind, mask, matrices):
    found = Warp(kind, 16, strided(16, 2), mask).cost()
    assert (found.wavefronts, found.groups, found.ideal) == (2 * matrices, matrices, matrices)
    assert all(len(group.lanes) == 8 for group in found.lane_groups)


# Linear layouts: addresses that are the XOR of one vector for each set bit of the lane


def rank(vectors: list[int]) -> int:
    """Over GF(2), by elimination."""
    basis: list[int] = []
    for vector in vectors:
        rest = vector
        for other in basis:
            rest = min(rest, rest ^ other)
        if rest:
            basis.append(rest)
    return len(basis)


def linear(vectors: list[int], start: int) -> list[int]:
    """Units by lane."""
    units = []
    for lane in range(32):
        unit = start
        for bit, vector in enumerate(vectors):
            unit ^= vector * (lane >> bit & 1)
        units.append(unit)
    return units


@pytest.mark.parametrize("cases", CASES)
def test_a_linear_layout_costs_two_to_the_rank_it_loses_on_the_banks(cases):
    @settings(max_examples=cases, deadline=None)
    @given(
        st.sampled_from(["load", "store"]),
        st.sampled_from([4, 8, 16]),
        st.lists(st.integers(0, 2047) | st.sampled_from([0, 32, 64]), min_size=5, max_size=5),
        st.integers(0, 2047),
    )
    def check(kind, width, vectors, start):
        bits = {4: 5, 8: 4, 16: 3}[width]  # of the lane within a group, and of the bank of a unit
        merged = kind == "load" and width > 4 and 0 in vectors[:2]
        within = bits + merged
        lost = rank(vectors[:within]) - rank([vector % 2**bits for vector in vectors[:within]])
        groups = 2 ** (5 - within)
        warp = Warp(kind, width, [unit * width for unit in linear(vectors, start)])
        found = warp.cost()
        assert (found.groups, found.wavefronts) == (groups, groups * 2**lost)
        assert found.ways == 2**lost

    check()


# What else a cost says


def test_the_witness_names_the_lanes_the_bank_and_the_words():
    found = Warp("load", 4, [32 * 4 * (lane % 3) + 20 for lane in range(32)]).cost()
    assert found.witness == found.lane_groups[0].witness == found.lane_groups[0].banks[0]
    assert found.witness is not None
    assert (found.witness.bank, found.witness.rows) == (5, 3)
    assert found.witness.words == (
        (5, tuple(range(0, 32, 3))),
        (37, tuple(range(1, 32, 3))),
        (69, tuple(range(2, 32, 3))),
    )
    assert Warp("load", 4, [0] * 32, 0).cost().witness is None


def test_the_witness_is_the_busiest_bank_of_the_group_that_takes_longest():
    addresses = strided(8, 1)[:16] + [8 * 5 + 128 * (lane % 4) for lane in range(16)]
    found = Warp("store", 8, addresses).cost()
    assert [group.wavefronts for group in found.lane_groups] == [1, 4]
    assert found.witness is not None
    assert found.witness.bank == 10
    assert [word for word, _ in found.witness.words] == [10, 42, 74, 106]
    assert found.lane_groups[1].lanes == tuple(range(16, 32))


def test_every_bank_is_listed_with_all_that_touch_it():
    (group,) = Warp("load", 4, strided(4, 2)).cost().lane_groups
    assert [use.bank for use in group.banks] == list(range(0, 32, 2))
    for use in group.banks:
        assert use.words == ((use.bank, (use.bank // 2,)), (use.bank + 32, (use.bank // 2 + 16,)))


def test_the_ideal_is_that_of_the_same_words_placed_best():
    assert Warp("load", 4, strided(4, 32)).cost().ideal == 1
    assert Warp("load", 16, strided(16, 8)).cost().ideal == 4
    assert Warp("load", 16, strided(16, 8), 0x00FF00FF).cost().ideal == 2
    assert Warp("load", 8, [0] * 32).cost().ideal == 1  # merged
    assert Warp("store", 8, [0] * 32).cost().ideal == 2
    assert Warp("atom_inc", 4, [0] * 32).cost().ideal == 1
    # Lanes on one word of an atomic wait whatever the placement.
    fours = [128 * (lane // 4) for lane in range(32)]
    assert Warp("atom", 4, fours).cost().ideal == 4
    assert Warp("atom_cas", 4, fours).cost().ideal == 8  # two wavefronts a pass
    assert Warp("atom_cas", 8, fours).cost().ideal == 16  # in each of two groups


def test_the_degree_is_that_of_the_worst_group():
    assert Warp("load", 4, strided(4, 2)).cost().ways == 2
    assert Warp("load", 8, strided(8, 2)).cost().ways == 2
    assert Warp("load", 16, strided(16, 1)).cost().ways == 1
    assert Warp("load", 4, [0] * 32, 0).cost().ways == 0
    assert Warp("atom_cas", 4, strided(4, 2)).cost().ways == 2
    assert Warp("atom_cas", 8, [0] * 32).cost().ways == 16


@pytest.mark.parametrize(
    ("kind", "width"), [("atom_float", 4), ("atom_cas", 16), ("atom", 8), ("atom_float", 8)]
)
def test_atomics_that_retry_have_a_lower_bound_only(kind, width):
    addresses = [width * 64 * (lane % 5) for lane in range(32)]  # 7 lanes on the first two words
    found = Warp(kind, width, addresses).cost()
    assert (found.wavefronts, found.conflicts, found.ideal) == (7, 6, 7)
    assert found.wavefronts_at_most is found.conflicts_at_most is None
    assert (found.evidence, found.source) == ("inferred", "CAS loop")


# Against the twin, and invariants


@pytest.mark.parametrize("cases", CASES)
def test_any_access_costs_what_the_twin_says(cases):
    @settings(max_examples=cases, deadline=None)
    @given(warps())
    def check(warp):
        assert counted(warp.cost()) == twin(warp)

    check()


@pytest.mark.parametrize("cases", CASES)
def test_moving_all_lanes_by_whole_rows_of_banks_changes_nothing(cases):
    @settings(max_examples=cases, deadline=None)
    @given(warps(), st.integers(1, 1000))
    def check(warp, rows):
        moved = warp._replace(addresses=[address + rows * ROW for address in warp.addresses])
        assert counted(moved.cost()) == counted(warp.cost())

    check()


@pytest.mark.parametrize("cases", CASES)
def test_renaming_the_banks_changes_nothing(cases):
    """XOR with a constant moves whole units from bank to bank."""

    @settings(max_examples=cases, deadline=None)
    @given(warps(), st.integers(0, 127))
    def check(warp, flip):
        flip -= flip % warp.width
        moved = warp._replace(addresses=[address ^ flip for address in warp.addresses])
        assert counted(moved.cost()) == counted(warp.cost())

    check()


NARROW = [(kind, width) for kind, width in PAIRS if width <= 4]


@pytest.mark.parametrize("cases", CASES)
def test_which_lane_has_which_address_does_not_matter_up_to_four_bytes(cases):
    @settings(max_examples=cases, deadline=None)
    @given(warps(NARROW), st.randoms(use_true_random=False))
    def check(warp, random):
        order = random.sample(range(32), 32)
        mask = sum((warp.mask >> lane & 1) << place for place, lane in enumerate(order))
        addresses = [warp.addresses[lane] for lane in order]
        shuffled = warp._replace(addresses=addresses, mask=mask)
        assert counted(shuffled.cost()) == counted(warp.cost())

    check()


@pytest.mark.parametrize("cases", CASES)
def test_costs_are_within_what_is_possible(cases):
    @settings(max_examples=cases, deadline=None)
    @given(warps(), st.integers(0, 31))
    def check(warp, lane):
        found = warp.cost()
        each = found.wavefronts_a_pass
        assert 0 <= found.conflicts <= found.wavefronts <= 32 * each * max(1, warp.width // 4)
        assert found.groups <= found.ideal // each <= found.wavefronts // each
        assert found.wavefronts // each <= found.ways * found.groups
        assert found.ideal % each == found.wavefronts % each == 0
        seen = [lane for group in found.lane_groups for lane in group.lanes]
        counted = counted_lanes(warp.kind, np.array(warp.active))
        assert seen == np.flatnonzero(counted).tolist()
        for group in found.lane_groups:
            assert group.witness in group.banks
        if warp.kind != "load":  # one lane less may keep a load from merging, or make it merge
            fewer = warp._replace(mask=warp.mask & ~(1 << lane))
            assert fewer.cost().wavefronts <= found.wavefronts

    check()


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
    with raises(InvalidAccess, rf"lane {lane}\b.*{address}"):
        Warp("load", width, addresses).cost()


def test_the_first_wrong_lane_is_named():
    with raises(InvalidAccess, "lane 3:"):
        Warp("load", 4, [0, 0, 0, 1] + [1] * 28).cost()


def test_a_wrong_address_of_an_inactive_lane_is_allowed_except_for_matrices():
    addresses = strided(16, 1)
    addresses[5] = 1
    mask = EVERYONE & ~(1 << 5)
    assert count("load", 16, addresses, mask) == twin(Warp("load", 16, addresses, mask))[:2]
    with raises(InvalidAccess, "lane 5:"):
        Warp("ldmatrix", 16, addresses, mask).cost()


@pytest.mark.parametrize("width", [0, 3, 5, 12, 32, -4])
def test_other_widths_are_refused(width):
    with raises(InvalidAccess, f"{width} bytes"):
        Warp("load", width, [0] * 32).cost()


def test_other_kinds_and_shapes_are_refused():
    with raises(InvalidAccess, "'read'"):
        Warp("read", 4, [0] * 32).cost()
    with raises(InvalidAccess, "32 addresses"):
        cost(Access("load", 4, np.zeros(31, dtype=np.int64), np.ones(31, dtype=np.bool_)))


def test_addresses_beyond_any_memory_are_refused():
    with raises(InvalidAccess, r"lane 0: .*beyond"):
        Warp("load", 4, [1 << 56] * 32).cost()


@pytest.mark.parametrize(("kind", "width"), [("atom_inc", 8), ("atom", 1), ("atom_float", 16)])
def test_an_atomic_of_a_width_that_it_does_not_have_is_refused(kind, width):
    with raises(InvalidAccess, rf"9\.0 has no {kind} of {width} bytes.*possible: "):
        Warp(kind, width, [0] * 32).cost()
