"""Probes of lengths: what faults without a condition, and what a grid does not reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from math import prod
from typing import Any, NamedTuple

import numpy as np

from grader.facts import Fact, FieldValue, fact
from grader.probes.outcomes import describe_cases
from grader.probes.replaying import Replay, Run
from grader.probes.rivals import reject_lines
from grader.probes.trials import LANES, Trial, Trials
from grader.probes.values import KernelProbe, LaunchChange
from grader.simt.checks.findings import Finding
from grader.simt.geometry import volume

LEAST = 8
"""A shorter length is the number of something else."""
_FACTORS = 3


class Length(NamedTuple):
    """A length of a launch.

    Attributes:
        name: the argument that has it; of a kernel that takes none, the first array's.
        is_array: True if only the arrays say it.
    """

    name: str
    value: int
    is_array: bool = False


def find_lengths(replay: Replay) -> list[Length]:
    """List the lengths of a launch that arrays follow, those of the most arrays first."""
    given = replay.given
    numbers = _numbers(given)
    found = [Length(name, value) for name, value in numbers.items() if value >= LEAST]
    if not numbers and not replay.is_cuda:
        sizes = Counter(len(v) for v in given.values() if isinstance(v, np.ndarray) and v.ndim == 1)
        for size, _ in sizes.most_common(1):
            if size >= LEAST:
                found.append(Length(next(_of_size(given, size)), size, is_array=True))
    return [each for each in found if change_length(replay, each, each.value - 1) is not None]


def change_length(replay: Replay, length: Length, new: int) -> LaunchChange | None:
    """Return the launch with another length; None if no array, or no one way, follows it."""
    given, lengths = replay.given, list[tuple[str, int]]()
    numbers = _numbers(given)
    for name, value in given.items():
        if not isinstance(value, np.ndarray):
            continue
        size = _follow(value.shape, length, new, numbers)
        if size is None:
            return None
        if size != value.shape[0]:
            lengths.append((name, size))
    if not lengths:
        return None
    changed = () if length.is_array else ((length.name, new),)
    return LaunchChange(numbers=changed, lengths=tuple(lengths))


def _follow(
    shape: tuple[int, ...], length: Length, new: int, numbers: Mapping[str, int]
) -> int | None:
    """Return the rows of an array where a length is another; None if that is not determined."""
    if length.value in shape[1:]:
        return None
    rows = shape[0]
    if len(shape) > 1 or length.is_array:
        return new if rows == length.value else rows
    if rows == length.value + 1:
        return new + 1
    powers = {chosen.count(length.name) for chosen in _factors(rows, numbers)}
    if len(powers) > 1:
        return None
    power = next(iter(powers), 0)
    return int(rows // length.value**power * new**power)


def _factors(size: int, numbers: Mapping[str, int]) -> list[tuple[str, ...]]:
    """List the fewest numbers whose product is a size."""
    useful = {name: value for name, value in numbers.items() if value > 1}
    for count in range(1, _FACTORS + 1):
        every = combinations_with_replacement(useful, count)
        found = [names for names in every if prod(useful[name] for name in names) == size]
        if found:
            return found
    return []


def _numbers(given: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: int(value)
        for name, value in given.items()
        if isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
    }


def _of_size(given: Mapping[str, Any], size: int) -> Iterator[str]:
    return (n for n, v in given.items() if isinstance(v, np.ndarray) and v.shape == (size,))


_OUT = "out-of-bounds"
_SHORTER, _LONGER = 5, 100
"""By how much a length is changed: no block has so few or so many threads."""
_FEWER, _FEW = 3, 64
"""The same of a length below `_FEW`."""
_ALIGNED = (16, 112)
"""By how much, below `_FEW` and above, a length grows in what is compiled: Triton compiles one that
is a multiple of 16 in another way."""


def guard_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what faults without each condition, at the length of the launch or at a shorter one."""
    for trial in trials.guards:
        yield from _ask_guard(trials, trial, LaunchChange(), None)
    for length in find_lengths(trials.replay):
        new = length.value - (_SHORTER if length.value >= _FEW else _FEWER)
        shorter = change_length(trials.replay, length, new)
        if shorter is None or not _is_right(trials.run((), shorter)):
            continue
        for trial in trials.guards:
            if not trial.lines(_OUT):
                run = trials.run([trial.edit], shorter)
                if run is not None:
                    changed = trial._replace(run=run)
                    yield from _ask_guard(trials, changed, shorter, length._replace(value=new))


def _ask_guard(
    trials: Trials, trial: Trial, launch: LaunchChange, length: Length | None
) -> Iterator[KernelProbe]:
    right, edit = trial.lines(_OUT), trial.edit
    found = [each for each in trial.run.done.faults if each.kind == _OUT and not each.file]
    if not right or not found:
        return
    others = tuple(line for line in trials.access_lines if line not in right)
    code, said, first = edit.old, describe_length(length), found[0]
    seen = describe_cases(trial.run, (_OUT,))
    rivals = (each for each in (*trials.guards, *trials.barriers) if each.edit != edit)
    asked = fact("probe.guard.question", line=edit.line, code=code, length=said)
    yield KernelProbe(
        "guard", asked, "line", edit.line, lines=(right[0], *others), right=right,
        reasons=reject_lines(others, trial.run, (_OUT,), rivals),
        changes=(edit.change,), launch=launch, seen=seen,
    )  # fmt: skip
    same = [each for each in found if (each.array, each.line) == (first.array, first.line)]
    if len({each.column for each in same}) < len(same):
        return  # a load and a store in one place, whose counts are not told apart
    asked = fact(
        "probe.guard-threads.question", line=edit.line, code=code, length=said,
        array=first.array, at=first.line,
    )  # fmt: skip
    yield KernelProbe(
        "guard-threads", asked, "number", edit.line, answer=sum(each.count for each in same),
        changes=(edit.change,), launch=launch,
        seen=(*(count_inside(trial.run, each) for each in same), *seen),
    )  # fmt: skip


def longer_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask how much stays unwritten where the arrays grow and the grid does not."""
    whole = [name for name in trials.replay.outputs if not count_unwritten(trials.base, name)]
    for length in find_lengths(trials.replay):
        more = _ALIGNED if trials.replay.compiled_by else (_FEWER, _LONGER)
        new = length.value + more[length.value >= _FEW]
        longer = change_length(trials.replay, length, new)
        run = trials.run((), longer) if longer is not None else None
        if longer is None or run is None or not _is_right(run):
            continue
        grown = dict(longer.lengths)
        for name in whole:
            if name not in grown:
                continue
            missing = count_unwritten(run, name)
            asked = fact(
                "probe.longer.question",
                array=name,
                length=describe_length(length._replace(value=new)),
            )
            yield KernelProbe(
                "longer", asked, "number", answer=missing, launch=longer,
                seen=(say_written(run, name, by_programs=trials.replay.recipe is not None),),
            )  # fmt: skip


def count_inside(run: Run, fault: Finding) -> Fact:
    """Say how many accesses there are where some are out of bounds, and how many of them are not.

    A site counts as lanes those whose element is there.
    """
    counts = run.done.counts.get((fault.line, fault.column), {})
    inside = sum(int(counts.get(name, 0)) for name in LANES)
    return fact(
        "probe.seen.inside", line=fault.line, array=fault.array, total=inside + fault.count,
        inside=inside, n=fault.count,
    )  # fmt: skip


def say_written(run: Run, name: str, *, by_programs: bool) -> Fact:
    """Say how much of an array is written by the threads of a grid, or by its programs."""
    written = run.done.written_elements(name)
    n, total = int(np.count_nonzero(~written)), written.size
    first = ", ".join(map(str, np.argwhere(~written)[0].tolist())) if n else ""
    found: dict[str, FieldValue] = {
        "array": name,
        "n": n,
        "total": total,
        "written": total - n,
        "first": first,
    }
    programs = volume(run.done.grid)
    if by_programs:
        return fact("probe.seen.untiled", programs=programs, **found)
    return fact("probe.seen.unwritten", threads=programs * volume(run.done.block), **found)


def describe_length(length: Length | None) -> Fact:
    """Say which length the launch has."""
    if length is None:
        return fact("probe.length.same")
    if length.is_array:
        return fact("probe.length.array", n=length.value)
    return fact("probe.length.number", name=length.name, n=length.value)


def count_unwritten(run: Run, name: str) -> int:
    """Count the elements of an array that a run wrote nothing to."""
    return int(np.count_nonzero(~run.done.written_elements(name)))


def _is_right(run: Run | None) -> bool:
    return run is not None and run.done.finished and not run.done.faults
