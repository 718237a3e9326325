"""Names what in the machine code may make a right kernel slow: spills, float64, integers in a loop.

What is executed most comes from the emulator, and what that line became from the disassembler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from grader.compiled.outcome import Category, CompilerReport, LineInstructions

ReasonKind = Literal["spills", "local", "fp64", "busiest"]
KINDS: tuple[ReasonKind, ...] = ("spills", "local", "fp64", "busiest")
MIX: Mapping[str, tuple[Category, ...]] = {
    "integer": ("integer",),
    "shared": ("shared-load", "shared-store"),
    "global": ("global-load", "global-store"),
    "fp32": ("fp32",),
    "fp64": ("fp64",),
    "conversion": ("conversion",),
}
"""What is told of the line that is executed most."""
_MOSTLY = 2
"""Integer instructions for each other: more of them are most of a loop's time."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something to look at.

    Attributes:
        kind: `spills` and `local`: bytes of a thread in local memory, spilled or of an array.
            `fp64`: instructions in double precision. `busiest`: the line that is executed most.
        line: of the source; 0 if it is not known.
        amount: bytes, or instructions.
        mix: instructions of the line by the names of `MIX`; empty but for `busiest`.
    """

    kind: ReasonKind
    line: int
    amount: int
    mix: Mapping[str, int]

    @property
    def recomputes(self) -> bool:
        """True if most instructions of the busiest line are integer: indices, divisions."""
        integers = self.mix.get("integer", 0)
        return integers > _MOSTLY * (sum(self.mix.values()) - integers)


def find_reasons(found: CompilerReport, executed: Mapping[int, int]) -> tuple[Reason, ...]:
    """List what to look at, most telling first.

    Args:
        executed: by line, how often warps execute it, at source level.
    """
    return tuple(_reasons(found, executed))


def _reasons(found: CompilerReport, executed: Mapping[int, int]) -> Iterator[Reason]:
    main = found.main
    if main.spill_stores:
        yield Reason("spills", _most(found, "local-store"), main.spill_stores, {})
    elif main.local:
        yield Reason("local", _most(found, "local-load", "local-store"), main.local, {})
    double = found.total("fp64")
    if double:
        yield Reason("fp64", _most(found, "fp64"), double, {})
    lines = {line.line: line for line in found.lines}
    looped = [number for number in executed if number in lines and _works(lines[number])]
    if looped:
        busiest = lines[max(looped, key=lambda number: (executed[number], number))]
        mix = mixed(busiest)
        yield Reason("busiest", busiest.line, sum(busiest.looped.values()), mix)


def mixed(line: LineInstructions) -> dict[str, int]:
    """Sum what a line does in loops, by the names of `MIX`."""
    return {
        name: sum(line.looped.get(category, 0) for category in categories)
        for name, categories in MIX.items()
    }


def _works(line: LineInstructions) -> bool:
    """Return True if a line accesses memory or computes in a loop, not only counts."""
    mix = mixed(line)
    return any(count for name, count in mix.items() if name != "integer")


def _most(found: CompilerReport, *categories: Category) -> int:
    """Name the line with most instructions of these categories; 0 if there are none."""
    counts = {
        line.line: sum(line.counts.get(name, 0) for name in categories) for line in found.lines
    }
    most = max(counts, key=lambda line: counts[line], default=0)
    return most if counts.get(most) else 0
