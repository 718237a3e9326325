"""Accesses that are kept as runs of cells: whatever follows, they say what entries per cell say."""

from __future__ import annotations

import random

import numpy as np
import pytest

from grader.simt.checks import shadow as shadows
from grader.simt.checks.shadow import KINDS, Accessors, Shadow
from grader.simt.memory.written import WrittenBytes, WrittenRows
from tests.grader.simt.test_private_runs import trace

CELLS = 200
ZERO = np.zeros(1, np.int32)


def draw(chance: random.Random) -> list[tuple[str, Accessors, int]]:
    """Parts of arrays whose cells are a thread's own, mostly; as slices or as an index of each."""
    found = []
    for _ in range(chance.randint(1, 14)):
        step, length = chance.choice([1, 1, 1, 4]), chance.choice([2, 8, 16])
        first = chance.randrange(0, CELLS - step * length, chance.choice([1, 8, 8]))
        stop = first + step * (length - 1) + 1
        start = first // step + 1 + chance.choice([0, 0, 0, 0, 0, 40]) + 64 * (step > 1)
        thread = np.arange(start, start + length, dtype=np.int32)
        cells = slice(first, stop, step) if chance.random() < 0.7 else np.arange(first, stop, step)
        kind = chance.choice(["store", "store", "load", "atomic"])
        found.append((kind, Accessors(cells, thread, ZERO, ZERO, 0, 32), chance.randrange(1, 4)))
    return found


@pytest.mark.parametrize("cases", [300, pytest.param(30_000, marks=pytest.mark.long)])
def test_runs_say_what_an_entry_per_cell_says(cases, monkeypatch):
    chance, kept = random.Random(3), 0
    for _ in range(cases):
        steps = draw(chance)
        monkeypatch.setattr(shadows, "_LARGE", 1)
        in_runs = Shadow(CELLS, timed=False)
        for kind, accessors, site in steps:
            in_runs.hazards(kind, accessors)
            in_runs.mark(kind, accessors, site)
        kept += sum(
            each is not None and each.runs is not None for each in map(in_runs.record, KINDS)
        )
        part = slice(first := chance.randrange(CELLS), chance.randint(first + 1, CELLS))
        written = in_runs.find_written(part).tolist()
        accessed = in_runs.is_accessed(part)
        short = trace(steps, timed=False, cells=CELLS)
        monkeypatch.setattr(shadows, "_LARGE", CELLS + 1)
        assert short == trace(steps, timed=False, cells=CELLS)
        entries = Shadow(CELLS, timed=False)
        for kind, accessors, site in steps:
            entries.mark(kind, accessors, site)
        assert written == entries.find_written(part).tolist()
        assert accessed >= entries.is_accessed(part)
    assert kept > cases


@pytest.mark.parametrize("cases", [300])
def test_spans_of_written_bytes_say_what_a_bool_per_byte_says(cases):
    chance = random.Random(5)
    for _ in range(cases):
        short, each = WrittenBytes(0, 60), np.zeros(60, np.bool_)
        for _ in range(chance.randint(1, 6)):
            first = chance.randrange(50)
            rows = WrittenRows(first, 10, chance.randint(1, 10), 1 if first > 20 else 3)
            short.mark(rows)
            for row in range(rows.height):
                each[first + 10 * row : first + 10 * row + rows.width] = True
            low = chance.randrange(60)
            high = chance.randint(low, 60)
            assert not short.holds(low, high) or each[low:high].all()
        assert short.is_whole() == each.all()
        assert short.bytes.tolist() == each.tolist()
