"""What kernel questions are tried with: wrong submissions that tame inputs would let pass.

Each submission is made from a question's own solution, or from what a verdict shows on the screen.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from grader.kernels import (
    OPERATIONS,
    KernelGrade,
    Problem,
    ReferenceOutputs,
    find_failure,
    grade,
)
from grader.kernels.cheating.writing import unravel_index
from grader.kernels.confirming import make_confirmation
from grader.kernels.grading import _QUICK
from grader.kernels.problem import evaluate_integer, evaluate_sizes
from quizapp.deck.deck import Deck
from quizapp.domain.languages import put_in
from quizapp.domain.question import CODE_LANGUAGES, CodeLanguage, Kernel
from quizapp.exercises.kernels import CheckedKernel, problem
from quizapp.report.verdicts import kernel_verdict
from quizapp.report.words import Words
from tests.sampling import every
from tests.sentences import catalogue, english

CONTENT = Path(__file__).parents[2] / "content"
FEW_OUTPUTS = (
    "dot-product", "histogram-private", "matvec-warp", "maximum-few-atomics", "reduce-atomics",
    "reduce-sequential", "reduce-shuffle",
)  # fmt: skip
"""Questions whose results a person could copy from the screen."""
NARROWER = {"int32": "int16", "float32": "float16", "float64": "float32"}
FITS = ("compaction-ballot", "gemv-int8", "gemv-nvfp4")
"""Counts within a block of 256 fit int16; float16 holds a copy of float16 inputs, and every code of
NVFP4 times its scale."""
NARROW_FAILS = {
    **dict.fromkeys(FITS, ""),
    "histogram-private": "source",  # no atomics of that type
    "radix-digit": "source",  # no shuffles of that type
}
"""The gate that fails with half as many bits, where it is not the result."""


FOLDERS = sorted(
    path.parent
    for path in CONTENT.glob("*/kernels/*/question.yaml")
    if "\ntriton:" not in path.read_text("utf-8")  # these are proven where their extra is
)
NARROWED = re.compile(r"cuda\.(shared|local)\.array\(.*(int|float)(32|64)\)")
WITH_ARRAYS = [
    folder.name
    for folder in FOLDERS
    for solution in folder.glob("solution.py")
    if NARROWED.search(solution.read_text("utf-8"))
]


SOLUTIONS = [
    (folder.name, language)
    for folder in FOLDERS
    for language in CODE_LANGUAGES
    if (folder / f"solution.{'cu' if language == 'cuda' else 'py'}").exists()
]


DEAR = ("conv2d-grouped-dilated", "fused-epilogue")
"""What takes 2 s to 4 s."""


def of(deck: Deck, name: str, language: CodeLanguage = "python") -> Kernel:
    question = put_in(deck.question(deck.find(f"kernel-{name}").id), language)
    assert isinstance(question, Kernel)
    return question


def changed(question: Kernel, comment: object) -> str:
    """The solution as a text of its own: other values confirm it."""
    mark = "//" if question.language == "cuda" else "#"
    return f"{question.solution}\n{mark} {comment}\n"


@pytest.fixture(params=every(4, (folder.name for folder in FOLDERS), str))
def kernel(request: pytest.FixtureRequest, deck: Deck) -> Kernel:
    return of(deck, request.param)


def verdict(question: Kernel, source: str) -> KernelGrade:
    asked = problem(question)
    return grade(asked, source, ReferenceOutputs(asked))


def check_draws(question: Kernel, draws: int) -> None:
    """Its solution passes whatever confirms it, and far from what ends a run."""
    asked = problem(question)
    expected = ReferenceOutputs(asked)
    within = replace(asked, operations=OPERATIONS * 10 // 24)
    for number in range(draws):
        found = grade(within, changed(question, number), expected)
        assert found.passed, (number, found.runs[-1].shape, found.verdict.failure)
    quick = replace(asked, operations=_QUICK // 3, confirm=())
    assert find_failure(quick, question.solution or "", expected) == ""


@pytest.mark.parametrize(
    ("name", "language"), [one for one in SOLUTIONS[::8] if one[0] not in DEAR]
)
def test_a_solution_passes_whatever_confirms_it(
    deck: Deck, name: str, language: CodeLanguage
) -> None:
    """Beyond the one confirmation that lint makes."""
    check_draws(of(deck, name, language), 1)


@pytest.mark.long
@pytest.mark.parametrize(("name", "language"), SOLUTIONS)
def test_every_solution_passes_sixteen_draws(deck: Deck, name: str, language: CodeLanguage) -> None:
    """Alone: `make test-long ARGS="tests/exercises/test_kernel_inputs.py -k sixteen"`."""
    check_draws(of(deck, name, language), 16)


def test_a_confirmed_sum_is_not_alone(kernel: Kernel) -> None:
    """A single sum may cancel to nearly 0, and with it what a right kernel may be off by."""
    asked = problem(kernel)
    least = {name: low for name, (low, _) in asked.confirm[0].items()}
    most = {name: high for name, (_, high) in asked.confirm[0].items()}
    outputs = [asked.arguments[i] for i in asked.outputs]
    elements = sum(prod(evaluate_sizes(one.shape, least, ())) for one in outputs)
    assert elements >= 3 or not evaluate_integer(asked.terms, most, ())


def test_what_confirms_a_pass_is_shown_nowhere(kernel: Kernel) -> None:
    """Every name of the shape varies, so that sizes written down do not suffice either."""
    asked = problem(kernel)
    assert all(set(bounds) == set(asked.shapes[0]) for bounds in asked.confirm)
    shapes = [dict(make_confirmation(asked, str(i)).shapes[0]) for i in range(20)]
    assert sum(shape not in asked.shapes for shape in shapes) >= 15
    assert make_confirmation(asked, "x") == make_confirmation(asked, "x")


def print_outputs(asked: Problem) -> str:
    """The right outputs of every shape, as tables in a kernel that reads no input's elements."""
    known, tables, lines = ReferenceOutputs(asked), [], []
    arrays = [one for one in asked.arguments if one.value is None]
    for run, shape in enumerate(asked.shapes):
        tests = [
            f"{one.name}.shape[{axis}] == {size}"
            for one in arrays
            for axis, size in enumerate(evaluate_sizes(one.shape, shape, ()))
        ]
        lines.append(f"    if {' and '.join(tests)}:")
        for position, right in zip(asked.outputs, known.for_run(run), strict=True):
            name = f"T{run}_{position}"
            tables.append(f"{name} = ({', '.join(map(str, right.ravel().tolist()))},)")
            out = asked.arguments[position]
            target = f"{out.name}[{unravel_index(out, 'i')}]"
            lines.append(f"        if i < {right.size}:")
            lines.append(f"            {target} = {name}[i]")
    head = (
        f"def {asked.kernel}({', '.join(one.name for one in asked.arguments)}):\n"
        "    block = cuda.blockIdx.x + cuda.gridDim.x * cuda.blockIdx.y\n"
        "    row = cuda.threadIdx.y + cuda.blockDim.y * block\n"
        "    i = cuda.threadIdx.x + cuda.blockDim.x * row\n"
    )
    return "\n".join(["import math", *tables, "", head + "\n".join(lines)]) + "\n"


@pytest.mark.parametrize("name", FEW_OUTPUTS)
def test_results_copied_from_the_screen_do_not_pass(deck: Deck, name: str) -> None:
    question = of(deck, name)
    found = verdict(question, print_outputs(problem(question)))
    assert found.verdict.failed_at.startswith(("counts", "result")), found.verdict.failure


def test_a_table_that_reads_every_element_still_fails_and_names_the_shape(deck: Deck) -> None:
    """The lower limit of loads is met: only values that nothing shows tell it from a solution."""
    question = of(deck, "dot-product")
    asked = problem(question)
    lines = print_outputs(asked).split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("    if "))
    lines[at:at] = [
        "    s = np.float32(0)",
        "    for k in range(8):",
        "        j = cuda.blockIdx.x * 2048 + cuda.threadIdx.x + 256 * k",
        "        if j < a.size:",
        "            s += a[j] * b[j]",
    ]
    found = verdict(question, "\n".join(["import numpy as np", *lines]))
    unseen = make_confirmation(asked, found.source).shapes[0]
    assert found.verdict.failed_at == "result"
    assert found.runs[-1].shape == unseen
    assert f"for n = {unseen['n']:,}" in english(found.verdict.failure.reason)


class Narrow(ast.NodeTransformer):
    """Arrays in shared and local memory, of a type with half as many bits."""

    def __init__(self) -> None:
        self.changed = 0

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if ast.unparse(node.func) in ("cuda.shared.array", "cuda.local.array"):
            dtype = node.args[1]
            narrower = NARROWER.get(ast.unparse(dtype).split(".")[-1])
            if narrower is not None:
                node.args[1] = ast.parse(f"np.{narrower}", mode="eval").body
                self.changed += 1
        return node


def narrow(source: str) -> tuple[str, int]:
    change = Narrow()
    tree = change.visit(ast.parse(source))
    return "import numpy as np\n" + ast.unparse(ast.fix_missing_locations(tree)), change.changed


def test_half_precision_holds_every_code_of_nvfp4_times_its_scale() -> None:
    """So the array of `gemv-nvfp4` may be of halves: twice a code, times a scale."""
    codes = np.array([0, 1, 2, 3, 4, 6, 8, 12])
    exponents, mantissas = np.divmod(np.arange(127), 8)
    scales = np.ldexp(np.where(exponents, 8 + mantissas, mantissas), np.maximum(exponents, 1) - 10)
    products = np.outer(codes, scales)
    assert (scales[1], scales[-1]) == (2.0**-9, 448)
    assert (products.astype(np.float16) == products).all()


@pytest.mark.parametrize("name", every(4, WITH_ARRAYS, str))
def test_half_as_many_bits_are_not_enough(deck: Deck, name: str) -> None:
    question = of(deck, name)
    source, changed = narrow(question.solution or "")
    assert changed
    found = verdict(question, source)
    assert found.verdict.failed_at == NARROW_FAILS.get(name, "result"), found.verdict.failure


def test_every_limit_has_words_for_what_it_means(kernel: Kernel) -> None:
    for limit in kernel.counts:
        for bound, where in (("most", "over"), ("least", "under")):
            if getattr(limit, bound) is not None:
                assert f"limit.{where}.{limit.counter}" in catalogue(), limit


@pytest.mark.parametrize("name", FEW_OUTPUTS[:3])
def test_every_limit_that_is_missed_says_what_it_means(deck: Deck, name: str) -> None:
    """Each limit alone, moved so that the solution misses it: too high, or too low."""
    kernel = of(deck, name)
    for limit in kernel.counts:
        for bound, moved in (("most", -1), ("least", 1 << 40)):
            if getattr(limit, bound) is None:
                continue
            only = msgspec.structs.replace(limit, most=None, least=None)
            missed = msgspec.structs.replace(only, **{bound: moved})
            question = msgspec.structs.replace(kernel, counts=(missed,))
            checked = CheckedKernel(question, verdict(question, question.solution or ""))
            where = "over" if bound == "most" else "under"
            for say in (Words("en"), Words("zh")):
                text = [span for line in kernel_verdict.verdict(checked, say) for span, _ in line]
                assert f"  {say(f'limit.{where}.{limit.counter}')}" in text, (limit, text)
