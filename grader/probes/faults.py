"""Probes of a launch that has faults already: where, of which kind, how many, what removes one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.changes import Change
from grader.facts import Fact, fact
from grader.probes.bounds import count_inside
from grader.probes.compiled_text import read_text
from grader.probes.edits import ProbedText
from grader.probes.outcomes import (
    RACES,
    describe_case,
    describe_cases,
    describe_race,
    faults_of,
    faulty_lines,
    lines_of,
    races_of,
)
from grader.probes.replaying import Replay, Run
from grader.probes.rivals import FEWEST_OPTIONS, MOST_OPTIONS, reject_lines, say_why
from grader.probes.trials import count_accesses, count_by_line
from grader.probes.values import KernelProbe
from grader.simt.checks.findings import Finding, RacingCells
from grader.simt.repairs.rules import propose

_KINDS = {
    "global-race": "global_{}_requests", "race": "shared_{}_requests",
    "out-of-bounds": "", "uninitialised-read": "", "barrier-divergence": "barriers",
    "overflow": "", "zero-division": "",
}  # fmt: skip
"""What is offered as what is wrong, by how likely people take it for that, and the counter without
which a launch cannot have it."""
_MOST_TRIED = 8
"""Repairs, and slips, that are run."""
_SHOWN = 3
_LONGEST = 72
"""Characters of a change that is an option."""


def fault_probes(replay: Replay, run: Run) -> Iterator[KernelProbe]:
    """Ask about the faults of a launch that has some; no prompt tells the answer to another.

    A wrong answer names no race that CUDA's memory model has: one whose threads store the same.
    """
    faults = [each for each in faults_of(run) if not each.file and each.line]
    text = read_text(replay)
    kinds = {each.kind: each for each in reversed(faults)}
    model = replay.run(by_model=True) or run
    probes = [
        *(
            _ask_pair(text, run, each, model) or _ask_line(run, each, model)
            for each in reversed(kinds.values())
        ),
        *_ask_count(run, faults, model),
        *(mend for each in faults[:1] for mend in _ask_mending(replay.within(run), each)),
    ]
    yield from probes
    if faults and all(each.form != "number" and _is_short(each) for each in probes):
        yield _ask_kind(run, faults, model)


def _is_short(probe: KernelProbe) -> bool:
    return len(probe.options or probe.lines) < FEWEST_OPTIONS


def _ask_pair(text: ProbedText, run: Run, fault: Finding, model: Run) -> KernelProbe | None:
    """Ask which lines race with one another, of those that name the array."""
    if fault.kind not in RACES or fault.other_file:
        return None
    found = races_of(run) | races_of(model)
    named = re.compile(rf"\b{re.escape(fault.array)}\b")
    lines = [
        line
        for line in sorted(count_by_line(run))
        if count_accesses(run, line) and named.search(text.code(line))
    ]
    pairs = [
        describe_race(replace(fault, line=second, other_line=first))
        for first, second in combinations_with_replacement(lines, 2)
    ]
    others = [each for each in pairs if each not in found][: MOST_OPTIONS - 1]
    if len(others) + 1 < FEWEST_OPTIONS:
        return None
    return KernelProbe(
        "fault", fact("probe.racing-lines.question", kind=Fact(f"finding.kind.{fault.kind}")),
        "choice", options=(describe_race(fault), *others),
        reasons=(say_why("no-race"),) * len(others), seen=describe_cases(run, (fault.kind,)),
    )  # fmt: skip


def _ask_line(run: Run, fault: Finding, model: Run) -> KernelProbe:
    right = faulty_lines(run, fault.kind)
    if fault.kind in RACES:
        right = tuple(dict.fromkeys((*right, *lines_of(races_of(model)))))
    executed = [line for line in sorted(count_by_line(run)) if line not in right]
    others = tuple(line for line in executed if count_accesses(run, line))
    if len(others) + 1 < FEWEST_OPTIONS:
        others = tuple(executed)
    asked = fact("probe.fault.question", kind=Fact(f"finding.kind.{fault.kind}"))
    return KernelProbe(
        "fault", asked, "line", lines=(fault.line, *others), right=right,
        reasons=reject_lines(others, run, (fault.kind,)),
        seen=describe_cases(run, (fault.kind,)),
    )  # fmt: skip


def _ask_count(run: Run, faults: Sequence[Finding], model: Run) -> Iterator[KernelProbe]:
    out = [each for each in faults if each.kind == "out-of-bounds"]
    if out:
        yield KernelProbe(
            "fault-count", fact("probe.fault-count.question"), "number",
            answer=sum(each.count for each in out),
            seen=tuple(count_inside(run, each) for each in out),
        )  # fmt: skip
    racing, by_model = _list_racing(run), _list_racing(model)
    for array, several in racing.items():
        if array and not any(cells.too_many for cells in (*several, *by_model[array])):
            elements = _elements_of(several)
            if elements.size != _elements_of(by_model[array]).size:
                continue  # some race only by the model, so that neither number is right
            yield KernelProbe(
                "fault-count", fact("probe.racing.question", array=array), "number",
                answer=elements.size, seen=tuple(_derive_racing(run, array, elements.size)),
            )  # fmt: skip


def _list_racing(run: Run) -> dict[str, list[RacingCells]]:
    racing = defaultdict[str, list[RacingCells]](list)
    for finding, cells in run.done.races:
        racing[finding.array].append(cells)
    return racing


def _derive_racing(run: Run, array: str, total: int) -> Iterator[Fact]:
    """Yield in which elements the lines of each race meet, and how many elements that are."""
    own = [(race, cells) for race, cells in run.done.races if race.array == array]
    sizes = list[int]()
    for race, cells in own:
        elements = _elements_of([cells])
        sizes.append(int(elements.size))
        runs = np.split(elements, np.flatnonzero(np.diff(elements) != 1) + 1)
        named = tuple(_name_run(cells, each) for each in runs[:_SHOWN])
        whole = len(runs) <= _SHOWN
        code = "probe.seen.racing" if whole else "probe.seen.racing-and-more"
        yield Fact(code, {"race": describe_race(race), "elements": named, "n": int(elements.size)})
    if len(own) > 1:
        yield fact("probe.seen.racing-in-all", sum=" + ".join(f"{size:,}" for size in sizes),
                   twice=sum(sizes) - total, total=total)  # fmt: skip


def _name_run(cells: RacingCells, elements: NDArray[Any]) -> Fact:
    """Name consecutive elements."""
    first, last = (cells.watched.element(int(elements[i])) for i in (0, -1))
    if elements.size == 1:
        return fact("probe.seen.element", first=first)
    return fact("probe.seen.elements", first=first, last=last, n=elements.size)


def _elements_of(several: Sequence[RacingCells]) -> NDArray[Any]:
    every = [elements for cells in several for elements in cells.elements]
    return np.unique(np.concatenate(every)) if every else np.empty(0)


def _ask_kind(run: Run, faults: Sequence[Finding], model: Run) -> KernelProbe:
    """Ask what is wrong, of what could be."""
    found = {each.kind for each in (*run.done.faults, *model.done.faults)}
    accesses = sum(count_accesses(run, line) for line in count_by_line(run))
    others = [kind for kind, counter in _KINDS.items() if kind not in found and _can(run, counter)]
    others = others[: MOST_OPTIONS - 1]
    return KernelProbe(
        "fault-kind", fact("probe.fault-kind.question"), "choice",
        options=tuple(Fact(f"finding.kind.{kind}") for kind in (faults[0].kind, *others)),
        reasons=tuple(Fact(f"probe.why.kind.{kind}", {"n": accesses}) for kind in others),
        seen=(describe_case(faults[0]),),
    )  # fmt: skip


def _can(run: Run, counter: str) -> bool:
    totals = run.done.totals
    names = [counter.format(kind) for kind in ("load", "store", "atomic")]
    return not counter or any(totals.get(name) for name in names)


class _Tried(NamedTuple):
    """A change that was run: how it is written, and the faults that are left."""

    change: Change
    said: Fact
    left: tuple[Finding, ...]


def _ask_mending(replay: Replay, fault: Finding) -> Iterator[KernelProbe]:
    """Ask which change leaves no fault; all of those offered were run."""
    own = list(_try_each(replay, [*_propose(replay, fault)]))
    mending = next((each for each in own if not each.left), None)
    if mending is None:
        return
    text = read_text(replay)
    slips = [each.change for each in text.slips()]
    rivals = [each for each in (*own, *_try_each(replay, slips)) if each.left]
    rivals = rivals[: MOST_OPTIONS - 1]
    if len(rivals) + 1 >= FEWEST_OPTIONS:
        yield KernelProbe(
            "mend", fact("probe.mend.question", kind=Fact(f"finding.kind.{fault.kind}")), "choice",
            options=tuple(each.said for each in (mending, *rivals)),
            reasons=tuple(map(_explain_left, rivals)),
            changes=(mending.change,), seen=(fact("probe.seen.mended", n=fault.count),),
        )  # fmt: skip


def _explain_left(tried: _Tried) -> Fact:
    left = tried.left[0]
    return say_why("mend", kind=Fact(f"finding.kind.{left.kind}"), n=left.count)


def _try_each(replay: Replay, changes: Iterable[Change]) -> Iterator[_Tried]:
    """Run the launch with some of the changes that are said in a line, each once."""
    seen = list[Fact]()
    for change in changes:
        said = _say(change)
        if said is None or said in seen:
            continue
        seen.append(said)
        if len(seen) > _MOST_TRIED:
            return
        run = replay.run([change])
        if run is not None and not run.done.faults:
            run = replay.run([change], by_model=True)
        if run is not None:
            yield _Tried(change, said, run.done.faults)


def _propose(replay: Replay, fault: Finding) -> Iterator[Change]:
    """Yield what may repair a fault: by the rules for its kind, and barriers around its line."""
    for candidate in () if replay.scene is None else propose(fault, replay.scene):
        if len(candidate.changes) == 1:
            yield candidate.changes[0]
    yield from read_text(replay).more_barriers(fault.line, fault.column)


def _say(change: Change) -> Fact | None:
    """Write a change as an option; None for one that takes several lines, or a long one."""
    new, old = change.new.strip(), change.old.strip()
    if not old and "\n" in change.new and "\n" not in new:
        if change.new.startswith("\n"):
            return fact("probe.mend.after", code=new, line=change.place)
        return fact("probe.mend.before", code=new, line=change.place)
    start = change.offset
    whole = change.context[:start] + change.new + change.context[start + len(change.old) :]
    if "\n" in whole or "\n" in change.context or len(whole) > _LONGEST:
        return None
    return fact("probe.mend.line", line=change.place, code=whole)
