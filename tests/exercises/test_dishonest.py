"""Submissions that once passed a shipped question without doing what it asks for: all fail.

`tests/data/submissions` has them, as QUESTION--name.py.
"""

from __future__ import annotations

import pytest

from tests.deck.tools import ROOT
from tests.examining import REFEREE
from tests.grader.gpu.tools import shipped

FOLDER = ROOT / "tests/data/submissions"
GATES = {
    "kernel-gemm-tiled--atomicload": "counts: global_load_sectors",
    "kernel-matvec-warp--syncmask": "findings: warp-mask",
    "kernel-reduce-sequential--syncwarpmask": "findings: race",
}
"""The gate that each must fail at."""


@pytest.mark.parametrize("name", GATES)
def test_a_way_around_a_question_is_closed(name):
    question, _, _ = name.partition("--")
    problem = next(one.problem for one in shipped() if one.id.endswith(question))
    graded = REFEREE.grade(problem, (FOLDER / f"{name}.py").read_text("utf-8"))
    assert graded.verdict.failed_at == GATES[name]


def test_every_file_of_the_folder_has_its_gate():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(GATES)
