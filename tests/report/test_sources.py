"""Sources of a question's facts, in the person's words."""

from __future__ import annotations

import pytest

from quizapp.domain.question import Number
from quizapp.report.content.question_text import sources
from quizapp.report.words import Words


@pytest.mark.parametrize(
    ("source", "english", "chinese"),
    [
        ("computed: grader.banks", "computed: the bank model", "计算：bank 模型"),
        ("computed: grader.simt", "computed: the emulator", "计算：模拟器"),
        ("computed: grader.banks, architecture 1.x",
         "computed: the bank model, architecture 1.x", "计算：bank 模型, architecture 1.x"),
        ("computed: floor(227 / 32)", "computed: floor(227 / 32)", "计算：floor(227 / 32)"),
    ],
)  # fmt: skip
def test_a_module_is_named_as_the_tool_that_it_is(source, english, chinese):
    question = Number(
        id="n", topic="banks", concept="c", difficulty=1, prompt="?", explanation="!",
        sources=(source,), answer=1.0,
    )  # fmt: skip
    assert list(sources(question, Words("en"))) == [english]
    assert list(sources(question, Words("zh"))) == [chinese]
