"""Grading a layout of a 32×32 float tile with four accesses, and the search for its best one.

Processor time, warm. A larger tile, without a limit, only informs.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.data import Data
from bench.figures import Figure, processor_time
from grader.layouts import Exercise, Tile, along_columns, along_rows, grade, search

GRADE_LIMIT_MS = 5.0
SEARCH_LIMIT_MS = 300.0

C = "row * 32 + (col ^ row)"
PYTHON = "def index(row, col):\n    return row * 32 + (col ^ row)\n"
LOOP = """
def index(row, col):
    turned = 0
    for bit in range(5):
        if row >> bit & 1:
            turned |= 1 << (4 - bit)
    return row * 32 + (col ^ turned)
"""


def measure(_data: Data, repeat: int = 31) -> list[Figure]:
    """Medians."""
    small, large = _exercise(32), _exercise(128)
    cases: list[tuple[str, float | None, Callable[[], object]]] = [
        ("grade C, 32×32 floats, four accesses", GRADE_LIMIT_MS, lambda: grade(C, small)),
        ("grade Python, the same", GRADE_LIMIT_MS, lambda: grade(PYTHON, small)),
        ("grade Python with a loop of 5 rounds", GRADE_LIMIT_MS, lambda: grade(LOOP, small)),
        ("grade C, 128×128 floats", None, lambda: grade(C.replace("32", "128"), large)),
        ("search all families, 32×32 floats", SEARCH_LIMIT_MS, lambda: search(small)),
    ]
    return [processor_time("layouts", what, limit, run, repeat) for what, limit, run in cases]


def _exercise(size: int) -> Exercise:
    tile = Tile(size, size)
    return Exercise(
        tile,
        (
            along_rows("row store", "store", tile),
            along_columns("column load", "load", tile),
            along_rows("row load", "load", tile),
            along_columns("column store", "store", tile),
        ),
    )
