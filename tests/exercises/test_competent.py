"""Right kernels that differ from the shipped solutions pass; `tests/grader/gpu` times them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from grader.kernels import ReferenceOutputs, grade
from quizapp.domain.question import CODE_LANGUAGES, CodeLanguage
from tests.competent_kernels import COMPETENT, COMPETENT_CUDA, SLOW, Competent
from tests.grader.gpu.tools import Shipped, shipped
from tests.sampling import every

DATA = Path(__file__).parents[1] / "data"
ASKED = {
    language: {one.id.partition("kernel-")[2]: one for one in shipped(language)}
    for language in CODE_LANGUAGES
}
QUESTIONS = ASKED["python"]
DEAR = (
    "gemm-split-k--vote", "fused-epilogue--one-tile-of-sums", "gemm-mma-ldmatrix--padded",
    "gemm-w4a16--scaled-sums",
)  # fmt: skip
"""What takes 2 s to 4 s each."""


@pytest.mark.parametrize(
    "one", every(3, (*COMPETENT, *COMPETENT_CUDA), lambda one: one.id, dear=DEAR)
)
def test_a_different_right_kernel_passes(one: Competent) -> None:
    asked = ASKED[one.language][one.question].problem
    found = grade(asked, one.source, ReferenceOutputs(asked))
    assert found.passed, found.verdict.failure


@pytest.mark.parametrize(("file", "kernels"), [("h200", COMPETENT), ("h200_cuda", COMPETENT_CUDA)])
def test_no_gate_rejects_a_competent_kernel_as_measured_on_an_h200(
    file: str, kernels: tuple[Competent, ...]
) -> None:
    """`make test-gpu` prints the figures. Of those in `SLOW` the prompt says what costs."""
    with (DATA / "competent" / f"{file}.csv").open(encoding="utf-8") as rows:
        measured = {row["kernel"]: float(row["low"]) for row in csv.DictReader(rows)}
    gates = {one.id: _gate(ASKED[one.language][one.question]) for one in kernels}
    gated = {name for name, gate in gates.items() if gate}
    assert gated <= set(measured) <= set(gates)
    for name in gated:
        assert (measured[name] > 1.05 * gates[name]) == (name not in SLOW), name


def _gate(one: Shipped) -> float:
    """The speedup it asks for on an H200; 0 where it asks for none."""
    part = one.question.gpu
    return part.speedup.get("NVIDIA H200", 0.0) if part else 0.0


def test_every_question_that_requires_a_speed_has_a_different_right_kernel() -> None:
    """Or its gate was set by one solution alone; the register-blocked product has no other yet."""
    gated = {name for name, one in QUESTIONS.items() if _gate(one)}
    assert gated - {one.question for one in COMPETENT} == {"gemm-register-blocked"}
    assert {one.id for one in COMPETENT} >= SLOW


@pytest.mark.parametrize("language", CODE_LANGUAGES)
def test_every_kernel_for_tensor_cores_has_a_second_right_one(language: CodeLanguage) -> None:
    names = {name for name, one in ASKED[language].items() if one.id.startswith("tensor-cores/")}
    right = {one.question for one in (*COMPETENT, *COMPETENT_CUDA) if one.language == language}
    assert names <= right
