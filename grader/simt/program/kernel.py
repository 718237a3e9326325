"""What a front end gives to a launch: a kernel, and what all its functions share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from grader.simt.checks.counters import Site, Sites
from grader.simt.checks.findings import Finding, Findings
from grader.simt.geometry import Three
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.types import Scalar, Space
from grader.simt.program.unproven import Unproven


@dataclass(frozen=True, eq=False)
class CompiledFunction:
    """A function for one list of argument types.

    Attributes:
        pointers: True if it takes pointers to arrays.
    """

    lowered: nodes.Function
    stored: frozenset[str]
    pointers: bool = False


@dataclass
class Program:
    """What all functions of a kernel share, in any language.

    Attributes:
        shared, local: declared arrays, by their node in the source, with dtype and shape: a device
            function that is compiled for several types has an array for each of them.
        timed: True if there is any barrier.
        grid_sync: where the whole grid synchronizes, if anywhere.
        fenced: the widest scope of its memory fences; 0 without any.
        atomic: True if there is an atomic.
        polls: True if threads wait in a loop that reads something volatile.
        stores_anywhere: True if the kernel writes to an array that is not one of its parameters.
        unassigned: True if a variable may be read before it has a value.
        shuffles: True if lanes read each other's values.
        unproven: finds the operations that may overflow in a launch; None for a kernel in which
            all may wrap.
        racing: elements of global arrays that raced in launches before, by space and label.
        harmless: by race of such a launch, whether it is harmless with other data, too.
        most_threads: of a block, where the source says so; else None.
        cluster: blocks of a cluster along each axis, where the source says so; else None.
        dynamic_align: bytes that the address of the dynamic shared array is a multiple of.
        padding: bytes between shared arrays that no device needs.
        replicated: True if several threads may hold copies of one element, as in what Triton
            compiles: one of them stores it, and what the others read is not used.
        recorder: looks at a thread in a line, if somebody wants to: a `memory.recorder.Recorder`.
    """

    sites: Sites = field(default_factory=Sites)
    findings: Findings = field(default_factory=Findings)
    shared: dict[Any, DeclaredArray] = field(default_factory=dict)
    local: dict[Any, DeclaredArray] = field(default_factory=dict)
    timed: bool = False
    grid_sync: Site | None = None
    fenced: int = 0
    atomic: bool = False
    polls: bool = False
    stores_anywhere: bool = False
    unassigned: bool = False
    shuffles: bool = False
    unproven: Unproven | None = None
    racing: Mapping[tuple[str, str], NDArray[Any]] = field(default_factory=dict)
    harmless: dict[Hashable, bool] = field(default_factory=dict)
    most_threads: int | None = None
    cluster: Three | None = None
    dynamic_align: int = 16
    padding: int = 0
    replicated: bool = False
    recorder: Any = None

    def declare(
        self,
        node: object,
        label: str,
        dtype: Scalar,
        shape: tuple[int, ...],
        space: Space,
        *,
        align: int = 16,
        padded: int = 16,
    ) -> DeclaredArray:
        """Declare a shared or local array; the same node, dtype, and shape are the same array.

        Args:
            label: as reports call it.
            align: bytes that its place in shared memory is a multiple of.
            padded: the same, as it is here.
        """
        known = self.shared if space == "shared" else self.local
        key = id(node), dtype, shape
        if key not in known:
            end = self.layout_bytes
            tight, base = (-(-end // size) * size for size in (align, max(align, padded)))
            self.padding += (base - tight) * (space == "shared")
            known[key] = DeclaredArray(label, dtype, shape, base if space == "shared" else 0)
        return known[key]

    @property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of each file that a function is in; the kernel's file is ""."""
        raise NotImplementedError

    def describe(self, finding: Finding) -> Finding:
        """Return a finding of a launch in the terms of the source's language."""
        return finding

    @property
    def shared_bytes(self) -> int:
        """The size of all shared arrays whose size the source gives."""
        return self.layout_bytes - self.padding

    @property
    def layout_bytes(self) -> int:
        """The same, with padding."""
        return max((array.base + array.bytes for array in self.shared.values()), default=0)

    @property
    def dynamic_base(self) -> int:
        """Where the dynamic array begins in a block's shared memory."""
        return -(-self.layout_bytes // self.dynamic_align) * self.dynamic_align

    @property
    def local_bytes(self) -> int:
        """The size of all local arrays of a thread."""
        return sum(array.bytes for array in self.local.values())


@dataclass(frozen=True, eq=False)
class CompiledKernel:
    """A kernel that can be launched with arguments of its types.

    Attributes:
        function: the kernel in its source, as its front end knows it: `name`, `qualified`,
            `parameters`, `path` and `start` are those of every language.
    """

    function: Any
    program: Program
    compiled: CompiledFunction
