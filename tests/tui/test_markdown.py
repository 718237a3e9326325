"""Markdown is laid out light, verbatim where it is code, and at the width it gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.system.width import columns as cells
from quizapp.tui import markdown
from quizapp.tui.widgets.page import Page, PickableRow, PickableRows
from quizapp.tui.wrap import breaks, clip, pad


def plain(text: str, width: int = 40) -> list[str]:
    return [line.plain for line in markdown.lines(text, width)]


@pytest.mark.parametrize("code", ["a[tid]", "b[i] +=", "[/x]", "[bold]x[/bold]", "$x", "a  b"])
def test_code_is_verbatim_inline_and_in_blocks(code: str) -> None:
    assert plain(f"see `{code}`") == [f"see {code}"]
    assert plain(f"```cuda\n{code}\n```") == [f"  {code}"]


def test_code_is_never_wrapped_and_keeps_its_blank_lines() -> None:
    long = "x = " + "y" * 60
    assert plain(f"```python\n{long}\n\n    z\n```") == [f"  {long}", "  ", "      z"]


def test_a_page_counts_the_lines_of_code_that_is_wider_than_it():
    code, page = "```c\n" + "f(x, " * 30 + "\n```", Page()
    page.put([code, PickableRows((PickableRow(code), PickableRow("b")), several=False)])
    lines = page._lines(40)
    assert max(line.cell_length for line in lines) <= 40
    assert page._rows_at[len(lines) - 1] == ((0, 1),)


def test_blocks_are_separated_and_list_items_are_not() -> None:
    text = "one\n\n- two\n- three\n\n1. four\n2. five\n\nsix"
    assert plain(text) == ["one", "", "• two", "• three", "1. four", "2. five", "", "six"]


def test_a_nested_list_is_indented_and_wraps_under_its_text() -> None:
    assert plain("- a\n  - bb cc ddd", 12) == ["• a", "  • bb cc", "    ddd"]


def test_a_table_is_aligned_by_columns_of_cells() -> None:
    text = "| a | bank |\n|---|---|\n| 中文 | 1 |\n| x | 22 |"
    assert plain(text) == ["a     bank  ", "──────────", "中文  1     ", "x     22    "]


def test_code_of_gathers_every_block() -> None:
    assert markdown.code_of("a\n```cuda\nx\n```\nb\n```text\ny\n```") == "x\n\ny"


def test_chinese_breaks_between_characters_but_not_before_punctuation() -> None:
    lines = plain("一个线程束里的线程，读取同一个字。", 16)
    assert lines == ["一个线程束里的线", "程，读取同一个", "字。"]


def test_a_line_break_in_chinese_source_adds_no_blank() -> None:
    assert plain("银行\n冲突 of\nbank") == ["银行冲突 of bank"]


@given(st.text(alphabet="ab 中文，。()", max_size=80), st.integers(4, 30))
def test_every_line_fits_and_nothing_but_blanks_is_lost(text: str, width: int) -> None:
    pieces = [text[start:end] for start, end in breaks(text, width)]
    assert all(cells(piece) <= width for piece in pieces)
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


@given(st.text(alphabet="ab中，", max_size=20), st.integers(1, 12))
def test_padded_is_as_wide_as_asked(text: str, width: int) -> None:
    assert cells(pad(text, width)) == width
    assert cells(clip(text, width)) <= width


def test_where_code_is_too_wide_the_rest_of_a_line_stands_further_in():
    page = Page()
    page.put(["```cuda\nif (x < rows)\n    out[x] = image[x * columns + y + j];\n```"])
    assert [line.plain.rstrip() for line in page._lines(28)] == [
        "  if (x < rows)",
        "      out[x] = image[x *",
        "          columns + y + j];",
    ]
