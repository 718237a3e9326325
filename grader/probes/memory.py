"""Probes of what accesses cost, and how the cost changes with rows, types and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from grader.facts import Fact, fact
from grader.gpu.occupancy import occupancy, shared_room, stated_limits
from grader.probes.addresses import (
    COSTS,
    KINDS,
    UNITS,
    LineAccess,
    explain_cost,
    explain_lanes,
    find_accesses,
)
from grader.probes.edits import ProbeEdit
from grader.probes.outcomes import SAME, describe_outcomes
from grader.probes.replaying import Run
from grader.probes.trials import Trials
from grader.probes.values import AS_IT_WAS, KernelProbe, LaunchChange

_FEWEST_LINES = 3
_CLEARLY = 1.25
"""How much more than the next one the costliest line costs."""
_CAPABILITIES = ("9.0", "12.0")
"""Of an H200, and of an RTX 5090 or RTX PRO 6000: other limits of an SM."""
_COSTLY = {
    "shared": fact("repair.counted.shared_wavefronts"),
    "global": fact("probe.costly.global"),
}
_STEPS = (-1, 1, 2, 3)
"""By how many elements rows are made longer."""
_TYPES = {"float32": ("float", "double", "float64")}
_ARRAY_TYPES = {"float32": ("float32", "float16", "float16")}
"""The same of a kernel in Triton, whose text does not say the type of an array."""


class _Changed(NamedTuple):
    """What is different, also in words, and the run with it."""

    what: Fact
    run: Run
    edits: Sequence[ProbeEdit] = ()
    launch: LaunchChange = AS_IT_WAS


def predict_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what the access that costs most comes to in the whole launch, the costliest first.

    What depends on the values of the arrays cannot be predicted: it differs where all are 0.
    """
    arrays = [name for name, value in trials.replay.given.items() if isinstance(value, np.ndarray)]
    zeros = LaunchChange(fills=tuple((name, 0.0) for name in arrays))
    other = trials.run((), zeros)
    if other is None or other.done.faults:
        return
    same = find_accesses(other, trials.library_lines)
    accesses = [
        each
        for key, each in find_accesses(trials.base, trials.library_lines).items()
        if each == same.get(key) and (each.space == "global" or not trials.replay.hides_shared)
    ]
    for each in sorted(accesses, key=lambda one: -one.cost * one.requests):
        total = round(each.cost * each.requests)
        asked = fact(
            "probe.predict.question", line=each.line, code=trials.text.code(each.line),
            access=each.name, unit=each.unit,
        )  # fmt: skip
        seen = (
            fact("probe.seen.total", line=each.line, n=total, what=each.unit),
            fact("probe.seen.predicted", requests=each.requests, cost=each.cost, what=each.unit),
        )
        if each.requests > 1:
            yield KernelProbe("predict", asked, "number", each.line, answer=total, seen=seen)


def cost_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what a request costs where it is more than it must be; how many there are, most first."""
    accesses = [
        each
        for each in find_accesses(trials.base, trials.library_lines).values()
        if each.space == "global" or not trials.replay.hides_shared
    ]
    for each in sorted(accesses, key=lambda one: one.ideal - one.cost):
        if each.cost == int(each.cost) and each.cost > each.ideal:
            yield _ask_cost(trials, each)
    most: dict[int, LineAccess] = {}
    for each in sorted(accesses, key=lambda one: -one.requests):
        most.setdefault(each.line, each)
    yield from (_ask_requests(trials, each) for each in most.values())


def _ask_requests(trials: Trials, access: LineAccess) -> KernelProbe:
    """Ask how many requests an access makes in the whole launch."""
    code, warps = trials.text.code(access.line), trials.warps
    asked = fact("probe.requests.question", line=access.line, code=code, access=access.name)
    seen = fact(
        "probe.seen.requests", line=access.line, n=access.requests, warps=warps,
        each=access.requests / warps,
    )  # fmt: skip
    return KernelProbe(
        "requests", asked, "number", access.line, answer=access.requests, seen=(seen,)
    )


def costly_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask which line costs most of each memory."""
    for space, cost in COSTS.items():
        if space == "shared" and trials.replay.hides_shared:
            continue
        totals = {
            line: sum(counts.get(f"{space}_{kind}_{cost}", 0) for kind in KINDS)
            for line, counts in trials.counts.items()
            if line not in trials.library_lines
        }
        ranked = sorted((n, -line) for line, n in totals.items() if n)[::-1]
        if len(ranked) < _FEWEST_LINES or ranked[0][0] < _CLEARLY * ranked[1][0]:
            continue
        lines = tuple(-line for _, line in ranked)
        seen = tuple(
            fact("probe.seen.total", line=-line, n=n, what=UNITS[space]) for n, line in ranked[:3]
        )
        asked = fact("probe.costly.question", memory=_COSTLY[space])
        reasons = tuple(
            fact("probe.seen.total", line=line, n=totals[line], what=UNITS[space])
            for line in lines[1:]
        )
        yield KernelProbe(
            "costly", asked, "line", lines=lines, right=lines[:1], reasons=reasons, seen=seen
        )


def pitch_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what an access costs with rows of another length."""
    for array in trials.base.done.shared:
        if len(array.shape) < 2:
            continue
        columns = array.shape[-1]
        for other in (columns + step for step in _STEPS):
            for edit in trials.text.pitches(array.label, other):
                run = trials.run([edit])
                if run is None or not _is_as_before(trials, run):
                    continue
                what = fact(
                    "probe.pitch.question", array=array.label, old=columns, new=other, at=edit.line
                )
                for costs in _changed(trials, run, "shared"):
                    yield _ask_changed("pitch", trials, costs, _Changed(what, run, (edit,)))


def element_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what an access costs where all real numbers have twice the bytes; in Triton, half."""
    compiled = trials.replay.recipe is not None
    for dtype, (old, new, wide) in (_ARRAY_TYPES if compiled else _TYPES).items():
        arrays = [
            name
            for name, value in trials.replay.given.items()
            if isinstance(value, np.ndarray) and value.dtype.name == dtype
        ]
        edits: list[ProbeEdit] = []
        is_written = trials.replay.is_cuda and not compiled
        if is_written:
            edits = [ProbeEdit(0, old, new, each) for each in trials.text.types(old, new)]
        if not arrays or (is_written and not edits):
            continue
        launch = LaunchChange(dtypes=tuple((name, wide) for name in arrays))
        run = trials.run(edits, launch)
        if run is None or not run.done.finished or run.done.faults:
            continue
        what = fact("probe.arrays.question", old=dtype, new=wide)
        if edits:
            what = fact("probe.element.question", old=old, new=new)
        for space in ("global", "shared"):
            for costs in _changed(trials, run, space):
                yield _ask_changed("element", trials, costs, _Changed(what, run, edits, launch))


def block_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what an access costs with a block whose axes are swapped, over the same threads."""
    block, grid = (*trials.replay.block, 1, 1)[:3], (*trials.replay.grid, 1, 1)[:3]
    (width, height, depth), (across, down, _) = block, grid
    if width == height or depth > 1 or height == 1:
        return
    launch = LaunchChange(
        block=(height, width), grid=(-(-across * width // height), -(-down * height // width))
    )
    run = trials.run((), launch)
    if run is None or not _is_as_before(trials, run):
        return
    what = fact("probe.other-block.question", old=f"{width} × {height}", new=f"{height} × {width}")
    for space in ("global", "shared"):
        for costs in _changed(trials, run, space):
            yield _ask_changed("other-block", trials, costs, _Changed(what, run, (), launch))


def resident_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask how many blocks an SM holds, where shared memory is what limits them."""
    done = trials.base.done
    size = done.shared_bytes
    threads = int(np.prod(done.block))
    for capability in _CAPABILITIES if size else ():
        held = occupancy(capability, threads, 0, size)
        if held.limiter == "shared memory" and held.blocks:
            limits = stated_limits(capability)
            asked = fact(
                "probe.resident.question", threads=threads, capability=capability, **limits
            )
            seen = (
                fact(
                    "probe.seen.resident",
                    bytes=size,
                    n=held.blocks,
                    **_shared_room(capability, size),
                ),
            )
            yield KernelProbe("resident", asked, "number", answer=held.blocks, seen=seen)


def _shared_room(capability: str, size: int) -> dict[str, int]:
    """Return what an SM has of shared memory, and what it gives a block."""
    room, taken = shared_room(capability, size)
    return {"room": room, "taken": taken}


def _changed(trials: Trials, after: Run, space: str) -> Iterator[tuple[LineAccess, LineAccess]]:
    """Yield the accesses whose requests cost another whole number, the most different first."""
    first = find_accesses(trials.base, trials.library_lines)
    second = find_accesses(after, trials.library_lines)
    pairs = [(first[key], second[key]) for key in first if key[0] == space and key in second]
    pairs.sort(key=lambda pair: -abs(pair[1].cost - pair[0].cost))
    for old, new in pairs:
        if old.cost != new.cost and new.cost == int(new.cost):
            yield old, new


def _ask_cost(trials: Trials, access: LineAccess) -> KernelProbe:
    asked = fact(
        "probe.cost.question", line=access.line, code=trials.text.code(access.line),
        access=access.name, unit=access.unit,
    )  # fmt: skip
    n = int(access.cost)
    said = fact("probe.seen.cost", line=access.line, n=n, ideal=access.ideal, what=access.unit)
    seen = said, *explain_cost(trials.base, access)
    return KernelProbe("cost", asked, "number", access.line, answer=n, seen=seen)


def _ask_changed(
    rule: str, trials: Trials, costs: tuple[LineAccess, LineAccess], about: _Changed
) -> KernelProbe:
    """Ask what a request of an access costs after a change."""
    old, new = costs
    asked = fact(
        "probe.changed.question", change=about.what, line=old.line,
        code=trials.text.code(old.line), access=old.name, unit=old.unit,
    )  # fmt: skip
    n = int(new.cost)
    seen = fact("probe.seen.changed", line=old.line, before=old.cost, n=n, what=old.unit)
    details = *explain_cost(about.run, new), *map(_say_before, explain_lanes(trials.base, old))
    return KernelProbe(
        rule, asked, "number", old.line, answer=n,
        changes=tuple(each.change for each in about.edits), launch=about.launch,
        seen=(seen, *details),
    )  # fmt: skip


def _say_before(what: Fact) -> Fact:
    return fact("probe.seen.before", what=what)


def _is_as_before(trials: Trials, run: Run) -> bool:
    outcomes = describe_outcomes(run, trials.before)
    return run.done.finished and outcomes == (SAME,)
