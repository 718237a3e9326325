"""Kernels that do not do what is asked: made for every shipped question, and none passes.

Also what is sent from process to process: all of it comes back as it was.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kernels import CHEATS, Argument, Problem, ReferenceOutputs, grade, write_cheats
from grader.kernels.messages import ExpectRequest, GradeReply
from grader.kernels.outcome import KernelGrade
from grader.kernels.plausible import check_graded, max_verdict_bytes
from grader.kernels.submission import read_submission
from grader.wire import decode_reply, decode_request, encode_reply, encode_request
from quizapp.deck.deck import load
from quizapp.domain.languages import put_in
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import problem as problem_of
from tests.examining import REFEREE
from tests.grader.kernels.tools import GOOD, OUT, graded, kernel, problem

CONTENT = Path(__file__).parents[3] / "content"


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kernel]:
    deck = load([str(CONTENT)], str(tmp_path_factory.mktemp("cache") / "deck"))
    kernels = [name for name, entry in deck.entries.items() if entry.kind == "kernel"]
    found = {name: put_in(deck.question(name), "python") for name in kernels}
    return {name: one for name, one in found.items() if isinstance(one, Kernel)}


def made(asked: Problem, solution: str) -> dict[str, str]:
    return {cheat.name: cheat.source for cheat in write_cheats(asked, solution)}


# Made for a problem


def test_all_are_made_where_there_is_an_input():
    assert tuple(made(problem(), GOOD)) == CHEATS
    lone = (Argument("out", "float32", ("n",), role="inout"),)
    source = "def double(out):\n    out[cuda.grid(1)] = 1\n"
    assert tuple(made(problem(arguments=lone), source)) == tuple(
        name for name in CHEATS if name != "copy of an input"
    )


def test_each_does_what_it_is_called():
    """Of a problem whose outputs are the zeros, the copy, … it passes: so that is what it does."""
    sources = made(problem(), GOOD)
    for name, value in (("zeros", "0 * a"), ("copy of an input", "a")):
        assert graded(sources[name], reference=f"def reference(a):\n    return {value}\n").passed
    for name, kept in (("first element only", 1), ("one block only", 32)):
        run = graded(sources[name]).runs[0]
        assert run.wrong_count == 64 - kept
        assert all(element.writer is None for element in run.wrong)
    nothing = graded(sources["nothing"]).runs[0]
    assert nothing.wrong_count == 64
    assert not any("store" in name for name in nothing.totals)


def test_arrays_of_several_axes_and_other_sizes_are_filled_whole():
    wide = (Argument("a", "float32", (3, "n")), Argument("out", "float32", ("n", 5, 2), "output"))
    zeros = "def reference(a):\n    return np.zeros((a.shape[1], 5, 2))\n"
    repeated = "def reference(a):\n    return np.resize(a, (a.shape[1], 5, 2))\n"
    source = "def double(a, out):\n    out[0, 0, 0] = a[0, 0]\n"
    asked = problem(arguments=wide, reference=zeros)
    sources = made(asked, source)
    assert grade(asked, sources["zeros"], ReferenceOutputs(asked)).passed
    asked = problem(arguments=wide, reference=repeated)
    assert grade(asked, sources["copy of an input"], ReferenceOutputs(asked)).passed
    run = grade(asked, sources["first element only"], ReferenceOutputs(asked)).runs[0]
    assert run.wrong_count == 64 * 5 * 2 - 1


def test_the_first_element_alone_is_written_by_atomics_too():
    source = kernel("cuda.atomic.add(out, i % 8, 1)", "out[i % 8] += 1")
    text = made(problem(arguments=(problem().arguments[0], OUT)), source)["first element only"]
    assert text.count("if i % 8 == 0:") == 2


# On what is shipped


def test_all_are_accepted_for_any_shipped_kernel(shipped):
    """Lint shows that none passes; one that the source gate refuses would show nothing."""
    assert len(shipped) >= 5
    for question in shipped.values():
        asked = problem_of(question)
        for cheat in write_cheats(asked, question.solution or ""):
            read_submission(asked, cheat.source)


def sent(graded: KernelGrade, asked: Problem, source: str) -> KernelGrade:
    """A verdict, as it comes out of the process."""
    line = encode_reply(GradeReply(id=1, graded=graded))
    assert len(line) < max_verdict_bytes(asked, source) / 10
    found = decode_reply(line, GradeReply, 1).graded
    assert found is not None
    check_graded(found, asked, source)
    return found


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)])
def test_what_the_process_says_of_shipped_kernels_is_what_is_said_here(shipped, step):
    """Counts, findings, writers and the worst access, through JSON and back: of every sixth."""
    sorts = set()
    for name, question in [*shipped.items()][::step]:
        asked = problem_of(question)
        assert (
            decode_request(encode_request(ExpectRequest(problem=asked)), [ExpectRequest]).problem
            == asked
        ), name
        expected = ReferenceOutputs(asked)
        sources = [question.solution, *(wrong.source for wrong in question.wrong)]
        for source in sources:
            here = grade(asked, source or "", expected)
            assert sent(here, asked, source or "") == here, name
            sorts.add(here.verdict.failed_at.partition(":")[0])
        assert REFEREE.grade(asked, source or "") == here, name
    assert {"", "result", "findings", "counts"} <= sorts
