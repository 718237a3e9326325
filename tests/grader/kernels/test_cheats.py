"""Kernels that do not do what is asked: made for every shipped question, and none passes.

Also what is sent from process to process: all of it comes back as it was.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.kernels import (
    CHEATS,
    Argument,
    CountLimit,
    Problem,
    ReferenceOutputs,
    grade,
    pose_serial,
    predict_serial,
    write_cheats,
)
from grader.kernels.messages import ExpectRequest, GradeReply
from grader.kernels.outcome import KernelGrade
from grader.kernels.plausible import check_graded, max_verdict_bytes
from grader.kernels.submission import read_submission
from grader.wire import decode_reply, decode_request, encode_reply, encode_request
from quizapp.deck.deck import Deck
from quizapp.domain.languages import dialect_of, put_in
from quizapp.domain.question import CODE_LANGUAGES, CodeLanguage, Kernel
from quizapp.exercises.kernels import problem as problem_of
from tests.examining import REFEREE
from tests.grader.kernels.tools import GOOD, OUT, kernel, problem

CONTENT = Path(__file__).parents[3] / "content"


HEAD = "__global__ void twice(const float* a, float* out, int n) {\n"
BODY = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * a[i];\n}\n"
SHARED = (CountLimit("busiest_thread_percent", most=200),)
PROBLEMS: dict[CodeLanguage, Problem] = {
    "python": problem(limits=SHARED),
    "cuda": problem(kernel="twice", language="cuda", limits=SHARED),
}
SOLUTIONS: dict[CodeLanguage, str] = {"python": GOOD, "cuda": HEAD + BODY}
languages = pytest.mark.parametrize("language", CODE_LANGUAGES)


def list_kernels(deck: Deck, language: CodeLanguage) -> dict[str, Kernel]:
    """The shipped kernel questions that are in a language, put in it."""
    names = [name for name, entry in deck.entries.items() if entry.kind == "kernel"]
    found = {name: put_in(deck.question(name), language) for name in names}
    return {
        name: one
        for name, one in found.items()
        if isinstance(one, Kernel)
        if dialect_of(one) == language
    }


@pytest.fixture(scope="module")
def shipped(deck: Deck) -> dict[str, Kernel]:
    return list_kernels(deck, "python")


def made(asked: Problem, solution: str) -> dict[str, str]:
    return {cheat.name: cheat.source for cheat in write_cheats(asked, solution)}


def cheats_in(language: CodeLanguage) -> list[str]:
    """Numba has no trap."""
    return [name for name in CHEATS if (language, name) != ("python", "trap")]


# Made for a problem


LONE: dict[CodeLanguage, str] = {
    "python": "def double(out):\n    out[cuda.grid(1)] = 1\n",
    "cuda": "__global__ void twice(float* out, int n) { out[threadIdx.x] = 1; }\n",
}


@languages
def test_all_are_made_where_there_is_an_input(language):
    asked = PROBLEMS[language]
    assert list(made(asked, SOLUTIONS[language])) == cheats_in(language)
    asked = replace(asked, arguments=(Argument("out", "float32", ("n",), role="inout"),))
    names = [name for name in cheats_in(language) if name != "copy of an input"]
    assert list(made(asked, LONE[language])) == names


@languages
def test_each_does_what_it_is_called(language):
    """Of a problem whose outputs are the zeros, the copy, … it passes: so that is what it does."""
    asked = PROBLEMS[language]
    sources = made(asked, SOLUTIONS[language])

    def graded(source: str, value: str = "2 * a") -> KernelGrade:
        other = replace(asked, reference=f"def reference(a):\n    return {value}\n")
        return grade(other, source, ReferenceOutputs(other))

    assert graded(SOLUTIONS[language]).passed
    for name, value in (("zeros", "0 * a"), ("copy of an input", "a")):
        assert graded(sources[name], value).passed
    for name, kept in (("first element only", 1), ("one block only", 32)):
        run = graded(sources[name]).runs[0]
        assert run.wrong_count == 64 - kept
        assert all(element.writer is None for element in run.wrong)
    for name, alone in (("thread 0 does all", 1 / 32), ("block 0 does all", 1 / 8)):
        eight = replace(asked, shapes=({"n": 256},))
        found = grade(eight, sources[name], ReferenceOutputs(eight))
        assert found.verdict.failed_at == "counts: busiest_thread_percent"
        assert 0.6 < alone * found.runs[0].shares["busiest_thread_percent"] / 100 <= 1
    nothing = graded(sources["nothing"]).runs[0]
    assert nothing.wrong_count == 64
    assert not any("store" in name for name in nothing.totals)


@languages
@pytest.mark.parametrize("name", ["thread 0 does all", "block 0 does all"])
def test_what_does_everything_in_one_place_ends_once_it_can_only_miss_its_limit(language, name):
    """At the smallest shape at which it does: of n = 40 all blocks but two are idle."""
    asked = replace(PROBLEMS[language], shapes=({"n": 8192}, {"n": 4096}, {"n": 40}))
    solution = grade(asked, SOLUTIONS[language], ReferenceOutputs(asked))
    source = made(asked, SOLUTIONS[language])[name]
    posed = pose_serial(asked, name, solution.runs)
    assert posed is not None
    assert posed.shapes == (asked.shapes[2 if name.startswith("thread") else 1],)
    (run,) = grade(posed, source, ReferenceOutputs(posed)).runs
    assert run.amount("busiest_thread_percent") > 200
    assert run.totals["lanes"] < 8 * solution.runs[0].totals["lanes"]
    assert pose_serial(asked, "zeros", solution.runs) is None
    for most, gate in ((200, "counts: busiest_thread_percent"), (4000, "")):
        limited = replace(asked, limits=(CountLimit("busiest_thread_percent", most=most),))
        assert predict_serial(limited, solution.runs) == {"thread 0 does all": gate}
    assert predict_serial(replace(asked, limits=()), solution.runs) == {}


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


STORES = {
    "an element": "if (i < n) out[i] = 2 * a[i];",
    "a sum": "if (i < n) { out[i] = a[i]; out[i] += a[i]; }",
    "both branches": "if (i < n) if (i % 2) out[i] = 2 * a[i]; else *(out + i) = 2 * a[i];",
    "through a pointer": "float* own = out + i; if (i < n) *own = 2 * a[i];",
    "a pair": "if (2 * i < n) ((float2*)out)[i] = make_float2(2 * a[2 * i], 2 * a[2 * i + 1]);",
    "an atomic": "if (i < n) { out[i] = 0; atomicAdd(&out[i], 2 * a[i]); }",
}


@pytest.mark.parametrize("name", STORES)
def test_the_first_element_alone_is_written_in_cuda_however_it_is_stored(name):
    asked = PROBLEMS["cuda"]
    source = f"{HEAD} int i = blockIdx.x * blockDim.x + threadIdx.x; {STORES[name]}\n}}\n"
    expected = ReferenceOutputs(asked)
    assert grade(asked, source, expected).passed
    run = grade(asked, made(asked, source)["first element only"], expected).runs[0]
    assert run.wrong_count == 64 - (2 if name == "a pair" else 1)


def test_a_store_in_another_function_is_not_found():
    put = "__device__ void put(float* at, float x) { *at = x; }\n"
    source = put + HEAD + "  int i = blockIdx.x * 32 + threadIdx.x; put(out + i, 2 * a[i]);\n}\n"
    assert "first element only" not in made(PROBLEMS["cuda"], source)


# On what is shipped


@languages
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)])
def test_all_are_accepted_for_any_shipped_kernel(language, deck, step):
    """Lint shows that none passes; one that the source gate refuses would show nothing."""
    kernels = list_kernels(deck, language)
    assert len(kernels) >= 40
    for name, question in [*kernels.items()][::step]:
        asked = problem_of(question)
        cheats = list(write_cheats(asked, question.solution or ""))
        names = {cheat.name for cheat in cheats}
        left_out = {"copy of an input", "thread 0 does all"}
        if "store_matrix_sync" in (question.solution or ""):  # a library stores
            left_out.add("first element only")
        assert names >= {*cheats_in(language)} - left_out, name
        for cheat in cheats:
            read_submission(asked, cheat.source)


def sent(graded: KernelGrade, asked: Problem, source: str) -> KernelGrade:
    """A verdict, as it comes out of the process."""
    line = encode_reply(GradeReply(id=1, graded=graded))
    assert len(line) < max_verdict_bytes(asked, source) / 10
    found = decode_reply(line, GradeReply, 1).graded
    assert found is not None
    check_graded(found, asked, source)
    return found


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
def test_what_the_process_says_of_shipped_kernels_is_what_is_said_here(shipped, step):
    """Counts, findings, writers and the worst access, through JSON and back: of every twelfth.

    One whose blocks wait for one another takes 30 s, which the long run has.
    """
    sorts = set()
    for name, question in [*shipped.items()][::step]:
        if step > 1 and name.endswith("kernel-scan-grid"):
            continue
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
