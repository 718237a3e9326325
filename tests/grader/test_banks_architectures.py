"""What each architecture does, by hand; the table, and the page that shows it."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import gcd
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.banks import ARCHITECTURES, KINDS, SOURCES, InvalidAccess, architecture
from tests.grader.bank_tools import CASES, Warp, counted, strided, twin, warps
from tests.refusals import raises

PAGE = Path(__file__).parents[2] / "docs" / "bank-model.md"
MODERN = ["7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.8", "8.9", "9.0", "10.0", "11.0", "12.1"]
WIDE = [(kind, width) for kind in ("load", "store") for width in (1, 2, 4, 8, 16)]


# The table


def test_every_row_is_found_by_name_and_by_each_of_its_devices():
    names = [name for row in ARCHITECTURES for name in {row.name, *row.devices}]
    assert len(names) == len(set(names))
    for row in ARCHITECTURES:
        assert all(architecture(name) is row for name in (row.name, *row.devices))


def test_an_unknown_architecture_is_refused_with_those_known():
    for name in ("4.0", "9", "", "sm_40", "sm_"):
        with raises(InvalidAccess, rf"'{name}'.*1\.x.*9\.0"):
            architecture(name)


def test_a_capability_may_be_written_as_compilers_write_it():
    assert architecture("sm_89") is architecture("89") is architecture("8.9")
    assert architecture("sm_100") is architecture("10.0")
    assert architecture("5.x-6.x") is architecture("5.x–6.x")


def test_every_rule_has_a_source_and_every_source_is_used():
    rules = [rule for row in ARCHITECTURES for rule in row.rules]
    assert {rule.known.source for rule in rules} == set(SOURCES)


def test_no_access_has_two_rules():
    for row in ARCHITECTURES:
        sorts = [(k, w) for rule in row.rules for k in rule.kinds for w in rule.widths]
        assert len(sorts) == len(set(sorts)), row.name


def test_where_merging_is_unknown_the_rule_is_no_more_than_inferred():
    unknown = [rule for row in ARCHITECTURES for rule in row.rules if rule.merges is None]
    assert {rule.known.evidence for rule in unknown} == {"inferred"}


def test_only_what_was_recorded_on_9_0_is_called_measured():
    measured = {row.name for row in ARCHITECTURES for r in row.rules if r.known[0] == "measured"}
    assert measured == {"9.0"}
    evidence = {
        (kind, width): rule.known.evidence
        for rule in architecture("9.0").rules
        for kind in rule.kinds
        for width in rule.widths
    }
    loops = {sort for sort, how in evidence.items() if how == "inferred"}
    assert loops == {
        *(("atom_cas", width) for width in (2, 16)),
        *(("atom_float", width) for width in (2, 4, 8)),
        ("atom", 8),
    }
    assert set(evidence.values()) == {"measured", "inferred"}


@pytest.mark.parametrize("row", ARCHITECTURES, ids=lambda row: row.name)
def test_loads_and_stores_of_every_width_exist_everywhere(row):
    for kind, width in WIDE:
        assert Warp(kind, width, strided(width, 1)).cost(row.name).evidence in (
            "measured",
            "published",
            "inferred",
        )


@pytest.mark.parametrize(
    ("kind", "first"),
    [("ldmatrix", "7.5"), ("stmatrix", "9.0")],
)
def test_matrix_accesses_exist_since(kind, first):
    names = [row.name for row in ARCHITECTURES]
    for name in names:
        warp = Warp(kind, 16, strided(16, 1))
        if names.index(name) >= names.index(first):
            assert warp.cost(name).wavefronts == 4
        else:
            with raises(InvalidAccess, f"has no {kind}"):
                warp.cost(name)


# 5.x and later


@pytest.mark.parametrize("arch", ["5.2", "6.1", *MODERN])
@pytest.mark.parametrize("width", [4, 8, 16])
def test_strides_cost_the_same_since_5_0(arch, width):
    parts = width // 4
    for stride in range(1, 66):
        for kind in ("load", "store"):
            found = Warp(kind, width, strided(width, stride)).cost(arch)
            assert found.wavefronts == parts * gcd(stride, 32 // parts)


@pytest.mark.parametrize(
    ("arch", "groups", "evidence"),
    [
        ("5.0", 2, "inferred"),
        ("6.0", 2, "inferred"),
        ("7.0", 1, "published"),
        ("7.5", 1, "published"),
        ("8.0", 1, "published"),
        ("8.6", 1, "inferred"),
        ("8.9", 1, "inferred"),
        ("9.0", 1, "measured"),
        ("10.0", 1, "inferred"),
        ("12.0", 1, "inferred"),
    ],
)
def test_loads_merge_since_7_0(arch, groups, evidence):
    for step in (1, 2):
        found = Warp("load", 8, [256 * (lane & ~step) for lane in range(32)]).cost(arch)
        assert (found.groups, found.evidence) == (groups, evidence)
    assert Warp("load", 16, [0] * 32).cost(arch).groups == 2 * groups
    assert Warp("store", 8, [0] * 32).cost(arch).groups == 2


@pytest.mark.parametrize("arch", ["5.0", "6.1", *MODERN])
def test_integer_atomics_are_native_since_5_0(arch):
    assert Warp("atom", 4, [0] * 32).cost(arch).wavefronts_at_most == 32
    assert Warp("atom_inc", 4, [0] * 32).cost(arch).wavefronts_at_most == 1
    for width, conflicts in ((4, 31), (8, 30)):
        swap = Warp("atom_cas", width, [0] * 32).cost(arch)
        assert (swap.wavefronts, swap.wavefronts_at_most, swap.conflicts) == (64, 64, conflicts)
        assert swap.evidence == Warp("atom", 4, [0] * 32).cost(arch).evidence


@pytest.mark.parametrize("arch", ["1.3", "2.0", "3.5", "3.5-8byte"])
@pytest.mark.parametrize(
    ("kind", "width"), [("atom", 4), ("atom_inc", 4), ("atom_cas", 4), ("atom_cas", 8)]
)
def test_before_5_0_every_atomic_locks_and_retries(arch, kind, width):
    if (arch, width) == ("1.3", 8):
        with raises(InvalidAccess, "possible: 4$"):
            Warp(kind, width, [0] * 32).cost(arch)
        return
    found = Warp(kind, width, [0] * 32).cost(arch)
    assert (found.wavefronts, found.wavefronts_at_most, found.evidence) == (32, None, "inferred")


# 3.x


@pytest.mark.parametrize("arch", ["3.x", "3.0", "3.5", "3.7", "3.5-8byte"])
def test_a_stride_of_two_words_is_free_on_3_x(arch):
    assert Warp("load", 4, strided(4, 2)).cost(arch).wavefronts == 1
    assert Warp("load", 4, strided(4, 2)).cost("2.0").wavefronts == 2


@pytest.mark.parametrize("width", [8, 16])
@pytest.mark.parametrize("arch", ["3.5", "3.5-8byte"])
def test_3_x_moves_256_bytes_a_pass(arch, width):
    found = Warp("load", width, strided(width, 1)).cost(arch)
    assert (found.wavefronts, found.ideal, found.conflicts) == (width // 8, width // 8, 0)
    assert found.evidence == "inferred"


def pair(first: int, second: int, arch: str) -> int:
    """Wavefronts of two lanes at these words."""
    return Warp("load", 4, [4 * first, 4 * second] + [0] * 30, 0b11).cost(arch).wavefronts


def test_in_4_byte_mode_words_32_apart_in_one_aligned_64_word_segment_do_not_conflict():
    for segment in (0, 64, 640):
        for word in range(32):
            assert pair(segment + word, segment + word + 32, "3.5") == 1
            assert pair(segment + word, segment + word + 32, "9.0") == 2
            # The next pair 32 apart lies in two segments.
            assert pair(segment + word + 32, segment + word + 64, "3.5") == 2
            assert pair(segment + word, segment + word + 64, "3.5") == 2


def test_in_8_byte_mode_lanes_on_one_8_byte_word_do_not_conflict():
    for word in range(0, 64, 2):
        assert pair(word, word + 1, "3.5-8byte") == 1
        assert pair(word, word + 64, "3.5-8byte") == 2
        assert pair(word, word + 65, "3.5-8byte") == 2
        assert pair(word, word + 32, "3.5-8byte") == 1  # another bank


def test_the_two_modes_differ():
    # Words 0 and 65: banks 0 and 1 of 4 bytes, or bank 0 of 8 bytes twice.
    assert (pair(0, 65, "3.5"), pair(0, 65, "3.5-8byte")) == (1, 2)
    words = [32 * (lane % 2) + 2 * (lane // 2) for lane in range(32)]
    assert Warp("load", 4, [4 * word for word in words]).cost("3.5").wavefronts == 1
    # A column of a 32×32 tile of floats: 32 words, two in each row of the one bank, …
    column = Warp("load", 4, strided(4, 32))
    assert column.cost("3.5").wavefronts == 16
    # … and on two banks.
    assert column.cost("3.5-8byte").wavefronts == 16


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("arch", ["2.x", "3.5", "3.5-8byte"])
def test_loads_and_stores_cost_what_the_twin_says(arch, cases):
    widths = WIDE if arch != "2.x" else [sort for sort in WIDE if sort[1] < 16]

    @settings(max_examples=cases, deadline=None)
    @given(warps(widths))
    def check(warp):
        assert counted(warp.cost(arch)) == twin(warp, arch)

    check()


# 2.x


def test_on_2_x_8_byte_accesses_conflict_only_inside_a_half_warp():
    found = Warp("load", 8, strided(8, 1)).cost("2.1")
    assert (found.wavefronts, found.groups, found.evidence) == (2, 2, "published")
    assert Warp("load", 8, [0] * 32).cost("2.1").groups == 2  # does not merge
    assert Warp("load", 8, strided(8, 2)).cost("2.1").ways == 2


@pytest.mark.parametrize(("stride", "ways"), [(1, 2), (2, 3), (4, 5), (8, 9)])
def test_on_2_x_the_degree_of_16_byte_accesses_is_one_more_than_a_quarter_warp_s(stride, ways):
    found = Warp("load", 16, strided(16, stride)).cost("2.0")
    assert (found.ways, found.evidence) == (ways, "published")
    assert (found.wavefronts, found.wavefronts_at_most) == (4 * (ways - 1), 4 * ways)


# 1.x


def bounds(kind: str, width: int, addresses: list[int], mask: int = 0xFFFF) -> tuple[int, int]:
    found = Warp(kind, width, addresses, mask).cost("1.3")
    assert found.wavefronts_at_most is not None
    return found.wavefronts, found.wavefronts_at_most


def test_1_x_serves_half_warps_apart_on_16_banks():
    found = Warp("load", 4, strided(4, 1)).cost("1.0")
    assert [group.lanes for group in found.lane_groups] == [tuple(range(16)), tuple(range(16, 32))]
    assert (found.wavefronts, found.wavefronts_at_most, found.conflicts) == (2, 2, 0)
    for stride in range(1, 40):
        ways = gcd(stride, 16)
        assert bounds("load", 4, strided(4, stride), 0xFFFFFFFF) == (2 * ways, 2 * ways)


def test_1_x_broadcasts_one_word():
    assert bounds("load", 4, [64] * 32) == (1, 1)
    # Two words on two banks: the other bank serves one of its eight lanes meanwhile.
    assert bounds("load", 4, [4 * (lane % 2) for lane in range(32)]) == (2, 2)


def test_bytes_of_one_word_conflict_on_1_x_and_not_later():
    """The guide's example: an array of char read by neighbouring lanes."""
    assert bounds("load", 1, strided(1, 1)) == (4, 4)
    assert bounds("load", 1, strided(1, 4)) == (1, 1)
    assert Warp("load", 1, strided(1, 1)).cost("2.0").wavefronts == 1


def test_1_x_splits_wide_accesses_into_words():
    """The guide's example: an array of double is read by two requests with a stride of two."""
    found = Warp("load", 8, strided(8, 1), 0xFFFF).cost("1.3")
    assert [group.wavefronts for group in found.lane_groups] == [2, 2]
    assert found.ways == 2


def test_which_word_1_x_broadcasts_first_decides_where_lanes_share_unevenly():
    # Bank 0: word 0 for one lane, word 16 for three; bank 1: word 1 for one.
    addresses = [0, 64, 64, 64, 4] + [0] * 27
    assert bounds("load", 4, addresses, 0b11111) == (2, 3)


def test_stores_of_1_x_have_bounds_from_words_to_lanes():
    assert bounds("store", 4, [0] * 32) == (1, 16)
    assert bounds("store", 4, strided(4, 1)) == (1, 1)


@cache
def steps(state: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
    """The fewest and most steps of the guide's procedure, by trying every choice.

    `state`: for each bank, the lanes left on each of its words.
    """
    state = tuple(sorted(bank for bank in (tuple(sorted(filter(None, b))) for b in state) if bank))
    if not state:
        return 0, 0
    found = []
    for bank, words in enumerate(state):
        for word in range(len(words)):
            rests = [()]
            for other, theirs in enumerate(state):
                if other == bank:
                    options = {theirs[:word] + theirs[word + 1 :]}
                else:
                    options = {
                        tuple(n - (place == taken) for place, n in enumerate(theirs))
                        for taken in range(len(theirs))
                    }
                rests = [(*rest, option) for rest in rests for option in options]
            found += [steps(rest) for rest in set(rests)]
    return 1 + min(few for few, _ in found), 1 + max(many for _, many in found)


def test_the_bounds_of_1_x_are_those_of_every_choice():
    """All ways for up to 7 lanes to lie on 4 words of three banks."""
    words = [0, 16, 1, 2, 32]  # 0, 16 and 32 on bank 0
    tried = 0
    for lanes in range(1, 8):
        for chosen in combinations_with_replacement(words, lanes):
            on_banks = {w % 16: [chosen.count(x) for x in words if x % 16 == w % 16] for w in words}
            expected = steps(tuple(tuple(bank) for bank in on_banks.values()))
            addresses = [4 * word for word in chosen] + [0] * (32 - lanes)
            assert bounds("load", 4, addresses, (1 << lanes) - 1) == expected, chosen
            tried += 1
    assert tried == 791


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([0, 16, 1, 17, 33]), min_size=1, max_size=9))
def test_the_bounds_of_1_x_are_those_of_every_choice_on_two_banks(chosen):
    on_banks = [[chosen.count(w) for w in some] for some in ([0, 16], [1, 17, 33])]
    addresses = [4 * word for word in chosen] + [0] * (32 - len(chosen))
    found = bounds("load", 4, addresses, (1 << len(chosen)) - 1)
    assert found == steps(tuple(map(tuple, on_banks)))


# The page


def cell(row, kind: str, width: int) -> str:
    """`16, merge · published (forum)`."""
    try:
        rule = row.rule(kind, width)
    except InvalidAccess:
        return "–"
    merges = {True: ", merge", None: ", merging unknown", False: ""}[rule.merges]
    count = "" if rule.count == "words" else f": {rule.count}"
    if rule.wavefronts_a_pass > 1:
        count += f", {rule.wavefronts_a_pass} wavefronts per pass"
    return f"{rule.lanes}{merges}{count} · {rule.known.evidence} ({rule.known.source})"


def table(columns: list[tuple[str, str, int]]) -> str:
    """One row an architecture."""
    lines = ["| architecture | " + " | ".join(title for title, _, _ in columns) + " |"]
    lines.append("| --- " * (len(columns) + 1) + "|")
    for row in ARCHITECTURES:
        cells = [cell(row, kind, width) for _, kind, width in columns]
        lines.append(f"| {row.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def pages() -> list[str]:
    """What the page must hold, made from the code."""
    loads = [("load ≤ 4 bytes", "load", 4), ("load 8", "load", 8), ("load 16", "load", 16)]
    stores = [("store ≤ 4 bytes", "store", 4), ("store 8", "store", 8), ("store 16", "store", 16)]
    others = [
        ("`atom` 4", "atom", 4),
        ("`atom_cas` 4", "atom_cas", 4),
        ("`atom_cas` 8", "atom_cas", 8),
        ("`atom_inc` 4", "atom_inc", 4),
        ("`atom_float`, `atom` 8, other `atom_cas`", "atom_float", 4),
        ("`ldmatrix`", "ldmatrix", 16),
        ("`stmatrix`", "stmatrix", 16),
    ]
    banks = ["| architecture | compute capabilities | banks | bytes per bank | bytes per row |"]
    banks.append("| --- " * 5 + "|")
    banks += [
        f"| {row.name} | {', '.join(row.devices)} | {row.banks} | {row.bank_bytes} | "
        f"{row.row_bytes} |"
        for row in ARCHITECTURES
    ]
    sources = ["| source | what it is |", "| --- | --- |"]
    sources += [f"| {name} | {text} |" for name, text in SOURCES.items()]
    return ["\n".join(banks), table(loads), table(stores), table(others), "\n".join(sources)]


@pytest.mark.parametrize("number", range(5))
def test_the_page_shows_the_table_of_the_code(number):
    assert pages()[number] in PAGE.read_text(encoding="utf-8")


def test_columns_of_the_page_speak_for_the_widths_they_stand_for():
    for row in ARCHITECTURES:
        for kind in ("load", "store"):
            assert len({cell(row, kind, width) for width in (1, 2, 4)}) == 1
        loops = [("atom_float", 2), ("atom_float", 4), ("atom_float", 8), ("atom", 8)]
        loops += [("atom_cas", width) for width in (2, 16)]
        assert len({cell(row, *sort) for sort in loops}) == 1


def test_the_page_names_every_kind():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{kind}`" in text for kind in KINDS)
