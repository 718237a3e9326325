"""What a run with a change came to, as facts that can be compared: the faults, or wrong values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, FieldValue, fact
from grader.probes.replaying import Run, count_different, is_rounding
from grader.simt.checks.findings import Finding

SAME = fact("probe.outcome.same")
RACES = ("race", "global-race")
RACE_OUTCOMES = ("probe.outcome.race", "probe.outcome.race-in-line")
"""Facts of `describe_race`."""
_ENDLESS = ("budget", "no-progress")
_UNSEEN = ("resources", "stream-race")
"""Kinds of findings that are not asked for."""
_SHOWN = 2


def describe_outcomes(run: Run, before: Mapping[str, NDArray[Any]]) -> tuple[Fact, ...]:
    """Return all that a run came to; the first of them is the worst.

    Args:
        before: the arrays after the run without it.
    """
    found = tuple(dict.fromkeys(map(_describe, faults_of(run))))
    return found or tuple(_describe_values(run, before))


def describe_end(run: Run, before: Mapping[str, NDArray[Any]]) -> tuple[Fact, ...]:
    """Return what a run showed: the first case of its faults, or the first value that differs."""
    cases = describe_cases(run)
    if cases:
        return cases
    values = (_describe_first(name, array, run.arrays[name]) for name, array in before.items())
    return (*islice(_describe_values(run, before), 1), *islice(filter(None, values), 1))


def describe_cases(run: Run, kinds: Sequence[str] = ()) -> tuple[Fact, ...]:
    """Return the first case of some faults of a run; of these kinds, if any are named."""
    found = [each for each in faults_of(run) if not kinds or each.kind in kinds]
    return tuple(map(describe_case, found[:_SHOWN]))


def describe_case(fault: Finding) -> Fact:
    """Return the first case of a fault, with the thread and the block, and how many there are."""
    if fault.kind in _ENDLESS or not fault.line:
        return _describe(fault)
    fields: dict[str, FieldValue] = {"what": fault.what, "line": fault.line, "n": fault.count}
    if fault.kind in RACES or not fault.threads or fault.block is None:
        return Fact("probe.seen.case", fields)
    place = {"thread": str(fault.threads[0]), "block": str(fault.block)}
    return Fact("probe.seen.case-of-thread", fields | place)


def faulty_lines(run: Run, *kinds: str) -> tuple[int, ...]:
    """Return the lines of the kernel's file that have a fault of these kinds; of any, without."""
    found = dict[int, None]()
    for each in faults_of(run):
        if not kinds or each.kind in kinds:
            own = each.line if not each.file else 0
            other = each.other_line if not each.other_file else 0
            found |= dict.fromkeys(line for line in (own, other) if line)
    return tuple(found)


def races_of(run: Run | None) -> frozenset[Fact]:
    """Return which lines race on which arrays."""
    faults = () if run is None else faults_of(run)
    return frozenset(describe_race(each) for each in faults if each.kind in RACES)


def lines_of(races: Iterable[Fact]) -> frozenset[int]:
    """Return the lines that races name."""
    fields = (each.fields for each in races)
    return frozenset(
        value for each in fields for name in ("line", "other")
        if isinstance(value := each.get(name), int)
    )  # fmt: skip


def faults_of(run: Run) -> Iterator[Finding]:
    """Yield the faults of a run that can be asked about."""
    return (each for each in run.done.faults if each.kind not in _UNSEEN)


def _describe(fault: Finding) -> Fact:
    if fault.kind in _ENDLESS:
        return fact("probe.outcome.endless")
    if fault.kind in RACES:
        return describe_race(fault)
    return Fact(f"probe.outcome.{fault.kind}", {"array": fault.array, "line": fault.line})


def describe_race(fault: Finding) -> Fact:
    """Return which lines race on which array."""
    first, second = sorted((fault.line, fault.other_line or fault.line))
    if first == second:
        return fact("probe.outcome.race-in-line", array=fault.array, line=first)
    return fact("probe.outcome.race", array=fault.array, line=first, other=second)


def _describe_values(run: Run, before: Mapping[str, NDArray[Any]]) -> Iterator[Fact]:
    """Yield which arrays differ; `SAME` if none does."""
    same = True
    for name, array in before.items():
        after = run.arrays.get(name)
        if after is None or not (n := count_different(after, array)):
            continue
        same = False
        if is_rounding(after, array):
            yield fact("probe.outcome.rounding", array=name)
        else:
            yield fact("probe.outcome.wrong", array=name, n=n, total=array.size)
    if same:
        yield SAME


def write_value(value: float | np.generic) -> str:
    """Write an element: all digits of an integer, with separators, and six of another number."""
    number = value.item() if isinstance(value, np.generic) else value
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6g}"


def _describe_first(name: str, before: NDArray[Any], after: NDArray[Any]) -> Fact | None:
    """Return the first element of an array that differs, with both values."""
    if before.shape != after.shape or not count_different(after, before):
        return None
    differs = before.view(f"V{before.itemsize}") != after.view(f"V{after.itemsize}")
    index = tuple(np.argwhere(differs)[0].tolist())
    return fact(
        "probe.seen.first", array=name, index=", ".join(map(str, index)),
        before=write_value(before[index]), after=write_value(after[index]),
    )  # fmt: skip
