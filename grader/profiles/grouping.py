"""Groups the launches of a script: equal ones once, many that differ as their sum.

So a kernel that is launched in a loop is one table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from grader.profiles.bounds import find_bound, own_totals
from grader.profiles.proposals import propose_layouts
from grader.profiles.strides import find_strides
from grader.profiles.values import CountedLine, LaunchGroup, LaunchRecord
from grader.simt import Finding

MOST_DIFFERENT = 4
"""More tables of one kernel with the same grid and block are added up."""


_Numbered = tuple[int, LaunchRecord]


def group_launches(numbered: Sequence[_Numbered]) -> tuple[LaunchGroup, ...]:
    """Group launches, given with their numbers, in the order of the first of each group."""
    titles = _title_kernels(launch for _, launch in numbered)
    kernels: dict[Hashable, dict[Hashable, list[_Numbered]]] = defaultdict(dict)
    for each in numbered:
        kernels[_kernel(each[1])].setdefault(_outcome(each[1]), []).append(each)
    groups = [
        _group(some, titles)
        for outcomes in kernels.values()
        for some in (
            [[each for equal in outcomes.values() for each in equal]]
            if len(outcomes) > MOST_DIFFERENT
            else outcomes.values()
        )
    ]
    return tuple(sorted(groups, key=lambda group: group.numbers[0]))


def _kernel(launch: LaunchRecord) -> Hashable:
    place = launch.qualname, launch.kernel, launch.file, launch.line
    return *place, launch.grid, launch.block, launch.finished


def _outcome(launch: LaunchRecord) -> Hashable:
    """Return what equal launches have in common, as something that compares quickly."""
    lines = tuple(
        (line.file, line.line, line.column, tuple(sorted(line.counts.items())))
        for line in launch.lines
    )
    return lines, repr(launch.findings) if launch.findings else ""


def _group(some: Sequence[_Numbered], titles: Mapping[tuple[str, str], str]) -> LaunchGroup:
    launches = [launch for _, launch in some]
    summed = any(_outcome(launch) != _outcome(launches[0]) for launch in launches[1:])
    launch = _sum(launches) if summed else launches[0]
    return LaunchGroup(
        titles[launch.qualname, launch.kernel],
        launch,
        tuple(sorted(number for number, _ in some)),
        sum(each.seconds for each in launches),
        summed,
        find_bound(own_totals(launch)),
        propose_layouts(launch.worst, launch.arrays),
        find_strides(launch),
    )


def _title_kernels(launches: Iterable[LaunchRecord]) -> dict[tuple[str, str], str]:
    """Name each kernel, by its qualified name and its name: in full if another has that name."""
    named = dict.fromkeys((launch.qualname, launch.kernel) for launch in launches)
    uses = Counter(name for _, name in named)
    titles = {}
    for full, name in named:
        arguments = name[name.find("<") :] if name.find("<") > 0 else ""  # of its template
        titles[full, name] = full + arguments if uses[name] > 1 else name
    return titles


def _excess(launch: LaunchRecord) -> int:
    return max((access.excess for access in launch.worst), default=0)


def _sum(launches: Sequence[LaunchRecord]) -> LaunchRecord:
    """Add counters by place in the source; keep a finding once, with all its cases."""
    lines: dict[tuple[str, int, int], CountedLine] = {}
    findings: dict[Hashable, Finding] = {}
    totals: Counter[str] = Counter()
    for launch in launches:
        totals.update(launch.totals)
        for line in launch.lines:
            place = line.file, line.line, line.column
            known = lines.get(place)
            counts = Counter(line.counts)
            counts.update(known.counts if known else {})
            lines[place] = replace(line, counts=counts)
        for finding in launch.findings:
            key = finding.file, finding.line, finding.column, finding.kind, finding.topic
            before = findings.get(key)
            count = finding.count + (before.count if before else 0)
            findings[key] = replace(before or finding, count=count)
    worst = max(launches, key=_excess)
    return replace(
        worst,
        totals=totals,
        lines=tuple(lines[place] for place in sorted(lines)),
        findings=tuple(findings.values()),
        advice=tuple(each for launch in launches for each in launch.advice),
    )
