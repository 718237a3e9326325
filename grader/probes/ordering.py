"""The order of the probes of a launch: no feedback gives away the answer of a later one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.facts import Fact
from grader.probes.values import AS_IT_WAS, FAULT_RULES, KernelProbe

_PLACES = ("line", "at")
"""Fields that hold a line."""
_UNCHANGED = ((), AS_IT_WAS)
_COUNTERS = ("predict", "cost", "requests")
"""Rules that ask for a counter of a line: any other number of that line's run is a factor of it."""


def arrange(probes: Iterable[KernelProbe]) -> list[KernelProbe]:
    """Put a number before what prints it; leave out one that gives away what it would precede.

    Which line was changed is asked first: every other probe shows the kernel as it was.
    """
    ordered: list[KernelProbe] = []
    for each in sorted(probes, key=lambda probe: probe.rule != "planted"):
        place = next((i for i, other in enumerate(ordered) if _tells(other, each)), len(ordered))
        if not any(_tells(each, other) for other in ordered[place:]):
            ordered.insert(place, each)
    return ordered


def exclude_each_other(one: KernelProbe, other: KernelProbe) -> bool:
    """Return True if what is said of each of two probes holds the answer of the other."""
    return _tells(one, other) and _tells(other, one)


def _tells(first: KernelProbe, second: KernelProbe) -> bool:
    """Return True if what is said of one probe holds the answer of another."""
    if "planted" in (first.rule, second.rule):  # what the same slip comes to is no other question
        return first.changes == second.changes
    run = second.changes, second.launch
    if second.form == "number":
        lines = {line for line in map(second.asked.fields.get, _PLACES) if line} or {0}
        any_number = second.rule in _COUNTERS
        return any(
            of == run and line in lines and (any_number or number == second.answer)
            for of, line, number in _numbers(first)
        )
    if second.form != "line" or first.form != "number" or (first.changes, first.launch) != run:
        return False
    return any(fact.fields.get("line") in second.right for fact in first.seen)


def _numbers(probe: KernelProbe) -> Iterator[tuple[object, object, object]]:
    """Yield what the feedback of a probe prints: of which run, at which line, which number."""
    run = probe.changes, probe.launch
    for seen in _flatten((*probe.seen, *probe.reasons)):
        line = seen.fields.get("line", probe.line)
        for name, value in seen.fields.items():
            if name in _PLACES or not isinstance(value, int | float):
                continue
            yield _UNCHANGED if name == "before" else run, line, value
            if probe.rule in FAULT_RULES:  # how many there are is asked of all lines
                yield run, 0, value


def _flatten(facts: Iterable[Fact]) -> Iterator[Fact]:
    for each in facts:
        yield each
        yield from _flatten(value for value in each.fields.values() if isinstance(value, Fact))
