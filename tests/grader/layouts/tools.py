"""Exercises to grade against, and short ways to say what came."""

from __future__ import annotations

import numpy as np
import pytest

from grader.banks import cost_many
from grader.layouts import (
    Exercise,
    LayoutGrade,
    Tile,
    along_columns,
    along_rows,
    evaluate,
    grade,
    read,
)

TILE = Tile(32, 32, pitch=33, storage=32 * 33)
EXERCISE = Exercise(
    TILE,
    (
        along_rows("row store", "store", TILE),
        along_columns("column load", "load", TILE),
        along_rows("row load", "load", TILE),
        along_columns("column store", "store", TILE),
    ),
)
SHORT = [40, pytest.param(3_000, marks=pytest.mark.long)]


def body(*lines: str) -> str:
    """A Python function of these lines."""
    return "def index(row, col):\n" + "".join(f"    {line}\n" for line in lines)


def value(source: str, row: int = 0, col: int = 0, **constants: int) -> int | tuple[int, ...]:
    """What a source gives for one element."""
    names = {
        "row": np.array([row], np.int32),
        "col": np.array([col], np.int32),
        "threadIdx.x": np.array([col], np.uint32),
    }
    found = evaluate(read(source, names=names, constants=constants), names)
    numbers = tuple(int(index[0]) for index in found)
    return numbers if len(numbers) > 1 else numbers[0]


def wavefronts(found: LayoutGrade) -> list[int]:
    """Of the worst warp of each access."""
    return [report.wavefronts for report in found.accesses]


def transposed(source: str, tile: Tile = TILE) -> tuple[int, int]:
    """Wavefronts of the worst row store and of the worst column load."""
    accesses = along_rows("row", "store", tile), along_columns("column", "load", tile)
    row, column = wavefronts(grade(source, Exercise(tile, accesses)))
    return row, column


def conflicts(source: str, tile: Tile = TILE) -> int:
    """Of all column loads of a tile, as the profiler counts them."""
    (touched,) = Exercise(tile, (along_columns("column", "load", tile),)).touched_elements
    slots = grade(source, Exercise(tile, ())).slots
    assert slots is not None
    addresses = slots.ravel()[touched] * tile.element_bytes
    return int(np.sum(cost_many("load", tile.element_bytes, addresses).conflicts))
