"""What a run comes to: counts made by hand, the summary, and the picture of many passes."""

from __future__ import annotations

from quizapp.batch.page import class_page
from quizapp.batch.summary import summary_lines
from quizapp.batch.tally import Tally
from quizapp.batch.values import Result, Status
from quizapp.report.words import Words

SAY = Words("en")


def result(
    student: str, question: str, status: Status, gate: str = "", mistake: str = ""
) -> Result:
    return Result(
        student=student, question=question, file="f", status=status, gate=gate,
        verdict={"mistake": mistake or None},
    )  # fmt: skip


RESULTS = [
    result("ann", "p/one", "passed"),
    result("ann", "p/two", "failed", "counts: barriers", "Too many."),
    result("bob", "p/two", "failed", "counts: barriers", "Too many."),
    result("bob", "p/one", "failed", "result"),
    result("cid", "p/two", "failed", "counts: global_sectors"),
    result("cid", "p/three", "refused"),
    result("dan", "p/one", "ungraded"),
]


def text(tally: Tally) -> list[str]:
    return ["".join(part for part, _ in line).rstrip() for line in summary_lines(tally, SAY)]


def test_counts_are_by_question_by_student_and_by_check_the_most_frequent_first():
    plain = Tally.of(RESULTS).as_plain()
    assert {name: plain[name] for name in ("submitted", "passed", "failed")} == {
        "submitted": 7, "passed": 1, "failed": 4,
    }  # fmt: skip
    assert (plain["refused"], plain["ungraded"]) == (1, 1)
    assert plain["gates"] == [
        {"gate": "counts: barriers", "count": 2},
        {"gate": "counts: global_sectors", "count": 1},
        {"gate": "result", "count": 1},
    ]
    assert [row["question"] for row in plain["questions"]] == ["p/one", "p/three", "p/two"]
    assert plain["students"][1] == {"student": "bob", "submitted": 2, "passed": 0}


def test_the_summary_lists_the_students_of_a_class():
    lines = text(Tally.of(RESULTS))
    assert lines[0] == "7 submissions · 1 passed · 4 failed · 1 refused · 1 not graded"
    assert "p/two             3       0  counts: barriers 2, counts: global_sectors 1" in lines
    assert "dan              1       0" in lines


def test_of_many_students_the_summary_says_how_many_passed_how_much():
    many = [
        result(
            f"student {number}", f"p/{question}", "passed" if question < number % 3 else "failed"
        )
        for number in range(100)
        for question in range(3)
    ]
    lines = text(Tally.of(many))
    at = lines.index("passed  students")
    assert [line.split() for line in lines[at + 1 :]] == [["2", "33"], ["1", "33"], ["0", "34"]]


def test_the_page_names_a_mistake_once_with_how_often_it_is_made():
    results = sorted(RESULTS, key=lambda one: one.question)
    page = b"".join(class_page(Tally.of(RESULTS), results, SAY)).decode()
    assert page.count("Too many.") == 1
    assert '<td>2</td><td class="name">p/two</td><td class="name">counts: barriers</td>' in page


def test_more_passes_than_bars_are_put_together():
    many = [result("ann", f"p/{number:03}", "passed") for number in range(150)]
    many.append(result("bob", "p/000", "passed"))
    page = b"".join(class_page(Tally.of(many), many, SAY)).decode()
    assert page.count("<rect") == 51
    assert "<title>0–2 passed: 1 student</title>" in page
    assert "<title>150–152 passed: 1 student</title>" in page
