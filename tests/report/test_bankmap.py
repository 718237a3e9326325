"""The bank map against brute force: who stands in which bank's column, in how many rows."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.banks import ARCHITECTURES, SOURCES, AccessCost, InvalidAccess, architecture
from quizapp.report.bankmap import MapCursor, evidence_with_source, figures, picture, witness
from quizapp.report.lines import Line
from quizapp.report.words import Words
from quizapp.system.width import columns
from tests.grader.bank_tools import CASES, EVERYONE, PAIRS, ROW, Warp, strided, warps

ARCHS = ["1.0", "2.0", "3.5", "3.5-8byte", "6.1", "8.0", "9.0"]
EN, ZH = Words("en"), Words("zh")
NARROW, WIDE, WIDEST = 76, 108, 113
LABEL, LONG_LABEL = 9, 14
MATRIX_MASK = 0xFF
RAISED = str.maketrans("¹²³", "123")
WAVE = re.compile(r"([ !])(?:wave |wavefront |pass |第)(\d+)趟? *")


class Wave(NamedTuple):
    """A row, read back as a person reads it: lanes by bank."""

    number: int
    further: bool
    lanes: dict[int, int]


def draw(
    cost: AccessCost,
    arch: str = "9.0",
    wide: int = NARROW,
    say: Words = EN,
    most: int | None = None,
) -> list[str]:
    """The map without its legend, which stands where cells have two columns."""
    lines = [text(line) for line in picture(cost, arch, wide, say, most=most)]
    return [line for line in lines if line != f" {say('banks.tens')}"]


def text(line: Line) -> str:
    return "".join(part for part, _ in line)


def cells(line: str, size: int = 2) -> dict[int, int]:
    """What stands below each bank that is not idle."""
    wide = LONG_LABEL if "wavefront" in line else LABEL
    label = next(n for n in range(len(line)) if columns(line[:n]) == wide)
    row = line[label:]
    step = 8 * size + 1
    assert {row[place] for place in range(step - 1, len(row), step)} <= {" "}
    row = "".join(row[place : place + step - 1] for place in range(0, len(row), step))
    found = [row[place : place + size] for place in range(0, len(row), size)]
    for cell in found:
        assert cell.rjust(size) == cell
        assert len(cell.strip()) == 1 or size == 3 or cell[0] in "¹²³"
    return {
        bank: int(cell.translate(RAISED)) for bank, cell in enumerate(found) if cell.strip() != "·"
    }


def waves(lines: list[str], size: int = 2) -> list[Wave]:
    found = [(WAVE.match(line), line) for line in lines]
    return [Wave(int(m[2]), m[1] == "!", cells(line, size)) for m, line in found if m]


def find_rows(warp: Warp, arch: str) -> dict[int, dict[int, set[int]]]:
    """By lane and bank, the rows of the bank that it touches, byte by byte."""
    row, found = architecture(arch), {}
    for lane in range(32):
        matrix = MATRIX_MASK << lane // 8 * 8 if "matrix" in warp.kind else 0
        if warp.active[lane] or warp.mask & matrix:
            of_lane = found.setdefault(lane, {})
            for byte in range(warp.addresses[lane], warp.addresses[lane] + warp.width):
                bank = byte // row.bank_bytes % row.banks
                of_lane.setdefault(bank, set()).add(byte // row.row_bytes)
    return found


@pytest.mark.parametrize("cases", CASES)
def test_a_map_shows_who_is_served_where_in_as_many_rows_as_passes(cases):
    @settings(max_examples=cases, deadline=None)
    @given(warps(), st.sampled_from(ARCHS), st.sampled_from([EN, ZH]))
    def check(warp, arch, say):
        try:
            cost = warp.cost(arch)
        except InvalidAccess:
            assume(False)
        lines = draw(cost, arch, say=say)
        assert max(map(columns, lines)) <= NARROW
        found = waves(lines, 3 if arch == "1.0" else 2)  # 16 banks leave room
        if cost.count not in ("words", "lanes", "lanes per word") or not cost.lane_groups:
            assert found == []
            assert len(lines) == 1
            return
        passes = cost.wavefronts // cost.wavefronts_a_pass
        assert [wave.number for wave in found] == list(range(1, passes + 1))
        assert sum(wave.further for wave in found) == cost.conflicts
        assert waves(draw(cost, arch, WIDE, say), 3) == found
        assert waves(draw(cost, arch, WIDEST, say), 3) == found
        shows_everybody(found, warp, arch, alone=cost.count == "lanes")

    check()


def shows_everybody(found: list[Wave], warp: Warp, arch: str, *, alone: bool) -> None:
    """Nobody stands at a bank that they do not touch; everybody stands there, or somebody lower
    who is served with them.
    """
    where = find_rows(warp, arch)
    for wave in found:
        for bank, lane in wave.lanes.items():
            assert bank in where[lane]
    for lane, banks in where.items():
        for bank, rows in banks.items():
            at_bank = {wave.lanes[bank] for wave in found if bank in wave.lanes}
            if alone:
                assert lane in at_bank
            elif lane not in at_bank:
                assert any(
                    other < lane and (where[other][bank] & rows or "atom" in warp.kind)
                    for other in at_bank
                )


def test_a_stride_of_two_is_two_halves_on_the_even_banks():
    lines = draw(Warp("load", 4, strided(4, 2)).cost())
    first, second = waves(lines)
    assert first == (1, False, {2 * lane: lane for lane in range(16)})
    assert second == (2, True, {2 * lane: lane + 16 for lane in range(16)})
    assert cells(next(line for line in lines if "words" in line)) == dict.fromkeys(
        range(0, 32, 2), 2
    )


@pytest.mark.parametrize("column", [0, 5, 31])
def test_a_column_in_rows_of_33_is_one_row_turned_by_the_column(column):
    warp = Warp("load", 4, [(33 * lane + column) * 4 for lane in range(32)])
    lines = draw(warp.cost())
    assert waves(lines) == [(1, False, {(lane + column) % 32: lane for lane in range(32)})]
    assert not any("words" in line or "!" in line for line in lines)


def test_a_column_in_rows_of_32_is_32_rows_on_one_bank():
    lines = draw(Warp("load", 4, [(32 * lane + 5) * 4 for lane in range(32)]).cost())
    assert waves(lines) == [(lane + 1, lane > 0, {5: lane}) for lane in range(32)]
    assert cells(lines[-1]) == {5: 32}


def test_a_compare_and_swap_has_a_row_for_each_pass_and_says_that_it_takes_two_wavefronts():
    cost = Warp("atom_cas", 4, [ROW * (lane % 3) for lane in range(32)], 0b111).cost()
    lines = draw(cost)
    assert waves(lines) == [(lane + 1, lane > 0, {0: lane}) for lane in range(3)]
    assert [line[1:7] for line in lines[1:4]] == ["pass 1", "pass 2", "pass 3"]
    assert lines[-1] == " Each pass takes 2 wavefronts."
    assert draw(cost, most=2)[4] == " … and 1 more pass"
    free = Warp("atom_cas", 4, strided(4, 1)).cost()
    assert {role for _, role in picture(free, "9.0", NARROW, EN)[2]} == {"text", "good"}


def test_the_map_of_a_stride_as_a_person_sees_it():
    lines = picture(Warp("load", 4, strided(4, 2), 0x000F000F).cost(), "9.0", NARROW, EN)
    assert [text(line) for line in lines] == [
        " A raised ¹, ² or ³ is 10, 20 or 30: ²7 is 27.",
        " bank     0 1 2 3 4 5 6 7  8 9¹0¹1¹2¹3¹4¹5 ¹6¹7¹8¹9²0²1²2²3 ²4²5²6²7²8²9³0³1",
        " wave 1   0 · 1 · 2 · 3 ·  · · · · · · · ·  · · · · · · · ·  · · · · · · · ·",
        "!wave 2  ¹6 ·¹7 ·¹8 ·¹9 ·  · · · · · · · ·  · · · · · · · ·  · · · · · · · ·",
        " words    2 · 2 · 2 · 2 ·  · · · · · · · ·  · · · · · · · ·  · · · · · · · ·",
    ]
    assert lines[1] == ((text(lines[1]), "dim"),)
    assert lines[2][:3] == ((" wave 1  ", "text"), (" 0", "heat-1"), (" ·", "dim"))
    assert lines[3][:3] == (("!wave 2  ", "conflict"), ("¹6", "heat-1"), (" ·", "dim"))


def test_cells_of_three_columns_where_there_is_room():
    cost = Warp("load", 4, strided(4, 1)).cost()
    assert all(columns(line) == WIDE for line in draw(cost, wide=WIDE))
    assert " 9 10 11" in draw(cost, wide=WIDE)[1]
    assert draw(cost, wide=WIDE - 1) == draw(cost, wide=NARROW + LONG_LABEL - LABEL)
    assert draw(cost, wide=WIDE)[1].startswith(" wave 1 ")
    assert draw(cost, wide=WIDEST)[1].startswith(" wavefront 1 ")


@pytest.mark.parametrize(("wide", "banks"), [(NARROW - 1, 16), (58, 16), (57, 8), (33, 8)])
def test_where_one_row_is_too_wide_the_banks_are_folded(wide, banks):
    lines = draw(Warp("load", 4, strided(4, 2)).cost(), wide=wide)
    assert max(map(columns, lines)) <= wide
    heads = [line for line in lines if line.startswith(" bank")]
    assert [[int(n) for n in head.split()[1:]] for head in heads] == [
        [*range(first, first + banks)] for first in range(0, 32, banks)
    ]
    first, second = (
        [lane for each in waves(lines, 3) if each.number == number for lane in each.lanes.values()]
        for number in (1, 2)
    )
    assert (first, second) == ([*range(16)], [*range(16, 32)])


def test_the_map_says_what_it_needs_where_it_has_no_room():
    cost = Warp("load", 4, strided(4, 1)).cost()
    assert draw(cost, wide=32) == ["The bank map needs 33 columns; this terminal has 32."]


@pytest.mark.parametrize(
    ("stride", "role"), [(2, "heat-1"), (4, "heat-2"), (8, "heat-3"), (16, "heat-4")]
)
def test_a_bank_is_the_hotter_the_more_passes_it_needs(stride, role):
    cost = Warp("load", 4, strided(4, stride)).cost()
    assert cost.ways == stride
    drawn = picture(cost, "9.0", WIDE, EN)
    roles = {role for line in drawn[1:] for part, role in line if part.strip(" ·").isdigit()}
    assert roles == {role}


def test_only_the_banks_with_a_conflict_are_hot():
    cost = Warp("load", 4, [0, 128, *(4 * lane for lane in range(2, 32))]).cost()
    wave, further, loads = picture(cost, "9.0", WIDE, EN)[1:]
    assert [role for part, role in wave if part.strip(" ·")] == ["text", "heat-1", "lane"]
    assert [part.strip() for part, role in further if role == "heat-1"] == ["1"]
    assert [part.strip() for part, role in loads if role == "heat-1"] == ["2"]


def test_the_cursor_marks_a_place_and_brings_it_into_sight():
    cost = Warp("load", 4, strided(4, 32)).cost()
    lines = picture(cost, "9.0", WIDE, EN, most=4, cursor=MapCursor(wave=9, bank=0))
    assert [(text(line)[:8], part.strip()) for line in lines for part, role in line
            if role == "cursor"] == [("!wave 10", "9")]  # fmt: skip
    assert [wave.number for wave in waves([*map(text, lines)], 3)] == [7, 8, 9, 10]


def test_sixteen_banks_need_less():
    lines = draw(Warp("atom", 4, strided(4, 1)).cost("1.0"), "1.0", 60)
    assert [list(wave.lanes.values()) for wave in waves(lines, 3)] == [
        [*range(16)], [*range(16, 32)],
    ]  # fmt: skip


def test_groups_have_a_line_each_and_one_served_at_once_is_good():
    mask = 0x0000FF5A
    lines = picture(Warp("store", 16, strided(16, 1), mask).cost(), "9.0", NARROW, EN)
    assert [text(line) for line in lines if "lanes" in text(line)] == [
        " lanes 1, 3–4, 6", " lanes 8–15",
    ]  # fmt: skip
    roles = {role for line in lines if WAVE.match(text(line)) for _, role in line}
    assert roles == {"text", "good", "dim"}


def test_most_limits_the_rows_and_says_how_many_are_left():
    cost = Warp("load", 4, strided(4, 32)).cost()
    lines = draw(cost, most=6)
    assert [wave.number for wave in waves(lines)] == [1, 2, 3, 4, 5, 6]
    assert lines[-1] == " … and 26 more wavefronts"
    assert cells(lines[-2]) == {0: 32}
    assert draw(cost, most=32) == draw(cost)
    assert not any("more" in line for line in draw(cost))


def test_lanes_that_share_a_cell_are_counted_below():
    lines = draw(Warp("load", 4, [4 * (lane // 5) for lane in range(32)]).cost())
    assert waves(lines) == [(1, False, {bank: 5 * bank for bank in range(7)})]
    assert lines[-1] == " A cell shows the lowest of up to 5 lanes that are served together."
    assert len(draw(Warp("atom", 4, [0] * 32).cost())) == 34  # one by one: nobody shares


def test_atomics_say_how_many_lanes_come_to_a_bank():
    lines = draw(Warp("atom", 4, [4 * (lane // 5) for lane in range(32)]).cost())
    assert cells(lines[-1]) == {**dict.fromkeys(range(6), 5), 6: 2}
    assert lines[-1].startswith(" lanes ")


def test_of_a_retry_loop_only_the_least_is_drawn():
    cost = Warp("atom_float", 4, [0] * 32).cost()
    assert len(waves(draw(cost))) == 32
    assert draw(cost)[-1].startswith(" At least these:")


@pytest.mark.parametrize("say", [EN, ZH])
@pytest.mark.parametrize(
    ("warp", "arch"),
    [
        (Warp("load", 4, strided(4, 1)), "1.0"),
        (Warp("store", 4, strided(4, 1)), "1.0"),
        (Warp("load", 16, strided(16, 1)), "2.0"),
        (Warp("load", 4, strided(4, 1), 0), "9.0"),
    ],
)
def test_without_a_map_a_line_says_why(warp, arch, say):
    [line] = draw(warp.cost(arch), arch, say=say)
    assert re.match("No map: |No lane is active|没有图：|没有活跃的 lane", line)


# What is said below the map


@pytest.mark.parametrize(
    ("warp", "arch", "said"),
    [
        (Warp("load", 4, strided(4, 2)), "9.0", "wavefronts 2 · ideal 1 · conflicts 1 · 2-way"),
        (Warp("load", 16, strided(16, 1)), "9.0",
         "wavefronts 4 · ideal 4 · conflicts 0 · conflict-free"),
        (Warp("load", 4, strided(4, 1), 0), "9.0", "wavefronts 0 · ideal 0 · conflicts 0"),
        (Warp("atom_cas", 4, [0] * 32), "9.0",
         "wavefronts 64 · ideal 64 · conflicts 31 · 32-way"),
        (Warp("atom_cas", 4, strided(4, 1)), "9.0",
         "wavefronts 2 · ideal 2 · conflicts 0 · conflict-free"),
        (Warp("atom_cas", 8, [0] * 32), "9.0",
         "wavefronts 64 · ideal 64 · conflicts 30 · 16-way"),
        (Warp("atom_cas", 8, strided(8, 1)), "9.0",
         "wavefronts 4 · ideal 4 · conflicts 0 · conflict-free"),
        (Warp("atom", 8, [0] * 32), "9.0",
         "wavefronts at least 32 · ideal 32 · conflicts at least 31 · at least 32-way"),
        (Warp("atom", 8, strided(8, 1)), "9.0",
         "wavefronts at least 1 · ideal 1 · conflicts at least 0"),
    ],
)  # fmt: skip
def test_figures(warp, arch, said):
    assert figures(warp.cost(arch), EN) == said


def test_figures_between_bounds():
    assert figures(Warp("load", 16, strided(16, 1)).cost("2.0"), EN).split(" · ") == [
        "wavefronts at least 4, at most 8",
        "ideal 4",
        "conflicts at least 0, at most 4",
        "at most 2-way",
    ]


COLUMN = [ROW * lane for lane in range(32)]


@pytest.mark.parametrize(
    ("warp", "arch", "said"),
    [
        (Warp("load", 4, [20 + 1024 * (lane // 8) + 4 * (lane % 8) for lane in range(32)]), "9.0",
         "lanes 0, 8, 16, 24 conflict in bank 5, on words 5, 261, 517, 773"),
        (Warp("load", 4, COLUMN), "9.0",
         "lanes 0, 1, 2, …, 31 conflict in bank 0, on words 0, 32, 64, …, 992"),
        (Warp("load", 4, [ROW * (lane // 16) for lane in range(32)]), "9.0",
         "lanes 0, 16 conflict in bank 0, on words 0, 32"),
        (Warp("load", 4, [0] * 32), "9.0", "no two lanes need different words of one bank"),
        (Warp("load", 16, strided(16, 1)), "9.0",
         "no two lanes served together need different words of one bank"),
        (Warp("load", 4, strided(4, 2)), "3.5",
         "no bank must serve more than it can at once"),
        (Warp("load", 8, COLUMN, 0b101), "3.5-8byte",
         "lanes 0, 2 conflict in bank 0, on words 0, 1, 64, 65"),
        (Warp("atom", 4, [4 * (lane // 2) for lane in range(32)]), "9.0",
         "lanes 0, 1 conflict in bank 0, on word 0"),
        (Warp("atom", 4, COLUMN, 0b11), "9.0", "lanes 0, 1 conflict in bank 0, on words 0, 32"),
        (Warp("atom", 4, strided(4, 1)), "9.0", "no two lanes access one bank"),
        (Warp("atom_cas", 4, COLUMN, 0b11), "9.0", "lanes 0, 1 conflict in bank 0, on words 0, 32"),
        (Warp("atom_cas", 8, COLUMN, 0b11), "9.0", "lanes 0, 1 conflict in bank 0, on words 0, 32"),
        (Warp("atom_cas", 8, strided(8, 1)), "9.0",
         "no two lanes served together access one bank"),
        (Warp("atom_float", 4, [*COLUMN[:30], 4, 4]), "9.0",
         "lanes 30, 31 conflict in bank 1, on word 1"),
        (Warp("atom_float", 4, COLUMN), "9.0", "no two lanes served together access one word"),
        (Warp("store", 4, [0] * 32), "1.0", "lanes 0, 1, 2, …, 15 conflict in bank 0, on word 0"),
        (Warp("load", 4, [0] * 32), "1.0",
         "no two lanes served together need different words of one bank"),
        (Warp("load", 4, COLUMN, 0), "9.0", "No lane is active: nothing is accessed."),
    ],
)  # fmt: skip
def test_witness(warp, arch, said):
    assert witness(warp.cost(arch), EN) == said


@pytest.mark.parametrize("cases", CASES)
def test_a_witness_tells_the_truth(cases):
    """The lanes named touch the bank, and where words conflict there are as many as ways."""

    @settings(max_examples=cases, deadline=None)
    @given(warps([pair for pair in PAIRS if pair[0] in ("load", "store")]))
    def check(warp):
        cost = warp.cost()
        said = re.fullmatch(r"lanes (.*) conflict in bank (\d+), on words (.*)", witness(cost, EN))
        assert bool(said) == (cost.ways > 1)
        if said:
            lanes, words = said[1].split(", "), said[3].split(", ")
            assert len(lanes) == len(words) == min(cost.ways, 5 if "…" in lanes else 4)
            where = find_rows(warp, "9.0")
            named = [(int(n), int(w)) for n, w in zip(lanes, words, strict=True) if n != "…"]
            for lane, word in named:
                assert word % 32 == int(said[2])
                assert word // 32 in where[lane][int(said[2])]

    check()


def test_standing_says_how_it_is_known_for_which_architectures_and_from_what():
    cost = Warp("load", 4, strided(4, 1)).cost()
    assert evidence_with_source(cost, "9.0", EN) == f"measured for 9.0: {SOURCES['H200']}"
    cost = Warp("store", 16, strided(16, 1)).cost("8.7")
    assert evidence_with_source(cost, "8.7", EN) == f"inferred for 8.6–8.9: {SOURCES['neighbors']}"


@pytest.mark.parametrize("row", ARCHITECTURES, ids=lambda row: row.name)
def test_everything_can_be_said_of_every_rule_in_both_languages(row):
    """The sources in English are those of the grader, word for word."""
    for rule in row.rules:
        for kind in rule.kinds:
            for width in rule.widths:
                for warp in (Warp(kind, width, strided(width, 3), m) for m in (EVERYONE, 0)):
                    cost = warp.cost(row.name)
                    assert evidence_with_source(cost, row.name, EN).endswith(SOURCES[cost.source])
                    assert re.search("[\u3400-\u9fff]", evidence_with_source(cost, row.name, ZH))
                    for say in (EN, ZH):
                        assert figures(cost, say)
                        assert witness(cost, say)
                        assert draw(cost, row.name, say=say)
