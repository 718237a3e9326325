"""Compares two reports: kernel by kernel and line by line, what got better and what worse.

Kernels are matched by name, in their order. If each report has only one kernel, they are also
matched by their lines: it may have been renamed. Lines are matched by their text, so a line that
moved is still the same line. Times of the emulation are not compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from grader.profiles.values import LaunchGroup, LaunchReport, total
from grader.simt import Finding

Measure = Literal["wavefronts", "sectors", "instructions"]
_ALIKE = 0.5
"""Of the lines of two kernels, the share in both from which one is the other renamed."""
MEASURES: tuple[Measure, ...] = ("wavefronts", "sectors", "instructions")


@dataclass(frozen=True, slots=True)
class CountChange:
    """A count before and after; less is better."""

    measure: Measure
    before: int
    after: int

    @property
    def is_better(self) -> bool:
        """True if there is less of it."""
        return self.after < self.before


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line whose counts changed; 0 for the number of a line that is only in the other report."""

    old_line: int
    new_line: int
    source: str
    counts: tuple[CountChange, ...]


@dataclass(frozen=True, slots=True)
class KernelChange:
    """Two groups of launches of one kernel.

    Attributes:
        totals: of all lines, for what there is in either.
        lines: those with other counts, in the order of the new source.
        fixed, added: the findings that are gone, and those that are new.
        compilers: before and after, if one ran as written and the other as compiled; "" as written.
            Statements of the one and instructions of the other are not compared then.
    """

    title: str
    totals: tuple[CountChange, ...]
    lines: tuple[LineChange, ...]
    fixed: tuple[Finding, ...]
    added: tuple[Finding, ...]
    compilers: tuple[str, str] | None = None

    @property
    def repaired(self) -> bool:
        """True if a fault is gone and none is new: what that costs makes nothing worse."""
        return _has_fault(self.fixed) and not _has_fault(self.added)


@dataclass(frozen=True, slots=True)
class ReportChange:
    """Two reports compared.

    Attributes:
        kernels: those in both.
        gone, added: titles of kernels that are only in the old, or only in the new report.
    """

    kernels: tuple[KernelChange, ...]
    gone: tuple[str, ...]
    added: tuple[str, ...]


class _Line(NamedTuple):
    number: int
    source: str
    counts: Mapping[Measure, int]


def compare_reports(old: LaunchReport, new: LaunchReport) -> ReportChange:
    """Compare two reports."""
    before, after = _by_title(old), _by_title(new)
    if len(before) == len(after) == 1 and _are_alike(old.groups[0], new.groups[0]):  # renamed
        before = {next(iter(after)): next(iter(before.values()))}
    pairs, gone, added = [], [], []
    for title, groups in after.items():
        earlier = before.pop(title, [])
        pairs += [_compare(*pair) for pair in zip(earlier, groups, strict=False)]
        added += [title] * max(0, len(groups) - len(earlier))
        gone += [title] * max(0, len(earlier) - len(groups))
    gone += [title for title, groups in before.items() for _ in groups]
    return ReportChange(tuple(pairs), tuple(gone), tuple(added))


def _has_fault(findings: Sequence[Finding]) -> bool:
    return any(map(_is_fault, findings))


def _is_fault(finding: Finding) -> bool:
    return finding.kind != "warning"


def _are_alike(old: LaunchGroup, new: LaunchGroup) -> bool:
    """Return True if most of the lines of two kernels that ran are the same."""
    texts = [line.source for line in _lines(old)], [line.source for line in _lines(new)]
    return SequenceMatcher(None, *texts, autojunk=False).ratio() > _ALIKE


def _by_title(report: LaunchReport) -> dict[str, list[LaunchGroup]]:
    found: dict[str, list[LaunchGroup]] = defaultdict(list)
    for group in report.groups:
        found[group.title].append(group)
    return found


def _compare(old: LaunchGroup, new: LaunchGroup) -> KernelChange:
    before, after = _lines(old), _lines(new)
    compilers = old.launch.compiler, new.launch.compiler
    mixed = bool(compilers[0]) != bool(compilers[1])
    measures = [what for what in MEASURES if not (mixed and what == "instructions")]
    lines = [_change(*pair, measures) for pair in _pair_lines(before, after)]
    sums = [CountChange(what, _sum(before, what), _sum(after, what)) for what in measures]
    fixed, added = _differing_findings(old, new), _differing_findings(new, old)
    if mixed:  # what a compiler makes has no types to warn of
        fixed, added = (tuple(filter(_is_fault, found)) for found in (fixed, added))
    return KernelChange(
        new.title,
        tuple(change for change in sums if change.before or change.after),
        tuple(line for line in lines if line.counts),
        fixed,
        added,
        compilers if mixed else None,
    )


def _lines(group: LaunchGroup) -> list[_Line]:
    """Sum the counts of each line, in the order of files and lines."""
    found: dict[tuple[str, int], _Line] = {}
    for line in group.launch.lines:
        counts: dict[Measure, int] = {
            "wavefronts": total(line.counts, "shared", "wavefronts"),
            "sectors": total(line.counts, "global", "sectors"),
            "instructions": line.counts.get("instructions", 0),
        }
        known = found.get((line.file, line.line))
        if known:
            counts = {what: counts[what] + known.counts[what] for what in MEASURES}
        found[line.file, line.line] = _Line(line.line, line.source.strip(), counts)
    return [found[place] for place in sorted(found)]


def _pair_lines(
    before: Sequence[_Line], after: Sequence[_Line]
) -> Iterator[tuple[_Line | None, _Line | None]]:
    """Pair lines of one text, then those that replace each other, in the order of the new ones."""
    texts = [line.source for line in before], [line.source for line in after]
    for _, first, last, start, end in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        old, new = list(before[first:last]), list(after[start:end])
        for place in range(max(len(old), len(new))):
            yield (
                old[place] if place < len(old) else None,
                new[place] if place < len(new) else None,
            )


def _change(old: _Line | None, new: _Line | None, measures: Sequence[Measure]) -> LineChange:
    counts = [
        CountChange(what, old.counts[what] if old else 0, new.counts[what] if new else 0)
        for what in measures
    ]
    shown = new or old
    assert shown is not None
    return LineChange(
        old.number if old else 0,
        new.number if new else 0,
        shown.source,
        tuple(change for change in counts if change.before != change.after),
    )


def _differing_findings(group: LaunchGroup, other: LaunchGroup) -> tuple[Finding, ...]:
    """Return the findings that the other group has not, by kind and the text of their line."""
    known = Counter(_identity(finding, other) for finding in other.launch.findings)
    found = []
    for finding in group.launch.findings:
        key = _identity(finding, group)
        if known[key]:
            known[key] -= 1
        else:
            found.append(finding)
    return tuple(found)


def _identity(finding: Finding, group: LaunchGroup) -> tuple[str, str, str]:
    texts = (
        line.source.strip()
        for line in group.launch.lines
        if (line.file, line.line) == (finding.file, finding.line)
    )
    return finding.kind, finding.topic, next(texts, "")


def _sum(lines: Sequence[_Line], what: Measure) -> int:
    return sum(line.counts[what] for line in lines)
