"""Blocks of a multiprocessor, against NVIDIA's own calculator.

`occupancy.csv` is what cudaOccMaxActiveBlocksPerMultiprocessor of cuda_occupancy.h
(CUDA 13.0), compiled for the host, gives for static shared memory and the largest carveout.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from grader.gpu.occupancy import Occupancy, occupancy

RECORDED = Path(__file__).with_name("occupancy.csv")


def test_blocks_are_those_of_nvidias_calculator():
    with RECORDED.open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == 2352
    wrong = [
        (row, found)
        for row in rows
        if (
            found := occupancy(
                row["capability"], int(row["threads"]), int(row["registers"]), int(row["shared"])
            )
        ).blocks
        != int(row["blocks"])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ((1024, 32, 0), Occupancy(2, 1.0, "threads")),
        ((256, 128, 0), Occupancy(2, 0.25, "registers")),
        ((256, 32, 49152), Occupancy(4, 0.5, "shared memory")),
        ((32, 16, 0), Occupancy(32, 0.5, "blocks")),
    ],
)
def test_what_is_scarcest_is_named(taken, expected):
    assert occupancy("9.0", *taken) == expected


def test_of_an_unknown_capability_nothing_is_said():
    assert occupancy("99.0", 256, 32, 0) == Occupancy(0, 0.0, "")
