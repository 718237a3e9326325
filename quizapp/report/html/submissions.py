"""The verdict on a submission as a page: gates, source with counts, maps of its accesses."""

from __future__ import annotations

from collections.abc import Iterator

from grader.simt import COUNTERS
from quizapp.exercises.kernels import CheckedKernel
from quizapp.exercises.layouts import CheckedLayout
from quizapp.report import submissions
from quizapp.report.html.maps import map_figure
from quizapp.report.html.page import page, preformatted, text
from quizapp.report.html.source import SourceLine, source_table
from quizapp.report.submissions import RenderMarkdown
from quizapp.report.verdicts import counted_lines, findings, warp_access
from quizapp.report.words import Words

_COLUMNS = 100
"""Of what is laid out as in a terminal."""
_DRAWN = ("source", "map")
"""Views of a kernel that a page draws in its own way."""


def layout_page(
    question: str, checked: CheckedLayout, say: Words, render: RenderMarkdown, *, search: bool
) -> bytes:
    """Return the verdict on a layout as one file of HTML; arguments as of `layout_lines`."""

    def body() -> Iterator[str]:
        lines = submissions.layout_lines(
            checked, say, _COLUMNS, render, search=search, with_maps=False
        )
        yield preformatted(lines)
        yield from (map_figure(access, say) for access in warp_access.of_layout(checked, say))

    return page(_title(question, say, passed=checked.passed), body(), say)


def kernel_page(question: str, checked: CheckedKernel, say: Words, render: RenderMarkdown) -> bytes:
    """Return the verdict on a kernel as one file of HTML; arguments as of `kernel_lines`."""

    def body() -> Iterator[str]:
        yield preformatted(submissions.kernel_lines(checked, say, _COLUMNS, render, without=_DRAWN))
        yield _source(checked, say)
        accesses = warp_access.of_kernel(checked.graded, say)
        yield from (map_figure(access, say) for access in accesses if access.cost.ways > 1)

    return page(_title(question, say, passed=checked.passed), body(), say)


def _title(question: str, say: Words, *, passed: bool) -> str:
    return say("grade.page-passed" if passed else "grade.page-failed", id=question)


def _source(checked: CheckedKernel, say: Words) -> str:
    """Draw the submission with what was counted at the first shape, and links to nothing else."""
    texts = checked.graded.source.rstrip().split("\n")
    counts = checked.graded.runs[0].counts if checked.graded.runs else {}
    counted = [
        {"line": line, "source": texts[line - 1] if line <= len(texts) else "", **found}
        for line, found in sorted(counts.items())
    ]
    rows = {row.line: row for row in counted_lines.rows(counted, COUNTERS, say)}
    marks: dict[int, str] = {}
    for finding in checked.graded.findings:
        for line in {finding.line, finding.other_line} - {0}:
            other = sum({finding.line, finding.other_line} - {0, line})
            kind = text(findings.kind_name(finding, say))
            link = f'<a href="#l{other}">{kind}</a> ' if other else f"{kind} "
            marks[line] = marks.get(line, "") + link
    lines = [SourceLine(at, source, rows.get(at)) for at, source in enumerate(texts, 1)]
    return source_table(lines, "l{}".format, marks, say)
