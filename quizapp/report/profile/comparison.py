"""Two reports on launches compared: one fact per row, as styled lines and as tables of a page.

Lines are never folded, and nothing in them depends on times or on the terminal: they are stable
under `diff`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from grader.profiles import CountChange, KernelChange, LaunchReport, LineChange, ReportChange
from quizapp.report.html.page import spans, table, text
from quizapp.report.lines import Line, Role
from quizapp.report.profile import sentences
from quizapp.report.profile.plain import finding_as_plain
from quizapp.report.verdicts import findings
from quizapp.report.words import Words


class ComparedFact(NamedTuple):
    """One fact: whether it is better, and what.

    Attributes:
        result: one word, and spaces up to the width of the longest.
        role: how that is drawn.
        cells: place, counts and source of a change of counts; else one sentence.
    """

    result: str
    role: Role
    cells: tuple[str, ...]


def comparison_lines(
    report: LaunchReport, change: ReportChange, script: Path, say: Words
) -> Iterator[Line]:
    """Show the verdict on the new report, then what got better and what worse, by kernel."""
    if report.launches:
        verdict = sentences.verdict(report.verdict, sentences.FileNames(script), say)
        yield ((verdict, "bold"), ("", "text"))
    for kernel in change.kernels:
        yield ((kernel.title, "bold"), ("", "text"))
        for found in _facts(kernel, say):
            said = "  ".join(("", *found.cells)).rstrip()
            yield (("  ", "text"), (found.result, found.role), (said, "text"))
    for said in _unmatched(change, say):
        yield ((said, "text"), ("", "text"))


def comparison_html(change: ReportChange, say: Words) -> Iterator[str]:
    """Show what got better and what worse as a section of a page: a table for each kernel."""
    yield f'<section id="against"><h2>{text(say("compare.heading"))}</h2>'
    for kernel in change.kernels:
        yield f"<h3>{text(kernel.title)}</h3>"
        yield table("", map(_row, _facts(kernel, say)), "changes")
    for said in _unmatched(change, say):
        yield f"<p>{text(said)}</p>"
    yield "</section>"


def _row(found: ComparedFact) -> str:
    *cells, last = found.cells
    shown = "".join(f"<td>{text(cell)}</td>" for cell in cells)
    wide = "" if cells else ' colspan="3"'
    result = spans(((found.result.strip(), found.role),))
    return f'<tr><td>{result}</td>{shown}<td class="code"{wide}>{text(last)}</td></tr>'


def _unmatched(change: ReportChange, say: Words) -> Iterator[str]:
    for title in change.gone:
        yield say("compare.kernel-gone", kernel=title)
    for title in change.added:
        yield say("compare.kernel-new", kernel=title)


def _facts(kernel: KernelChange, say: Words) -> Iterator[ComparedFact]:
    if kernel.compilers is not None:
        yield ComparedFact("", "text", (_code(kernel.compilers, say),))
    for finding in kernel.fixed:
        yield ComparedFact(say("compare.fixed"), "good", (findings.head(finding, say),))
    for finding in kernel.added:
        yield ComparedFact(say("compare.added"), "conflict", (findings.head(finding, say),))
    for change in kernel.totals:
        yield _count(change, kernel, say("compare.all-lines"), "", say)
    for line in kernel.lines:
        for change in line.counts:
            yield _count(change, kernel, _place(line, say), line.source, say)


def _code(compilers: tuple[str, str], say: Words) -> str:
    """Say what ran before, and what runs now."""
    before, after = (
        say("compare.as-compiled", compiler=compiler) if compiler else say("compare.as-written")
        for compiler in compilers
    )
    return say("compare.code", before=before, after=after)


def _count(
    change: CountChange, kernel: KernelChange, place: str, source: str, say: Words
) -> ComparedFact:
    """Say whether it is better, what changed, where, and the line's text."""
    role, key = _judge(change, kernel)
    what = say(f"compare.measure.{change.measure}")
    counts = say("compare.count", what=what, before=f"{change.before:,}", after=f"{change.after:,}")
    return ComparedFact(say(key), role, (place, counts, source))


def _judge(change: CountChange, kernel: KernelChange) -> tuple[Role, str]:
    """Judge a count: more is not worse where it is the price of a fault that is gone."""
    if change.before == change.after:
        return "text", "compare.same"
    if change.measure == "instructions":
        return "text", "compare.less" if change.is_better else "compare.more"
    if change.is_better:
        return "good", "compare.better"
    return ("text", "compare.more") if kernel.repaired else ("conflict", "compare.worse")


def _place(line: LineChange, say: Words) -> str:
    if not line.old_line:
        return say("compare.new-line", line=line.new_line)
    if not line.new_line:
        return say("compare.old-line", line=line.old_line)
    if line.old_line == line.new_line:
        return say("place.line", line=line.new_line)
    return say("compare.moved-line", old=line.old_line, new=line.new_line)


def comparison_as_plain(change: ReportChange, say: Words) -> Mapping[str, Any]:
    """Return what changed, for `--json`."""
    return {
        "kernels": [
            {
                "kernel": kernel.title,
                "totals": [asdict(count) for count in kernel.totals],
                "lines": [asdict(line) for line in kernel.lines],
                "fixed": [finding_as_plain(finding, say) for finding in kernel.fixed],
                "added": [finding_as_plain(finding, say) for finding in kernel.added],
                **({"compilers": kernel.compilers} if kernel.compilers else {}),
            }
            for kernel in change.kernels
        ],
        "gone": change.gone,
        "added": change.added,
    }
