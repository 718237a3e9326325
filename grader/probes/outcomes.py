"""What a run with a change came to, as facts that can be compared: the faults, or wrong values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.probes.replaying import Run, count_different, is_rounding
from grader.simt.checks.findings import Finding

SAME = fact("probe.outcome.same")
_ENDLESS = ("budget", "no-progress")
_UNSEEN = ("resources", "stream-race")
"""Kinds of findings that are not asked for."""


def describe_outcomes(run: Run, before: Mapping[str, NDArray[Any]]) -> tuple[Fact, ...]:
    """Return all that a run came to; the first of them is the worst.

    Args:
        run: with the change.
        before: the arrays after the run without it.
    """
    found = tuple(dict.fromkeys(map(_describe, _faults(run))))
    return found or tuple(_describe_values(run, before))


def faulty_lines(run: Run, *kinds: str) -> tuple[int, ...]:
    """Return the lines of the kernel's file that have a fault of these kinds; of any, without."""
    found = dict[int, None]()
    for each in _faults(run):
        if not kinds or each.kind in kinds:
            own = each.line if not each.file else 0
            other = each.other_line if not each.other_file else 0
            found |= dict.fromkeys(line for line in (own, other) if line)
    return tuple(found)


def _faults(run: Run) -> Iterator[Finding]:
    return (each for each in run.done.faults if each.kind not in _UNSEEN)


def _describe(fault: Finding) -> Fact:
    if fault.kind in _ENDLESS:
        return fact("probe.outcome.endless")
    if fault.kind in ("race", "global-race"):
        first, second = sorted((fault.line, fault.other_line or fault.line))
        if first == second:
            return fact("probe.outcome.race-in-line", array=fault.array, line=first)
        return fact("probe.outcome.race", array=fault.array, line=first, other=second)
    return Fact(f"probe.outcome.{fault.kind}", {"array": fault.array, "line": fault.line})


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
