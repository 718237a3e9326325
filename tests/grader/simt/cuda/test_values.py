"""Random kernels give what the host's C++ compiler makes of the same text, bit by bit."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from bench.gpu.cuda_values import emulated, host
from bench.gpu.cuda_values.programs import draw
from bench.gpu.cuda_values.variants import sha256

pytestmark = pytest.mark.skipif(host.find_compiler() is None, reason="no C++ compiler here")
QUICK = 8
RECORD = Path(__file__).parents[3] / "data/cuda_values.csv"
LONG = 3000
_TOGETHER = 100
"""Programs in one text for the compiler."""


def test_random_kernels_give_what_the_hosts_compiler_gives(tmp_path):
    assert wrong(range(QUICK), tmp_path) == {}


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", range(QUICK, LONG, _TOGETHER))
def test_thousands_of_random_kernels_do(first, tmp_path):
    assert wrong(range(first, first + _TOGETHER), tmp_path) == {}


def wrong(seeds, folder):
    """Return the first difference of each program that has one; undefined behavior raises."""
    programs = [draw(seed) for seed in seeds]
    made = host.compile_all(programs, folder)
    found = {}
    for at, program in enumerate(programs):
        differences = emulated.differences(host.run(made, at, program), emulated.run(program))
        if differences:
            found[program.seed] = differences[0]
    return found


def test_a_wrong_bit_is_a_difference():
    outputs = draw(1).outputs()
    changed = [each.copy() for each in outputs]
    changed[0][0] = 1
    changed[1][0] = -0.0
    assert emulated.differences(outputs, changed) == [
        "integer 0: 1, not 0",
        "real 0: -0.0, not 0.0",
    ]


def test_undefined_behavior_ends_a_program(tmp_path):
    program = draw(1)
    body = program.source.replace(
        "int at = ", "int big = 2147483647; big += (a[0] & 1) + 1; int at = "
    )
    made = host.compile_all([replace(program, source=body)], tmp_path)
    with pytest.raises(host.NotRun, match="seed 1"):
        host.run(made, 0, program)


def test_a_gpu_gave_the_same_bits():
    """The record of `python -m bench.gpu.cuda_values run`, of the programs as they are drawn."""
    rows = list(csv.DictReader(RECORD.read_text("utf-8").splitlines()))
    assert [int(row["seed"]) for row in rows] == list(range(300))
    assert {row["found"] for row in rows} == {"same"}
    for row in rows[::30]:
        assert sha256(draw(int(row["seed"])).source) == row["sha256"], "run it again on a GPU"
