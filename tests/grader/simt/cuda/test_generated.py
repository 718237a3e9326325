"""Random legal programs of C++: none is a mistake of its author here, and each has g++'s values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.grader.simt.cuda.generated import Clang, run_all
from tests.grader.simt.cuda.generated_launches import judge


def _judged(programs: int, compiler: str, clang: Clang | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for seed, _, what, why in run_all(range(7_000, 7_000 + programs), compiler, clang):
        found.setdefault(what, []).append(f"seed {seed}: {why}")
    return found


def test_legal_programs_run_or_are_refused_by_name(needs_program):
    found = _judged(20, needs_program("g++"), None)
    assert found.get("blamed", []) + found.get("wrong", []) == []
    assert len(found["run"]) > 12


@pytest.mark.long
def test_what_clang_takes_in_cuda_mode_is_no_mistake_here(needs_program, tmp_path: Path):
    pytest.importorskip("clang.cindex", reason="pip install libclang")
    compiler = needs_program("g++")
    found = _judged(1_500, compiler, Clang(compiler, tmp_path))
    assert found.get("blamed", []) + found.get("wrong", []) == []
    assert len(found["run"]) > 1_000


@pytest.mark.long
def test_kernels_are_given_lambdas_and_functors(needs_program, tmp_path: Path):
    compiler = needs_program("g++")
    found = {seed: judge(seed, compiler, tmp_path) for seed in range(60)}
    assert {seed: each for seed, each in found.items() if each[0] in ("blamed", "wrong")} == {}
    assert sum(each[0] == "run" for each in found.values()) > 50
