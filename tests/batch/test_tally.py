"""What a run comes to: counts made by hand, the summary, and the picture of many passes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from quizapp.batch.page import RunFacts, class_page
from quizapp.batch.submissions import Submissions
from quizapp.batch.summary import summary_lines
from quizapp.batch.tally import Tally
from quizapp.batch.values import Result, Status
from quizapp.report.verdicts.check_names import check_name
from quizapp.report.words import Words

SAY = Words("en")
RUN = RunFacts(7, datetime(2026, 11, 24, 9, 5, tzinfo=UTC), Submissions(Path(), (), (), ("eve",)))


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
    assert (
        "p/two             3       0  limit missed: barriers, counted per warp (2); "
        "limit missed: global sectors (1)"
    ) in lines
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
    page = b"".join(class_page(Tally.of(RESULTS), results, RUN, SAY)).decode()
    assert page.count("Too many.") == 1
    made = '<td>2</td><td class="name">p/two</td><td class="name">limit missed: barriers, counted'
    assert made in page


def test_more_passes_than_bars_are_put_together():
    many = [result("ann", f"p/{number:03}", "passed") for number in range(150)]
    many.append(result("bob", "p/000", "passed"))
    page = b"".join(class_page(Tally.of(many), many, RUN, SAY)).decode()
    assert page.count("<rect") == 51
    assert "<title>0–2 passed: 1 student</title>" in page
    assert "<title>150–152 passed: 1 student</title>" in page


def test_the_page_says_when_it_was_graded_with_which_seed_and_what_each_student_passed():
    results = sorted(RESULTS, key=lambda one: one.question)
    page = b"".join(class_page(Tally.of(RESULTS), results, RUN, SAY)).decode()
    assert "Graded on 2026-11-24 09:05; seed 7" in page
    rows = dict(re.findall(r'<tr><td class="name">(\w+)</td><td>(\d / \d)</td>', page))
    assert rows == {"ann": "1 / 2", "bob": "0 / 2", "cid": "0 / 1", "dan": "0 / 0", "eve": "0 / 0"}
    (place,) = re.findall(r'<a href="#(\w+)"><span class="success">✓</span> one</a>', page)
    (line,) = re.findall(rf'<details id="{place}"><summary>(.*?) <small', page)
    assert line == '<span class="success">✓</span> ann'
    assert "nothing submitted" in page


def test_students_are_ordered_by_the_numbers_in_their_names():
    names = ["s10", "S2", "s2b", "s02", "ann", "s1"]
    tally = Tally.of([result(name, "p/one", "passed") for name in names])
    ordered = [row["student"] for row in tally.as_plain()["students"]]
    assert ordered == ["ann", "s1", "S2", "s02", "s2b", "s10"]


def test_a_check_is_called_by_words_in_both_languages():
    keys = {"counts: barriers", "result", "findings: out-of-bounds", "gpu speedup", "one slot"}
    keys |= {"wavefronts: column load", "runs: budget", "source", "gpu runs: illegal-address"}
    english, chinese = ({key: check_name(key, Words(one)) for key in keys} for one in ("en", "zh"))
    assert english["findings: out-of-bounds"] == "out of bounds"
    assert "：" in chinese["counts: barriers"]
    assert english["one slot"] == "two elements in one slot"
    assert english["gpu runs: illegal-address"] == "fails on the GPU"
    assert not keys & {*english.values(), *chinese.values()}
    assert all(re.search("[\u3400-\u9fff]", name) for name in chinese.values())
