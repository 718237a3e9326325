"""The results of grading a kernel: values that are shown, and sent between processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Annotated

from msgspec import Meta

from grader.banks import LANES
from grader.banks import Kind as AccessKind
from grader.facts import Fact, fact
from grader.kernels.problem import BYTES, Problem, counters_of, evaluate_sizes
from grader.simt.checks.advice import Advice
from grader.simt.checks.counters import SHARES
from grader.simt.checks.findings import Finding
from grader.simt.geometry import Three
from grader.verdict import Gate, Verdict
from grader.wire import Count, Difference, Name, Text, Whole

UNDEFINED = {"absent lanes": "absent-lanes"}
"""Topics of warnings that leave a result undefined on a device, as a gate calls them."""


STOPPED = "stopped"
"""The subject of the gate `runs` where a thread ended the launch: by a trap or an assertion."""


def fault_name(finding: Finding) -> str:
    """Name a finding as its gate does; empty for a mere warning."""
    return UNDEFINED.get(finding.topic, "") if finding.kind == "warning" else finding.kind


def describe_shape(shape: Mapping[str, int]) -> tuple[Fact, ...]:
    """Make facts of the sizes of a run: `n = 1,000`."""
    return tuple(fact("kernel.size", name=name, size=f"{size:,}") for name, size in shape.items())


@dataclass(frozen=True, slots=True)
class Writer:
    """The thread that wrote an element last."""

    block: Three
    thread: Three
    line: Count


@dataclass(frozen=True, slots=True)
class WrongElement:
    """A wrong element; `writer` is None if no thread wrote it."""

    array: Text
    index: tuple[Count, ...]
    expected: Text
    got: Text
    writer: Writer | None

    @property
    def element(self) -> str:
        """The element as the source names it: `out[3, 4]`."""
        return f"{self.array}[{', '.join(map(str, self.index))}]"

    @property
    def last_write(self) -> Fact:
        """The thread that wrote it last, or that none did."""
        if self.writer is None:
            return fact("kernel.never")
        thread, block = _position(self.writer.thread), _position(self.writer.block)
        return fact("kernel.written", thread=thread, block=block, line=self.writer.line)


def _position(three: Three) -> str:
    """Write (x, y, z) without the last coordinates that are 0."""
    x, y, z = three
    return f"({x}, {y}, {z})" if z else f"({x}, {y})" if y else str(x)


@dataclass(frozen=True, slots=True)
class WorstAccess:
    """The shared access of one warp that takes the most wavefronts beyond its ideal.

    Attributes:
        width: bytes per lane.
        addresses: byte address of each lane; `active` says which count.
        from_data: True if its index depends on what memory holds: other data conflict elsewhere.
    """

    line: Count
    column: Count
    kind: AccessKind
    width: Count
    addresses: Annotated[tuple[Whole, ...], Meta(max_length=LANES)]
    active: Annotated[tuple[bool, ...], Meta(max_length=LANES)]
    wavefronts: Count
    ideal: Count
    from_data: bool = False

    @property
    def excess(self) -> int:
        """The excessive wavefronts: those beyond the ideal."""
        return self.wavefronts - self.ideal


@dataclass(frozen=True, slots=True)
class SharedArray:
    """An array in a block's shared memory; `base` is its byte address there."""

    name: Name
    itemsize: Count
    shape: tuple[Count, ...]
    base: Count

    def index(self, address: int) -> tuple[int, ...] | None:
        """Return the index of the element that holds a byte; None if that is elsewhere."""
        element, index = (address - self.base) // self.itemsize, []
        for size in reversed(self.shape):
            element, place = divmod(element, size) if size else (-1, 0)
            index.append(place)
        return None if element else tuple(reversed(index))


@dataclass(frozen=True, slots=True)
class ComparedOutput:
    """An output of a run, compared with the reference.

    Attributes:
        name: the problem's name for it.
        written: how many of them any thread wrote.
    """

    name: Name
    elements: Count
    written: Count


@dataclass(frozen=True)
class RunReport:
    """One run of the kernel.

    Attributes:
        shape: the value of each name.
        counts: by line of the submission, counters by name.
        shared_bytes: declared by a block, dynamic ones included.
        findings: as the emulator reports them.
        finished: True if every block ran to its end.
        compared: what of it is evidence: each output, if it finished and has a reference.
        wrong: the first wrong elements, `wrong_count` in all.
        error, allowed: the largest difference of an output, and the largest that is right.
        confirms: True for the run at a shape that no screen shows.
        shares: by name in `SHARES`, how evenly threads and blocks share the statements.
        advice: changes that make it cheaper, which were tried.
    """

    shape: Mapping[str, int]
    grid: Three
    block: Three
    counts: Mapping[Count, Mapping[Name, Count]] = field(repr=False)
    shared_bytes: Count
    findings: tuple[Finding, ...]
    finished: bool = False
    compared: tuple[ComparedOutput, ...] = ()
    wrong: tuple[WrongElement, ...] = ()
    wrong_count: Count = 0
    error: Difference = 0.0
    allowed: Difference = 0.0
    confirms: bool = False
    shares: Mapping[Name, Count] = field(default_factory=dict, repr=False)
    advice: tuple[Advice, ...] = ()

    @property
    def elements(self) -> int:
        """The number of elements of all outputs that were compared."""
        return sum(output.elements for output in self.compared)

    @property
    def threads(self) -> int:
        """The number of threads of the launch."""
        return prod(self.grid) * prod(self.block)

    @property
    def shape_text(self) -> str:
        """The shape as text: `n = 1,000`."""
        return ", ".join(f"{name} = {size:,}" for name, size in self.shape.items())

    @property
    def totals(self) -> Mapping[str, int]:
        """The counters of all lines."""
        total: Counter[str] = Counter()
        for counts in self.counts.values():
            total.update(counts)
        return total

    def amount(self, counter: str) -> int:
        """Return the value that a limit on a counter checks."""
        if counter == BYTES:
            return self.shared_bytes
        if counter in SHARES:
            return self.shares.get(counter, 0)
        return sum(self.totals.get(part, 0) for part in counters_of(counter))

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that a kernel fails for."""
        return tuple(finding for finding in self.findings if fault_name(finding))


def find_unproven(problem: Problem, ran: RunReport) -> str | None:
    """Return the first output of which a run proves nothing; None if it proves something of all.

    An output must be compared whole, and what the kernel alone fills must have been written.
    """
    compared = {output.name: output for output in ran.compared} if ran.finished else {}
    for position in problem.outputs:
        argument = problem.arguments[position]
        expected = prod(evaluate_sizes(argument.shape, ran.shape, ("arguments", position, "shape")))
        found = compared.get(argument.name)
        if found is None or found.elements != expected:
            return argument.name
        if argument.role == "output" and not found.written:
            return argument.name
    return None


@dataclass(frozen=True)
class KernelGrade:
    """A submission with its verdict.

    Attributes:
        runs: those that were reached.
        accesses: of the first run, at each place with an access to shared memory, the worst.
        arrays: what a block has in shared memory, but for what the launch gives.
    """

    source: str = field(repr=False)
    verdict: Verdict
    runs: tuple[RunReport, ...] = ()
    accesses: tuple[WorstAccess, ...] = ()
    arrays: tuple[SharedArray, ...] = ()

    @property
    def worst(self) -> WorstAccess | None:
        """The worst of all accesses to shared memory; None if there is none."""
        return max(self.accesses, key=lambda access: access.excess, default=None)

    @property
    def passed(self) -> bool:
        """True if every gate passed."""
        return self.verdict.passed

    def find_run(self, failed: Gate) -> RunReport:
        """Find the run in which a gate failed: the first with a finding, that of a limit, the last.

        There must be one.
        """
        last = self.runs[-1]
        if failed.name == "findings":
            return next((run for run in self.runs if run.faults), last)
        if failed.name == "counts" and failed.reason is not None:
            shape = failed.reason.fields.get("shape")
            return next((run for run in self.runs if describe_shape(run.shape) == shape), last)
        return last

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all runs, each once: faults before warnings, by line.

        A load and a store of one element, as in `y[i] += x`, are one finding.
        """
        found = {
            (f.kind, f.topic, f.line, f.column, f.other_line): f for f in self._list_newest_first()
        }
        once = {
            (f.kind, f.topic, f.line, f.other_line, (f.array and f.index) or f.column, f.array): f
            for f in sorted(found.values(), key=lambda f: f.column, reverse=True)
        }
        return tuple(sorted(once.values(), key=lambda f: (f.kind == "warning", f.line, f.column)))

    def _list_newest_first(self) -> list[Finding]:
        return [finding for run in reversed(self.runs) for finding in run.findings]
