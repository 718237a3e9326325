"""The recorded counts as a CSV: made from what `ncu` said, compared with the emulator of today.

A row is a cell: one counter of one case. Where a compiler merged, hoisted or predicated accesses,
`sass` says so with the instruction; only such cells may differ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.gpu.cases import Case, cases
from bench.gpu.nsight import Profiled, ProfilerFailed, read
from bench.gpu.rows import load_rows, save_rows
from grader.profiles import NCU_METRICS

RECORDED = Path(__file__).parents[2] / "tests" / "data" / "gpu_kernels.csv"
MOST_EXCEPTED = 0.25
"""Of all cells."""
INSTRUCTION = re.compile(r"\b(LDSM?|STS|ATOMS|LDG|LDGSTS|STG|ATOMG?|RED|BSSY|BSYNC|BRA)\b")
"""What a reason cites."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One counter of one case.

    Attributes:
        kernel: the case's name.
        gpu: what the device counted.
        emulator: what the emulator counted when this was recorded.
        sass: why they differ, citing the instruction; empty if they do not.
    """

    kernel: str
    counter: str
    gpu: int
    emulator: int
    device: str
    versions: str
    sass: str = ""


def read_cells(raw: str, before: Sequence[Cell] = ()) -> list[Cell]:
    """The cells of what `ncu` said; reasons are taken over from cells that were recorded before.

    Raises:
        ProfilerFailed: the launches are not those of the cases.
    """
    device, versions, launches = read(raw)
    _see_that_they_are_the_cases(launches)
    reasons = {(cell.kernel, cell.counter): cell.sass for cell in before}
    cells = []
    for case, launch in zip(cases(), launches, strict=True):
        ours, theirs = count(case), launch.counts()
        for counter in comparable(ours, theirs):
            here, there = ours[counter], theirs[counter]
            sass = reasons.get((case.name, counter), "") if here != there else ""
            cells.append(Cell(case.name, counter, there, here, device, versions, sass))
    return cells


@cache
def count(case: Case) -> dict[str, int]:
    """What the emulator counts today, 0 included."""
    return profiler_counts(case.emulated()[0].totals)


def profiler_counts(totals: Mapping[str, float]) -> dict[str, int]:
    """Return the emulator's counts for Nsight Compute's counters, 0 included."""
    return {counter: int(totals.get(counter, 0)) for counter in NCU_METRICS}


def problems(cells: Sequence[Cell]) -> list[str]:
    """What does not hold of a recording: a line each.

    A cell differs from the emulator of today without a reason, or has a reason and does not differ;
    a case was not recorded, or is none any more; too many cells are excepted.
    """
    known = {case.name: case for case in cases()}
    names = dict.fromkeys(cell.kernel for cell in cells)
    found = [f"{name}: not recorded" for name in known if name not in names]
    for name in names:
        if name not in known:
            found.append(f"{name}: recorded, but there is no such case")
            continue
        ours = count(known[name])
        these = (cell for cell in cells if cell.kernel == name)
        found += [text for cell in these for text in _of_cell(cell, ours[cell.counter])]
    excepted = sum(bool(cell.sass) for cell in cells)
    if excepted > MOST_EXCEPTED * len(cells):
        found.append(
            f"{excepted} of {len(cells)} cells are excepted: more than {MOST_EXCEPTED:.0%}"
        )
    return found


def summary(cells: Sequence[Cell]) -> str:
    """How many cells there are, and how many of them agree."""
    same = sum(cell.gpu == cell.emulator for cell in cells)
    excepted = sum(bool(cell.sass) for cell in cells)
    named = len({cell.kernel for cell in cells})
    return (
        f"{named} launches, {len(cells)} cells: {same} agree, {excepted} differ for a reason given"
    )


def load(path: Path) -> list[Cell]:
    """The cells of a file."""
    return load_rows(path, Cell)


def save(path: Path, cells: Sequence[Cell]) -> None:
    """Write them."""
    save_rows(path, Cell, cells)


def comparable(ours: Mapping[str, int], theirs: Mapping[str, int]) -> list[str]:
    """Counters of the kinds of access that either side has: a copy says nothing of atomics."""
    kinds = {
        name.rpartition("_")[0] for counts in (ours, theirs) for name, n in counts.items() if n
    }
    return [name for name in theirs if name.rpartition("_")[0] in kinds]


def _see_that_they_are_the_cases(launches: Sequence[Profiled]) -> None:
    expected = cases()
    if len(launches) != len(expected):
        raise ProfilerFailed(f"{len(launches)} launches instead of {len(expected)}")
    for case, launch in zip(expected, launches, strict=True):
        if not launch.is_of(case.kernel):
            raise ProfilerFailed(f"{launch.kernel} instead of {case.kernel}")


def _of_cell(cell: Cell, now: int) -> list[str]:
    where = f"{cell.kernel}, {cell.counter}: {cell.gpu} on the GPU, {now} in the emulator"
    if cell.gpu == now:
        return [f"{where}; it needs no reason"] if cell.sass else []
    if not cell.sass:
        return [where]
    return [] if INSTRUCTION.search(cell.sass) else [f"{where}; the reason cites no instruction"]
