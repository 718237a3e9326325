"""Which launches of a script are told together: equal ones once, many that differ as their sum.

A kernel that is launched in a loop is one table. Prints nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any

from grader.simt.counters import COUNTERS

Plain = dict[str, Any]

MOST_DIFFERENT = 4
"""Tables of one kernel with one grid and block, beyond which they are added up."""
_WHO = ("kernel", "file", "line", "grid", "block", "finished")


@dataclass(frozen=True)
class Group:
    """Launches that one table shows.

    Attributes:
        launch: one of them, or their sum.
        times: how many.
        seconds: of all.
        added: whether the table is their sum.
    """

    launch: Plain
    times: int
    seconds: float
    added: bool = False


def grouped(launches: Iterable[Plain]) -> list[Group]:
    """Launches, in the order of the first of each group."""
    kernels: dict[str, dict[str, list[Plain]]] = {}
    for launch in launches:
        who = dumps([launch[key] for key in _WHO])
        what = dumps([launch["lines"], launch["findings"]])
        kernels.setdefault(who, {}).setdefault(what, []).append(launch)
    first: dict[int, Group] = {}
    for different in kernels.values():
        if len(different) > MOST_DIFFERENT:
            every = [one for alike in different.values() for one in alike]
            found = [Group(_sum(every), len(every), _seconds(every), added=True)]
            first[id(every[0])] = found[0]
        else:
            first |= {
                id(alike[0]): Group(alike[0], len(alike), _seconds(alike))
                for alike in different.values()
            }
    return [first[id(launch)] for launch in launches if id(launch) in first]


def _seconds(launches: Iterable[Plain]) -> float:
    return sum(float(one["seconds"]) for one in launches)


def _sum(launches: Sequence[Plain]) -> Plain:
    """Counters added by place in the source; a finding once, with all its cases."""
    lines: dict[Any, Plain] = {}
    findings: dict[Any, Plain] = {}
    for launch in launches:
        for one in launch["lines"]:
            place = one.get("file", ""), one["line"], one["column"]
            known = lines.setdefault(place, {})
            added = Counter({name: one.get(name, 0) for name in COUNTERS})
            added.update({name: known.get(name, 0) for name in COUNTERS})
            lines[place] = {**one, **added}
        for one in launch["findings"]:
            key = one.get("file", ""), one["line"], one["column"], one["kind"], one.get("topic", "")
            known = findings.setdefault(key, {**one, "count": 0})
            known["count"] += one.get("count", 1)
    ordered = [lines[place] for place in sorted(lines)]
    return {**launches[0], "lines": ordered, "findings": list(findings.values())}
