"""The results of compiling a kernel: frozen values, shown and sent between processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from msgspec import Meta

from grader.facts import Fact
from grader.gpu.outcome import Limiter
from grader.wire import Count, Name

Category = Literal[
    "global-load", "global-store", "shared-load", "shared-store", "local-load", "local-store",
    "constant-load", "atomic", "conversion", "integer", "fp32", "fp64", "tensor", "warp", "move",
    "control", "other",
]  # fmt: skip
"""What an instruction of SASS does: see `sass.category`."""
CATEGORIES: tuple[Category, ...] = get_args(Category)
ARCHITECTURES = ("7.5", "8.0", "8.6", "9.0", "10.0", "12.0")
"""Compute capabilities that a kernel is compiled for."""
MAIN = "9.0"
"""The one of them whose instructions are counted."""
Share = Annotated[float, Meta(ge=0, le=1)]
MOST_LINES = 2000
"""Source lines with instructions, of one kernel."""


@dataclass(frozen=True, slots=True)
class ArchitectureReport:
    """A kernel compiled for one architecture.

    Attributes:
        capability: major.minor.
        registers: of a thread.
        spill_stores, spill_loads: bytes of a thread that ptxas moves to local memory and back.
        shared: static shared memory of a block, in bytes.
        local: local memory of a thread, in bytes: its arrays, and what is spilled.
        blocks: per SM, of the launch's threads and dynamic shared memory.
        occupancy: share of the warps that an SM could hold.
        limiter: what limits the blocks per SM.
    """

    capability: Name
    registers: Count
    spill_stores: Count
    spill_loads: Count
    shared: Count
    local: Count
    blocks: Count
    occupancy: Share
    limiter: Limiter


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel that can be compiled.

    Attributes:
        file: where it is from, and the line of its `def` there.
        text: with the kernel in the lines where it stands; empty: it cannot be written.
        arguments: NumPy's name of each argument's elements, and its axes; 0 for a number.
        block: threads along each axis.
        dynamic: bytes of dynamic shared memory of a block.
        executed: by line, how often warps execute it.
        why: why there is no text.
        entry: in CUDA C++, the kernel's name with its namespaces and template arguments; in PTX,
            as the text has it.
    """

    kernel: str
    file: str
    line: int
    block: tuple[int, ...]
    text: str
    arguments: tuple[tuple[str, int], ...]
    dynamic: int = 0
    executed: Mapping[int, int] = field(default_factory=dict)
    why: Fact | None = None
    language: Literal["python", "cuda", "ptx"] = "python"
    entry: str = ""


@dataclass(frozen=True, slots=True)
class LineInstructions:
    """The instructions of one source line, as they stand in the machine code.

    Attributes:
        counts: of the whole line, by category.
        looped: those of them in a loop that contains no other loop.
    """

    line: Count
    counts: Mapping[Category, Count]
    looped: Mapping[Category, Count]


@dataclass(frozen=True, slots=True)
class CompilerReport:
    """What the compiler makes of a kernel.

    Attributes:
        compiler: numba-cuda, NVVM and linker, with versions.
        architectures: in the order of `ARCHITECTURES`.
        disassembled: the architecture whose instructions are in `lines`.
    """

    compiler: Name
    architectures: Annotated[
        tuple[ArchitectureReport, ...], Meta(max_length=len(ARCHITECTURES), min_length=1)
    ]
    disassembled: Name
    lines: Annotated[tuple[LineInstructions, ...], Meta(max_length=MOST_LINES)]

    def architecture(self, capability: str) -> ArchitectureReport:
        """Return the report on an architecture; KeyError if it was not compiled for it."""
        for report in self.architectures:
            if report.capability == capability:
                return report
        raise KeyError(capability)

    @property
    def main(self) -> ArchitectureReport:
        """The report on the architecture that was disassembled."""
        return self.architecture(self.disassembled)

    def total(self, *categories: Category) -> int:
        """Count the instructions of these categories; without any, all."""
        wanted = categories or CATEGORIES
        return sum(line.counts.get(name, 0) for line in self.lines for name in wanted)
