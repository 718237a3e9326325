"""Probes of what a change does: a barrier less, a slip, one array twice, blocks in another order.

Wrong options are what other changes of the same kernel come to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.probes.outcomes import SAME, describe_outcomes
from grader.probes.replaying import Run
from grader.probes.trials import Trials
from grader.probes.values import KernelProbe, LaunchChange

_RACES = ("race", "global-race")
_SEVERAL = 3
MOST_OPTIONS = 4
_FILLS = (200.0, 3e38)
"""`exp` of one, and the sum of two of the other, are beyond float32."""
_VALUES = {
    "nan": fact("probe.value.nan"),
    "inf": fact("probe.value.inf"),
    "zero": fact("probe.value.zero"),
    "finite": fact("probe.value.finite"),
}
_COUNTED = {"probe.outcome.wrong", "probe.outcome.rounding"}
"""That values differ: how many do is not asked."""
_ENDLESS = "probe.outcome.endless"


def fault_probes(run: Run, lines: tuple[int, ...]) -> Iterator[KernelProbe]:
    """Ask where the faults of a launch that has some are."""
    asked_of = set[tuple[str, int, int]]()
    for each in run.done.faults:
        place = each.kind, each.line, each.other_line
        if place in asked_of:
            continue
        asked_of.add(place)
        right = tuple(n for n in (each.line, each.other_line) if n and not each.file)
        others = tuple(line for line in lines if line not in right)
        if right and others:
            asked = fact("probe.fault.question", kind=Fact(f"finding.kind.{each.kind}"))
            yield KernelProbe(
                "fault", asked, "line", lines=(right[0], *others), right=right, seen=(each.what,)
            )


def barrier_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask which line races without a barrier, and which barrier is not needed."""
    for trial in trials.barriers:
        right = tuple(n for n in trial.lines(*_RACES) if n in trials.access_lines)
        others = tuple(line for line in trials.access_lines if line not in right)
        if right and others:
            line, code = trial.edit.line, trial.edit.old
            asked = fact("probe.barrier.question", line=line, code=code)
            yield KernelProbe(
                "barrier", asked, "line", line, lines=(right[0], *others), right=right,
                changes=(trial.edit.change,), seen=trial.outcomes[:2],
            )  # fmt: skip
    free = [trial for trial in trials.barriers if trial.is_same]
    if len(trials.barriers) >= _SEVERAL and len(free) == 1:
        line = free[0].edit.line
        others = tuple(each.edit.line for each in trials.barriers if each is not free[0])
        asked = fact("probe.barrier-free.question")
        yield KernelProbe(
            "barrier-free", asked, "line", line, lines=(line, *others), right=(line,),
            changes=(free[0].edit.change,), seen=(SAME,),
        )  # fmt: skip


def change_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what small changes come to."""
    pool = _pool(trials)
    for trial in (*trials.slips, *trials.barriers):
        options = _options(trial.outcomes, pool)
        if not trial.is_same and options:
            edit = trial.edit
            asked = fact("probe.change.question", line=edit.line, code=trials.text.code(edit.line),
                         old=edit.old, new=edit.new)  # fmt: skip
            yield KernelProbe(
                "change", asked, "choice", edit.line, options, changes=(edit.change,),
                seen=trial.outcomes[:2],
            )  # fmt: skip


def planted_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Show the kernel with a slip, and ask for its line."""
    for trial in trials.slips:
        line = trial.edit.line
        others = tuple(n for n in trials.code_lines if n != line)
        if trial.is_same or not others or trial.outcomes[0].code == _ENDLESS:
            continue
        asked = fact("probe.planted.question", shown=_without_lines(trial.outcomes[0]))
        yield KernelProbe(
            "planted", asked, "line", line, lines=(line, *others),
            right=(line,), changes=(trial.edit.change,),
            seen=(fact("probe.seen.planted", line=line, old=trial.edit.old, new=trial.edit.new),
                  *trial.outcomes[:1]), shows=True,
        )  # fmt: skip


def alias_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what comes of an output that is an input's own array."""
    given, outputs = trials.replay.given, trials.replay.outputs
    for output in outputs:
        for name, value in given.items():
            like = given[output]
            if name in outputs or not isinstance(value, np.ndarray):
                continue
            if (value.shape, value.dtype) != (like.shape, like.dtype):
                continue
            launch = LaunchChange(same=(name, output))
            asked = fact("probe.alias.question", array=output, other=name)
            yield from _ask_launch("alias", asked, trials, launch, (output,))


def order_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what comes of blocks that run backward, where they meet in atomics."""
    if trials.base.done.totals.get("global_atomic_requests") and np.prod(trials.base.done.grid) > 1:
        launch = LaunchChange(order=-1)
        names = trials.replay.outputs
        yield from _ask_launch("order", fact("probe.order.question"), trials, launch, names)


def fill_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what an output holds where all real inputs are large."""
    given, outputs = trials.replay.given, trials.replay.outputs
    real = [
        name
        for name, value in given.items()
        if name not in outputs and isinstance(value, np.ndarray) and value.dtype == np.float32
    ]
    shown = next((name for name in outputs if given[name].dtype == np.float32), None)
    if not real or shown is None:
        return
    for value in _FILLS:
        launch = LaunchChange(fills=tuple((name, value) for name in real))
        run = trials.run((), launch)
        if run is None or run.done.faults:
            continue
        right = _class_of(run.arrays[shown])
        if right == "finite" and "exp" not in trials.text.text:
            continue
        listed = (right, *(each for each in _VALUES if each != right))
        options = tuple(_VALUES[each] for each in listed)
        asked = fact("probe.fill.question", arrays=tuple(real), value=f"{value:g}", array=shown)
        yield KernelProbe(
            "fill", asked, "choice", options=options, launch=launch,
            seen=(fact("probe.seen.value", array=shown, value=str(run.arrays[shown].flat[0])),),
        )  # fmt: skip


def _ask_launch(
    rule: str, asked: Fact, trials: Trials, launch: LaunchChange, names: tuple[str, ...]
) -> Iterator[KernelProbe]:
    run = trials.run((), launch)
    if run is None:
        return
    outcomes = describe_outcomes(run, {name: trials.base.arrays[name] for name in names})
    options = _options(outcomes, (SAME, *_pool(trials)))
    if options:
        yield KernelProbe(rule, asked, "choice", options=options, launch=launch, seen=outcomes[:2])


def _pool(trials: Trials) -> tuple[Fact, ...]:
    """Return what changes of the kernel come to, each once, the kinds taking turns."""
    kinds: dict[str, list[Fact]] = {}
    for trial in trials.every:
        if not trial.is_same:
            same = kinds.setdefault(trial.outcomes[0].code, [])
            if trial.outcomes[0] not in same:
                same.append(trial.outcomes[0])
    longest = max(map(len, kinds.values()), default=0)
    return tuple(each[i] for i in range(longest) for each in kinds.values() if i < len(each))


def _options(outcomes: tuple[Fact, ...], pool: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the right option and those that are wrong; none if there are too few.

    Of wrong values, how many are wrong is not asked: only one option says that there are some.
    """
    chosen = [outcomes[0]]
    codes = {each.code for each in outcomes}
    for other in pool:
        counted = other.code in _COUNTED
        if other in outcomes or other in chosen or (counted and codes & _COUNTED):
            continue
        if counted and any(each.code in _COUNTED for each in chosen):
            continue
        chosen.append(other)
        if len(chosen) == MOST_OPTIONS:
            break
    return tuple(chosen) if len(chosen) >= _SEVERAL else ()


def _without_lines(outcome: Fact) -> Fact:
    kept = {name: value for name, value in outcome.fields.items() if name not in ("line", "other")}
    return Fact(f"probe.symptom.{outcome.code.rpartition('.')[2]}", kept)


def _class_of(array: NDArray[Any]) -> str:
    if np.isnan(array).any():
        return "nan"
    if np.isinf(array).any():
        return "inf"
    return "finite" if array.any() else "zero"
