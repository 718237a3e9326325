"""Right kernels that differ from the shipped solutions pass; `tests/grader/gpu` times them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from grader.kernels import ReferenceOutputs, grade
from tests.competent_kernels import COMPETENT, SLOW, Competent
from tests.grader.gpu.tools import shipped

DATA = Path(__file__).parents[1] / "data"
QUESTIONS = {one.id.partition("kernel-")[2]: one for one in shipped()}


@pytest.mark.parametrize("one", COMPETENT, ids=lambda one: one.id)
def test_a_different_right_kernel_passes(one: Competent) -> None:
    asked = QUESTIONS[one.question].problem
    found = grade(asked, one.source, ReferenceOutputs(asked))
    assert found.passed, found.verdict.failure


def test_no_gate_rejects_a_competent_kernel_as_measured_on_an_h200() -> None:
    """`make test-gpu` prints the figures. Of those in `SLOW` the prompt says what costs."""
    with (DATA / "competent" / "h200.csv").open(encoding="utf-8") as file:
        measured = {row["kernel"]: float(row["low"]) for row in csv.DictReader(file)}
    assert set(measured) == {one.id for one in COMPETENT}
    for one in COMPETENT:
        part = QUESTIONS[one.question].question.gpu
        assert part is not None
        gate = part.speedup["NVIDIA H200"]
        assert (measured[one.id] > 1.05 * gate) == (one.id not in SLOW), one.id


def test_every_question_that_requires_a_speed_has_a_different_right_kernel() -> None:
    """Or its gate was set by one solution alone; the register-blocked product has no other yet."""
    gated = {
        name for name, one in QUESTIONS.items() if one.question.gpu and one.question.gpu.speedup
    }
    assert gated - {one.question for one in COMPETENT} == {"gemm-register-blocked"}
    assert {one.id for one in COMPETENT} >= SLOW
