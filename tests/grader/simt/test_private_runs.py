"""Cells that one thread each keeps accessing: what is not looked at again is found all the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.checks.private_runs import PrivateRuns, _overlap
from grader.simt.checks.shadow import KINDS, Accessors, Shadow
from tests.grader.simt.tools import kernel

CELLS, THREADS = 48, 8


def accesses(chance: random.Random, timed: bool) -> list[tuple[str, Accessors, int]]:
    """Some, most of them again and again the same: the same vectors, as in a loop."""
    numbers = [np.arange(first, first + THREADS, dtype=np.int32) for first in (1, 1, 9, 65)]
    numbers.append(np.array([3, 1, 2, 4, 6, 5, 8, 7], np.int32))
    times = [np.full(THREADS, time, np.int32) for time in range(4)]
    choices = []
    for _ in range(5):
        step = chance.choice([1, 2, 3, 5])
        start = chance.randrange(CELLS - step * (THREADS - 1))
        cells = slice(start, start + step * (THREADS - 1) + 1, step)
        if chance.random() < 0.2:
            cells = np.array(chance.choices(range(CELLS), k=THREADS))
        choices.append((cells, chance.choice(numbers)))
    found = []
    for step in range(60):
        cells, thread = chance.choice(choices[: 2 + step // 20])
        now = times[step // 15] if timed else times[0]
        since = np.array([chance.randrange(int(now[0]) + 1)], np.int32)
        accessors = Accessors(cells, thread, now, since, 0, 32)
        found.append((chance.choice(KINDS), accessors, chance.randrange(1, 4)))
    return found


def trace(steps: list, *, timed: bool, cells: int = CELLS) -> list:
    shadow, found = Shadow(cells, timed=timed), []
    for kind, accessors, site in steps:
        hazards = shadow.hazards(kind, accessors)
        found.append(
            [(h.rival, *(v.tolist() for v in (h.which, h.thread, h.site))) for h in hazards]
        )
        met = shadow.mark(kind, accessors, site)
        found.append(None if met is None else [part.tolist() for part in met])
    for kind in KINDS:
        record = shadow.record(kind)
        if record is not None:
            when = None if record.when is None else record.when.tolist()
            found.append((kind, record.thread.tolist(), record.site.tolist(), when))
    return found


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("cases", [40, pytest.param(20_000, marks=pytest.mark.long)])
def test_random_accesses(timed, cases, monkeypatch):
    chance, runs = random.Random(7), 0
    find = PrivateRuns.find

    def count(self, cells, thread):
        nonlocal runs
        found = find(self, cells, thread)
        runs += found is not None
        return found

    for _ in range(cases):
        steps = accesses(chance, timed)
        monkeypatch.setattr(PrivateRuns, "find", count)
        quick = trace(steps, timed=timed)
        monkeypatch.setattr(PrivateRuns, "find", lambda *_: None)
        assert quick == trace(steps, timed=timed)
    assert runs > 3 * cases


def test_runs_that_share_a_cell_overlap():
    chance = random.Random(2)
    for _ in range(3000):
        ends = [
            (chance.randrange(30), chance.randrange(1, 9), chance.randrange(2, 9)) for _ in "ab"
        ]
        first, second = (slice(a, a + step * (n - 1) + 1, step) for a, step, n in ends)
        shared = {*range(30 * 9)[first]} & {*range(30 * 9)[second]}
        assert _overlap(first, second) or not shared
        if first.step == second.step and first.start < second.start < first.stop:
            assert _overlap(first, second) == ((second.start - first.start) % first.step == 0)


@pytest.mark.parametrize(
    "index", ["i", "i * 3", "n - 1 - i", "i // 2", "i + 64 * (k > 5)", "i ^ 1"]
)
def test_a_thread_that_comes_late_is_found(index):
    """In the last iteration, another thread comes to an element that was a thread's own."""
    text = kernel(
        "i = cuda.grid(1)",
        "n = 64",
        "for k in range(10):",
        f"    a[{index}] += 1 + i",
        "if i == 5:",
        "    a[9] = -1",
        takes="a",
    )
    done = launch(text, 2, 32, [np.zeros(256, np.int64)])
    late = [one for one in done.findings if one.line == 7]
    assert {one.kind for one in late} == {"global-race"}, done.findings
    assert all(one.other_line == 5 for one in late)
