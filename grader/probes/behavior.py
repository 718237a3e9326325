"""Probes of what a change does: a barrier less, a slip, one array twice, blocks in another order.

Wrong options are what other changes of the same kernel come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.probes.edits import ProbeEdit
from grader.probes.outcomes import (
    RACES,
    SAME,
    describe_cases,
    describe_end,
    describe_outcomes,
    lines_of,
    write_value,
)
from grader.probes.rivals import Rival, explain_change, find_rivals, offer, reject_lines, say_why
from grader.probes.trials import Trials
from grader.probes.values import KernelProbe, LaunchChange

_SEVERAL = 3
_FILLS = (200.0, 3e38)
"""`exp` of one, and the sum of two of the other, are beyond float32."""
_VALUES = ("nan", "inf", "zero", "finite")
_RESTRICTED = re.compile(r"__restrict(?:__)?\s+(\w+)")
_ENDLESS = "probe.outcome.endless"


def barrier_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask which line races without a barrier, and which barrier is not needed."""
    for trial in trials.barriers:
        right = tuple(n for n in trial.lines(*RACES) if n in trials.access_lines)
        racing = {*right, *(lines_of(trials.find_races([trial.edit])) if right else ())}
        others = tuple(line for line in trials.access_lines if line not in racing)
        if right and others:
            line, code = trial.edit.line, trial.edit.old
            asked = fact("probe.barrier.question", line=line, code=code)
            rivals = (each for each in trials.barriers if each is not trial)
            yield KernelProbe(
                "barrier", asked, "line", line, lines=(right[0], *others), right=right,
                reasons=reject_lines(others, trial.run, RACES, rivals),
                changes=(trial.edit.change,), seen=describe_cases(trial.run, RACES),
            )  # fmt: skip
    free = [trial for trial in trials.barriers if trial.is_same]
    if len(trials.barriers) >= _SEVERAL and len(free) == 1 and trials.is_free(free[0]):
        line = free[0].edit.line
        needed = [each for each in trials.barriers if each is not free[0]]
        asked = fact("probe.barrier-free.question")
        yield KernelProbe(
            "barrier-free", asked, "line", line, right=(line,),
            lines=(line, *(each.edit.line for each in needed)),
            reasons=tuple(
                say_why("barrier-free", outcome=each.outcomes[0]) for each in needed
            ),
            changes=(free[0].edit.change,), seen=(SAME,),
        )  # fmt: skip


def change_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what small changes come to."""
    rivals = *find_rivals(trials), Rival(SAME, _say_same(trials))
    for trial in (*trials.slips, *trials.barriers):
        if trial.is_same:
            continue
        offered = offer(trial.outcomes, rivals, partial(trials.find_races, [trial.edit]))
        if offered:
            edit, code = trial.edit, trials.text.code(trial.edit.line)
            if edit.kind == "drop":
                asked = fact("probe.dropped.question", line=edit.line, code=code, old=edit.old)
            elif code == edit.old:
                asked = fact("probe.change-whole.question", line=edit.line, old=edit.old,
                             new=edit.new)  # fmt: skip
            else:
                asked = fact("probe.change.question", line=edit.line, code=code, old=edit.old,
                             new=edit.new)  # fmt: skip
            yield KernelProbe(
                "change", asked, "choice", edit.line, offered.options, reasons=offered.reasons,
                changes=(edit.change,), seen=describe_end(trial.run, trials.before),
            )  # fmt: skip


def _say_same(trials: Trials) -> Fact:
    """Say which change comes to nothing; that this one does not, if there is none."""
    free = (explain_change(trial) for trial in trials.every if trials.is_free(trial))
    return next(free, say_why("same"))


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
            reasons=tuple(_unchanged(trials, other) for other in others),
            right=(line,), changes=(trial.edit.change,),
            seen=(_say_planted(trial.edit), *describe_end(trial.run, trials.before)[:1]),
            shows=True,
        )  # fmt: skip


def _say_planted(edit: ProbeEdit) -> Fact:
    if edit.kind == "drop":
        return fact("probe.seen.planted-drop", line=edit.line, old=edit.old)
    return fact("probe.seen.planted", line=edit.line, old=edit.old, new=edit.new)


def _unchanged(trials: Trials, line: int) -> Fact:
    """Say that a line is as it was, and what a change of it would come to."""
    for trial in trials.slips:
        if trial.edit.line == line and not trial.is_same:
            shown = _without_lines(trial.outcomes[0])
            return say_why("planted", edit=trial.edit.said, shown=shown)
    return say_why("unchanged")


def alias_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what comes of an output that is an input's own array.

    Where either is declared `__restrict__`, nothing is promised, whatever a run shows.
    """
    given, outputs = trials.replay.given, trials.replay.outputs
    restricted = set(_RESTRICTED.findall(trials.text.text))
    for output in outputs:
        for name, value in given.items():
            like = given[output]
            if name in outputs or not isinstance(value, np.ndarray) or restricted & {name, output}:
                continue
            if (value.shape, value.dtype) != (like.shape, like.dtype):
                continue
            launch = LaunchChange(same=(name, output))
            asked = fact("probe.alias.question", array=output, other=name)
            yield from ask_launch("alias", asked, trials, launch, outputs)


def order_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what comes of blocks that run backward, where they meet in atomics."""
    if trials.base.done.totals.get("global_atomic_requests") and np.prod(trials.base.done.grid) > 1:
        launch = LaunchChange(order=-1)
        names = trials.replay.outputs
        yield from ask_launch("order", fact("probe.order.question"), trials, launch, names)


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
    quoted = tuple(f"`{name}`" for name in real)
    for value in _FILLS:
        launch = LaunchChange(fills=tuple((name, value) for name in real))
        run = trials.run((), launch)
        if run is None or run.done.faults:
            continue
        right = _class_of(run.arrays[shown])
        if right == "finite" and "exp" not in trials.text.text:
            continue
        others = [each for each in _VALUES if each != right]
        asked = fact("probe.fill.question", arrays=quoted, value=write_value(value), array=shown)
        yield KernelProbe(
            "fill", asked, "choice", launch=launch,
            options=tuple(Fact(f"probe.value.{each}") for each in (right, *others)),
            reasons=tuple(Fact(f"probe.why.value.{each}") for each in others),
            seen=(_find_value(shown, run.arrays[shown], right),),
        )  # fmt: skip


def ask_launch(
    rule: str, asked: Fact, trials: Trials, launch: LaunchChange, names: tuple[str, ...]
) -> Iterator[KernelProbe]:
    """Ask what a launch with a difference comes to, for the arrays of these names."""
    run = trials.run((), launch)
    if run is None:
        return
    before = {name: trials.base.arrays[name] for name in names}
    outcomes = describe_outcomes(run, before)
    unchanged = Rival(SAME, say_why(rule))
    offered = offer(
        outcomes, (unchanged, *find_rivals(trials)), partial(trials.find_races, (), launch)
    )
    races = trials.find_races((), launch) if outcomes == (SAME,) else frozenset()
    if offered and races <= trials.find_races():
        yield KernelProbe(
            rule, asked, "choice", options=offered.options, reasons=offered.reasons, launch=launch,
            seen=describe_end(run, before),
        )  # fmt: skip


def _without_lines(outcome: Fact) -> Fact:
    kept = {name: value for name, value in outcome.fields.items() if name not in ("line", "other")}
    return Fact(f"probe.symptom.{outcome.code.rpartition('.')[2]}", kept)


def _find_value(name: str, array: NDArray[Any], sort: str) -> Fact:
    """Return the first element that makes an array what it is."""
    where = {"nan": np.isnan, "inf": np.isinf, "zero": np.isfinite, "finite": np.abs}[sort]
    index = tuple(np.argwhere(where(array))[0].tolist())
    at = ", ".join(map(str, index))
    return fact("probe.seen.value", array=name, index=at, value=write_value(array[index]))


def _class_of(array: NDArray[Any]) -> str:
    if np.isnan(array).any():
        return "nan"
    if np.isinf(array).any():
        return "inf"
    return "finite" if array.any() else "zero"
