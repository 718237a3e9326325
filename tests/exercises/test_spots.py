"""A kernel with a fault: what is drawn for a review, and what is right, as the emulator says."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import yaml

from quizapp.domain.errors import Ungraded
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.languages import languages_of, put_in
from quizapp.domain.question import LANGUAGES, Spot
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.kernels import spot_problem
from quizapp.exercises.spots import build_spot, draw_spot, spot_cases
from quizapp.report.numbered_code import launch
from quizapp.report.verdicts import spot_verdict
from quizapp.report.words import Words
from tests.commands.program import ROOT
from tests.deck.tools import SPOT_PLACES
from tests.examining import EXAMINER
from tests.exercises.tools import check_question, kernel, spot
from tests.sentences import english

NAME = "pack/a-spot"
CASES = 4


def find_key(question):
    return EXAMINER.find_bug(question)


# What is drawn


def test_reviews_draw_different_cases_until_all_were_drawn():
    drawn = [draw_spot(spot(), NAME, review) for review in range(2 * CASES)]
    codes = [one.question.code for one in drawn]
    assert len(set(codes[:CASES])) == CASES
    assert codes[CASES:] == codes[:CASES]
    assert all(one != other for one, other in pairwise(codes))


def test_redrawn_for_the_same_review_it_is_the_same():
    for review in range(CASES):
        one, again = (draw_spot(spot(), NAME, review) for _ in range(2))
        assert one.question == again.question
        assert one.parameters == again.parameters


def test_another_question_has_another_order():
    orders = {
        tuple(tuple(draw_spot(spot(), f"pack/{name}", n).parameters.items()) for n in range(CASES))
        for name in "abcdefgh"
    }
    assert len(orders) > 1


def test_everything_is_filled_in_and_nothing_is_left_to_draw():
    question = build_spot(
        spot(hints=["Half is {{half}}."], let={"half": "size // 2"}), {"size": 64, "tile": "part"}
    ).question
    assert "part = cuda.shared.array(64, numba.float32)" in question.code
    assert "part[63 - t]" in question.code
    assert question.prompt == "Each block of 64 threads reverses its part of `a`. What is wrong?"
    assert question.explanation.endswith("the store of part.")
    assert question.hints == ("Half is 32.",)
    assert (question.draw, question.let) == ({}, {})
    assert question.shape == {"size": 64, "half": 32}


def test_nothing_that_varies_is_one_case_and_braces_of_python_stay():
    code = spot().code.replace("{{tile}}", "tile").replace("{{size}}", "64")
    code = code.replace("{{size - 1}}", "63")
    question = spot(code=code, prompt="What?", explanation="So.", draw={}, shape={"size": 64})
    assert spot_cases(question) == [{}]
    assert draw_spot(question, NAME, 7).question.code == code


def test_more_draws_than_anybody_counts_are_a_fault_and_no_hang():
    with pytest.raises(BadExercise) as raised:
        spot_cases(spot(draw={name: list(range(64)) for name in ("size", "tile", "c")}))
    assert raised.value.fault.path == ("draw",)


# What is right


@pytest.mark.parametrize("review", range(CASES))
def test_either_end_of_a_race_is_right_and_nothing_else(review):
    question = draw_spot(spot(), NAME, review).question
    places = find_key(question)
    assert places.places == SPOT_PLACES
    assert (places.lines, places.kinds) == ((6, 7), ("race",))
    for line in range(12):
        for kind in SPOTTABLE:
            assert places.score(line, kind) == ((line, kind) in SPOT_PLACES)


FAULTS = {
    "a guard": ("out[cuda.grid(1) + 1] = a[0]", "out-of-bounds", 3),
    "a barrier in a branch": (
        "if cuda.threadIdx.x < 5:\n        cuda.syncthreads()\n    out[cuda.grid(1)] = a[0]",
        "barrier-divergence", 4),
    "what nobody wrote": (
        "t = cuda.shared.array(32, numba.float32)\n    out[cuda.grid(1)] = t[0]",
        "uninitialised-read", 4),
    "one cell for all": ("out[0] = a[cuda.grid(1)]", "global-race", 3),
    "double precision": ("out[cuda.grid(1)] = 2.0 * a[0]", "warning", 3),
}  # fmt: skip


@pytest.mark.parametrize(("line", "kind", "at"), FAULTS.values(), ids=FAULTS.keys())
def test_every_kind_can_be_named_where_it_is(line, kind, at):
    code = f"@cuda.jit\ndef k(a, out):\n    {line}\n"
    question = spot(code=code, draw={}, prompt="?", explanation=".", shape={"size": 64})
    assert find_key(question).score(at, kind) == 1


def test_a_misaligned_vector_is_a_kind_in_cuda():
    code = (
        "__global__ void k(const float* a, float* out) {\n"
        "    const float4* v = (const float4*)(a + 1);\n"
        "    float4 four = v[threadIdx.x % 2];\n"
        "    out[threadIdx.x + 64 * blockIdx.x] = four.x;\n}\n"
    )
    cuda = {"code": code, "cause": ["a + 1"]}
    question = spot(cuda=cuda, draw={}, prompt="?", explanation=".", shape={"size": 64})
    found = find_key(put_in(question, "cuda"))
    assert found.kinds == ("misaligned",)
    assert (found.score(3, "misaligned"), found.score(2, "misaligned")) == (1, 1)


def test_other_warnings_are_no_faults_beside_one():
    """A negative index is worth a word in a profile; it is not what is asked for here."""
    code = "@cuda.jit\ndef k(a, out):\n    out[cuda.grid(1)] = a[-1]\n    out[0] = a[1]\n"
    question = spot(code=code, draw={}, prompt="?", explanation=".", shape={"size": 64})
    assert "warning" not in find_key(question).kinds


def test_the_same_code_with_another_launch_is_another_question():
    code = "@cuda.jit\ndef k(a, out):\n    t = cuda.threadIdx.x\n"
    code += "    out[cuda.blockIdx.x * 32 + t] = a[cuda.grid(1)]\n"
    fields = {"code": code, "draw": {}, "prompt": "?", "explanation": ".", "shape": {"size": 64}}
    many = spot(**fields, launch={"grid": [5], "block": [32]})
    wide = spot(**fields, launch={"grid": [2], "block": [64]})
    assert find_key(many).kinds == ("out-of-bounds",)
    assert find_key(wide).kinds == ("global-race",)
    assert find_key(many).kinds == ("out-of-bounds",)


def test_it_is_worked_out_once():
    question = draw_spot(spot(), NAME, 0).question
    assert find_key(question) is find_key(question)


# Where nobody knows


def test_a_spot_without_a_fault_has_no_verdict_and_says_what_to_do():
    code = "@cuda.jit\ndef k(a, out):\n    out[cuda.grid(1)] = a[0]\n"
    arguments = [
        {"name": "a", "dtype": "float32", "shape": [64]},
        {"name": "out", "dtype": "float32", "shape": [64], "role": "output"},
    ]
    question = spot(code=code, arguments=arguments, draw={}, prompt="?", explanation=".",
                    launch={"grid": [2], "block": [32]})  # fmt: skip
    for _ in range(2):
        with pytest.raises(Ungraded) as raised:
            find_key(question)
        said = english(raised.value)
        assert re.match(r"a-spot cannot be graded: .* finds nothing", said)
        assert "quiz lint" in said


def test_a_kernel_whose_reference_fails_has_no_verdict():
    broken = kernel(reference="def reference(a):\n    return b\n")
    solution = kernel().solution or ""
    for ask in (lambda: EXAMINER.prepare(broken), lambda: EXAMINER.check(broken, solution)):
        with pytest.raises(Ungraded) as raised:
            ask()
        assert english(raised.value).startswith("a-kernel cannot be graded: ")
    assert EXAMINER.check(kernel(), solution).passed


# In CUDA C++

CUDA = """__global__ void k(const float* a, float* out{more})
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + 1] = a[i];
}}
"""


def in_cuda(more: str = "", **fields):
    cuda = {"code": CUDA.format(more=more), **fields}
    return put_in(spot(let={"half": "size // 2"}, cuda=cuda), "cuda")


def test_a_kernel_in_cuda_takes_the_arguments_and_no_size_unless_it_names_one():
    alone = draw_spot(in_cuda(), NAME, 0).question
    assert (find_key(alone).places, find_key(alone).causes) == ({(4, "out-of-bounds")}, set())
    sized = in_cuda(", int half", parameters=["a", "out", "half"], cause=["i + 1"])
    assert find_key(draw_spot(sized, NAME, 0).question).places == {(4, "out-of-bounds")}
    with pytest.raises(Ungraded, match=r"submission\.arguments"):
        find_key(draw_spot(in_cuda(", int half"), NAME, 0).question)


def test_the_sizes_that_a_kernel_takes_are_told_with_its_arguments():
    sized = in_cuda(", int half", parameters=["a", "out", "half"])
    put = draw_spot(sized, NAME, 0).question
    size = put.shape["size"]
    told = launch(put, Words("en"))
    assert told.endswith(f"a: float32[{2 * size}], out: float32[{2 * size}], half = {size // 2}.")
    assert "half" not in launch(draw_spot(spot(), NAME, 0).question, Words("en"))


def test_a_size_that_is_nowhere_is_a_fault_at_its_name():
    bad = in_cuda(parameters=["a", "out", "n"])
    with pytest.raises(BadExercise) as raised:
        spot_problem(draw_spot(bad, NAME, 0).question)
    assert raised.value.fault.path == ("cuda", "parameters", 2)


# Causes and costs

GUARD = """@cuda.jit
def k(a, out):
    i = cuda.grid(1)
    if i < a.shape[0] - 1:
        out[i] = a[i]
"""
TILE = """@cuda.jit
def k(a, out):
    tile = cuda.shared.array((32, 32), numba.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[ty * 32 + tx]
    cuda.syncthreads()
    out[ty * 32 + tx] = tile[tx, ty]
"""
ARRAYS = [
    {"name": "a", "dtype": "float32", "shape": ["n"]},
    {"name": "out", "dtype": "float32", "shape": ["n"], "role": "output"},
]


def of(code: str, n: int, **fields):
    launch = fields.pop("launch", {"grid": [1], "block": [n]})
    return spot(code=code, arguments=ARRAYS, draw={}, prompt="?", explanation=".",
                shape={"n": n}, launch=launch, **fields)  # fmt: skip


def test_a_cause_is_as_right_as_the_line_where_it_shows():
    code = TILE.replace("    cuda.syncthreads()\n", "")
    places = find_key(of(code, 1024, launch={"grid": [1], "block": [32, 32]}, cause=["tx, ty ="]))
    assert [places.score(line, "race") for line in (4, 5, 6)] == [1, 1, 1]
    assert places.score(4, "global-race") == 0


def test_what_shows_in_no_line_is_found_at_its_cause():
    places = find_key(of(GUARD, 64, cause=["- 1:"]))
    assert (places.places, places.causes) == ({(4, "never-written")}, frozenset())


@pytest.mark.parametrize(("quote", "count"), [("cuda", 2), ("nothing", 0)])
def test_a_cause_quotes_exactly_one_line(quote, count):
    with pytest.raises(Ungraded, match=rf"spot\.cause \(text={quote}, n={count}\)"):
        find_key(of(GUARD, 64, cause=[quote]))


def test_the_line_that_costs_most_is_the_one_with_conflicts_or_scattered_sectors():
    question = of(TILE, 1024, asks="cost", launch={"grid": [1], "block": [32, 32]})
    places = find_key(question)
    assert places.places == {(7, "bank-conflict")}
    (cost,) = places.costs
    assert (cost.spent, cost.ideal) == (32 * 32, 32)
    padded = TILE.replace("(32, 32)", "(32, 33)")
    with pytest.raises(Ungraded, match="no-finding"):
        find_key(of(padded, 1024, asks="cost", launch={"grid": [1], "block": [32, 32]}))
    stride = "@cuda.jit\ndef k(a, out):\n    i = cuda.grid(1)\n    out[i] = a[i * 8 % 256]\n"
    scattered = find_key(of(stride, 256, asks="cost"))
    assert scattered.places == {(4, "uncoalesced")}


def test_an_integer_that_does_not_fit_is_an_overflow():
    code = "@cuda.jit\ndef k(a, out):\n    s = cuda.shared.array(64, numba.int8)\n"
    code += "    t = cuda.threadIdx.x\n    s[t] = 100 + t\n    out[t] = s[t]\n"
    places = find_key(of(code, 64))
    assert places.places == {(5, "overflow")}
    told = [list(spot_verdict.lines(places, None, Words(language))) for language in LANGUAGES]
    (english, message), (chinese, said) = [["".join(t for t, _ in one) for one in x] for x in told]
    assert english == "• integer overflow · line 5"
    assert message.strip() == "128 does not fit int8 and wraps to -128"
    assert "整数溢出" in chinese
    assert "超出 int8 的范围" in said


def test_the_launch_is_told_with_every_size():
    put = draw_spot(spot(), NAME, 0).question
    size = put.shape["size"]
    told = launch(put, Words("en"))
    assert told == (
        f"Launch: grid (2), block ({size}). Arguments: a: float32[{2 * size}], "
        f"out: float32[{2 * size}]."
    )
    assert "启动" in launch(put, Words("zh"))


def test_every_shipped_bug_has_one_place_or_one_cause_more():
    """A second line that could be defended is a cause, or an end of the same race."""
    for path in sorted((ROOT / "content/shared-memory/spots").glob("*.yaml")):
        for written in yaml.safe_load(path.read_text()):
            question = check_question(written)
            assert isinstance(question, Spot)
            if question.asks == "cost":
                for language in languages_of(question):
                    asked = put_in(question, language)
                    places = find_key(draw_spot(asked, NAME, 0).question).places
                    assert len(places) == 1 or asked.cause, question.id  # which all of them share
