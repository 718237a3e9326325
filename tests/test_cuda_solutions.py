"""The `.cu` files beside kernel questions are those that ran on a GPU and were right.

`python -m bench.gpu.cuda run` checks and times them there; tests/data/cuda_solutions.csv is what
`record` made of that.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

import pytest

from bench.gpu.cuda import __main__ as command
from bench.gpu.cuda import recorded
from bench.gpu.cuda.programs import SOLUTION, Program, kernel_questions, programs
from quizapp.domain.languages import languages_of

PROGRAMS = {(one.question.id, one.path.name): one for one in programs()}
ROWS = {row.key: row for row in recorded.load()}


def test_every_recorded_text_is_that_of_the_file():
    changed = [key for key, row in ROWS.items() if PROGRAMS[key].sha256 != row.sha256]
    assert not changed, "run `python -m bench.gpu.cuda run` on a GPU, then `record`"


def test_every_kernel_has_a_solution_that_ran():
    in_cuda = [one for one, _ in kernel_questions() if "cuda" in languages_of(one)]
    wanted = {(one.id, SOLUTION) for one in in_cuda} | PROGRAMS.keys()
    assert wanted <= ROWS.keys()


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.question)
def test_a_row_tells_what_was_compiled_and_what_it_took(row):
    question = PROGRAMS[row.key].question
    assert int(row.shapes) == len(question.shapes) + (question.gpu is not None)
    assert "sm_90" in row.options
    if question.gpu:
        assert float(row.cuda_ms) > 0
        assert question.solution is None or float(row.numba_ms) > 0
    assert 0 < int(row.registers) <= 255


@pytest.mark.parametrize("one", PROGRAMS.values(), ids=lambda one: one.name)
def test_a_program_is_one_for_a_whiteboard(one: Program):
    lines = one.source.splitlines()
    assert len(lines) <= 70
    assert max(map(len, lines)) <= 110
    assert 'extern "C" __global__ void' in one.source
    assert f"{one.question.kernel}(" in one.source


def test_record_keeps_what_is_still_the_file(tmp_path, monkeypatch, capsys):
    first = next(iter(PROGRAMS.values()))
    row = recorded.Row(
        first.question.id, first.path.name, first.sha256, "GPU", "13.0", "sm_90", "5", "1.0", "2.0",
        "3.0", "16", "0",
    )  # fmt: skip
    found = tmp_path / "out"
    found.mkdir()
    monkeypatch.setattr(recorded, "RECORDED", tmp_path / "recorded.csv")
    monkeypatch.setattr(command, "programs", lambda: [first])
    recorded.save(found / "cuda_solutions.csv", [replace(row, sha256="0")])
    assert not command._record(Namespace(found=[found]))
    assert recorded.load(recorded.RECORDED) == []
    recorded.save(found / "cuda_solutions.csv", [row])
    assert command._record(Namespace(found=[found]))
    assert recorded.load(recorded.RECORDED) == [row]
    assert first.question.id in capsys.readouterr().out
