"""What is known of the source line that a person looks at: findings, counts, its worst access.

Values, races and other checks are left out where they are withheld (`live`). Styled lines; knows
no screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.kernels import KernelGrade, RunReport
from grader.simt import Finding
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report.lines import Line
from quizapp.report.verdicts import (
    count_limits,
    counted_lines,
    findings,
    kernel_verdict,
    line_counts,
)
from quizapp.report.words import Words
from quizapp.system.width import columns

REFUSALS = ("source", "runs")
"""The gates whose failure is never withheld: nothing ran, or it did not end."""
_SUMMED = ("shared_wavefronts", "shared_conflicts", "global_sectors")


def list_findings(graded: KernelGrade, *, live: bool) -> tuple[Finding, ...]:
    """List the findings that may be shown, faults first."""
    return () if live else graded.findings


def refusal(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """Say why nothing was counted; nothing where something was."""
    failed = checked.graded.verdict.failure
    if failed is not None and failed.name in REFUSALS:
        yield from kernel_verdict.failure(checked, say)


def summary(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """Say in one line what was counted, or why nothing was."""
    failed = checked.graded.verdict.failure
    if failed is not None and failed.name in REFUSALS:
        yield from refusal(checked, say)
        return
    for run in checked.graded.runs[:1]:
        counts = [(name, run.amount(name)) for name in _SUMMED]
        shown = [
            f"{count_limits.counter_name(name, say)} {count:,}" for name, count in counts if count
        ]
        yield ((" · ".join([run.shape_text, *shown]), "dim"),)


def at_line(
    checked: CheckedKernel, line: int, room: int, say: Words, *, live: bool
) -> Iterator[Line]:
    """Draw what is known of a line; of one without accesses the totals, and where to look."""
    graded = checked.graded
    yield head(graded, line, room, say)
    here = [
        found
        for found in list_findings(graded, live=live)
        if line in (found.line, found.other_line)
    ]
    for found in here:
        yield from findings.lines(found, say, cures=checked.tells_cures)
    if not graded.runs:
        return
    run = graded.runs[0]
    counts = run.counts.get(line, {})
    if line_counts.has_accesses(counts):
        yield ()
        yield from line_counts.table(counts, room, say)
        return
    if counts:
        yield from line_counts.table(counts, room, say)
    if not here:
        yield ()
        yield from totals(graded, run, room, say, live=live)


def totals(
    graded: KernelGrade, run: RunReport, room: int, say: Words, *, live: bool
) -> Iterator[Line]:
    """Draw the counts of all lines, and which lines are worth a look."""
    grid, block = counted_lines.sizes(run.grid), counted_lines.sizes(run.block)
    shown = say("kernel.launched", shape=run.shape_text, grid=grid, block=block)
    yield ((say("inspect.all-lines", launch=shown), "dim"),)
    yield from line_counts.table(run.totals, room, say)
    for text in places(graded, say, live=live):
        yield ((text, "text"),)


def asked(question: Kernel, say: Words) -> Iterator[Line]:
    """List what a submission is checked at and by, while nothing is submitted."""
    yield ()
    yield ((say("inspect.sizes"), "dim"),)
    for shape in question.shapes:
        sizes = "  ".join(f"{name} = {size:,}" for name, size in shape.items())
        yield ((f"  {sizes}", "text"),)
    if question.counts:
        yield ((say("inspect.limits"), "dim"),)
    for counter in dict.fromkeys(gate.counter for gate in question.counts):
        yield ((f"  {count_limits.counter_name(counter, say)}", "text"),)


def worth_a_look(graded: KernelGrade, *, live: bool) -> Sequence[int]:
    """List the lines that are worth a look: of faults, of conflicts, of sectors."""
    shown = list_findings(graded, live=live)
    lines = [found.line for found in shown if found.kind != "warning"]
    run = graded.runs[0] if graded.runs else None
    if run is not None:
        lines += [line_counts.worst_line(run, "shared"), line_counts.worst_line(run, "global")]
    return [*filter(None, dict.fromkeys(lines))]


def places(graded: KernelGrade, say: Words, *, live: bool) -> Iterator[str]:
    """Say why each of these lines is worth a look."""
    for found in list_findings(graded, live=live):
        if found.kind != "warning" and found.line:
            yield say("inspect.place", line=found.line, what=findings.kind_name(found, say))
    if not graded.runs:
        return
    run = graded.runs[0]
    if line := line_counts.worst_line(run, "shared"):
        yield say("inspect.place", line=line, what=say("inspect.most-wavefronts"))
    if line := line_counts.worst_line(run, "global"):
        yield say("inspect.place", line=line, what=say("inspect.most-sectors"))


def head(graded: KernelGrade, line: int, room: int, say: Words) -> Line:
    """Draw the number of a line, and its text as far as there is room."""
    source = graded.source.split("\n")
    text = source[line - 1].strip() if 1 <= line <= len(source) else ""
    place = say("place.line", line=line)
    return ((place, "bold"), ("  " + counted_lines.cut(text, room - columns(place) - 2), "dim"))
