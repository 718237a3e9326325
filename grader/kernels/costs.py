"""Compares two right kernels by line: what the slow one does more of than the other.

Both are counted at source level, at the first shape. The compiler may undo any of it, which is not
known here: these are places to look at, not a profile.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from grader.kernels.outcome import KernelGrade, RunReport

CostKind = Literal["float64", "sectors", "shared", "barriers", "division", "arithmetic"]
KINDS: tuple[CostKind, ...] = ("float64", "sectors", "shared", "barriers", "division", "arithmetic")
"""Most significant first."""
_MORE = 1.05
"""Ratio to the other kernel's count up to which the two count as equal."""
_COUNTED: tuple[tuple[CostKind, str], ...] = (
    ("sectors", "global_sectors"),
    ("shared", "shared_wavefronts"),
    ("barriers", "barriers"),
)
_Operators = tuple[type[ast.operator], ...]
_WRITTEN: tuple[tuple[CostKind, _Operators], ...] = (
    ("division", (ast.FloorDiv, ast.Mod)),
    ("arithmetic", (ast.operator,)),
)
Lines = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Cost:
    """Something that a kernel does more of.

    Attributes:
        line: the line that does most of it.
        count: the total, in warps; `other` is that of the other kernel.
        each: operations per execution of the line; 0 if that means nothing.
    """

    kind: CostKind
    line: int
    count: int
    other: int
    each: int = 0


def find_costs(slow: KernelGrade, other: KernelGrade) -> tuple[Cost, ...]:
    """Find what the first kernel does more of than the second; both ran."""
    return tuple(_compare(slow, other)) if slow.runs and other.runs else ()


def _compare(slow: KernelGrade, other: KernelGrade) -> Iterator[Cost]:
    mine, theirs = slow.runs[0], other.runs[0]
    yield from _find_cost("float64", _count_doubles(mine), sum(_count_doubles(theirs).values()))
    for kind, counter in _COUNTED:
        lines = {line: _amount(mine, line, counter) for line in mine.counts}
        yield from _find_cost(kind, lines, theirs.amount(counter))
    for kind, operators in _WRITTEN:
        each = _count_operations(slow.source, operators)
        lines = _count_executed(each, mine)
        rest = sum(_count_executed(_count_operations(other.source, operators), theirs).values())
        for found in _find_cost(kind, lines, rest):
            yield Cost(found.kind, found.line, found.count, found.other, each[found.line])


def _count_doubles(ran: RunReport) -> dict[int, int]:
    """Count how often lines with double precision run."""
    lines = {finding.line for finding in ran.findings if finding.topic == "float64"}
    return _count_executed(dict.fromkeys(lines, 1), ran)


def _find_cost(kind: CostKind, lines: Lines, other: int) -> Iterator[Cost]:
    count = sum(lines.values())
    if count > _MORE * other:
        yield Cost(kind, max(lines, key=lambda line: lines[line]), count, other)


def _amount(ran: RunReport, line: int, counter: str) -> int:
    return RunReport(
        ran.shape, ran.grid, ran.block, {line: ran.counts[line]}, ran.shared_bytes, ()
    ).amount(counter)  # fmt: skip


def _count_executed(each: Lines, ran: RunReport) -> dict[int, int]:
    """Count operations by line: those of one execution, times the warps that execute the line."""
    return {
        line: count * ran.counts.get(line, {}).get("instructions", 0)
        for line, count in each.items()
    }


def _count_operations(source: str, operators: _Operators) -> dict[int, int]:
    """Count the operations with one of the operators in each line."""
    return Counter(
        node.lineno
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, operators)
    )
