"""The grader's verdict on a layout, in the person's words, as lines of styled text.

The first failing gate comes first, then what every access costs, then the bank maps. Knows no
screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.layouts import AccessReport, search
from grader.verdict import Gate
from quizapp.exercises.layouts import CheckedLayout
from quizapp.report import bankmap
from quizapp.report.lines import Line, Span
from quizapp.report.verdicts.excerpt import excerpt
from quizapp.report.words import Words
from quizapp.system.width import columns

_MOST_WAVEFRONTS = 4
"""Rows of a bank map here: enough to see the conflict, and the next access stays in sight."""


def failure(checked: CheckedLayout, say: Words) -> Iterator[Line]:
    """Yield which gate failed first, why, and what to do; nothing if all passed."""
    failed = checked.grade.verdict.failure
    if failed is None:
        return
    report = next((r for r in checked.grade.accesses if r.name == failed.subject), None)
    if report is not None:
        yield (("✗ ", "conflict"), (_reason(failed, say), "text"))
        yield ((f"  {_conflict(report, checked, say)}", "text"),)
    else:
        title = say(f"layout.gate.{failed.name.replace(' ', '-')}")
        yield (("✗ ", "conflict"), (title, "text"))
        cures = checked.tells_cures or not checked.grade.verdict.ran
        yield from _details(checked.source, failed, say, cures=cures)


def summary(checked: CheckedLayout, say: Words) -> Iterator[Line]:
    """Say in one line what every access costs, or why that is not known."""
    if not checked.grade.verdict.ran:
        yield from failure(checked, say)
    elif checked.grade.accesses:
        costs = [
            f"{access_name(report.name, say)} {report.wavefronts}"
            for report in checked.grade.accesses
        ]
        yield ((" · ".join(costs), "dim"),)


def figures(checked: CheckedLayout, say: Words, *, judged: bool = True) -> Iterator[Line]:
    """Yield yours, ideal and allowed for every access, and the storage used.

    Without `judged` it is not said which access passes.
    """
    if not checked.grade.accesses:
        return
    head = (say("layout.yours"), say("layout.ideal"), say("layout.allowed"))
    names = [access_name(report.name, say) for report in checked.grade.accesses]
    wide = max(columns(name) for name in names)
    titles = "".join(" " * (9 - columns(title)) + title for title in head)
    yield ((" " * (wide + 2) + titles, "dim"),)
    for name, report in zip(names, checked.grade.accesses, strict=True):
        sign: Span = ("✓", "good") if report.passed else ("✗", "conflict")
        if not judged:
            sign = (" ", "text")
        space = " " * (wide - columns(name))
        numbers = "".join(f"{n:>9}" for n in (report.wavefronts, report.ideal, report.allowed))
        yield (sign, (f" {name}{space}{numbers}", "text"))
    extra = checked.grade.extra_elements or 0
    yield ((say("layout.extra", n=extra, bytes=checked.grade.extra_bytes or 0), "dim"),)


def maps(checked: CheckedLayout, say: Words, room: int) -> Iterator[Line]:
    """Yield the bank map of every access, those that fail first."""
    for report in sorted(checked.grade.accesses, key=lambda report: report.passed):
        yield ((say("layout.map", name=access_name(report.name, say), warp=report.warp), "text"),)
        yield from bankmap.picture(
            report.cost, checked.exercise.arch, room, say, most=_MOST_WAVEFRONTS
        )
        yield ()


def best(checked: CheckedLayout, say: Words) -> Iterator[Line]:
    """Yield the best of the usual layouts, found by trying them all."""
    found = search(checked.exercise)
    if found.best is None:
        yield ((say("layout.no-best", n=found.tried), "text"),)
        return
    winner = found.best
    yield ((say("layout.best", n=found.tried, family=winner.layout.family), "text"),)
    yield ((f"  {winner.layout.expression}", "text"),)
    counts = " · ".join(
        f"{access_name(access.name, say)} {wavefronts}"
        for access, wavefronts in zip(checked.exercise.accesses, winner.wavefronts, strict=True)
    )
    extra = say("layout.best-extra", n=winner.extra_elements)
    yield ((f"  {counts} · {extra}", "dim"),)


def access_name(name: str, say: Words) -> str:
    """Name an access in the person's language, where the catalogue has a name for it."""
    return say.get(f"access.{name}", name)


def _details(source: str, failed: Gate, say: Words, *, cures: bool) -> Iterator[Line]:
    """Yield why a gate failed, with the place and the element; with `cures`, what to do."""
    place = say("layout.place", line=failed.line, column=failed.column) if failed.line else ""
    yield ((f"  {place}{_reason(failed, say)}", "text"),)
    yield from excerpt(source, failed.line, failed.column)
    if failed.reason is None:
        return
    if failed.line and "row" in failed.reason.fields:
        at = {name: failed.reason.fields[name] for name in ("row", "column")}
        yield ((f"  {say('layout.at-element', **at)}", "text"),)
    if cures and (hint := say.hint(failed.reason, failed.hint)):
        yield ((f"  {hint}", "dim"),)


def _reason(failed: Gate, say: Words) -> str:
    """State why a gate failed; accesses have their names in the person's language."""
    reason = failed.reason
    if reason is None:
        return ""
    if isinstance(access := reason.fields.get("access"), str):
        reason = replace(reason, fields={**reason.fields, "access": access_name(access, say)})
    return say.fact(reason)


def _conflict(report: AccessReport, checked: CheckedLayout, say: Words) -> str:
    """State warp, lanes, bank and words of the worst conflict, and the elements they are of."""
    use = report.cost.witness
    if use is None:
        return ""
    lanes = sorted({lane for word in use.words for lane in word.lanes})
    in_a_row = checked.exercise.tile.columns
    first, last = (
        "({}, {})".format(*divmod(int(report.elements[lane]), in_a_row))
        for lane in (lanes[0], lanes[-1])
    )
    met = bankmap.witness(report.cost, say)
    return say("layout.met", warp=report.warp, met=met, first=first, last=last)
