"""GPU-Puzzles, solved: their file and their checker, with our kernels in the place of the holes.

`python -m tests.grader.simt.peers GPU-Puzzles` runs it; nothing else collects it. What draws is
left out, and the puzzles' own reading of a kernel, one thread at a time, is run as well.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

_FOLDER = Path(os.environ["QUIZ_GPU_PUZZLES"]).expanduser()
sys.path[:0] = [str(Path(__file__).parents[3] / "data" / "puzzles"), str(_FOLDER)]
_CHALK = ModuleType("chalk")
vars(_CHALK).update(image=MagicMock(), Tuple=tuple)
sys.modules.update(chalk=_CHALK, colour=MagicMock())

import lib  # noqa: E402
import solved  # noqa: E402 - the folders are known from here on

SOLUTIONS = {
    "map_test": solved.add_ten,
    "zip_test": solved.add,
    "map_guard_test": solved.guarded,
    "map_2D_test": solved.square,
    "broadcast_test": solved.broadcast,
    "map_block_test": solved.blocks,
    "map_block2D_test": solved.blocks_of_squares,
    "shared_test": solved.shared,
    "pool_test": solved.pooled,
    "dot_test": solved.dot,
    "conv_test": solved.convolved,
    "sum_test": solved.summed,
    "axis_sum_test": solved.summed_rows,
    "mm_oneblock_test": solved.product,
}
PUZZLES: list[tuple[Any, Any]] = []
"""Each puzzle with what its kernel has to leave."""


class Collected(lib.CudaProblem):
    """A puzzle with its solution."""

    def show(self, sparse=False):
        """Draw nothing."""

    def check(self):
        """Keep it, with what it expects now: the file's constants change later."""
        self.fn = SOLUTIONS[self.fn.__name__]
        PUZZLES.append((self, self.spec(*self.inputs)))


lib.CudaProblem = Collected
_LINES = (_FOLDER / "GPU_puzzlers.py").read_text(encoding="utf-8").split("\n")
exec("\n".join(line for line in _LINES if not line.startswith("!")), {"__name__": "puzzles"})


@pytest.mark.parametrize(("puzzle", "expected"), PUZZLES, ids=[one.name for one, _ in PUZZLES])
def test_puzzle(puzzle, expected):
    puzzle.score(puzzle.run_python())
    np.testing.assert_allclose(puzzle.run_cuda(), expected)
