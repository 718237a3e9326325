"""Two reports on launches compared, as styled lines: one fact per line, never folded.

So the text is stable under `diff`: nothing in it depends on times or on the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.profiles import CountChange, KernelChange, LaunchReport, LineChange, ReportChange
from quizapp.report import findings
from quizapp.report.lines import Line, Role
from quizapp.report.profile import sentences
from quizapp.report.profile.plain import finding_as_plain
from quizapp.report.words import Words


def comparison_lines(
    report: LaunchReport, change: ReportChange, script: Path, say: Words
) -> Iterator[Line]:
    """Show the verdict on the new report, then what got better and what worse, by kernel."""
    if report.launches:
        verdict = sentences.verdict(report.verdict, sentences.FileNames(script), say)
        yield ((verdict, "bold"), ("", "text"))
    for kernel in change.kernels:
        yield ((kernel.title, "bold"), ("", "text"))
        yield from _kernel_lines(kernel, say)
    for title in change.gone:
        yield ((say("compare.kernel-gone", kernel=title), "text"), ("", "text"))
    for title in change.added:
        yield ((say("compare.kernel-new", kernel=title), "text"), ("", "text"))


def _kernel_lines(kernel: KernelChange, say: Words) -> Iterator[Line]:
    for finding in kernel.fixed:
        yield _finding_line("compare.fixed", "good", findings.head(finding, say), say)
    for finding in kernel.added:
        yield _finding_line("compare.added", "conflict", findings.head(finding, say), say)
    for change in kernel.totals:
        yield _count_line(change, kernel, say("compare.all-lines"), "", say)
    for line in kernel.lines:
        for change in line.counts:
            yield _count_line(change, kernel, _place(line, say), line.source, say)


def _finding_line(key: str, role: Role, head: str, say: Words) -> Line:
    return (("  ", "text"), (say(key), role), (f"  {head}", "text"))


def _count_line(
    change: CountChange, kernel: KernelChange, place: str, source: str, say: Words
) -> Line:
    """Write whether it is better, what changed, where, and the line's text."""
    role, key = _judge(change, kernel)
    what = say(f"compare.measure.{change.measure}")
    counts = say("compare.count", what=what, before=f"{change.before:,}", after=f"{change.after:,}")
    return (("  ", "text"), (say(key), role), (f"  {place}  {counts}  {source}".rstrip(), "text"))


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


def comparison_as_plain(change: ReportChange) -> Mapping[str, Any]:
    """Return what changed, for `--json`."""
    return {
        "kernels": [
            {
                "kernel": kernel.title,
                "totals": [asdict(count) for count in kernel.totals],
                "lines": [asdict(line) for line in kernel.lines],
                "fixed": [finding_as_plain(finding) for finding in kernel.fixed],
                "added": [finding_as_plain(finding) for finding in kernel.added],
            }
            for kernel in change.kernels
        ],
        "gone": change.gone,
        "added": change.added,
    }
