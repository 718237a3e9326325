"""The grader's verdict on a layout, in the person's words: lines of styled text, as `bankmap` has.

The first failing gate comes first, then what every access costs, then the bank maps. Knows no
screen.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.layouts import AccessReport, search
from grader.verdict import Gate
from quizapp import bankmap
from quizapp.bankmap import Line, Span
from quizapp.domain.question import prose
from quizapp.exercises.layouts import Checked
from quizapp.width import columns
from quizapp.words import Words

_MOST_WAVEFRONTS = 4
"""Rows of a bank map here: enough to see what meets, and the next access stays in sight."""


def failure(checked: Checked, say: Words) -> Iterator[Line]:
    """Which gate failed first, what came, the counterexample, what to do; nothing if all passed."""
    failed = checked.grade.verdict.failure
    if failed is None:
        return
    report = next((r for r in checked.grade.accesses if r.name == failed.subject), None)
    if report is not None:
        name = access_name(report.name, say)
        title = say("layout.over", name=name, n=report.wavefronts, allowed=report.allowed)
        yield (("✗ ", "conflict"), (title, "text"))
        yield ((f"  {_met(report, checked, say)}", "text"),)
    else:
        title = say(f"layout.gate.{failed.name.replace(' ', '-')}")
        yield (("✗ ", "conflict"), (title, "text"))
        yield from _reason(failed, say)


def mistake(checked: Checked, say: Words) -> str:
    """Why a known mistake is one, as Markdown; empty if it is no known one."""
    known = checked.mistake
    return "" if known is None else prose(known.why, say.language).strip()


def figures(checked: Checked, say: Words) -> Iterator[Line]:
    """Yours, ideal and allowed for every access, and the storage used."""
    if not checked.grade.accesses:
        return
    head = (say("layout.yours"), say("layout.ideal"), say("layout.allowed"))
    names = [access_name(report.name, say) for report in checked.grade.accesses]
    wide = max(columns(name) for name in names)
    titles = "".join(" " * (9 - columns(title)) + title for title in head)
    yield ((" " * (wide + 2) + titles, "dim"),)
    for name, report in zip(names, checked.grade.accesses, strict=True):
        sign: Span = ("✓", "good") if report.passed else ("✗", "conflict")
        space = " " * (wide - columns(name))
        numbers = "".join(f"{n:>9}" for n in (report.wavefronts, report.ideal, report.allowed))
        yield (sign, (f" {name}{space}{numbers}", "text"))
    extra = checked.grade.extra_elements or 0
    yield ((say("layout.extra", n=extra, bytes=checked.grade.extra_bytes or 0), "dim"),)


def maps(checked: Checked, say: Words, room: int) -> Iterator[Line]:
    """The bank map of every access, those that fail first."""
    for report in sorted(checked.grade.accesses, key=lambda report: report.passed):
        yield ((say("layout.map", name=access_name(report.name, say), warp=report.warp), "text"),)
        yield from bankmap.picture(
            report.cost, checked.exercise.arch, room, say, most=_MOST_WAVEFRONTS
        )
        yield ()


def best(checked: Checked, say: Words) -> Iterator[Line]:
    """The best of the layouts that everybody uses, found by trying them all."""
    found = search(checked.exercise)
    if found.best is None:
        yield ((say("layout.no-best", n=found.tried), "text"),)
        return
    one = found.best
    yield ((say("layout.best", n=found.tried, family=one.layout.family), "text"),)
    yield ((f"  {one.layout.expression}", "text"),)
    counts = " · ".join(
        f"{access_name(access.name, say)} {wavefronts}"
        for access, wavefronts in zip(checked.exercise.accesses, one.wavefronts, strict=True)
    )
    extra = say("layout.best-extra", n=one.extra_elements)
    yield ((f"  {counts} · {extra}", "dim"),)


def access_name(name: str, say: Words) -> str:
    """An access by a name in the person's language, where the catalogue has one."""
    return say.get(f"access.{name}", name)


def _reason(failed: Gate, say: Words) -> Iterator[Line]:
    """What came, where and for which case, and what to do: in the grader's own words."""
    place = say("layout.place", line=failed.line, column=failed.column) if failed.line else ""
    yield ((f"  {place}{failed.came}", "text"),)
    if failed.counterexample.removeprefix("elements ") not in failed.came:
        yield ((f"  {failed.counterexample}", "text"),)
    if failed.hint:
        yield ((f"  {failed.hint}", "dim"),)


def _met(report: AccessReport, checked: Checked, say: Words) -> str:
    """Warp, lanes, bank and words of the worst conflict, and the elements they are of."""
    use = report.cost.witness
    if use is None:
        return ""
    lanes = sorted({lane for word in use.words for lane in word.lanes})
    in_a_row = checked.exercise.tile.columns
    first, last = (divmod(int(report.elements[lane]), in_a_row) for lane in (lanes[0], lanes[-1]))
    met = bankmap.witness(report.cost, say)
    return say("layout.met", warp=report.warp, met=met, first=first, last=last)
