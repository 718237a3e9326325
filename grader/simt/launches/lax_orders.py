"""Names the access or the fence that a race is for want of: one without order, or of a block alone.

A launch with races is run again as if all its atomics and fences were strong, at the scope of the
device. Of races that are then gone, the place is sought that alone makes the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from grader.facts import Fact, fact
from grader.simt.checks.counters import Sites
from grader.simt.checks.fences import Assumptions, Weakness
from grader.simt.checks.findings import Finding

MOST_OPERATIONS = 200_000_000
"""Of a launch that is run again."""
_MOST_PLACES = 8
_RACES = ("race", "global-race")
_KINDS = ("scope", "release", "acquire")
_TOGETHER = (
    (("scope",), fact("advice.narrow-scopes")),
    (("release", "acquire"), fact("advice.not-ordered")),
)

Rerun = Callable[[Assumptions], Iterable[Finding]]


def name_lax_orders(
    findings: tuple[Finding, ...], sites: Sites, rerun: Rerun
) -> tuple[Finding, ...]:
    """Return findings whose races say what is too weak, if atomics and fences are all that is.

    Args:
        rerun: runs it again under assumptions.
    """
    hints = dict[int, Fact]()
    open_races = [each for each in findings if _is_open(each)]

    def cure(assumed: Assumptions) -> list[Finding]:
        left = {_key(each) for each in rerun(assumed)}
        return [each for each in open_races if id(each) not in hints and _key(each) not in left]

    if not open_races:
        return findings
    everything = Assumptions(lambda _: True)
    open_races = cure(everything)
    places = sorted(everything.weak, key=lambda weak: (_KINDS.index(weak[0]), weak[1]))
    for weak in places[:_MOST_PLACES] if open_races else ():
        for race in cure(Assumptions(frozenset({weak}).__contains__)):
            hints[id(race)] = _name(weak, sites, race)
        if len(hints) == len(open_races):
            break
    else:
        for kinds, hint in _TOGETHER:
            several = frozenset(weak for weak in places if weak[0] in kinds)
            if several and len(hints) < len(open_races):
                hints |= dict.fromkeys(map(id, cure(Assumptions(several.__contains__))), hint)
    return tuple(replace(each, hint=hints.get(id(each), each.hint)) for each in findings)


def _is_open(finding: Finding) -> bool:
    hint = finding.hint
    return finding.kind in _RACES and (hint is None or hint.code == "advice.lockstep")


def _key(finding: Finding) -> tuple[str, str, int, int, int, int, str, str]:
    places = finding.line, finding.column, finding.other_line, finding.other_column
    return finding.kind, finding.topic, *places, finding.file, finding.other_file


def _name(weak: Weakness, sites: Sites, race: Finding) -> Fact:
    kind, number = weak
    place = sites[number].describe_from(race.file)
    if kind == "scope":
        return fact("advice.narrow-scope", place=place)
    if kind == "release":
        return fact("advice.not-released", place=place)
    return fact("advice.not-acquired", place=place)
