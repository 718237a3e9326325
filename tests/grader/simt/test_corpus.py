"""Our own corpus: right kernels are right and nothing is found, and a fault is found at its line.

The figures are printed, each miss by its name. `python -m bench --only corpus` has them beside
those of Numba's simulator.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from bench.corpus_simulator import read_record
from tests.grader.simt.corpus import (
    NOTHING,
    VALUES,
    Fault,
    Outcome,
    faults,
    names,
    outcome,
    text_of,
)

CHANCE = "the order in which atomics happen to take turns is right; nothing makes it so"
KNOWN = {
    "grid_counter: edit wait < goal < 0": CHANCE,
    "last_block: edit last mine[0] == cuda.gridDim.x - 1 and t == 0 "
    "cuda.blockIdx.x == cuda.gridDim.x - 1 and t == 0": CHANCE,
}
"""Faults that are not found, and why."""


@cache
def all_faults() -> list[Fault]:
    return [fault for name in names() for fault in faults(name)]


@pytest.fixture(scope="module", params=[10, pytest.param(1, marks=pytest.mark.long)])
def made(request) -> list[tuple[Fault, Outcome]]:
    """One fault in ten, or all."""
    chosen = all_faults()[:: request.param]
    return [(fault, outcome(fault.name.partition(":")[0], fault.text)) for fault in chosen]


def hazards(made):
    return [(fault, done) for fault, done in made if fault.hazard]


@pytest.mark.parametrize("name", names())
def test_a_right_kernel_is_right_and_nothing_is_found(name):
    assert outcome(name, text_of(name)) == Outcome(right=True)


def test_the_corpus_is_whole():
    assert len(names()) >= 60
    assert sum(fault.hazard for fault in all_faults()) >= 150
    assert max(Counter(fault.name for fault in all_faults()).values()) == 1


def test_numbas_simulator_was_asked_about_each():
    """A line that is missing is measured by `python -m bench.corpus_simulator`."""
    assert set(read_record()) == {*names(), *(fault.name for fault in all_faults())}


def test_faults_are_found_at_their_lines(made):
    given = hazards(made)
    found = [fault.name for fault, done in given if done.finds(fault)]
    placed = [fault.name for fault, done in given if done.at_line(fault)]
    there = {fault.name for fault, _ in given}
    missed = there - set(found)
    print(f"{len(names())} right kernels; {len(given)} faults, {len(found)} found, "
          f"{len(placed)} at a right line; missed: {sorted(missed)}")  # fmt: skip
    assert missed == there & set(KNOWN)
    assert len(placed) >= 0.95 * (len(given) - len(missed))


def test_each_kind_is_among_the_faults():
    assert {kind for fault in all_faults() if fault.hazard for kind in fault.kinds} == {
        "race",
        "global-race",
        "uninitialised-read",
        "barrier-divergence",
        "out-of-bounds",
        "never-written",
        "budget",
        "no-progress",
    }


@pytest.mark.parametrize(("kind", "right"), [(VALUES, False), (NOTHING, True)])
def test_nothing_is_found_where_nothing_is_to_be_found(made, kind, right):
    given = [(fault, done) for fault, done in made if kind in fault.kinds]
    assert len(given) > 1
    others = [fault.name for fault, done in given if done != Outcome(right=right)]
    assert others == []
