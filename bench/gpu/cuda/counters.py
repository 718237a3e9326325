"""Nsight Compute's counters of the launches, as a CSV beside the emulator's of today.

Where the machine code has other accesses than the source, a second table says why the counts
differ, citing the instruction. Such a cell must differ, and every other one must be equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.gpu.cuda.launches import RIGHT, CountedLaunch, LaunchKey, counted_launches
from bench.gpu.nsight import ProfilerFailed, read
from bench.gpu.record import INSTRUCTION, comparable, profiler_counts
from bench.gpu.rows import load_rows, save_rows

DATA = Path(__file__).parents[3] / "tests" / "data"
RECORDED = DATA / "cuda_counters.csv"
REASONS = DATA / "cuda_counter_reasons.csv"
KINDS = (
    "merged", "predicated", "dropped", "unrolled", "retried", "replayed", "arrival", "matrix",
)  # fmt: skip
"""What makes counts differ; docs/measured.md says what each is."""
_LAUNCHED = "# launched "
_AGAIN = (
    "`python -m bench.gpu.cuda count RAW` on a GPU, then `python -m bench.gpu.cuda counted RAW`"
)


@dataclass(frozen=True, slots=True)
class CounterCell:
    """One counter of one launch.

    Attributes:
        question, file, kernel, shape: the launch: see `LaunchKey`.
        sha256: of the text that was compiled.
        gpu: what the device counted.
        emulator: what the emulator counted when this was recorded.
    """

    question: str
    file: str
    kernel: str
    shape: str
    sha256: str
    counter: str
    gpu: int
    emulator: int
    device: str
    versions: str

    @property
    def key(self) -> LaunchKey:
        """The launch."""
        return LaunchKey(self.question, self.file, self.kernel, self.shape)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why counters of a kernel differ, in all its launches or in one.

    Attributes:
        shape: of the launch; empty for each one where the counters differ.
        counters: their names, with spaces between them.
        kind: one of `KINDS`.
        sass: the reason, citing the instruction.
    """

    question: str
    file: str
    kernel: str
    shape: str
    counters: str
    kind: str
    sass: str

    def covers(self, cell: CounterCell) -> bool:
        """Return True if it speaks of this cell."""
        launch = (self.question, self.file, self.kernel, self.shape or cell.shape)
        return launch == cell.key and cell.counter in self.counters.split()


def launched_line(launch: CountedLaunch, ended: str) -> str:
    """Write what is printed of a launch: it stands in the raw file."""
    return f"launched {'|'.join(launch.key)}|{launch.sha256}|{ended}"


def read_cells(raw: str) -> list[CounterCell]:
    """Return the cells of what `count` wrote, of the texts that are still the same.

    Raises:
        ProfilerFailed: ncu counted other launches than those that were made.
    """
    device, versions, profiled = read(raw)
    made = [line[len(_LAUNCHED) :].split("|") for line in raw.splitlines() if _is_launch(line)]
    if len(made) != len(profiled):
        raise ProfilerFailed(f"{len(profiled)} launches were counted, {len(made)} were made")
    known = {(launch.key, launch.sha256): launch for launch in counted_launches()}
    cells: list[CounterCell] = []
    for (*parts, sha256, ended), found in zip(made, profiled, strict=True):
        key = LaunchKey(*parts)
        if not found.is_of(key.kernel):
            raise ProfilerFailed(f"{found.kernel} instead of {key}")
        launch = known.get((key, sha256))
        if launch is None or ended != RIGHT:
            continue
        here, there = count(launch), found.counts()
        cells += [
            CounterCell(*key, sha256, name, there[name], here[name], device, versions)
            for name in comparable(here, there)
        ]
    return cells


def _is_launch(line: str) -> bool:
    return line.startswith(_LAUNCHED)


def count(launch: CountedLaunch) -> dict[str, int]:
    """Return what the emulator counts today, 0 included."""
    return profiler_counts(launch.emulate())


def counted_again(cells: Sequence[CounterCell]) -> list[CounterCell]:
    """Return the cells of today's texts with what the emulator counts today."""
    named = {(cell.key, cell.sha256) for cell in cells}
    launches = [one for one in counted_launches() if (one.key, one.sha256) in named]
    totals = {(one.key, one.sha256): count(one) for one in launches}
    return [
        replace(cell, emulator=totals[cell.key, cell.sha256][cell.counter])
        for cell in cells
        if (cell.key, cell.sha256) in totals
    ]


def merge(before: Iterable[CounterCell], new: Iterable[CounterCell]) -> list[CounterCell]:
    """Return all cells in the order of the launches; of a launch counted again, the new ones."""
    by_launch: dict[LaunchKey, list[CounterCell]] = {}
    counted = list(new)
    again = {cell.key for cell in counted}
    for cell in (*(old for old in before if old.key not in again), *counted):
        by_launch.setdefault(cell.key, []).append(cell)
    return [cell for one in counted_launches() for cell in by_launch.get(one.key, ())]


def problems(
    launch: CountedLaunch, cells: Sequence[CounterCell], reasons: Sequence[Reason]
) -> Iterator[str]:
    """Yield what does not hold of a launch: a line each.

    It was not recorded, or with another text; the emulator counts something else today; a cell
    differs without a reason, or has one and does not differ.
    """
    own = [cell for cell in cells if cell.key == launch.key]
    if not own:
        yield f"{launch.key}: not recorded; run {_AGAIN}"
        return
    if {cell.sha256 for cell in own} != {launch.sha256}:
        yield f"{launch.key}: the text has changed since it was counted; run {_AGAIN}"
        return
    now = count(launch)
    for cell in own:
        where = f"{launch.key}, {cell.counter}"
        if now[cell.counter] != cell.emulator:
            yield (
                f"{where}: the emulator counts {now[cell.counter]}, and counted {cell.emulator}"
                " when this was recorded; if that is right, run `python -m bench.gpu.cuda counted`"
            )
        explained = [one for one in reasons if one.covers(cell)]
        if cell.gpu == now[cell.counter]:
            if any(one.shape for one in explained):
                yield f"{where}: the counts are equal and need no reason"
        elif not explained:
            yield f"{where}: {cell.gpu} on the GPU, {now[cell.counter]} in the emulator"


def problems_of_tables(
    launches: Sequence[CountedLaunch], cells: Sequence[CounterCell], reasons: Sequence[Reason]
) -> Iterator[str]:
    """Yield what does not hold of the tables themselves: rows and reasons that speak of nothing."""
    known = {launch.key for launch in launches}
    gone = dict.fromkeys(cell.key for cell in cells if cell.key not in known)
    yield from (f"{key}: recorded, but there is no such launch" for key in gone)
    for one in reasons:
        name = f"{LaunchKey(one.question, one.file, one.kernel, one.shape)}, {one.counters}"
        if one.kind not in KINDS:
            yield f"{name}: {one.kind} is none of {', '.join(KINDS)}"
        if not INSTRUCTION.search(one.sass):
            yield f"{name}: the reason cites no instruction"
        covered = [cell for cell in cells if one.covers(cell)]
        for counter in one.counters.split():
            if not any(cell.counter == counter and cell.gpu != cell.emulator for cell in covered):
                yield f"{name}: a reason for {counter}, which does not differ"


def by_kind(cells: Sequence[CounterCell], reasons: Sequence[Reason]) -> Counter[str]:
    """Count the cells that differ by the kind of the reason; the first one that covers a cell."""
    found: Counter[str] = Counter()
    for cell in cells:
        kinds = [one.kind for one in reasons if one.covers(cell)]
        if kinds and cell.gpu != cell.emulator:
            found[kinds[0]] += 1
    return found


def summary(cells: Sequence[CounterCell], reasons: Sequence[Reason]) -> str:
    """Say how many cells there are, how many of them are equal, and why others are not."""
    parts = []
    for name, chosen in (
        ("questions", [cell for cell in cells if cell.question]),
        ("exact.cu", [cell for cell in cells if not cell.question]),
    ):
        named = len({cell.key for cell in chosen})
        same = sum(cell.gpu == cell.emulator for cell in chosen)
        parts.append(f"{name}: {named} launches, {same} of {len(chosen)} counts are equal")
    kinds = by_kind(cells, reasons)
    named_kinds = (f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])
    parts.append(f"with a reason: {', '.join(named_kinds) or 'none'}")
    return "; ".join(parts)


def load(path: Path = RECORDED) -> list[CounterCell]:
    """Read the cells of a file."""
    return load_rows(path, CounterCell)


def load_reasons(path: Path = REASONS) -> list[Reason]:
    """Read the reasons."""
    return load_rows(path, Reason)


def save(path: Path, cells: Sequence[CounterCell]) -> None:
    """Write cells."""
    save_rows(path, CounterCell, cells)
