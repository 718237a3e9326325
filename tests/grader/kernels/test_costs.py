"""What a kernel does more than another: counted by hand for a small product."""

from __future__ import annotations

from grader.kernels import Cost, KernelGrade, ReferenceOutputs, find_costs, grade
from tests.competent_kernels import COMPETENT
from tests.grader.gpu.tools import shipped
from tests.grader.kernels.tools import FIRST, GOOD, graded, kernel


def of(name: str) -> tuple[KernelGrade, KernelGrade]:
    """A competent kernel and the solution of its question, as the emulator counts them."""
    one = next(one for one in COMPETENT if one.id == name)
    question = next(q for q in shipped() if q.id.endswith(f"kernel-{one.question}"))
    known = ReferenceOutputs(question.problem)
    solution = question.question.solution or ""
    mine, theirs = (grade(question.problem, text, known) for text in (one.source, solution))
    return mine, theirs


def test_a_kernel_costs_nothing_beside_itself():
    assert find_costs(graded(GOOD), graded(GOOD)) == ()


def test_an_xor_in_the_inner_loop_is_named_with_its_line_and_its_count():
    """64 x 96 x 64: 6 blocks of 32 warps, 2 steps of 32 iterations: 12,288 runs of the line."""
    mine, theirs = of("gemm-b-transposed--xor")
    (found,) = find_costs(mine, theirs)
    assert mine.source.split("\n")[found.line - 1].strip() == "total += sa[ty, i] * sb[tx, i ^ tx]"
    assert (found.kind, found.each) == ("arithmetic", 3)
    assert mine.runs[0].counts[found.line]["instructions"] == 6 * 32 * 2 * 32
    assert found.count - found.other >= 6 * 32 * 2 * 32  # the XOR of every run, and the store's


def test_a_remainder_is_named_apart():
    kinds = [one.kind for one in find_costs(*of("transpose-padded--rotated"))]
    assert kinds == ["division", "arithmetic"]


def test_more_sectors_and_more_shared_traffic_are_named_where_most_of_it_is():
    twice = graded(kernel("if i < out.size:", "    out[i] = a[i]", "    out[i] += a[i]"))
    (found, *_) = find_costs(twice, graded(GOOD))
    assert found == Cost("sectors", FIRST + 2, 40, 16)


def test_double_precision_is_named_with_its_line():
    double = graded(kernel("if i < out.size:", "    out[i] = 2.0 * a[i]"))
    single = graded(kernel("if i < out.size:", "    out[i] = a[i] + a[i]"))
    assert Cost("float64", FIRST + 1, 2, 0) in find_costs(double, single)


def test_what_never_ran_has_no_costs():
    assert find_costs(graded("def double(a:"), graded(GOOD)) == ()
