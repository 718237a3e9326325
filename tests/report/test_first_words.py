"""The first words of a question: readable on one line, in the person's language."""

from __future__ import annotations

import pytest

from quizapp.domain.question import Recall, Spot, Translated
from quizapp.report.first_words import first_words


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("How many\nbanks?", "How many banks?"),
        ("A tile:\n\n```cuda\n__shared__ int s[32];\n```\n\nWhich bank?", "A tile: Which bank?"),
        ("What does `a[tid]` and **b** say?", "What does a[tid] and b say?"),
        ("`2 ** 3` **is** what?", "2 ** 3 is what?"),
        ("- one\n- [two](http://x.y)", "one two"),
        (
            "What is outside counts as\n0. Blocks have\n\n1. a\n2. b",
            "What is outside counts as 0. Blocks have a b",
        ),
        ("`__shared__` and `__syncthreads()` stay", "__shared__ and __syncthreads() stay"),
    ],
)
def test_markdown_and_code_are_left_out(prompt, words):
    assert first_words(question(prompt), "en") == words


def test_lines_of_chinese_join_without_a_blank():
    asked = question(Translated(en="Which?", zh="一个 warp 读取\n一列。\n哪个 bank？"))
    assert first_words(asked, "zh") == "一个 warp 读取一列。哪个 bank？"
    assert first_words(asked, "en") == "Which?"


def test_a_title_has_the_first_of_what_may_be_drawn():
    text = "With d = {{d}} of {{n - 1}}, `{{word}}`:"
    drawn = {"d": (3, 4), "word": ("half", "float")}
    prompt = Translated(en=text, zh="d = {{d}}，共 {{n - 1}}")
    common = {"topic": "t", "concept": "c", "difficulty": 1, "explanation": "e", "sources": ("s",)}
    bug = Spot(
        id="a",
        prompt=prompt,
        code="",
        arguments=(),
        launch=None,
        draw=drawn,
        let={"n": "2 * d"},
        **common,
    )
    assert first_words(bug, "en") == "With d = 3 of 5, half:"
    assert first_words(bug, "zh") == "d = 3，共 5"


@pytest.mark.parametrize(
    "text", ["对 2²⁸ 个 float 求和", "n × 一个字", "边长 ≥ 两个字", "每步 x⁴ 次"]
)
def test_a_blank_between_chinese_and_a_sign_stays(text):
    assert first_words(question(Translated(en="Which?", zh=text)), "zh") == text


def question(prompt) -> Recall:
    return Recall(
        id="a",
        topic="banks",
        concept="c",
        difficulty=1,
        prompt=prompt,
        answer="a",
        rubric=(),
        explanation="e",
        sources=("s",),
    )
