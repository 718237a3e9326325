"""The sentences about the deck and the time it takes."""

from __future__ import annotations

import pytest

from quizapp.domain.planning.plan import Plan
from quizapp.report.studying.plan import coverage_text, plan_text
from quizapp.report.words import Words

DAY = 20_778
"""Saturday 21 November 2026."""
EN, ZH = Words("en"), Words("zh")


@pytest.mark.parametrize(
    ("plan", "english", "chinese"),
    [
        (
            Plan(243, 10, DAY + 25),
            "At 10 per day you will have met all of them on Wed 16 Dec.",
            "每天 10 道新题，到 12 月 16 日 周三全部学过一遍。",
        ),
        (
            Plan(243, 10, DAY + 25, DAY + 19, 14),
            (
                "At 10 per day you will have met all of them on Wed 16 Dec; "
                "your interview is on Thu 10 Dec. "
                "To meet them in time, you need 14 per day."
            ),
            (
                "每天 10 道新题，到 12 月 16 日 周三全部学过一遍；"
                "面试在 12 月 10 日 周四。要在面试前学完，每天需要 14 道新题。"
            ),
        ),
        (
            Plan(243, 20, DAY + 12, DAY + 19, 14),
            (
                "At 20 per day you will have met all of them on Thu 3 Dec, "
                "before your interview on Thu 10 Dec."
            ),
            "每天 20 道新题，到 12 月 3 日 周四全部学过一遍，赶在 12 月 10 日 周四面试之前。",
        ),
        (
            Plan(243, 0, None, DAY, None),
            (
                "At 0 per day no new question is asked; "
                "your interview is on Sat 21 Nov, too soon to meet all of them."
            ),
            "每天 0 道新题，就不会出新题；面试在 11 月 21 日 周六，来不及全部学一遍。",
        ),
        (Plan(0, 10, DAY - 1), "You have met every question.", "所有题目都学过了。"),
    ],
)
def test_it_says_when_and_what_it_takes(plan, english, chinese):
    assert plan_text(plan, EN) == english
    assert plan_text(plan, ZH) == chinese


def test_the_largest_topics_are_named():
    def deck(topics: str) -> list[tuple[str, str]]:
        return [(topic, topic) for topic in topics.split()]

    few = deck("padding banks banks")
    assert coverage_text(few, EN) == "3 questions about banks, padding."
    many = deck("a b c d e f g padding padding")
    assert coverage_text(many, EN).startswith("9 questions about padding, ")
    assert coverage_text(many, EN).endswith(" and 4 more topics.")
    assert coverage_text(many, EN, off=3).startswith("9 questions (3 more are off) about padding, ")
    assert coverage_text(many, ZH).startswith("共 9 道题：")
