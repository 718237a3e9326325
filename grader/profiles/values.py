"""What a report of launches holds: frozen values, made once; every format is a view of them.

Knows no sentence and no format. docs/cli.md has the keys of the JSON form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from grader.banks import LANES
from grader.facts import Fact
from grader.kernels import SharedArray, WorstAccess
from grader.simt import Advice, Finding
from grader.wire import Amount, Count, Text, Whole

SECTOR_BYTES = 32
"""Bytes of a sector of global memory."""

Space = Literal["shared", "global"]
Counts = Mapping[str, Count]
"""Counters of the emulator by name; those that are 0 are left out."""
Three = tuple[Count, Count, Count]


@dataclass(frozen=True, slots=True)
class Caller:
    """The line of the script that launched a kernel; 0 if unknown."""

    file: Text = ""
    line: Count = 0


@dataclass(frozen=True, slots=True)
class ArgumentRecord:
    """An argument of a launch: of an array the shape, of anything else the value as text."""

    name: Text
    type: Text
    shape: tuple[Count, ...] | None = None
    value: Text = ""


@dataclass(frozen=True, slots=True)
class CountedLine:
    """A place in the source with its counters.

    Attributes:
        file: "" for the kernel's own.
        library: True if a header of ours is called in this line: some counts are its own.
    """

    line: Count
    column: Count
    source: Text
    counts: Counts
    file: Text = ""
    library: bool = False


@dataclass(frozen=True, slots=True)
class ScatteredAccess:
    """A warp's access to global memory that touches more sectors than its elements need.

    Attributes:
        kind: `load`, `store` or `atomic`.
        width: bytes per lane.
        array: the argument that it touches.
        addresses: byte address of each lane in its allocation; `active` says which count.
        sectors, ideal: those touched, and as many as contiguous elements need.
    """

    line: Count
    column: Count
    kind: Text
    width: Count
    array: Text
    addresses: Annotated[tuple[Whole, ...], Meta(min_length=LANES, max_length=LANES)]
    active: Annotated[tuple[bool, ...], Meta(min_length=LANES, max_length=LANES)]
    sectors: Count
    ideal: Count


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """One launch, as the emulator recorded it.

    Attributes:
        qualname: the kernel's `__qualname__`.
        file, line: of its `def`.
        caller: the line that launched it.
        seconds: how long the emulation took.
        finished: False if a budget or Ctrl-C ended it.
        operations: as a budget counts them.
        totals: counters summed over all lines.
        worst: by place, the shared access of a warp furthest from its ideal, if any is beyond it.
        arrays: the arrays in shared memory of these.
        scattered: by place, the global access of a warp with the most excessive sectors.
        advice: changes of the kernel that make it cheaper, which were tried.
        compiler: what compiled it, if it ran as compiled; "PTX" for a person's own PTX.
        libraries: those that it uses from headers of ours, whose counts are not the libraries' own.
        shared_bytes: shared memory of a block, static and dynamic.
    """

    kernel: Text
    qualname: Text
    file: Text
    line: Count
    grid: Three
    block: Three
    seconds: Amount
    finished: bool
    operations: Count = 0
    caller: Caller = Caller()
    arguments: tuple[ArgumentRecord, ...] = ()
    totals: Counts = field(default_factory=dict)
    lines: tuple[CountedLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    worst: tuple[WorstAccess, ...] = ()
    arrays: tuple[SharedArray, ...] = ()
    scattered: tuple[ScatteredAccess, ...] = ()
    advice: tuple[Advice, ...] = ()
    compiler: Text = ""
    libraries: tuple[Text, ...] = ()
    shared_bytes: Count = 0

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are more than warnings."""
        return tuple(finding for finding in self.findings if finding.kind != "warning")

    def path(self, file: str) -> str:
        """Return a file that a line or a finding names; "" is the kernel's."""
        return file or self.file


def total(counts: Mapping[str, int], space: Space, what: str) -> int:
    """Sum loads, stores and atomics: `total(counts, "shared", "wavefronts")`."""
    return sum(counts.get(f"{space}_{kind}_{what}", 0) for kind in ("load", "store", "atomic"))


@dataclass(frozen=True, slots=True)
class Bound:
    """What a launch asks of the memories, and which of them limits it.

    Attributes:
        limit: the memory that takes the most cycles; None if neither was accessed.
        cycles: by memory, the least that one SM would take for all accesses: a wavefront or four
            sectors per cycle.
        wavefronts, ideal_wavefronts: of shared memory.
        sectors, ideal_sectors: of global memory, summed over the requests of warps: a sector that
            two requests touch counts twice.
    """

    limit: Space | None
    cycles: Mapping[Space, int]
    wavefronts: int
    ideal_wavefronts: int
    sectors: int
    ideal_sectors: int

    @property
    def bytes_moved(self) -> int:
        """Bytes of the sectors that each request touches, summed over the requests."""
        return self.sectors * SECTOR_BYTES

    @property
    def bytes_needed(self) -> int:
        """The same if the elements of each request are contiguous."""
        return self.ideal_sectors * SECTOR_BYTES

    @property
    def sector_share(self) -> float:
        """The share of the sectors that contiguous requests need, 0 to 1; 1 without any."""
        return self.ideal_sectors / self.sectors if self.sectors else 1.0


@dataclass(frozen=True, slots=True)
class LayoutProposal:
    """Layouts that save wavefronts of a shared array's worst accesses.

    Attributes:
        rows, columns: how the search sees it; of one axis, rows of 32 elements.
        wavefronts: of the worst warp of each access together, as it is.
        pitch: elements of a padded row; None if padding saves nothing.
        padded: the wavefronts with it.
        swizzle: the slot as a C expression of `row` and `col`, without padding; "" if none helps.
        swizzled: the wavefronts with it.
    """

    array: str
    rows: int
    columns: int
    wavefronts: int
    pitch: int | None
    padded: int
    swizzle: str
    swizzled: int
    is_flat: bool = False
    """True for an array of one axis: element i is (i // columns, i % columns)."""


@dataclass(frozen=True, slots=True)
class StridedAccess:
    """A warp's access to global memory whose neighboring lanes are evenly apart.

    Attributes:
        kind: `load`, `store` or `atomic`.
        array: the argument that it touches.
        width: bytes per lane.
        apart: bytes from one lane's element to the next lane's.
        sectors, ideal: those touched, and as many as contiguous elements need.
        is_row: True if `apart` is a row of the array, and the lanes are along threadIdx.x.
    """

    line: int
    column: int
    kind: str
    array: str
    width: int
    apart: int
    sectors: int
    ideal: int
    is_row: bool


@dataclass(frozen=True, slots=True)
class LaunchGroup:
    """Equal launches, or the sum of many that differ, of one kernel with one grid and block.

    Attributes:
        title: the kernel's name, in full if several kernels have the same.
        launch: the first of them, or their sum.
        numbers: of the launches, counted from 1.
        seconds: the time of all.
        summed: True if `launch` is their sum.
        proposals: layouts for its shared arrays.
        strides: global accesses whose lanes are evenly apart.
    """

    title: str
    launch: LaunchRecord
    numbers: tuple[int, ...]
    seconds: float
    summed: bool
    bound: Bound
    proposals: tuple[LayoutProposal, ...] = ()
    strides: tuple[StridedAccess, ...] = ()

    @property
    def count(self) -> int:
        """The number of launches."""
        return len(self.numbers)

    @property
    def worst(self) -> WorstAccess | None:
        """The shared access with the most excessive wavefronts; None if all are ideal."""
        found = max(self.launch.worst, key=lambda access: access.excess, default=None)
        return found if found is not None and found.excess > 0 else None

    def proposal_for(self, access: WorstAccess) -> LayoutProposal | None:
        """Return what is proposed for the array that an access touches."""
        first = next((a for a, on in zip(access.addresses, access.active, strict=True) if on), 0)
        names = [array.name for array in self.launch.arrays if array.index(first) is not None]
        return next((found for found in self.proposals if found.array in names), None)


@dataclass(frozen=True, slots=True)
class FaultPlace:
    """A fault, once for all launches that have it.

    Attributes:
        kind: as of `Finding`.
        array: what it is about; "" if it is about none.
        other_file, other_line: the other place that takes part; 0 if there is none.
    """

    kind: str
    array: str
    file: str
    line: int
    other_file: str = ""
    other_line: int = 0


@dataclass(frozen=True, slots=True)
class CostlyLine:
    """The line that costs most of a memory space.

    Attributes:
        share: of all wavefronts or sectors of the report, 0 to 1.
        ratio: wavefronts or sectors for each ideal one.
        proposal: layouts of its shared array that a search found, which were not run.
        pitch: the change of that array's pitch that was tried and helps.
    """

    space: Space
    kernel: str
    file: str
    line: int
    share: float
    ratio: float
    proposal: LayoutProposal | None = None
    pitch: Advice | None = None


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """What a report comes to.

    Attributes:
        launches, faulty: how many there are, and how many have a fault.
        unfinished: how many were ended before they finished.
        warnings: the different ones, by place.
        faults: the different ones, in the order of the launches.
        costly: the costliest wasteful line of shared memory and that of global memory, if any.
    """

    launches: int
    faulty: int
    faults: tuple[FaultPlace, ...] = ()
    costly: tuple[CostlyLine, ...] = ()
    unfinished: int = 0
    warnings: int = 0


@dataclass(frozen=True, slots=True)
class RefusedFeature:
    """Why the emulator ended the script; without a position if the launch itself is impossible."""

    what: Fact
    hint: Fact | None = None
    file: Text = ""
    line: Count = 0
    column: Count = 0


@dataclass(frozen=True, slots=True)
class KernelProgram:
    """The typed program of a kernel for one list of argument types, as text.

    Attributes:
        qualname: the kernel's `__qualname__`.
        file, line: of its `def`.
        launches: the launches that ran it, counted from 1.
    """

    kernel: Text
    qualname: Text
    file: Text
    line: Count
    text: str
    launches: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class LaunchReport:
    """All launches of a script; `signal` is the number of the one that ended it, else 0."""

    verdict: ReportVerdict
    launches: tuple[LaunchRecord, ...]
    groups: tuple[LaunchGroup, ...]
    refused: RefusedFeature | None = None
    signal: int = 0

    def __iter__(self) -> Iterator[LaunchGroup]:
        return iter(self.groups)
