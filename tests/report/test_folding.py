"""Text folded by terminal columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.report.folding import columns, cut, fold


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("先复习，新题穿插其中", 8, ["先复习，", "新题穿插", "其中"]),
        ("one · two · 三", 8, ["one ·", "two · 三"]),
        ("见（文件）", 4, ["见", "（文", "件）"]),
        ("a/path/that/is/longer than it", 10, ["a/path/that/is/longer", "than it"]),
    ],
)
def test_it_breaks_at_spaces_and_beside_wide_characters(text, width, lines):
    assert fold(text, width) == lines


def test_a_text_is_cut_where_a_line_may_end():
    assert cut("one two", 7) == "one two"
    assert cut("one two three", 9) == "one two …"
    assert cut("先复习，新题穿插其中", 12) == "先复习，新 …"


def test_later_lines_are_indented():
    assert fold("one two three", 9, "  ") == ["one two", "  three"]


@given(st.text("ab 汉字，", max_size=60), st.integers(6, 30))
def test_nothing_is_lost(text, width):
    assert "".join(fold(text, width)).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.text("ab汉字", min_size=1, max_size=3), max_size=30), st.integers(6, 30))
def test_every_line_fits(words, width):
    assert max(map(columns, fold(" ".join(words), width))) <= width
