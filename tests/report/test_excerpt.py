"""The line of a source below an error, and the caret under its column."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from quizapp.report.verdicts.excerpt import excerpt, excerpt_of_file

LONG = "    " + " + ".join(f"term{number}" for number in range(40)) + ";"


def drawn(source: str, line: int, column: int) -> list[str]:
    return ["".join(part for part, _ in each) for each in excerpt(source, line, column)]


@pytest.mark.parametrize(
    ("text", "sought"),
    [
        ("    x = foo(y);", "foo"),
        ("\tx\t= foo;", "foo"),
        ("/* 注释 */ x = foo;", "foo"),
        (LONG, "term0"),
        (LONG, "term20"),
        (LONG, "term39"),
        (LONG * 2000 + "x" + LONG, "x"),
        ("foo", "foo"),
    ],
)
def test_the_caret_is_below_the_column_of_the_error(text, sought):
    shown, caret = drawn(f"first\n{text}\n", 2, text.index(sought) + 1)
    before = shown[: shown.index(sought)]
    assert cell_len(before) == caret.index("^")
    assert caret.strip() == "^"
    assert max(cell_len(shown), cell_len(caret)) <= 68


def test_a_place_behind_the_end_is_below_the_end():
    assert drawn("x = (1", 1, 99) == ["    x = (1", "          ^"]


@pytest.mark.parametrize(("source", "line"), [("", 1), ("x\n\ny", 2), ("x", 2), ("x", 0)])
def test_there_is_no_excerpt_without_a_line(source, line):
    assert drawn(source, line, 1) == []


def test_what_steers_a_terminal_is_one_visible_sign():
    assert drawn("a\x1b[2J b", 1, 7) == ["    a␛[2J b", "          ^"]


def test_an_excerpt_of_a_file(tmp_path):
    file = tmp_path / "k.cu"
    file.write_text("int x;\n  int y\n", "utf-8")
    assert excerpt_of_file(str(file), 2, 8) == "    int y\n         ^"
    assert excerpt_of_file(str(file), 3, 1) == ""
    assert excerpt_of_file(str(tmp_path / "none.cu"), 1, 1) == ""
