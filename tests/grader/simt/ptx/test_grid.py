"""`grid.sync()` of cooperative groups as NVRTC compiled it (tests/data/ptx/grid/sync.cu)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_FILE = Path(__file__).parents[3] / "data" / "ptx" / "grid" / "sync.ptx"
_BLOCKS, _THREADS, _ROUNDS = 5, 64, 3
_COUNT = _BLOCKS * _THREADS


def _run(name: str, *numbers: int, cooperative: bool = True) -> tuple[list[int], Launch]:
    module = read_ptx(_FILE.read_text())
    kernel = find_kernel(module, name)
    out = np.zeros(_COUNT, np.uint32)
    ready = lower_ptx(module, kernel, list_fields(kernel))
    given = [np.zeros(_COUNT, np.uint32), out, *numbers]
    done = launch(ready, _BLOCKS, _THREADS, given, cooperative=cooperative)
    return out.tolist(), done


def test_the_whole_grid_meets_again_and_again() -> None:
    out, done = _run("turn", _ROUNDS)
    assert out == [_COUNT - 1 - rank + _ROUNDS - 1 for rank in range(_COUNT)]
    assert not done.findings


def test_a_launch_that_is_not_cooperative_is_aborted() -> None:
    _, done = _run("turn", _ROUNDS, cooperative=False)
    assert [each.what.code for each in done.faults] == ["launch.trapped"]


def test_without_it_blocks_race() -> None:
    _, done = _run("turn_too_early")
    assert {each.kind for each in done.faults} == {"global-race"}


def test_a_block_that_never_comes_is_waited_for_without_end() -> None:
    _, done = _run("turn_without_one")
    assert [each.kind for each in done.faults] == ["no-progress"]
    assert not done.finished
