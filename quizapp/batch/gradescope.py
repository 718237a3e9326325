"""Grades what one student submitted, and says so as Gradescope's results.json.

One test and one point per question. Whatever was submitted, each question has its test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from grader.facts import fact
from quizapp.batch import submissions
from quizapp.batch.exercises import Exercises
from quizapp.batch.pool import Pool
from quizapp.batch.reading import Reader
from quizapp.batch.values import BatchSubmission, Job, Result
from quizapp.domain.languages import ENDINGS, languages_of
from quizapp.report.words import Words

POINTS = 1
"""For each question."""


def grade_student(questions: Sequence[str], reader: Reader, pool: Pool) -> dict[str, Any]:
    """Grade the submissions in a student's folder.

    The root of `reader` is the folder.

    Returns:
        What belongs into results.json.

    Raises UsageError: there is no such folder.
    """
    say = Words(reader.said_in)
    found = submissions.find_of_student(reader.root, reader.exercises)
    asked = [one for one in found.all if one.question in questions]
    results = {result.question: result for result in _grade(asked, reader, pool)}
    tests = [
        _test_of(question, results[question], say)
        if question in results
        else _test_of_missing(question, reader.exercises, say)
        for question in questions
    ]
    others = found._replace(all=tuple(one for one in found.all if one not in asked))
    return {
        "tests": tests,
        "output": "\n".join(_describe(tests, others, say)),
        "output_format": "text",
        "stdout_visibility": "hidden",
    }


def _grade(asked: Sequence[BatchSubmission], reader: Reader, pool: Pool) -> list[Result]:
    read = [reader.read(one) for one in asked]
    results = [each for each in read if isinstance(each, Result)]
    with closing(pool.grade(iter([each for each in read if isinstance(each, Job)]))) as graded:
        results += graded
    return results


def _test_of(question: str, result: Result, say: Words) -> dict[str, Any]:
    """Describe a question's result as one of Gradescope's tests."""
    output = "\n".join(result.lines) or result.said
    if result.status == "ungraded":
        output += "\n" + say("autograder.not-your-fault")
    return _make_test(question, output, passed=result.status == "passed")


def _test_of_missing(question: str, exercises: Exercises, say: Words) -> dict[str, Any]:
    known = languages_of(exercises.find(question, None).exercise) or tuple(ENDINGS)
    name = question.rpartition("/")[2]
    files = tuple(f"{name}{ENDINGS[language]}" for language in known)
    one_of = say("autograder.or").join(files)
    return _make_test(question, say.fact(fact("autograder.missing", files=one_of)), passed=False)


def _make_test(question: str, output: str, *, passed: bool) -> dict[str, Any]:
    return {
        "name": question,
        "score": POINTS if passed else 0,
        "max_score": POINTS,
        "status": "passed" if passed else "failed",
        "output": output,
        "output_format": "text",
    }


def _describe(
    tests: Sequence[dict[str, Any]], others: submissions.Submissions, say: Words
) -> Iterator[str]:
    """Say how many questions passed, and why the other files count for none of them."""
    passed = sum(test["status"] == "passed" for test in tests)
    yield say("autograder.passed", passed=passed, n=len(tests))
    for one in others.all:
        if one.fault is None:
            yield say.fact(fact("autograder.not-asked", file=one.file))
        else:
            yield f"{one.file}: {say.in_line(one.fault, one.hint)}"
    for file, why in others.ignored:
        yield f"{file}: {say.fact(why)}"
