"""What a person may look at below the verdict on a kernel, one view at a time (`VIEWS`).

What a GPU measured, counts by source line, findings, wrong values, the bank map of the worst
access, differences. Styled lines; knows no screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from grader.banks import LANES, Access, cost
from grader.kernels import KernelGrade, RunReport
from grader.simt import COUNTERS, Finding
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report import bankmap, difference
from quizapp.report.lines import Line, Span, table
from quizapp.report.verdicts import (
    compiled_verdict,
    counted_lines,
    findings,
    gpu_verdict,
    kernel_verdict,
)
from quizapp.report.words import Words

View = Literal[
    "gpu", "source", "findings", "values", "map", "compiled", "attempt", "solution", "twin"
]
VIEWS: tuple[View, ...] = get_args(View)
_MOST_WAVEFRONTS = 4
_MOST_WRONG = 8
_WRONG_HEAD = ("kernel.element", "kernel.expected", "kernel.got", "kernel.writer")
_ARCH = "9.0"
_ACCESSES = {"load": "kernel.load", "store": "kernel.store"}


def views(checked: CheckedKernel, before: Sequence[str], *, solved: bool) -> tuple[View, ...]:
    """List the views that have something to show.

    `before`: submissions before it, the latest last. `solved`: whether the solution may be seen.
    """
    graded = checked.graded
    measured = checked.measured
    shown: dict[View, bool] = {
        "gpu": measured is not None and measured.resources is not None,
        "source": any(
            _worth_showing(counts) for run in graded.runs[:1] for counts in run.counts.values()
        ),
        "findings": any(_other_findings(graded)),
        "values": any(run.wrong for run in graded.runs),
        "map": graded.worst is not None and graded.worst.wavefronts > graded.worst.ideal,
        "compiled": checked.compiled is not None,
        "attempt": any(source != checked.source for source in before),
        "solution": solved and checked.source != checked.question.solution,
        "twin": solved and checked.question.twin is not None,
    }
    return tuple(view for view in VIEWS if shown[view])


def view(
    name: View, checked: CheckedKernel, before: Sequence[str], say: Words, room: int
) -> Iterator[Line]:
    """Draw one view; of `twin`, code that the screen colors, see `question_text.twin`."""
    graded = checked.graded
    match name:
        case "gpu":
            if checked.measured is not None:
                yield from gpu_verdict.table(checked.measured, graded, say)
        case "source":
            yield from _counts(checked, say, room)
        case "findings":
            for finding in _other_findings(graded):
                yield from findings.lines(finding, say, cures=checked.tells_cures)
        case "values":
            yield from _wrong_values(graded, say)
        case "map":
            yield from _worst(graded, say, room)
        case _:
            yield from _comparison(name, checked, before, say)


def _other_findings(graded: KernelGrade) -> Iterator[Finding]:
    """Yield the findings that the verdict above does not show."""
    shown = kernel_verdict.find_shown(graded)
    return (finding for finding in graded.findings if finding is not shown)


def _comparison(
    name: View, checked: CheckedKernel, before: Sequence[str], say: Words
) -> Iterator[Line]:
    """Draw what the compiler makes of it, or a difference."""
    match name:
        case "compiled":
            if checked.compiled is not None:
                found = checked.compiled
                yield from compiled_verdict.lines(found.found, found.reasons, found.threads, say)
        case "attempt":
            earlier = [source for source in before if source != checked.source]
            yield from difference.lines(earlier[-1], checked.source, say)
        case "solution":
            yield from difference.lines(checked.source, checked.question.solution or "", say)


def _counts(checked: CheckedKernel, say: Words, room: int) -> Iterator[Line]:
    """Draw the lines of the submission that anything was counted on, at the first shape."""
    graded = checked.graded
    run = graded.runs[0]
    lines = [
        {"line": line, "source": _source_line(graded, line), **counts}
        for line, counts in sorted(run.counts.items())
        if _worth_showing(counts)
    ]
    yield ((_launch(run, say), "dim"),)
    for drawn in counted_lines.table(counted_lines.rows(lines, COUNTERS, say), room, say):
        yield from drawn
    key = "kernel.as-written" if checked.question.triton is None else "kernel.as-compiled"
    yield ((say(key), "dim"),)


def _source_line(graded: KernelGrade, line: int) -> str:
    """Return a line of the submission; empty if the source has other line ends than ours."""
    texts = graded.source.split("\n")
    return texts[line - 1] if line <= len(texts) else ""


def _worth_showing(counts: Mapping[str, int]) -> bool:
    """Return True if a line does more than compute with all threads of its warps."""
    computes = {"instructions", "lanes"}
    idle = counts.get("lanes", 0) < LANES * counts.get("instructions", 0)
    return idle or any(count for name, count in counts.items() if name not in computes)


def _worst(graded: KernelGrade, say: Words, room: int) -> Iterator[Line]:
    """Draw the bank map of the shared access that is furthest from its ideal."""
    worst = graded.worst
    assert worst is not None
    kind = say(_ACCESSES.get(worst.kind, "kernel.atom"))
    access = Access(worst.kind, worst.width, np.array(worst.addresses), np.array(worst.active))
    yield ((say("kernel.worst", line=worst.line, kind=kind), "text"),)
    yield ((f"  {_source_line(graded, worst.line).strip()}", "text"),)
    analysis = cost(access, _ARCH)
    yield from bankmap.picture(analysis, _ARCH, room, say, most=_MOST_WAVEFRONTS)
    yield ((bankmap.figures(analysis, say), "text"),)
    yield ((bankmap.witness(analysis, say), "text"),)


def _launch(run: RunReport, say: Words) -> str:
    grid, block = counted_lines.sizes(run.grid), counted_lines.sizes(run.block)
    return say("kernel.launched", shape=run.shape_text, grid=grid, block=block)


def _wrong_values(graded: KernelGrade, say: Words) -> Iterator[Line]:
    """Draw the first run that has any: what was expected, what came, and which thread wrote it."""
    run = next(run for run in graded.runs if run.wrong)
    head = say(
        "kernel.wrong-of",
        n=run.wrong_count,
        wrong=f"{run.wrong_count:,}",
        elements=f"{run.elements:,}",
        shape=run.shape_text,
    )
    yield ((head, "dim"),)
    rows: list[Sequence[str | Span]] = [
        tuple((say(key), "dim") for key in _WRONG_HEAD),
        *(
            (wrong.element, wrong.expected, wrong.got, say.fact(wrong.last_write))
            for wrong in run.wrong[:_MOST_WRONG]
        ),
    ]
    yield from table(rows, right=(1, 2), indent="  ")
