"""Compares two right kernels by line: what the slow one does more of than the other.

Both are counted at source level, at the first shape. The compiler may undo any of it, which is not
known here: these are places to look at, not a profile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from grader.kernels.outcome import KernelGrade, RunReport
from grader.kernels.problem import Problem
from grader.kernels.submission import read_submission

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
_WRITTEN: tuple[CostKind, ...] = ("division", "arithmetic")
Lines = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Cost:
    """Something that a kernel does more of.

    Attributes:
        line: the line that does most of what the other kernel does not.
        count: the total, in warps; `other` is that of the other kernel.
        each: operations per execution of the line; 0 if that means nothing.
    """

    kind: CostKind
    line: int
    count: int
    other: int
    each: int = 0


def find_costs(problem: Problem, slow: KernelGrade, other: KernelGrade) -> tuple[Cost, ...]:
    """Find what the first kernel does more of than the second; both solve the problem and ran."""
    return tuple(_compare(problem, slow, other)) if slow.runs and other.runs else ()


def _compare(problem: Problem, slow: KernelGrade, other: KernelGrade) -> Iterator[Cost]:
    pair = slow.source.splitlines(), other.source.splitlines()
    mine, theirs = slow.runs[0], other.runs[0]
    yield from _find_cost("float64", _count_doubles(mine), _count_doubles(theirs), pair)
    for kind, counter in _COUNTED:
        yield from _find_cost(kind, _amounts(mine, counter), _amounts(theirs, counter), pair)
    written = read_submission(problem, slow.source).count_operators()
    others = read_submission(problem, other.source).count_operators()
    for kind in _WRITTEN:
        each = getattr(written, kind)
        rest = _count_executed(getattr(others, kind), theirs)
        for found in _find_cost(kind, _count_executed(each, mine), rest, pair):
            yield replace(found, each=each[found.line])


def _count_doubles(ran: RunReport) -> dict[int, int]:
    """Count how often lines with double precision run."""
    lines = {finding.line for finding in ran.findings if finding.topic == "float64"}
    return _count_executed(dict.fromkeys(lines, 1), ran)


def _find_cost(
    kind: CostKind, mine: Lines, theirs: Lines, pair: tuple[Sequence[str], Sequence[str]]
) -> Iterator[Cost]:
    """Compare two kernels, and name the line with most of what the first one does more.

    A line that both have does more as far as it runs more often.
    """
    count, other = sum(mine.values()), sum(theirs.values())
    if count <= _MORE * other:
        return
    own, known = pair
    expected = Counter[str]()
    for line, amount in theirs.items():
        expected[known[line - 1].strip()] += amount
    excess = {line: amount - expected[own[line - 1].strip()] for line, amount in mine.items()}
    yield Cost(kind, max(excess, key=lambda line: excess[line]), count, other)


def _amounts(ran: RunReport, counter: str) -> dict[int, int]:
    """Return what each line adds to a counter."""
    return {
        line: replace(ran, counts={line: counts}).amount(counter)
        for line, counts in ran.counts.items()
    }


def _count_executed(each: Lines, ran: RunReport) -> dict[int, int]:
    """Count operations by line: those of one execution, times the warps that execute the line."""
    return {
        line: count * ran.counts.get(line, {}).get("instructions", 0)
        for line, count in each.items()
    }
