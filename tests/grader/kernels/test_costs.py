"""What a kernel does more than another: counted by hand for a small product."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.kernels import Cost, KernelGrade, Problem, ReferenceOutputs, find_costs, grade
from grader.kernels.submission import read_submission
from quizapp.domain.question import CODE_LANGUAGES
from tests.competent_kernels import COMPETENT
from tests.grader.gpu.tools import shipped
from tests.grader.kernels.tools import FIRST, GOOD, graded, kernel, problem


def of(name: str) -> tuple[Problem, KernelGrade, KernelGrade]:
    """A competent kernel and the solution of its question, as the emulator counts them."""
    one = next(one for one in COMPETENT if one.id == name)
    question = next(q for q in shipped() if q.id.endswith(f"kernel-{one.question}"))
    known = ReferenceOutputs(question.problem)
    solution = question.question.solution or ""
    mine, theirs = (grade(question.problem, text, known) for text in (one.source, solution))
    return question.problem, mine, theirs


def costs(slow: str, other: str) -> tuple[Cost, ...]:
    return find_costs(problem(), graded(slow), graded(other))


CPP = """extern "C" __global__ void one(const float* a, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {}
}}"""


def in_cpp(*lines: str) -> str:
    return CPP.format("\n  ".join(lines))


def costs_in_cpp(slow: str, other: str) -> dict[str, tuple[int, int]]:
    """By kind, the line and the operations per execution."""
    asked = problem(language="cuda")
    known = ReferenceOutputs(asked)
    found = find_costs(asked, *(grade(asked, text, known) for text in (slow, other)))
    return {cost.kind: (cost.line, cost.each) for cost in found}


def test_a_kernel_costs_nothing_beside_itself():
    assert costs(GOOD, GOOD) == ()


def test_an_xor_in_the_inner_loop_is_named_with_its_line_and_its_count():
    """64 x 96 x 64: 6 blocks of 32 warps, 2 steps of 32 iterations: 12,288 runs of the line."""
    asked, mine, theirs = of("gemm-b-transposed--xor")
    (found,) = find_costs(asked, mine, theirs)
    assert mine.source.split("\n")[found.line - 1].strip() == "total += sa[ty, i] * sb[tx, i ^ tx]"
    assert (found.kind, found.each) == ("arithmetic", 3)
    assert mine.runs[0].counts[found.line]["instructions"] == 6 * 32 * 2 * 32
    assert found.count - found.other >= 6 * 32 * 2 * 32  # the XOR of every run, and the store's


def test_a_remainder_is_named_apart():
    kinds = [one.kind for one in find_costs(*of("transpose-padded--rotated"))]
    assert kinds == ["division", "arithmetic"]


def test_more_sectors_and_more_shared_traffic_are_named_where_most_of_it_is():
    twice = kernel("if i < out.size:", "    out[i] = a[i]", "    out[i] += a[i]")
    (found, *_) = costs(twice, GOOD)
    assert found == Cost("sectors", FIRST + 2, 40, 16)


def test_double_precision_is_named_with_its_line():
    double = kernel("if i < out.size:", "    out[i] = 2.0 * a[i]")
    single = kernel("if i < out.size:", "    out[i] = a[i] + a[i]")
    assert Cost("float64", FIRST + 1, 2, 0) in costs(double, single)


def test_what_never_ran_has_no_costs():
    assert costs("def double(a:", GOOD) == ()


def test_a_statement_of_several_lines_is_counted_in_its_first():
    split = kernel("if i < out.size:", "    out[", "        4 * i", "        - 3 * i] = a[i]")
    (found,) = costs(split, GOOD)
    assert (found.kind, found.line, found.each) == ("arithmetic", FIRST + 1, 3)


GOOD_IN_CPP = in_cpp("if (i < n)", "out[i] = a[i] + a[i];")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("out[i] = 2.1 * a[i];", {"float64": (4, 0)}),
        ("out[i / 3 * 3 + i % 3] = 2 * a[i];", {"division": (4, 2), "arithmetic": (4, 5)}),
        ("out[i] = 2 * a[i] / 1.0f;", {"arithmetic": (4, 2)}),
        ("out[i + (unsigned)i / 4096] = 2 * a[i];", {"arithmetic": (4, 3)}),
        ("out[i + (unsigned)i / 4097] = 2 * a[i];", {"division": (4, 1), "arithmetic": (4, 3)}),
        ("out[i] = 2 *\n a[i] +\n 0 * a[i];", {"arithmetic": (4, 3)}),
    ],
)
def test_in_cpp_what_costs_is_named_with_its_line(line, found):
    assert costs_in_cpp(in_cpp("if (i < n)", line), GOOD_IN_CPP) == found


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("language", CODE_LANGUAGES)
def test_the_operators_of_every_shipped_kernel_are_counted(language, step):
    for question in shipped(language)[::step]:
        gpu = question.question.gpu
        texts = (question.question.solution, gpu.baseline if gpu else None)
        for text in filter(None, texts):
            counts = read_submission(question.problem, text).count_operators()
            lines = {line for count in counts for line in count}
            assert lines <= set(range(1, text.count("\n") + 2)), question.id
            assert not set(counts.division) - set(counts.arithmetic), question.id


@pytest.mark.long
@pytest.mark.parametrize("language", CODE_LANGUAGES)
def test_every_slow_variant_is_explained(language):
    """The baseline of each question, which is right and slower than the solution."""
    explained = 0
    for question in shipped(language):
        gpu, solution = question.question.gpu, question.question.solution
        if gpu is None or not gpu.baseline or not solution:
            continue
        known = ReferenceOutputs(question.problem)
        first = replace(question.problem, shapes=question.problem.shapes[:1])
        slow, right = (grade(first, text, known) for text in (gpu.baseline, solution))
        lines = gpu.baseline.count("\n") + 1
        for cost in find_costs(first, slow, right):
            assert 1 <= cost.line <= lines, question.id
        explained += 1
    assert explained > 20
