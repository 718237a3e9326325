"""Makes the probes of a launch: runs it again with changes, and leaves out what asks for nothing.

The same source and launch give the same probes, in the same order, in
which no feedback gives away the answer of a later one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from math import ceil
from typing import Any

import numpy as np

from grader.facts import Fact
from grader.probes.behavior import (
    alias_probes,
    barrier_probes,
    change_probes,
    fill_probes,
    order_probes,
    planted_probes,
)
from grader.probes.bounds import guard_probes, longer_probes
from grader.probes.compiled_text import read_text
from grader.probes.edits import ProbedText
from grader.probes.faults import fault_probes
from grader.probes.memory import (
    block_probes,
    cost_probes,
    costly_probes,
    element_probes,
    pitch_probes,
    predict_probes,
    resident_probes,
)
from grader.probes.replaying import (
    MOST_OPERATIONS,
    CannotReplay,
    Replay,
    Run,
    find_written,
    settle_recipe,
    vary_inputs,
)
from grader.probes.rivals import FEWEST_OPTIONS
from grader.probes.tiles import tile_probes, warps_probes
from grader.probes.trials import Trials
from grader.probes.values import AS_IT_WAS, FAULT_RULES, KernelProbe, KernelProbes

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


MOST_LINES = 6
"""That a person chooses from."""
_MAKERS: tuple[Callable[[Trials], Iterator[KernelProbe]], ...] = (
    predict_probes, guard_probes, barrier_probes, pitch_probes, change_probes, costly_probes,
    longer_probes, element_probes, cost_probes, resident_probes, alias_probes, planted_probes,
    block_probes, order_probes, fill_probes,
)  # fmt: skip
"""In the order of what an interviewer asks first."""
_FIXED_MAKERS = (
    predict_probes,
    costly_probes,
    longer_probes,
    cost_probes,
    resident_probes,
    fill_probes,
)
"""Of what is compiled: another source, type, or block would be compiled to something else."""
_TRITON_MAKERS = (
    predict_probes, change_probes, tile_probes, costly_probes, warps_probes, longer_probes,
    element_probes, cost_probes, resident_probes, planted_probes, alias_probes, order_probes,
    fill_probes,
)  # fmt: skip
"""Of a kernel in Triton, which is compiled again: it has no barriers and no shared arrays."""
_MOST = {"change": 3, "barrier": 2, "cost": 2, "pitch": 2,
         "fault": 4, "mend": 2, "fault-count": 2}  # fmt: skip
"""Of one rule; of the others, one."""
_MOST_FIXED = {**_MOST, "cost": 5}
"""The same of what is compiled and cannot be changed, of which less can be asked."""
_PLACES = ("line", "at")
"""Fields that hold lines, and no number that may be an answer."""
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\s+")
_OF_THE_LINE = ("probe.cost.question", "probe.changed.question")
"""What is a matter of the line: others say how long the launch is."""


def make_probes(
    replay: Replay,
    told: Callable[[int, int], None] = lambda _done, _of: None,
    printed: Sequence[Collection[str]] = (),
) -> KernelProbes:
    """Make the probes of a launch.

    Args:
        replay: the launch. If it has faults, the probes ask about these.
        told: is called with how many kinds of probes, of how many, are made.
        printed: counters, sums of some, that the person was shown of this launch.

    Raises:
        CannotReplay: it does not run again, takes too long, or is not found in its source.
    """
    begun = time.perf_counter()
    replay, varied = vary_inputs(find_written(settle_recipe(replay)))
    base = replay.run()
    if base is None:
        raise CannotReplay("no-run")
    if any(each.kind in ("budget", "no-progress") for each in base.done.faults):
        raise CannotReplay("long" if base.done.operations >= MOST_OPERATIONS else "endless")
    text = read_text(replay)
    made = list(_make(replay, base, told))
    totals = base.done.totals
    sums = (sum(totals.get(name, 0) for name in names) for names in printed)
    shown = frozenset((*_numbers_of(replay), *text.numbers, *sums))
    kept = [
        replace(each, pattern=_find_pattern(each, text))
        for each in made
        if not _is_trivial(each, shown)
    ]
    function, most = replay.kernel.function, _MOST_FIXED if replay.is_fixed else _MOST
    return KernelProbes(
        function.name, function.path, function.start[0], tuple(base.done.grid),
        tuple(base.done.block), replay.shared_bytes, replay.text, text.head, text.last,
        tuple(_describe_arguments(replay)), varied, tuple(arrange(_take_turns(kept, most))),
        len(made) - len(kept),
        round(time.perf_counter() - begun, 3), compiled_by=replay.compiled_by,
    )  # fmt: skip


def _describe_arguments(replay: Replay) -> Iterator[str]:
    """Write the arguments, and what a kernel in Triton is compiled with, but for its own extras."""
    recipe = replay.recipe
    taken = replay.given if recipe is None else {n: replay.given[n] for n in recipe.launched}
    yield from map(_describe, taken.items())
    yield from map(_describe, () if recipe is None else recipe.constants.items())


def _describe(argument: tuple[str, Any]) -> str:
    """Write an argument: `a: float32[64, 64]`, or `n = 64`."""
    name, value = argument
    if isinstance(value, np.ndarray):
        return f"{name}: {value.dtype.name}[{', '.join(map(str, value.shape))}]"
    return f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}"


def _make(replay: Replay, base: Run, told: Callable[[int, int], None]) -> Iterator[KernelProbe]:
    if base.done.faults or not base.done.finished:
        yield from map(_limit_lines, fault_probes(replay, base))
        return
    trials = Trials(replay, base)
    makers = _list_makers(replay)
    for position, maker in enumerate(makers):
        told(position, len(makers))
        yield from map(_limit_lines, maker(trials))


def _list_makers(replay: Replay) -> Sequence[Callable[[Trials], Iterator[KernelProbe]]]:
    if replay.is_fixed:
        return _FIXED_MAKERS
    return _MAKERS if replay.recipe is None else _TRITON_MAKERS


def _is_trivial(probe: KernelProbe, shown: Collection[int]) -> bool:
    """Return True if a probe asks for nothing: its answer is in the prompt, or it has no rivals.

    `shown`: the numbers that the prompt has of the launch.
    """
    if probe.form == "number":
        return not probe.answer or probe.answer in {*shown, *_numbers_in(probe.asked)}
    if probe.form == "line" and not probe.shows and probe.line in probe.right:
        return probe.rule != "barrier-free"
    return len(probe.options or probe.lines) < FEWEST_OPTIONS


def _numbers_in(asked: Fact) -> Iterator[int]:
    for name, value in asked.fields.items():
        if isinstance(value, Fact):
            yield from _numbers_in(value)
        elif isinstance(value, int) and name not in _PLACES:
            yield value


def _numbers_of(replay: Replay) -> Iterator[int]:
    """Yield the numbers of a launch that a prompt prints."""
    yield from (*replay.grid, *replay.block)
    yield from map(int, re.findall(r"\b\d+\b", replay.kernel.function.name))
    for value in replay.given.values():
        if isinstance(value, np.ndarray):
            yield from value.shape
        elif value == int(value):
            yield int(value)


def _find_pattern(probe: KernelProbe, text: ProbedText) -> str:
    """Return what a probe has in common with those that ask the same of lines that are alike."""
    fields = probe.asked.fields
    codes = [str(fields[name]) for name in ("code", "old", "new") if name in fields]
    codes += [text.code(line) for line in probe.lines[:1]]
    right = [each.code for each in probe.options[:1]]
    if probe.asked.code in _OF_THE_LINE:
        right.append(str(probe.answer))
    return " | ".join([probe.rule, probe.asked.code, *map(_shape_of, codes), *right])


def _shape_of(code: str) -> str:
    """Return code without what its names and its numbers are."""
    return _TOKEN.sub(lambda found: "" if found[0].isspace() else _sort_of(found[0]), code)


def _sort_of(token: str) -> str:
    return "0" if token[0].isdigit() else "x"


def _limit_lines(probe: KernelProbe) -> KernelProbe:
    """Keep the right line and some others, evenly spread."""
    right, *others = probe.lines or (0,)
    if len(others) < MOST_LINES:
        return probe
    step = len(others) / (MOST_LINES - 1)
    kept = [int(i * step) for i in range(MOST_LINES - 1)]
    return replace(
        probe,
        lines=(right, *(others[i] for i in kept)),
        reasons=tuple(probe.reasons[i] for i in kept),
    )


def _take_turns(probes: Sequence[KernelProbe], most: Mapping[str, int]) -> Iterator[KernelProbe]:
    """Yield some of each rule, the rules taking turns: of lines that are alike, one.

    A change is asked about once, and so is a counter, as far as there are others.
    """
    by_rule: dict[str, list[KernelProbe]] = {}
    for each in probes:
        same = by_rule.setdefault(each.rule, [])
        if each.pattern not in [other.pattern for other in same]:
            same.append(each)
    chosen = list[list[KernelProbe]]()
    for rule, every in by_rule.items():
        taken = [*chain.from_iterable(chosen)]
        fresh = [each for each in every if not any(_is_same(each, other) for other in taken)]
        chosen.append(_spread(fresh or every, most.get(rule, 1)))
    for turn in zip_longest(*chosen):
        yield from filter(None, turn)


def _is_same(one: KernelProbe, other: KernelProbe) -> bool:
    """Return True if two probes are about one change, or give each other away."""
    same = bool(one.changes) and one.changes == other.changes
    return same or exclude_each_other(one, other)


def _spread(probes: Sequence[KernelProbe], most: int) -> list[KernelProbe]:
    """Return some of them, evenly spread: neighbors ask nearly the same."""
    step = max(1, ceil(len(probes) / most))
    return list(probes[::step])[:most]
