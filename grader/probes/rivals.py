"""The wrong answers to choose from, each with the change of the kernel that would make it right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from grader.facts import Fact, FieldValue
from grader.probes.outcomes import RACE_OUTCOMES, SAME, faulty_lines
from grader.probes.replaying import Run
from grader.probes.trials import Trial, Trials, count_accesses

MOST_OPTIONS = 4
FEWEST_OPTIONS = 3
_COUNTED = {"probe.outcome.wrong", "probe.outcome.rounding"}
"""That values differ: how many do is not asked."""


class Rival(NamedTuple):
    """A wrong option, and why it is wrong."""

    said: Fact
    why: Fact


class Offer(NamedTuple):
    """Options, the right one first, and why each of the others is wrong."""

    options: tuple[Fact, ...]
    reasons: tuple[Fact, ...]


def say_why(why: str, **fields: FieldValue) -> Fact:
    """Say why an option is wrong, as a sentence."""
    return Fact(f"probe.why.{why}", fields)


def find_rivals(trials: Trials) -> tuple[Rival, ...]:
    """Return what changes of the kernel come to, each once, the kinds taking turns."""
    kinds: dict[str, list[Rival]] = {}
    changed = [(each.outcomes[0], each.edit.said) for each in trials.every]
    changed += [(each.outcomes[0], each.said) for each in trials.tiles]
    for outcome, edit in changed:
        if outcome != SAME:
            same = kinds.setdefault(outcome.code, [])
            if outcome not in [each.said for each in same]:
                same.append(Rival(outcome, say_why("change", edit=edit)))
    longest = max(map(len, kinds.values()), default=0)
    return tuple(each[i] for i in range(longest) for each in kinds.values() if i < len(each))


def explain_change(trial: Trial) -> Fact:
    """Say that a change makes an option right."""
    return say_why("change", edit=trial.edit.said)


def offer(
    outcomes: Sequence[Fact], rivals: Iterable[Rival], find_races: Callable[[], Collection[Fact]]
) -> Offer | None:
    """Return the right option and those that are wrong; None if there are too few.

    Of wrong values, how many are wrong is not asked: only one option says that there are some.

    Args:
        outcomes: all that is right, the option first.
        find_races: returns the races of CUDA's memory model, which are not.
    """
    chosen = list[Rival]()
    counts = any(each.code in _COUNTED for each in outcomes)
    for rival in rivals:
        counted = rival.said.code in _COUNTED
        if rival.said in outcomes or rival.said in [each.said for each in chosen]:
            continue
        if counted and counts:
            continue
        if rival.said.code in RACE_OUTCOMES and rival.said in find_races():
            continue
        counts = counts or counted
        chosen.append(rival)
        if len(chosen) + 1 == MOST_OPTIONS:
            break
    if len(chosen) + 1 < FEWEST_OPTIONS:
        return None
    options = outcomes[0], *(each.said for each in chosen)
    return Offer(options, tuple(each.why for each in chosen))


def reject_lines(
    lines: Sequence[int], run: Run, kinds: Sequence[str], others: Iterable[Trial] = ()
) -> tuple[Fact, ...]:
    """Say of each line why it has no fault of these kinds in a run, or with which change it has."""
    others = tuple(others)
    return tuple(_reject_line(line, run, kinds, others) for line in lines)


def _reject_line(line: int, run: Run, kinds: Sequence[str], others: Sequence[Trial]) -> Fact:
    for trial in others:
        if line in faulty_lines(trial.run, *kinds):
            return say_why("line-other", edit=trial.edit.said)
    n = count_accesses(run, line)
    return say_why("line", n=n) if n else say_why("no-access")
