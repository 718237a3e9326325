"""Kernels as compiled count what Nsight Compute counts on an H200, or ptxas's code says why not."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bench.gpu.ptx.counted import record, texts
from bench.gpu.ptx.counted.launches import PtxLaunch, launches
from bench.gpu.ptx.programs import compare_programs
from grader.compiled.parts import has_nvrtc
from tests.sampling import every

_FIND = texts.load()
_CELLS, _REASONS = record.load(), record.load_reasons()
_NAMES = tuple(dict.fromkeys(cell.name for cell in _CELLS))
_DOCUMENTS = Path(__file__).parents[4] / "docs"


@cache
def _launches() -> dict[str, PtxLaunch]:
    return {each.name: each for each in launches()}


@pytest.mark.parametrize("name", every(40, _NAMES, str))
def test_the_emulator_counts_what_the_gpu_counted(name: str) -> None:
    assert list(record.problems(_launches()[name], _FIND(name), _CELLS, _REASONS)) == []


def test_every_launch_is_recorded_and_nothing_else() -> None:
    assert set(_launches()) == set(_NAMES)


def test_reasons_cite_instructions_and_speak_of_what_differs() -> None:
    assert list(record.problems_of_reasons(_CELLS, _REASONS)) == []
    for cell in _CELLS:
        explained = any(one.covers(cell) for one in _REASONS)
        assert explained == (cell.gpu != cell.emulator), cell


def test_wavefronts_and_sectors_differ_in_few_launches() -> None:
    """Requests also count warps in which no thread takes part."""
    others = {
        cell.name
        for cell in _CELLS
        if cell.gpu != cell.emulator and not cell.counter.endswith("_requests")
    }
    assert len(_NAMES) - len(others) >= 370


def test_the_page_has_the_agreement_as_it_is_recorded() -> None:
    page = " ".join((_DOCUMENTS / "ptx.md").read_text("utf-8").split())
    for said in record.summary(list(_launches().values()), _CELLS, _REASONS):
        assert said in page


def test_ptx_is_kept_without_what_names_its_source() -> None:
    text = _FIND(_NAMES[-1]).text
    assert not re.search(r"^\s*\.(loc|file|section)", text, re.MULTILINE)


@pytest.mark.skipif(not has_nvrtc(), reason="needs the extra `compile`")
def test_a_program_is_compared_from_its_source_and_from_its_ptx() -> None:
    first = next(compare_programs())
    assert (first.right, first.findings) == (True, 0)
