"""What Nsight Compute counted of the kernels as compiled, as a CSV beside the emulator's counts.

Emulator and GPU have the same PTX; what ptxas makes of it has other accesses in places. There a
second table says which, citing the instruction. Such a cell must differ, every other be equal.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.cuda import counters
from bench.gpu.nsight import ProfilerFailed, read
from bench.gpu.ptx.counted.launches import PtxLaunch
from bench.gpu.ptx.counted.texts import ARCHIVE, Compiled
from bench.gpu.record import INSTRUCTION, comparable, profiler_counts
from bench.gpu.rows import load_rows, save_rows

RECORDED = ARCHIVE.with_suffix(".csv")
REASONS = ARCHIVE.with_name("counted_reasons.csv")
KINDS = (*counters.KINDS, "copied", "regrouped")
"""What makes counts differ; docs/measured.md says what each is."""
_LAUNCHED = "# launched "
_AGAIN = "count it again: see `bench.gpu.ptx.counted`"


@dataclass(frozen=True, slots=True)
class Cell:
    """One counter of one launch.

    Attributes:
        language, name: the launch.
        sha256: of its PTX.
        gpu: what the device counted.
        emulator: what the emulator counted when this was recorded.
    """

    language: str
    name: str
    sha256: str
    counter: str
    gpu: int
    emulator: int
    device: str
    versions: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why counters of a launch differ.

    Attributes:
        counters: their names, with spaces between them.
        kind: one of `KINDS`.
        sass: the reason, citing the instruction.
    """

    name: str
    counters: str
    kind: str
    sass: str

    def covers(self, cell: Cell) -> bool:
        """Return True if it speaks of this cell."""
        return self.name == cell.name and cell.counter in self.counters.split()


def digest(compiled: Compiled) -> str:
    """Return what names a text."""
    return hashlib.sha256(compiled.text.encode()).hexdigest()


def count(launch: PtxLaunch, compiled: Compiled) -> dict[str, int]:
    """Return what the emulator counts today, 0 included."""
    return profiler_counts(launch.bind(compiled).run().totals)


def read_cells(
    raw: str, launches: Sequence[PtxLaunch], find: Callable[[str], Compiled]
) -> tuple[list[Cell], list[str]]:
    """Return the cells of what `device` wrote, and the launches whose results were others.

    Raises:
        ProfilerFailed: ncu counted other launches than those that were made.
    """
    device, versions, profiled = read(raw)
    lines = (line for line in raw.splitlines() if line.startswith(_LAUNCHED))
    made = [line.removeprefix(_LAUNCHED).split("|") for line in lines]
    if len(made) != len(profiled):
        raise ProfilerFailed(f"{len(profiled)} launches were counted, {len(made)} were made")
    known = {launch.name: launch for launch in launches}
    cells, others = list[Cell](), list[str]()
    for (name, sha256, ended), found in zip(made, profiled, strict=True):
        launch = known.get(name)
        if launch is None or digest(compiled := find(name)) != sha256:
            continue
        if ended != "right":
            others.append(f"{name}: {ended}")
        here, there = count(launch, compiled), found.counts()
        cells += [
            Cell(launch.language, name, sha256, one, there[one], here[one], device, versions)
            for one in comparable(here, there)
        ]
    return cells, others


def problems(
    launch: PtxLaunch, compiled: Compiled, cells: Sequence[Cell], reasons: Sequence[Reason]
) -> Iterator[str]:
    """Yield what does not hold of a launch: a line each."""
    own = [cell for cell in cells if cell.name == launch.name]
    if compiled.sha256 != launch.sha256 or {cell.sha256 for cell in own} != {digest(compiled)}:
        yield f"{launch.name}: not recorded, or of another text; {_AGAIN}"
        return
    now = count(launch, compiled)
    for cell in own:
        here = now[cell.counter]
        where = f"{launch.name}, {cell.counter}: {cell.gpu} on the GPU, {here} in the emulator"
        explained = any(one.covers(cell) for one in reasons)
        if here != cell.emulator:
            yield f"{where}, and {cell.emulator} when this was recorded"
        elif (here != cell.gpu) != explained:
            yield f"{where}; {'it needs no reason' if explained else 'there is no reason'}"


def problems_of_reasons(cells: Sequence[Cell], reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what does not hold of the reasons: a line each."""
    for one in reasons:
        if one.kind not in KINDS:
            yield f"{one.name}: {one.kind} is none of {', '.join(KINDS)}"
        if not INSTRUCTION.search(one.sass):
            yield f"{one.name}: the reason cites no instruction"
        known = {cell.counter for cell in cells if one.covers(cell)}
        for counter in set(one.counters.split()) - known:
            yield f"{one.name}: a reason for {counter}, which is not recorded"


def summary(
    launches: Sequence[PtxLaunch], cells: Sequence[Cell], reasons: Sequence[Reason]
) -> Iterator[str]:
    """Yield how many kernels agree, by language, and why others do not."""
    by_launch: dict[str, list[Cell]] = {}
    for cell in cells:
        by_launch.setdefault(cell.name, []).append(cell)
    for language in dict.fromkeys(each.language for each in launches):
        names = [each.name for each in launches if each.language == language]
        counted = [by_launch[name] for name in names if name in by_launch]
        equal = sum(all(cell.gpu == cell.emulator for cell in each) for each in counted)
        same = sum(cell.gpu == cell.emulator for each in counted for cell in each)
        total = sum(map(len, counted))
        yield (
            f"{language}: {len(counted)} launches, {equal} equal in every count,"
            f" {len(counted) - equal} differ; {len(names) - len(counted)} not compared;"
            f" {same} of {total} counts are equal"
        )
    kinds = Counter(
        next((one.kind for one in reasons if one.covers(cell)), "no reason")
        for cell in cells
        if cell.gpu != cell.emulator
    )
    yield f"counts that differ: {', '.join(f'{n} {kind}' for kind, n in kinds.most_common())}"


def load(path: Path = RECORDED) -> list[Cell]:
    """Read the cells of a file."""
    return load_rows(path, Cell)


def load_reasons(path: Path = REASONS) -> list[Reason]:
    """Read the reasons."""
    return load_rows(path, Reason)


def save(cells: Sequence[Cell], path: Path = RECORDED) -> None:
    """Write cells."""
    save_rows(path, Cell, cells)
