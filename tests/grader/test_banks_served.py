"""Which bank serves whom in which pass: as many passes as counted, and nobody left out."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.banks import ARCHITECTURES, InvalidAccess, Pass, architecture, passes
from tests.grader.bank_tools import CASES, MATRIX, PAIRS, ROW, Warp, recorded, strided, warps

ARCHS = ["1.0", "2.0", "3.5", "3.5-8byte", "6.1", "8.0", "9.0"]


def served(warp: Warp, arch: str = "9.0") -> list[Pass]:
    return list(passes(warp.cost(arch), architecture(arch)))


def by_bank(found: list[Pass], group: int) -> dict[int, list[tuple[int, ...]]]:
    """What each bank serves in a lane group, pass by pass."""
    table: dict[int, list[tuple[int, ...]]] = {}
    for one in found:
        for bank, lanes in one.lanes.items():
            if one.group == group:
                table.setdefault(bank, []).append(lanes)
    return table


def touched(warp: Warp, arch: str, lanes: tuple[int, ...]) -> dict[int, set[tuple[int, int, int]]]:
    """By bank, who touches what: (row of the bank, word, lane), byte by byte."""
    row = architecture(arch)
    found: dict[int, set[tuple[int, int, int]]] = {}
    for lane in lanes:
        for byte in range(warp.addresses[lane], warp.addresses[lane] + warp.width):
            bank = byte // row.bank_bytes % row.banks
            found.setdefault(bank, set()).add((byte // row.row_bytes, byte // 4, lane))
    return found


def test_each_recorded_instruction_has_the_passes_that_were_counted():
    for warp, wavefronts, conflicts, place in recorded():
        found = served(warp)
        assert len(found) * warp.cost().wavefronts_a_pass == wavefronts, place
        assert sum(not one.first for one in found) == conflicts, place


@pytest.mark.parametrize("cases", CASES)
def test_as_many_passes_as_counted_and_everybody_is_served(cases):
    @settings(max_examples=cases, deadline=None)
    @given(warps(), st.sampled_from(ARCHS))
    def check(warp, arch):
        try:
            cost = warp.cost(arch)
        except InvalidAccess:
            assume(False)
        found = served(warp, arch)
        if cost.count not in ("words", "lanes", "lanes per word"):
            assert found == []
            return
        each = cost.wavefronts_a_pass
        assert len(found) * each == cost.wavefronts
        assert [one.number for one in found] == list(range(1, len(found) + 1))
        assert [one.group for one in found] == sorted(one.group for one in found)
        for number, group in enumerate(cost.lane_groups):
            of_group = [one for one in found if one.group == number]
            further = group.wavefronts // each - 1
            assert [one.first for one in of_group] == [True] + [False] * further
            expected = touched(warp, arch, group.lanes)
            table = by_bank(found, number)
            assert table.keys() == expected.keys()
            for bank, queue in table.items():
                assert all(list(lanes) == sorted(set(lanes)) for lanes in queue)
                check_queue(cost.count, queue, expected[bank])

    check()


def check_queue(count: str, queue: list[tuple[int, ...]], who: set[tuple[int, int, int]]) -> None:
    """What a bank does one after the other is all that it has to do, and nothing twice."""
    if count == "words":
        rows = sorted({row for row, _, _ in who})
        assert queue == [tuple(sorted({n for r, _, n in who if r == row})) for row in rows]
    elif count == "lanes":
        assert queue == [(lane,) for _, _, lane in sorted(who, key=lambda each: each[2])]
    else:
        assert len(queue) == max(Counter(word for _, word, _ in who).values())
        assert sorted(lane for lanes in queue for lane in lanes) == sorted({n for _, _, n in who})
        for lanes in queue:  # a retry lets one lane of each word through
            assert set(Counter(word for _, word, lane in who if lane in lanes).values()) == {1}


def test_a_compare_and_swap_of_8_bytes_holds_two_banks_in_each_pass():
    found = served(Warp("atom_cas", 8, [ROW * (lane // 2) for lane in range(32)]))
    assert [one.lanes for one in found] == [{0: (lane,), 1: (lane,)} for lane in range(32)]
    assert [one.number for one in found if one.first] == [1, 17]


@pytest.mark.parametrize("kind", ["atom", "atom_cas"])
def test_an_atomic_lets_one_lane_of_a_bank_through_at_a_time(kind):
    found = served(Warp(kind, 4, [ROW * (lane // 2) for lane in range(32)]))
    assert [one.lanes for one in found] == [{0: (lane,)} for lane in range(32)]


def test_a_retry_serves_a_lane_of_every_word_lowest_first():
    """Word 0 has lanes 2 and 3, word 32 on the same bank lanes 0 and 1."""
    found = served(Warp("atom_float", 4, [128, 128, 0, 0] + [0] * 28, 0b1111))
    assert [one.lanes for one in found] == [{0: (0, 2)}, {0: (1, 3)}]


def test_a_lane_with_two_words_of_one_bank_is_served_once():
    """3.x in 8-byte mode: a bank hands over 8 bytes."""
    found = served(Warp("atom", 8, strided(8, 0)), "3.5-8byte")
    assert [one.lanes for one in found] == [{0: (lane,)} for lane in range(32)]
    assert served(Warp("load", 8, strided(8, 0)), "3.5-8byte")[0].lanes == {0: tuple(range(32))}


def test_two_words_of_a_row_are_handed_over_together_on_3x():
    words_0_and_32 = [128 * (lane % 2) for lane in range(32)]
    assert [one.lanes for one in served(Warp("load", 4, words_0_and_32), "3.5")] == [
        {0: tuple(range(32))}
    ]
    assert [one.lanes for one in served(Warp("load", 4, words_0_and_32), "9.0")] == [
        {0: tuple(range(0, 32, 2))},
        {0: tuple(range(1, 32, 2))},
    ]


def test_a_wide_lane_is_served_by_all_its_banks_at_once():
    found = served(Warp("store", 16, strided(16, 1)))
    assert [one.first for one in found] == [True] * 4
    for one in found:
        assert one.lanes == {bank: (8 * one.group + bank // 4,) for bank in range(32)}


def test_nobody_active_is_no_pass():
    assert served(Warp("load", 4, strided(4, 1), 0)) == []
    assert served(Warp("ldmatrix", 16, strided(16, 1), 0)) == []
    assert len(served(Warp("ldmatrix", 16, strided(16, 1), 0xFF))) == 1


@pytest.mark.parametrize("arch", [row.name for row in ARCHITECTURES])
def test_every_rule_of_every_architecture_gives_its_passes_or_none(arch):
    for kind, width in PAIRS:
        warp = Warp(kind, width, strided(width, 3))
        try:
            cost = warp.cost(arch)
        except InvalidAccess:
            continue
        wavefronts = len(served(warp, arch)) * cost.wavefronts_a_pass
        assert wavefronts in (0, cost.wavefronts)
        if cost.wavefronts_at_most == cost.wavefronts and kind in (*MATRIX, "atom", "atom_inc"):
            assert wavefronts == cost.wavefronts
