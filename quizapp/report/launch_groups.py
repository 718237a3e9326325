"""Groups the launches of a script: equal ones once, many that differ as their sum.

So a kernel that is launched in a loop is one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any

from grader.simt import COUNTERS

Plain = dict[str, Any]

MOST_DIFFERENT = 4
"""More tables of one kernel with the same grid and block are added up."""
_SAME = ("kernel", "qualname", "file", "line", "grid", "block", "finished")


@dataclass(frozen=True)
class LaunchGroup:
    """Launches that one table shows.

    Attributes:
        launch: the first of them, or their sum.
        count: the number of launches.
        seconds: the time of all.
        summed: true if the table is their sum.
    """

    launch: Plain
    count: int
    seconds: float
    summed: bool = False


def group_launches(launches: Iterable[Plain]) -> list[LaunchGroup]:
    """Group launches, in the order of the first of each group."""
    kernels: dict[str, dict[str, list[Plain]]] = {}
    for launch in launches:
        kernel = dumps([launch[key] for key in _SAME])
        outcome = dumps([launch["lines"], launch["findings"]])
        kernels.setdefault(kernel, {}).setdefault(outcome, []).append(launch)
    first: dict[int, LaunchGroup] = {}
    for outcomes in kernels.values():
        if len(outcomes) > MOST_DIFFERENT:
            every = [launch for equal in outcomes.values() for launch in equal]
            group = LaunchGroup(_sum(every), len(every), _seconds(every), summed=True)
            first[id(every[0])] = group
        else:
            for equal in outcomes.values():
                first[id(equal[0])] = LaunchGroup(equal[0], len(equal), _seconds(equal))
    return [first[id(launch)] for launch in launches if id(launch) in first]


def title_kernels(launches: Iterable[Plain]) -> dict[str, str]:
    """Name each kernel, by its qualified name: in full if another kernel has the same name."""
    names = {launch["qualname"]: launch["kernel"] for launch in launches}
    uses = Counter(names.values())
    return {full: full if uses[name] > 1 else name for full, name in names.items()}


def _seconds(launches: Iterable[Plain]) -> float:
    return sum(float(launch["seconds"]) for launch in launches)


def _sum(launches: Sequence[Plain]) -> Plain:
    """Add counters by place in the source; keep a finding once, with all its cases."""
    lines: dict[Any, Plain] = {}
    findings: dict[Any, Plain] = {}
    for launch in launches:
        for line in launch["lines"]:
            place = _place(line)
            known = lines.setdefault(place, {})
            counts = Counter({name: line.get(name, 0) for name in COUNTERS})
            counts.update({name: known.get(name, 0) for name in COUNTERS})
            lines[place] = {**line, **counts}
        for finding in launch["findings"]:
            key = *_place(finding), finding["kind"], finding.get("topic", "")
            known = findings.setdefault(key, {**finding, "count": 0})
            known["count"] += finding.get("count", 1)
    ordered = [lines[place] for place in sorted(lines)]
    return {**launches[0], "lines": ordered, "findings": list(findings.values())}


def _place(found: Plain) -> tuple[str, int, int]:
    return found.get("file", ""), found["line"], found["column"]
