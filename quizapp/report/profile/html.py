"""The report on launches as a page: source with counts, findings with links, maps as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from grader.profiles import LaunchGroup, LaunchReport, ReportChange
from grader.simt import Finding
from quizapp.report.html.maps import map_figure, sector_map
from quizapp.report.html.page import figure, page, preformatted, text
from quizapp.report.html.source import SourceLine, source_table
from quizapp.report.lines import Line, sentence
from quizapp.report.profile import sentences
from quizapp.report.profile.comparison import comparison_html
from quizapp.report.profile.sentences import FileNames
from quizapp.report.profile.text import counted_rows
from quizapp.report.verdicts import findings, warp_access
from quizapp.report.verdicts.counted_lines import Row
from quizapp.report.words import Words

_MOST_MAPS = 4
"""Of shared accesses, and of global ones, of one launch."""


def report_page(
    report: LaunchReport,
    script: Path,
    say: Words,
    below: Iterable[Line] = (),
    change: ReportChange | None = None,
) -> bytes:
    """Return the report as one file of HTML.

    `script`: the file whose lines are named by their number alone. `below`: what is of the kernels,
    below the launches. `change`: since an older report, above the launches.
    """
    names = FileNames(script)
    title = sentences.headline(report, names, say)
    body = [f'<p class="dim">{text(script.name)}</p>']
    if change is not None:
        body += comparison_html(change, say)
    return page(title, [*body, *_body(report, names, below, say)], say)


def _body(
    report: LaunchReport, names: FileNames, below: Iterable[Line], say: Words
) -> Iterator[str]:
    for number, group in enumerate(report.groups, 1):
        yield from _section(group, f"k{number}", names, say)
    if lines := [*below]:
        yield preformatted(lines)


def _section(group: LaunchGroup, key: str, names: FileNames, say: Words) -> Iterator[str]:
    launch = group.launch
    heading = sentences.heading(group, say)
    title, _, rest = heading.partition("  ")
    yield f'<section id="{key}"><h2>{text(title)} <small>{text(rest)}</small></h2>'
    if launched := sentences.launched(group, names, say):
        yield f"<p>{text(launched)}</p>"
    for said in (*sentences.bound(group.bound, say), sentences.shared(group, say)):
        if said:
            yield f"<p>{text(said)}</p>"
    rows = counted_rows(group, say)
    for place, file in enumerate(dict.fromkeys(row.file for row in rows)):
        if name := names(launch.path(file)):
            yield f'<p class="dim">{text(name)}</p>'
        here = [row for row in rows if row.file == file]
        lines = _whole_source(Path(launch.path(file)), here)
        marks = _marks(group, file, key, say)
        yield source_table(lines, partial(_line_id, key, place), marks, say)
    yield from _findings(group, key, names, say)
    for advice in launch.advice:
        yield preformatted(findings.change_lines(advice, say))
    yield from _maps(group, say)
    yield "</section>"


def _line_id(key: str, file: int, line: int) -> str:
    return f"{key}-{file}-{line}"


def _whole_source(path: Path, rows: list[Row]) -> list[SourceLine]:
    """Return the lines from the first to the last that ran; those that did not, from the file.

    Of a file that has changed since, or is not there, only what was recorded.
    """
    counted = {row.line: row for row in rows}
    only = [SourceLine(row.line, row.source, row) for row in rows]
    try:
        there = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return only
    if any(not 0 < row.line <= len(there) or there[row.line - 1] != row.source for row in rows):
        return only
    first, last = min(counted), max(counted)
    while first > 1 and there[first - 2].strip() and last - first < len(there):
        first -= 1  # up to the `def` and its decorators
    return [
        SourceLine(number, there[number - 1], counted.get(number))
        for number in range(first, last + 1)
    ]


def _marks(group: LaunchGroup, file: str, key: str, say: Words) -> dict[int, str]:
    """Return links from lines to what was found there."""
    found: dict[int, str] = {}
    for number, finding in enumerate(group.launch.findings):
        link = f'<a href="#{key}-f{number}">{text(findings.kind_name(finding, say))}</a> '
        for line in _lines_of(finding, file):
            found[line] = found.get(line, "") + link
    return found


def _lines_of(finding: Finding, file: str) -> list[int]:
    """List the lines of a file that a finding is about."""
    lines = [finding.line] if finding.file == file else []
    if finding.other_line and finding.other_file == file:
        lines.append(finding.other_line)
    return [*dict.fromkeys(lines)]


def _findings(group: LaunchGroup, key: str, names: FileNames, say: Words) -> Iterator[str]:
    """Yield the findings, each with links to both of its lines."""
    files = [*dict.fromkeys(line.file for line in group.launch.lines)]
    if group.launch.findings:
        yield "<ul>"
    for number, finding in enumerate(group.launch.findings):
        kind = "warning" if finding.kind == "warning" else "error"
        said = " · ".join(
            (
                findings.head(finding, say, names(group.launch.path(finding.file))),
                *findings.details(finding, say),
            )
        )
        links = ", ".join(
            f'<a href="#{_line_id(key, place, line)}">{text(say("place.line", line=line))}</a>'
            for place, file in enumerate(files)
            for line in _lines_of(finding, file)
        )
        remark = findings.remark(finding, say)
        below = f"<br>{text(remark)}" if remark else ""
        if advice := [*findings.advice_lines(finding, say, "")]:
            below += preformatted(advice)
        marked = f'<span class="{kind}">{text(said)}</span>'
        yield f'<li id="{key}-f{number}">{marked} {links}{below}</li>'
    if group.launch.findings:
        yield "</ul>"


def _maps(group: LaunchGroup, say: Words) -> Iterator[str]:
    """Yield the maps of the worst accesses, and the layouts that would help."""
    launch = group.launch
    worst = sorted(launch.worst, key=lambda access: -access.excess)
    for access in [access for access in worst if access.excess > 0][:_MOST_MAPS]:
        yield map_figure(warp_access.of_worst(access, launch.arrays, say), say)
    if proposals := [sentence(said) for said in sentences.proposals(group, say)]:
        yield preformatted(proposals)
    for said in sentences.strides(group, say):
        yield f"<p>{text(said)}</p>"
    for scattered in launch.scattered[:_MOST_MAPS]:
        kind = say(f"counts.global-{scattered.kind}")
        said = say(
            "map.scattered",
            place=sentences.place(scattered.line, "", say),
            kind=kind,
            array=scattered.array,
            n=scattered.sectors,
            ideal=scattered.ideal,
        )
        yield figure([said], sector_map(scattered, say))
