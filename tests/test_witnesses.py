"""What four witnesses say of the kernel questions: whole, current, differences listed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from bench.gpu.questions import emulate
from bench.witnesses.record import CAPABILITY, SOURCE
from bench.witnesses.rows import Row, load, questions
from grader.compiled import KernelCompiler, is_installed
from grader.kernels import argument_types
from quizapp.exercises.kernels import problem

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def page():
    """The script that writes it."""
    spec = importlib.util.spec_from_file_location("make_witnesses", ROOT / "docs/make_witnesses.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(page):
    assert page.main(["--check"]) == 0


def test_every_kernel_question_that_numba_compiles_is_on_it():
    assert {row.question for row in load()} == {question.id for question in questions()}


def test_the_compiler_s_registers_are_the_h200_s_or_the_difference_is_listed(page):
    rows = [row for row in load() if row.what == "registers" and row.clock]
    equal = [row for row in rows if row.sass == row.clock]
    assert len(equal) >= 41
    text = page.document(load())
    for row in rows:
        listed = f"| {row.question} | {row.sass} | {row.clock} |" in text
        assert listed == (row.sass != row.clock), row


@pytest.mark.long
def test_the_emulator_counts_today_what_is_recorded():
    recorded = {(row.question, row.what): row.source for row in load() if row.source}
    for question in questions():
        totals = emulate(problem(question), question.solution or "")
        for counter in SOURCE:
            here = str(totals.get(counter, 0))
            assert recorded.get((question.id, counter), "0") == here, (question.id, counter)


@pytest.mark.long
@pytest.mark.skipif(not is_installed(), reason="needs the extra `compile`")
def test_the_compiler_says_today_what_is_recorded():
    """Within what another version of it changed: it never differed by more than 2 registers."""
    recorded = {row.question: int(row.sass) for row in load() if row.what == "registers"}
    with KernelCompiler() as compiler:
        for question in questions():
            made = problem(question)
            found = compiler.compile(
                question.solution or "", made.kernel, argument_types(made), 256,
                capabilities=(CAPABILITY,),
            )  # fmt: skip
            assert abs(found.main.registers - recorded[question.id]) <= 4, question.id


def test_a_count_that_differs_is_listed_with_its_reason(page):
    rows = [
        Row("one", "shared_load_requests", "100", "4", "100"),
        Row("one", "shared_store_requests", "64", "2", "16", note="2 STS.128"),
        Row("two", "global_load_requests", "7", "1", "8"),
        Row("two", "shared_store_requests", "7", "3", "8", note="2 STS.128, 3 predicated"),
        Row("two", "global_load_sectors", "5", "", "6", why="predicated"),
    ]
    text = page.document(rows).split("## one")[0]
    assert "1 of 5 counts" in text
    assert "| one | shared_store_requests | 64 | 16 | 2 STS.128: one instruction" in text
    assert "| two | global_load_requests | 7 | 8 | not explained |" in text
    assert "| two | shared_store_requests | 7 | 8 | 3 predicated instructions: ncu" in text
    assert "| two | global_load_sectors | 5 | 6 | predicated |" in text
    assert "shared_load_requests" not in text
