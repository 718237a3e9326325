"""Sums and products of float32 keep to a bound from float64, whether they are contracted or not.

The emulator rounds after each operation; NVRTC contracts a product and a sum to one FMA. Here
NumPy stands in for both, and exact fractions for the bound's own arithmetic.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bench.gpu.cuda_values import emulated
from bench.gpu.cuda_values.contracted import load_row, measure, summarize, worst
from bench.gpu.cuda_values.multiply_adds import BoundedFloats, RoundedFloats, draw
from bench.gpu.cuda_values.rounding import Bounded
from bench.gpu.cuda_values.variants import sha256

PROGRAMS = [draw(seed) for seed in range(25)]
MACHINE = ("A GPU", "13.0")
ROOT = Path(__file__).parents[4]
RECORD = ROOT / "tests" / "data" / "cuda_contracted.csv"
ROWS = [load_row(row) for row in csv.DictReader(RECORD.read_text("utf-8").splitlines())]


class Fused:
    """A float32 array; if it is a product, also that before it was rounded, which float64 holds."""

    def __init__(self, value, product=None):
        self.value = np.asarray(value, np.float32)
        self.wide = self.value.astype(np.float64) if product is None else product

    def __add__(self, other):
        return Fused(self.wide + other.value)

    def __sub__(self, other):
        return Fused(self.wide - other.value)

    def __mul__(self, other):
        product = self.value.astype(np.float64) * other.value
        return Fused(product, product)

    def __neg__(self):
        return Fused(-self.value, -self.wide)


class Contracted:
    """The domain of such numbers."""

    def exact(self, value):
        return Fused(value)

    def choose(self, test, first, second):
        return Fused(np.where(test, first.value, second.value))


class Fractions:
    """Exact numbers, in arrays of objects."""

    def exact(self, value):
        return np.array([Fraction(float(one)) for one in value], object)

    def choose(self, test, first, second):
        return np.where(test, first, second)


def table(variables):
    """Return the output that these variables make."""
    return np.stack(variables, axis=1).ravel()


def contracted(program):
    return table([one.value for one in program.evaluate(Contracted())])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.seed)
def test_the_emulator_rounds_after_each_operation(program):
    (output,) = emulated.run(program)
    rounded = table(program.evaluate(RoundedFloats()))
    assert np.array_equal(output.view(np.int32), rounded.view(np.int32))
    assert np.isfinite(output).all()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.seed)
def test_rounded_and_contracted_values_are_within_the_bound(program):
    assert worst(program, table(program.evaluate(RoundedFloats()))) <= 1
    assert worst(program, contracted(program)) <= 1


@pytest.mark.parametrize("program", PROGRAMS[:5], ids=lambda program: program.seed)
def test_the_exact_values_are_within_the_bound(program):
    """The float64 values are not exact themselves."""
    exact = program.evaluate(Fractions())
    for fractions, bounded in zip(exact, program.evaluate(BoundedFloats()), strict=True):
        for fraction, value, error in zip(fractions, bounded.value, bounded.error, strict=True):
            assert abs(fraction - Fraction(value)) <= Fraction(error)


def test_contraction_changes_bits_and_the_bound_is_no_wider_than_needed():
    rounded = [table(one.evaluate(RoundedFloats())) for one in PROGRAMS]
    fused = [contracted(one) for one in PROGRAMS]
    assert sum(map(np.array_equal, rounded, fused)) < len(PROGRAMS) / 2
    assert max(map(worst, PROGRAMS, rounded)) > 0.5


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.seed)
def test_a_wrong_value_is_outside(program):
    output = table(program.evaluate(RoundedFloats()))
    bounds = np.stack([one.error for one in program.evaluate(BoundedFloats())], axis=1).ravel()
    at = int(np.argmax(np.abs(output)))
    output[at] += np.float32(2.1 * bounds[at]) + np.spacing(output[at])
    assert worst(program, output) > 1
    output[at] = np.nan
    assert worst(program, output) == np.inf


def test_a_bound_grows_by_half_a_unit_for_each_operation():
    third = Bounded.exact(np.float32([0.1]))
    unit = 2.0**-24
    square = third * third
    assert square.error == pytest.approx(unit * square.value, rel=1e-5)
    total = square + third
    assert total.error == pytest.approx(square.error + unit * (total.value + square.error))
    assert (-total).error == total.error
    assert third.ratios(np.float32([0.1])) == [0]
    assert third.ratios(np.float32([0.2])) == [np.inf]


def test_a_program_is_measured():
    program = PROGRAMS[1]
    rounded, fused = table(program.evaluate(RoundedFloats())), contracted(program)
    row = measure(program, fused, rounded, MACHINE)
    same = int((rounded == fused).sum())
    assert (row.outputs, row.same, row.is_within) == (rounded.size, same, True)
    assert (row.gpu, row.emulator) == (worst(program, fused), worst(program, rounded))
    assert not measure(program, fused + 1, rounded, MACHINE).is_within
    assert summarize([row]).startswith(
        f"{same} of {rounded.size} outputs are bit-identical, all of"
    )


def test_a_gpu_kept_to_the_bound():
    """The record of `python -m bench.gpu.cuda_values contracted`, which the document sums up."""
    assert [row.seed for row in ROWS] == list(range(300))
    assert all(row.is_within for row in ROWS)
    document = (ROOT / "docs" / "measured.md").read_text("utf-8")
    assert f"`{summarize(ROWS)}`" in " ".join(document.split())


@pytest.mark.parametrize("row", ROWS[::15], ids=lambda row: row.seed)
def test_the_emulator_comes_as_close_to_the_bound_as_when_a_gpu_ran_the_program(row):
    program = draw(row.seed)
    assert sha256(program.source) == row.sha256, (
        "run `python -m bench.gpu.cuda_values contracted` again on a GPU"
    )
    assert worst(program, emulated.run(program)[0]) == row.emulator
