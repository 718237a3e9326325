"""`cost_many` says what `cost` says, of many accesses at once."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.banks import ARCHITECTURES, Costs, InvalidAccess, Kind, cost_many
from tests.grader.bank_tools import CASES, EVERYONE, PAIRS, Warp, recorded, strided, warps
from tests.refusals import raises

Row = tuple[int, int | None, int, int, int, int]


def many(all_of_a_sort: list[Warp], arch: str = "9.0") -> Costs:
    """Of warps of one kind and width, which are counted in another way where they are many."""
    (kind, width) = {(warp.kind, warp.width) for warp in all_of_a_sort}.pop()
    addresses = np.array([warp.addresses for warp in all_of_a_sort])
    active = np.array([warp.active for warp in all_of_a_sort])
    few, times = cost_many(kind, width, addresses, active, arch), 1000 // len(active) + 1
    repeated = np.tile(addresses, (times, 1)), np.tile(active, (times, 1))
    assert rows(cost_many(kind, width, *repeated, arch)) == rows(few) * times
    return few


def rows(costs: Costs) -> list[Row]:
    most = costs.wavefronts_at_most
    upper = [None] * len(costs.wavefronts) if most is None else most.tolist()
    arrays = (costs.wavefronts, costs.groups, costs.conflicts, costs.ideal, costs.ways)
    lists = [array.tolist() for array in arrays]
    return list(zip(lists[0], upper, *lists[1:], strict=True))


def one_by_one(all_of_a_sort: list[Warp], arch: str = "9.0") -> list[Row]:
    found = [warp.cost(arch) for warp in all_of_a_sort]
    return [
        (
            one.wavefronts,
            one.wavefronts_at_most if one.groups else (None if open_ended(one) else 0),
            one.groups,
            one.conflicts,
            one.ideal,
            one.ways,
        )
        for one in found
    ]


def open_ended(one) -> bool:
    return one.source == "CAS loop"


def test_all_recorded_instructions_cost_what_the_profiler_counted():
    sorts = defaultdict(list)
    for warp, wavefronts, conflicts, _ in recorded():
        sorts[warp.kind, warp.width].append((warp, wavefronts, conflicts))
    seen = 0
    for instructions in sorts.values():
        found = many([warp for warp, _, _ in instructions])
        assert found.wavefronts.tolist() == [wavefronts for _, wavefronts, _ in instructions]
        assert found.conflicts.tolist() == [conflicts for _, _, conflicts in instructions]
        assert found.evidence == "measured"
        seen += len(instructions)
    assert seen == len(recorded())


def legal(arch: str) -> list[tuple[str, int]]:
    rules = next(row for row in ARCHITECTURES if arch in (row.name, *row.devices)).rules
    pairs = {(kind, width) for rule in rules for kind in rule.kinds for width in rule.widths}
    return sorted(pairs)


@pytest.mark.parametrize("cases", CASES)
def test_many_cost_what_one_costs(cases):
    """A few of one sort at once, some that merge and some that do not."""

    @settings(max_examples=cases, deadline=None)
    @given(st.data())
    def check(data):
        pair = data.draw(st.sampled_from(PAIRS))
        some = [data.draw(warps([pair])) for _ in range(data.draw(st.integers(1, 3)))]
        assert rows(many(some)) == one_by_one(some)
        assert {warp.cost().evidence for warp in some} == {many(some).evidence}

    check()


@pytest.mark.parametrize("row", ARCHITECTURES, ids=lambda row: row.name)
def test_many_cost_what_one_costs_on_every_architecture(row):
    @settings(max_examples=60, deadline=None)
    @given(warps(legal(row.name)), warps(legal(row.name)))
    def check(first, second):
        second = second._replace(kind=first.kind, width=first.width)
        second = second._replace(addresses=[a - a % 16 for a in second.addresses])
        some = [first, second]
        assert rows(many(some, row.name)) == one_by_one(some, row.name)

    check()


@pytest.mark.long
@pytest.mark.parametrize(("kind", "width"), sorted(set(PAIRS)))
def test_many_random_accesses_cost_what_one_costs(kind, width):
    """More at once than are handled at once, so that all seams are crossed."""
    random = np.random.default_rng(width)
    elements = random.integers(0, 4096 // width, (9000, 32))
    elements[::3] = np.repeat(elements[::3, ::2], 2, axis=1)
    active = random.random((9000, 32)) < random.choice([0.02, 0.5, 1.0], (9000, 1))
    masks = [sum(1 << lane for lane in np.flatnonzero(on).tolist()) for on in active]
    some = [
        Warp(kind, width, w, m) for w, m in zip((elements * width).tolist(), masks, strict=True)
    ]
    assert rows(many(some)) == one_by_one(some)


@pytest.mark.parametrize("top", [1 << 16, 1 << 18, 1 << 20, 1 << 32, 1 << 40, (1 << 56) - 8192])
@pytest.mark.parametrize(
    ("kind", "width"),
    [("load", 4), ("load", 8), ("store", 16), ("atom", 4), ("atom", 8), ("atom_cas", 8)],
)
def test_high_addresses_are_counted_like_low_ones(kind, width, top):
    """Numbers are held as narrowly as they allow: the seams lie at powers of two."""
    random = np.random.default_rng(1)
    elements = random.integers(0, 60, (40, 32)) * 8 * width
    low = cost_many(kind, width, elements)
    for shift in (top, top - 128, top - 2048):
        assert rows(cost_many(kind, width, elements + shift)) == rows(low)


def test_all_on_one_bank_at_the_end_of_16_bits():
    """The lane below the row in 16 bits leaves none for the bank, which is 0 for all."""
    addresses = np.full((1, 32), 128 * 2047)
    addresses[0, :5] = 0
    assert cost_many("atom", 4, addresses).wavefronts.tolist() == [32]
    assert cost_many("atom", 4, addresses).ideal.tolist() == [27]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint64])
def test_any_integers_will_do(dtype):
    addresses = np.array([strided(4, 0), strided(1, 4)]).astype(dtype)
    active = np.array([[True] * 32, [lane % 2 == 0 for lane in range(32)]])
    assert cost_many("store", 4, addresses, active).wavefronts.tolist() == [1, 1]


def test_lists_will_do_and_all_lanes_are_active_unless_told():
    assert cost_many("load", 4, [strided(4, 2), strided(4, 32)]).wavefronts.tolist() == [2, 32]


@pytest.mark.parametrize("kind", ["load", "ldmatrix"])
def test_none_cost_nothing(kind):
    found = cost_many(kind, 4, np.zeros((0, 32), dtype=np.int64), np.zeros((0, 32), dtype=np.bool_))
    assert found.wavefronts.shape == found.conflicts.shape == (0,)


def test_no_active_lane_costs_nothing():
    found = cost_many("load", 8, np.full((2, 32), -1), np.zeros((2, 32), dtype=np.bool_))
    assert rows(found) == [(0, 0, 0, 0, 0, 0)] * 2


def test_of_a_matrix_form_the_mask_says_which_matrices_there_are():
    some = [Warp("ldmatrix", 16, strided(16, 1), mask) for mask in (EVERYONE, 0xFFFF, 0xFF, 1, 0)]
    assert many(some).wavefronts.tolist() == [4, 2, 1, 1, 0]


@pytest.mark.parametrize("number", [0, 7, 5000])
@pytest.mark.parametrize(
    ("address", "what"), [(-4, "negative"), (6, "not aligned to 4 bytes"), (1 << 57, "beyond")]
)
def test_the_first_wrong_access_and_lane_are_named(number, address, what):
    addresses = np.zeros((5002, 32), dtype=np.int64)
    addresses[number:, 9:] = address
    with raises(InvalidAccess, f"access {number}, lane 9: address {address} .*{what}"):
        cost_many("load", 4, addresses)


def test_a_wrong_access_is_named_on_1_x_too():
    with raises(InvalidAccess, "access 1, lane 0: address 2"):
        cost_many("load", 4, [[0] * 32, [2] * 32], arch="1.3")


def test_a_wrong_address_of_an_inactive_lane_is_allowed():
    warp = Warp("load", 4, [*strided(4, 1)[:31], -7], EVERYONE >> 1)
    assert many([warp]).wavefronts.tolist() == [1]


@pytest.mark.parametrize(
    ("addresses", "active"),
    [
        (np.zeros((2, 31), dtype=np.int64), None),
        (np.zeros(32, dtype=np.int64), None),
        (np.zeros((2, 32)), None),
        (np.zeros((2, 32), dtype=np.int64), np.ones((1, 32), dtype=np.bool_)),
        (np.zeros((2, 32), dtype=np.int64), np.ones((2, 32), dtype=np.int64)),
    ],
)
def test_other_shapes_and_types_are_refused(addresses, active):
    with raises(InvalidAccess, r"addresses|active"):
        cost_many("load", 4, addresses, active)


@pytest.mark.parametrize(("kind", "width"), [("read", 4), ("load", 3), ("atom_inc", 8)])
def test_other_kinds_and_widths_are_refused(kind: Kind, width: int):
    with pytest.raises(InvalidAccess):
        cost_many(kind, width, np.zeros((1, 32), dtype=np.int64))
