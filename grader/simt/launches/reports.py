"""What a launch did: its report, its progress, and what is reported of one that goes wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.frozen import frozen
from grader.simt.checks.counters import ByPlace, Sites, WarpAccessCost, WarpSectors
from grader.simt.checks.findings import Finding, Findings, RacingCells
from grader.simt.checks.shadow import Access
from grader.simt.geometry import Geometry, Three, volume
from grader.simt.launches.arguments import BoundArray
from grader.simt.launches.kept_memory import KeptMemory
from grader.simt.machine.chunk import LaunchState, OutOfBudget
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.memory import DeclaredArray


class LaunchProgress(NamedTuple):
    """The progress of a launch.

    Attributes:
        done, blocks: the number of finished blocks, and of all blocks.
        line, rounds: the loop that the next blocks are in, and its iterations; 0: none.
        under_way: how many blocks are being run, here and by helpers.
    """

    done: int
    blocks: int
    line: int = 0
    rounds: int = 0
    under_way: int = 0


@frozen
class WriteOrigin:
    """The thread that wrote an element last, and where; the kernel's file is ""."""

    block: Three
    thread: Three
    line: int
    column: int
    file: str = ""


@frozen
class ThreadEnd:
    """What a thread did that ended the whole launch, and where; the kernel's file is ""."""

    what: Fact
    line: int
    column: int
    file: str = ""


@dataclass(frozen=True, eq=False)
class Launch:
    """The report of a launch.

    Attributes:
        files: what was counted, by file, then by (line, column); the kernel's own file is "".
        worst: by (line, column) of that file, the shared access of a warp that is furthest from its
            ideal.
        shared_bytes: that a block declares, dynamic ones included.
        findings: faults first, then warnings, by line.
        finished: False if the budget ended it, or an error.
        operations: how many it took, of those that a budget counts.
        raised: what a thread raised, where the kernel has `debug=True`; or `DeviceRefusal`.
        ended: what a thread did that ended the launch, if one did.
        shared: the arrays in shared memory whose size the source gives.
        scattered: by (line, column) of the kernel's file, the global access of a warp that touches
            the most sectors beyond its ideal, if any does.
        before: the arrays that it may have written to, with what they held, where that was kept.
        races: the races, each with its cells.
        shares: by name in `SHARES`, how evenly threads and blocks share the statements; of those
            that have begun, if the budget ended it.
    """

    kernel: str
    grid: Three
    block: Three
    files: Mapping[str, ByPlace]
    worst: Mapping[tuple[int, int], WarpAccessCost]
    shared_bytes: int
    findings: tuple[Finding, ...]
    finished: bool
    operations: int = 0
    raised: BaseException | None = None
    ended: ThreadEnd | None = None
    shared: tuple[DeclaredArray, ...] = ()
    scattered: Mapping[tuple[int, int], WarpSectors] = field(default_factory=dict)
    shares: Mapping[str, int] = field(default_factory=dict)
    _geometry: Geometry | None = field(repr=False, default=None)
    _arguments: Mapping[str, BoundArray] = field(repr=False, default_factory=dict)
    _sites: Sites = field(repr=False, default_factory=Sites)
    _more_memory: Sequence[Any] = field(repr=False, default=())
    races: Sequence[tuple[Finding, RacingCells]] = field(repr=False, default=())
    before: KeptMemory | None = field(repr=False, default=None)

    @property
    def counts(self) -> ByPlace:
        """The counters of the kernel's own file, by (line, column); `COUNTERS` names them."""
        return self.files[""]

    @property
    def numbers(self) -> list[NDArray[Any]]:
        """The global memory that it met and that may be written to, as numbers or records."""
        found = {id(each.array): each.numbers for each in self._arguments.values()}
        more = (each.numbers for each in self._more_memory if isinstance(each, GlobalBuffer))
        every = (*found.values(), *more)
        return [each for each in every if each is not None and each.flags.writeable]

    @property
    def totals(self) -> Mapping[str, int]:
        """The counters summed over all lines."""
        total: Counter[str] = Counter()
        for by_place in self.files.values():
            for counts in by_place.values():
                total.update(counts)
        return total

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are more than warnings."""
        return tuple(finding for finding in self.findings if finding.kind != "warning")

    def line(self, number: int, file: str = "") -> Mapping[str, int]:
        """Sum the counters of one line; in the kernel's file, if no other is named."""
        total: Counter[str] = Counter()
        for (line, _), counts in self.files.get(file, {}).items():
            if line == number:
                total.update(counts)
        return total

    def written_elements(self, name: str) -> NDArray[np.bool_]:
        """Return which elements of an array were written, in its shape."""
        return self._arguments[name].find_written()

    def accessed_elements(self, name: str) -> Mapping[Access, NDArray[np.bool_]]:
        """Return which elements were read, written or changed atomically, by kind of access.

        Of an array that the kernel does not write to, only a launch `everywhere` knows.
        """
        return self._arguments[name].find_accessed()

    def origin(self, name: str, index: int | tuple[int, ...]) -> WriteOrigin | None:
        """Return the last write of an element; None if no thread wrote it."""
        argument = self._arguments[name]
        writer = argument.writer(index if isinstance(index, tuple) else (index,))
        if writer is None:
            return None
        thread, site = writer
        return self._origin(thread, site)

    def _origin(self, thread: int, site: int) -> WriteOrigin:
        geometry = self._geometry or Geometry(self.grid, self.block)
        block, own = divmod(thread - 1, geometry.padded)
        at = self._sites[site]
        place = at.line, at.column, at.file
        return WriteOrigin(geometry.block_at(block), geometry.thread_at(own), *place)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a kernel ran; `done` is what was counted and found until then."""

    def __init__(self, done: Launch) -> None:
        super().__init__()
        self.done = done


def describe(ready: CompiledKernel, done: Launch) -> Launch:
    """Return a report whose findings are in the terms of the kernel's language."""
    return replace(done, findings=tuple(map(ready.program.describe, done.findings)))


def report_launch(
    ready: CompiledKernel,
    state: LaunchState,
    arrays: Mapping[str, BoundArray],
    *,
    finished: bool,
    raised: BaseException | None = None,
    ended: ThreadEnd | None = None,
) -> Launch:
    """Make the report of a launch that has ended."""
    return Launch(
        ready.function.name,
        state.geometry.grid,
        state.geometry.block,
        state.sites.counts(),
        state.sites.worst(),
        state.static_bytes + state.dynamic_bytes,
        state.findings.all(),
        finished,
        state.meter.spent,
        raised,
        ended,
        tuple(ready.program.shared.values()),
        state.sites.scattered(),
        state.work.shares(volume(state.geometry.block)),
        state.geometry,
        arrays,
        state.sites,
        state.more_memory,
        state.findings.races(),
    )


def report_budget(state: LaunchState, stop: OutOfBudget) -> None:
    """Add the finding that the budget ended a launch."""
    site = stop.site
    what = fact("finding.budget")
    finding = Finding("budget", site.line, site.column, what, "budget", file=site.file)
    state.findings.add("budget", 1, lambda: finding)


def report_unwritten(
    arrays: Mapping[str, BoundArray], outputs: Sequence[str], findings: Findings
) -> None:
    """Add a finding for each output that has an element no thread wrote."""
    for name in outputs:
        argument = arrays[name]
        written = argument.find_written()
        missing = int(np.count_nonzero(~written))
        if not missing:
            continue
        index = tuple(int(number) for number in np.argwhere(~written)[0])
        what = fact(
            "finding.never-written",
            missing=missing,
            elements=int(written.size),
            array=name,
            index=str(index[0] if len(index) == 1 else index),
        )
        address = sum(map(mul, index, argument.array.strides))
        finding = Finding(
            "never-written", 0, 0, what, array=name, space="global", index=index, address=address
        )
        findings.add(("never-written", name), missing, make_constant(finding))


def make_constant(finding: Finding) -> Callable[[], Finding]:
    """Make what returns a finding."""
    return lambda: finding
