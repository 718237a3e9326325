"""How numbers and accepted ranges are said."""

from __future__ import annotations

import pytest

from quizapp.domain.grading import range_around
from quizapp.domain.question import Number
from quizapp.plain.feedback import _describe_answer, figure
from quizapp.report.words import Words


def number(**fields: object) -> Number:
    return Number(
        id="n", topic="banks", concept="c", difficulty=1, prompt="?", explanation="!",
        sources=("s",), **fields,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.0, "1"), (1_048_576.0, "1,048,576"), (0.125, "0.125"), (-3.5, "-3.5"), (0.1 + 0.2, "0.3")],
)
def test_figures(value, said):
    assert figure(value) == said


def test_what_is_accepted_is_said_once():
    words = Words("en")
    exact, about = number(answer=32.0), number(answer=200.0, tolerance="2%")
    between = number(range=(20.0, 30.0))
    assert _describe_answer(exact, range_around(exact, 32.0), words) == "32"
    assert (
        _describe_answer(about, range_around(about, 200.0), words) == "200 (accepted: 196 to 204)"
    )
    assert _describe_answer(between, range_around(between, 0.0), words) == "20 to 30"
