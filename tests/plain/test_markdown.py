"""Markdown as plain text: nothing of code is lost, nothing of emphasis is said."""

from __future__ import annotations

from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.question import prose
from quizapp.plain.console import Console
from quizapp.plain.markdown import CODE_INDENT, plain
from quizapp.report.lines import fold_line, sentence


def test_code_is_verbatim_and_indented():
    text = "Look:\n\n```cuda\nfor (;;)\n    b[i] += *a; // [/x] **p, `q`\n\n}\n```\n\nWhy?"
    assert plain(text, 40) == [
        "Look:",
        "",
        "    for (;;)",
        "        b[i] += *a; // [/x] **p, `q`",
        "",
        "    }",
        "",
        "Why?",
    ]


def test_a_paragraph_is_one_line_and_emphasis_goes():
    text = "A *wavefront* of **one warp\ninstruction**, a[tid] and `a * b * c`; 2 * 3 * 4."
    said = "A wavefront of one warp instruction, a[tid] and `a * b * c`; 2 * 3 * 4."
    assert plain(text, None) == [said]


def test_emphasis_may_hold_code():
    assert plain("**`PAD` is `1`** and *`x`*", None) == ["`PAD` is `1` and `x`"]


def test_chinese_lines_join_without_a_space():
    lines = "只服务一个字。\nbank 的\n要点在于 bank\n冲突"
    assert plain(lines, None) == ["只服务一个字。bank 的要点在于 bank 冲突"]


def test_list_items_stay_apart():
    assert plain("Two:\n- one\n  more\n- two\n1. three", None) == [
        "Two:",
        "- one more",
        "- two",
        "1. three",
    ]


def test_a_terminal_gets_folded_lines_but_code_and_chinese_as_they_are():
    long = "word " * 10
    assert plain(long, 20) == ["word word word word"] * 2 + ["word word"]
    assert plain(f"```text\n{'x' * 60}\n```", 20) == [CODE_INDENT + "x" * 60]
    assert plain("字 " * 40, 20) == [("字 " * 40).strip()]


def test_a_report_is_folded_at_words_on_a_terminal_only(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    for terminal, said in (
        (True, "  word word word\n  word\n"),
        (False, "  word word word word\n"),
    ):
        stdout = StringIO()
        monkeypatch.setattr(stdout, "isatty", lambda terminal=terminal: terminal)
        console = Console(StringIO(), stdout)
        console.report([sentence("  word word word word")])
        console.say("  word word word word")
        assert stdout.getvalue() == 2 * said


def test_a_sentence_behind_a_sign_is_folded_below_its_first_word_and_code_stays():
    words = "word word word word"
    folded = fold_line((("✗ ", "conflict"), (words, "text")), 12)
    assert ["".join(text for text, _ in line) for line in folded] == ["✗ word word", "  word word"]
    for number in ("7 ", " 12  "):
        code = ((number, "dim"), (words, "text"))
        assert fold_line(code, 12) == [code]
    assert fold_line((), 12) == [()]


@given(st.lists(st.text(alphabet="ab*`_[]# ", max_size=12), max_size=5))
def test_code_blocks_survive_whatever_is_in_them(code: list[str]):
    block = [line for line in code if not line.startswith("```")]
    said = plain("\n".join(["```text", *block, "```"]), 20)
    assert said == [CODE_INDENT + line if line else "" for line in block]


def test_every_shipped_question_keeps_its_words(deck):
    """Only marks may go: what is left, spaces and marks aside, is what was written."""
    for name in deck.entries:
        for language in ("en", "zh"):
            written = prose(deck.question(name).explanation, language)
            if "```" not in written:
                assert _bare("".join(plain(written, 40))) == _bare(written), name


def _bare(text: str) -> str:
    return "".join(c for c in text if not c.isspace() and c != "*")
