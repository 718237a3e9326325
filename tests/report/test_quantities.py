"""Numbers and their units as people write them, for all units of the shipped deck."""

from __future__ import annotations

import pytest

from quizapp.domain.grading import range_around, read_number
from quizapp.domain.question import Number
from quizapp.exercises.traces import UNITS
from quizapp.report.quantities import (
    write_accepted,
    write_blank,
    write_expected,
    write_number,
    write_quantity,
    write_typed,
)
from quizapp.report.words import Words

EN, ZH = Words("en"), Words("zh")
WRITTEN = {
    "wavefronts": ("1 wavefront", "32 wavefronts", "32 个 wavefront"),
    "conflicts": ("1 conflict", "32 conflicts", "32 次冲突"),
    "ways": ("1-way", "32-way", "32 路"),
    "times": ("1×", "32×", "32 倍"),
    "bank": ("bank 1", "bank 32", "bank 32"),
    "column": ("column 1", "column 32", "第 32 列"),
    "position": ("position 1", "position 32", "位置 32"),
    "elements": ("1 element", "32 elements", "32 个元素"),
    "blocks": ("1 block", "32 blocks", "32 个线程块"),
    "stages": ("1 stage", "32 stages", "32 个 stage"),
    "groups": ("1 group", "32 groups", "32 组"),
    "warps": ("1 warp", "32 warps", "32 个 warp"),
    "threads": ("1 thread", "32 threads", "32 个线程"),
    "lanes": ("1 lane", "32 lanes", "32 个 lane"),
    "waves": ("1 wave", "32 waves", "32 个 wave"),
    "cycles": ("1 cycle", "32 cycles", "32 个周期"),
    "sectors": ("1 sector", "32 sectors", "32 个 sector"),
    "registers": ("1 register", "32 registers", "32 个寄存器"),
    "requests": ("1 request", "32 requests", "32 次请求"),
    "instructions": ("1 instruction", "32 instructions", "32 条指令"),
    "bytes": ("1 byte", "32 bytes", "32 字节"),
    "SMs": ("1 SM", "32 SMs", "32 个 SM"),
    "clusters": ("1 cluster", "32 clusters", "32 个 cluster"),
    "points": ("1 percentage point", "32 percentage points", "32 个百分点"),
    "copies": ("1 copy", "32 copies", "32 次拷贝"),
    "columns": ("1 column", "32 columns", "32 列"),
    "arrivals": ("1 arrival", "32 arrivals", "32 次到达"),
    "iterations": ("1 iteration", "32 iterations", "32 轮"),
    "words": ("1 word", "32 words", "32 个字"),
    "bits": ("1 bit", "32 bits", "32 位"),
    "transactions": ("1 transaction", "32 transactions", "32 次事务"),
    "launches": ("1 launch", "32 launches", "32 次启动"),
    "barriers": ("1 barrier", "32 barriers", "32 个屏障"),
    "operations": ("1 operation", "32 operations", "32 次运算"),
    "loads": ("1 load", "32 loads", "32 次读取"),
    "stores": ("1 store", "32 stores", "32 次写入"),
    "rows": ("1 row", "32 rows", "32 行"),
    "tiles": ("1 tile", "32 tiles", "32 个 tile"),
    "atomics": ("1 atomic", "32 atomics", "32 次原子操作"),
    "matrices": ("1 matrix", "32 matrices", "32 个矩阵"),
    "accesses": ("1 access", "32 accesses", "32 次访问"),
    "sets": ("1 set", "32 sets", "32 个组"),
    "lines": ("1 line", "32 lines", "32 条缓存行"),
    "chunks": ("1 chunk", "32 chunks", "32 块"),
    "probes": ("1 probe", "32 probes", "32 次探测"),
    "tokens": ("1 token", "32 tokens", "32 个 token"),
    "pages": ("1 page", "32 pages", "32 页"),
    "steps": ("1 step", "32 steps", "32 步"),
    "parts": ("1 part", "32 parts", "32 段"),
    "days": ("1 day", "32 days", "32 天"),
    "min": ("1 min", "32 min", "32 min"),
    "KB": ("1 KB", "32 KB", "32 KB"),
    "KiB": ("1 KiB", "32 KiB", "32 KiB"),
    "MiB": ("1 MiB", "32 MiB", "32 MiB"),
    "GiB": ("1 GiB", "32 GiB", "32 GiB"),
    "GFLOP": ("1 GFLOP", "32 GFLOP", "32 GFLOP"),
    "TFLOP": ("1 TFLOP", "32 TFLOP", "32 TFLOP"),
    "ZFLOP": ("1 ZFLOP", "32 ZFLOP", "32 ZFLOP"),
    "GB/s": ("1 GB/s", "32 GB/s", "32 GB/s"),
    "TB/s": ("1 TB/s", "32 TB/s", "32 TB/s"),
    "%": ("1%", "32%", "32%"),
}


def number(**fields: object) -> Number:
    return Number(
        id="n", topic="banks", concept="c", difficulty=1, prompt="?", explanation="!",
        sources=("s",), **fields,
    )  # fmt: skip


@pytest.mark.parametrize("unit", WRITTEN)
def test_a_unit_is_written_on_its_side_and_in_its_number(unit):
    one, many, chinese = WRITTEN[unit]
    assert write_quantity(1.0, unit, EN) == one
    assert write_quantity(32.0, unit, EN) == many
    assert write_quantity(32.0, unit, ZH) == chinese
    assert write_blank(unit, EN) == many.replace("32", "…")


@pytest.mark.parametrize("unit", WRITTEN)
def test_what_is_shown_can_be_typed(unit):
    question = number(answer=32.0, unit=unit)
    for shown in WRITTEN[unit][1:]:
        assert read_number(question, shown) == 32


SYMBOLS = {"ms", "ns", "us", "s"}


def test_every_unit_of_the_shipped_deck_has_its_words(deck):
    """One that is a word and no symbol is written in Chinese too."""
    asked = (deck.question(name) for name, e in deck.entries.items() if e.kind == "number")
    units = {question.unit for question in asked if isinstance(question, Number)}
    words = {unit for unit in units if unit and unit.isascii() and unit.isalpha() and len(unit) > 2}
    assert words | set(UNITS.values()) <= set(WRITTEN), "others follow their number as they are"


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [
        ("ms", 1, "1 ms"),
        ("furlongs", 1, "1 furlong"),
        ("furlongs", 2, "2 furlongs"),
        (None, 2, "2"),
    ],
)
def test_other_units_follow_their_number(unit, value, text):
    assert write_quantity(value, unit, EN) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (1_048_576.0, "1,048,576"), (0.125, "0.125"), (-3.5, "-3.5"), (0.1 + 0.2, "0.3")],
)
def test_numbers(value, text):
    assert write_number(value) == text


def test_what_is_accepted_is_said_once():
    exact, about = number(answer=32.0), number(answer=200.0, tolerance="2%")
    between = number(range=(20.0, 30.0), unit="column")
    said = [
        write_expected(question, bounds, EN) + write_accepted(question, bounds, EN)
        for question, bounds in (
            (exact, range_around(exact, 32.0)),
            (about, range_around(about, 200.0)),
            (between, range_around(between, 0.0)),
        )
    ]
    assert said == ["32", "200 (accepted: 196 to 204)", "column 20 to 30"]


@pytest.mark.parametrize(
    ("value", "tolerance", "text"),
    [
        (24.7537, 1, "24.8 (accepted: 23.75 to 25.75)"),
        (175.439, "3%", "175 (accepted: 170.2 to 180.7)"),
        (0.196667, "4%", "0.197 (accepted: 0.1888 to 0.2045)"),
        (12.5, 0.05, "12.5 (accepted: 12.45 to 12.55)"),
        (24.7537, 0, "24.7537"),
    ],
)
def test_what_is_expected_has_no_more_digits_than_are_asked_for(value, tolerance, text):
    question = number(answer=value, tolerance=tolerance)
    bounds = range_around(question, value)
    assert write_expected(question, bounds, EN) + write_accepted(question, bounds, EN) == text


@pytest.mark.parametrize(
    ("typed", "value", "text"),
    [
        ("80*195.84/1000", 15.6672, "80*195.84/1000 = 15.6672 TB/s"),
        ("15,667.2 GB/s", 15.6672, "15,667.2 GB/s = 15.6672 TB/s"),
        (" 15.6672 ", 15.6672, "15.6672"),
        ("1,024", 1024.0, "1,024"),
        ("3 TB/s", 3.0, "3 TB/s"),
        ("3tb/s", 3.0, "3tb/s"),
        ("2^", None, "2^"),
    ],
)
def test_what_was_typed_is_shown_with_what_it_came_to(typed, value, text):
    assert write_typed(number(answer=1.0, unit="TB/s"), typed, value, EN) == text
