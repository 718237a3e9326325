"""Counters of the programs: Nsight Compute's beside the emulator's, and why some differ.

Where a family's machine code has other accesses than its source, or a device counts an access
elsewhere, a table says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bench.gpu import nsight
from bench.gpu.cuda_features.programs import Program
from bench.gpu.cuda_features.record import DATA, emulate
from bench.gpu.record import comparable, profiler_counts
from bench.gpu.rows import load_rows, save_rows

COUNTERS = DATA / "cuda_feature_counters.csv"
REASONS = DATA / "cuda_feature_reasons.csv"
_LAUNCHED = "# launched "


@dataclass(frozen=True, slots=True)
class Cell:
    """One counter of one program: what a GPU counted, and the emulator when it was recorded."""

    seed: int
    family: str
    counter: str
    gpu: int
    emulator: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why counters of a family may differ.

    Attributes:
        counters: their names, with spaces between them.
    """

    family: str
    counters: str
    why: str

    def covers(self, cell: Cell) -> bool:
        """Return True if it speaks of a cell."""
        return cell.family == self.family and cell.counter in self.counters.split()


@cache
def load() -> tuple[Cell, ...]:
    """Return the recorded counters."""
    return tuple(load_rows(COUNTERS, Cell)) if COUNTERS.exists() else ()


@cache
def load_reasons() -> tuple[Reason, ...]:
    """Return all reasons."""
    return tuple(load_rows(REASONS, Reason))


def keep(programs: Sequence[Program], raw: str) -> None:
    """Add what a profiler counted to the record."""
    made = [int(line[len(_LAUNCHED) :]) for line in raw.splitlines() if line.startswith(_LAUNCHED)]
    by_seed = {each.seed: each for each in programs}
    cells: dict[int, list[Cell]] = {}
    for cell in load():
        cells.setdefault(cell.seed, []).append(cell)
    for seed, profiled in zip(made, nsight.launches(raw), strict=True):
        there, here = profiled.counts(), profiler_counts(emulate(by_seed[seed])[1].totals)
        cells[seed] = [
            Cell(seed, by_seed[seed].family.name, name, there[name], here[name])
            for name in comparable(here, there)
        ]
    save_rows(COUNTERS, Cell, (cell for seed in sorted(cells) for cell in cells[seed]))
    load.cache_clear()


def problems(program: Program) -> list[str]:
    """Return what does not hold of a program's counters, a line each."""
    now, found = profiler_counts(emulate(program)[1].totals), list[str]()
    for cell in (each for each in load() if each.seed == program.seed):
        if now[cell.counter] != cell.emulator:
            found.append(f"{cell}: the emulator counts {now[cell.counter]}")
        if cell.gpu != cell.emulator and not any(each.covers(cell) for each in load_reasons()):
            found.append(f"{cell}: differs for no reason")
    return found


def idle_reasons() -> list[Reason]:
    """Return reasons that explain nothing."""
    differ = [cell for cell in load() if cell.gpu != cell.emulator]
    return [each for each in load_reasons() if not any(map(each.covers, differ))]


def summary() -> str:
    """Say how many counters agree."""
    cells = load()
    same = sum(cell.gpu == cell.emulator for cell in cells)
    differ = {cell.seed for cell in cells if cell.gpu != cell.emulator}
    whole = len({cell.seed for cell in cells} - differ)
    return f"{same} of {len(cells)} counters are a GPU's, all those of {whole} kernels"
