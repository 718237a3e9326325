"""Kernels in Triton: a submission is read, compiled apart, and graded by lines of its source."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench.gpu.triton import SIZES, RightKernel, right_kernels
from grader.extras import is_installed
from grader.kernels import Argument, CountLimit, KernelGrade, Problem, write_mutants
from grader.kernels.accepting import NotAccepted
from grader.kernels.submission import read_submission
from quizapp.report.words import Words
from tests.examining import REFEREE

ROOT = Path(__file__).parents[3]
HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
GOOD = f"""{HEAD}def twice(a, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = at < n
    value = tl.load(a + at, mask=inside)
    tl.store(out + at, 2 * value, mask=inside)
"""
ASKED = Problem(
    "twice",
    (Argument("a", "float32", ("n",)), Argument("out", "float32", ("n",), role="output")),
    ({"n": 1024}, {"n": 200}),
    ("ceil(n / 256)",),
    (64,),
    limits=(CountLimit("global_sectors", most="2 * ceil(n / 8) * (1 + 3 * min(n % 16, 1))"),),
    reference="def reference(a):\n    return 2 * a\n",
    language="triton",
    constants={"TILE": 256},
)
needs_triton = pytest.mark.skipif(not is_installed("triton"), reason="needs the extra `triton`")
SAY = Words("en")


def graded(source: str, asked: Problem = ASKED) -> KernelGrade:
    return REFEREE.grade(asked, source, advise=True)


def refusal(found: KernelGrade) -> tuple[str, int]:
    """What the gate `source` says, and in which line."""
    failure = found.verdict.failure
    assert failure is not None
    assert failure.reason is not None
    assert failure.name == "source"
    return SAY.fact(failure.reason), failure.line


# Without Triton


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("x = 1\n", "triton.no-function", 1),
        (
            "from numba import cuda\n\n\n@cuda.jit\ndef twice(a):\n    pass\n",
            "triton.no-function",
            1,
        ),
        (GOOD.replace(", n,", ","), "submission.arguments", 6),
        (GOOD.replace(": tl.constexpr", ""), "triton.no-constexpr", 6),
        (GOOD.replace("(a, out, n,", "(a: tl.constexpr, out, n,"), "triton.constexpr", 6),
        (GOOD.replace("a, out, n", "a, out, *n"), "submission.plain-arguments", 6),
        (GOOD + HEAD + "def twice(a):\n    pass\n", "submission.twice", 16),
        (
            GOOD.replace("twice", "x") + HEAD + "def y(a):\n    pass\n",
            "submission.missing-kernel",
            6,
        ),
        ("def twice(:\n", "syntax.invalid", 1),
    ],
)
def test_what_is_no_such_kernel_is_refused_at_its_line(source, code, line):
    with pytest.raises(NotAccepted) as caught:
        read_submission(ASKED, source)
    assert (caught.value.what.code, caught.value.line) == (code, line)


def test_mutants_drop_masks_and_move_bounds():
    made = {(mutant.rule, mutant.diff[-1].strip()) for mutant in write_mutants(ASKED, GOOD)}
    assert ("drop", "+    value = tl.load(a + at, mask=None)") in made
    assert ("compare", "+    inside = at <= n") in made


def test_every_question_has_two_right_kernels_and_a_size_to_be_timed_at():
    counts = Counter(each.question for each in right_kernels())
    assert counts.keys() == SIZES.keys()
    assert min(counts.values()) > 1


def test_an_h200_gave_all_right_kernels_the_right_values_at_each_shape():
    """`python -m bench.gpu.triton` records them again."""
    with (ROOT / "tests/data/triton_h200.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["kernel"]: row for row in csv.DictReader(file)}
    for kernel in right_kernels():
        row = rows[kernel.name]
        assert row["right"] == row["shapes"] == str(len(kernel.problem.shapes)), kernel.name


# With it


@needs_triton
def test_a_right_kernel_passes_and_counts_by_its_lines():
    found = graded(GOOD)
    assert found.passed, found.verdict.failure
    first, second = (run.counts for run in found.runs)
    assert first[9]["global_load_sectors"] == first[10]["global_store_sectors"] == 128
    # 200 is no multiple of 16: four accesses of 4 bytes for one of 16, but for what the mask drops.
    assert second[9]["global_load_sectors"] == 4 * 25
    assert graded(
        GOOD.replace("twice", "own_name").replace("(a, ", "(x, ").replace("(a +", "(x +")
    ).passed


@needs_triton
def test_a_fault_and_a_wrong_element_are_at_their_lines():
    outside = graded(GOOD.replace("2 * value, mask=inside", "2 * value")).verdict
    assert outside.failed_at == "findings: out-of-bounds"
    assert outside.failure is not None
    assert outside.failure.line == 10
    wrong = graded(GOOD.replace("2 * value", "3 * value")).verdict
    assert wrong.failed_at == "result"
    assert wrong.failure is not None
    assert wrong.failure.line == 10


@needs_triton
def test_a_size_of_one_and_a_number_are_what_triton_makes_of_them():
    """A size of 1 becomes a constant, and a float a float32."""
    scaled = replace(
        ASKED, arguments=(*ASKED.arguments, Argument("by", value=0.1, dtype="float32")),
        shapes=({"n": 1}, {"n": 30}), terms=1,
        reference="def reference(a, by):\n    return by * a\n",
    )  # fmt: skip
    source = GOOD.replace("out, n", "out, by, n").replace("2 *", "by *")
    assert graded(source, scaled).passed


@needs_triton
@pytest.mark.parametrize(
    ("old", "new", "said", "line"),
    [
        ("at < n", "at < m", "m is not defined", 8),
        ("tl.arange(0, TILE)", "tl.arange(0, 3)", "power of 2", 7),
        ("2 * value", "tl.dot(value, value)", "equal ranks", 10),
        ("import triton.language as tl", "import nothing_like_it", "No module", 2),
    ],
)
def test_what_triton_refuses_is_said_in_its_words_at_its_line(old, new, said, line):
    words, at = refusal(graded(GOOD.replace(old, new)))
    assert said in words
    assert at == line


@needs_triton
def test_an_error_in_a_helper_is_said_there():
    helper = HEAD + "def inside_of(at, n):\n    return at < m\n\n\n"
    source = helper + GOOD.replace(HEAD, "@triton.jit\n").replace("at < n", "inside_of(at, n)")
    assert refusal(graded(source))[1] == 7


@needs_triton
@pytest.mark.parametrize(
    "line",
    [
        "open('/tmp/written', 'w')",
        "open('/etc/passwd')",
        "__import__('socket').socket()",
        "__import__('subprocess').run(['true'])",
        "__import__('os').kill(__import__('os').getppid(), 9)",
        "__import__('os')._exit(0)",
        "__import__('ctypes').string_at(0)",
        "__import__('os').write(1, b'{}\\n')\n__import__('os')._exit(0)",
        "x = bytearray(20 << 30)",
    ],
)
def test_code_around_the_kernel_is_confined_and_leaves_nothing_behind(line):
    refusal(graded(f"{line}\n{GOOD}"))
    assert graded(GOOD).passed


@needs_triton
def test_code_around_the_kernel_cannot_reach_the_verdict():
    patches = (
        "import sys\nimport grader.kernels.grading as grading\n"
        "grading._result_gate = lambda *given, **named: None\n"
    )
    wrong = GOOD.replace("2 * value", "3 * value")
    assert graded(patches + wrong).verdict.failed_at == "result"


# The questions


@needs_triton
@pytest.mark.parametrize(
    "kernel",
    [one for one in right_kernels() if one.file.stem != "solution"],
    ids=lambda one: one.name,
)
def test_a_different_right_kernel_passes(kernel: RightKernel):
    found = graded(kernel.file.read_text("utf-8"), kernel.problem)
    assert found.passed, found.verdict.failure


@needs_triton
def test_all_right_kernels_are_right_by_tritons_own_interpreter_too():
    """In NumPy: another meaning of the source than its PTX. One of them is spoiled, to be found."""
    starter = ROOT / "content/frameworks/kernels/triton-softmax/starter.py"
    command = [sys.executable, "-m", "tests.triton_interpreted", str(starter)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["triton-softmax--starter"]
