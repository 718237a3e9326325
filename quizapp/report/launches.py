"""The launches of a script: a table of source lines and the findings of each, or plain data.

The keys are promised in docs/cli.md. Computes nothing that the emulator has not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import simt
from quizapp.report import findings
from quizapp.report.counted_lines import Row, rows, sizes, table
from quizapp.report.launch_groups import LaunchGroup, group_launches, title_kernels
from quizapp.report.lines import Line, sentence

if TYPE_CHECKING:
    from quizapp.report.words import Words

Plain = dict[str, Any]

_WARNING = "warning"


def launches_as_plain(launches: Sequence[Plain], refused: Plain | None) -> Plain:
    """Return all launches, with every counter, and what the emulator refused."""
    return {"launches": [_whole(launch) for launch in launches], "refused": refused}


def launch_lines(
    launches: Sequence[Plain], script: Path, columns: int, say: Words
) -> Iterator[Line]:
    """Show each group of launches.

    Args:
        launches: in their order.
        script: its name is not shown beside its lines.
        columns: how many there are to draw in.
        say: the person's language.
    """
    titles = title_kernels(launches)
    for place, group in enumerate(group_launches(launches)):
        if place:
            yield ()
        yield from _group_lines(group, titles[group.launch["qualname"]], script, columns, say)


def has_fault(launch: Plain) -> bool:
    """Return true if a launch has a finding other than a warning."""
    return any(finding["kind"] != _WARNING for finding in launch["findings"])


def _whole(launch: Plain) -> Plain:
    zeros = dict.fromkeys(simt.COUNTERS, 0)
    lines = [{"line": 0, "column": 0, "source": "", **zeros, **line} for line in launch["lines"]]
    return {**launch, "totals": {**zeros, **launch["totals"]}, "lines": lines}


def _group_lines(
    group: LaunchGroup, title: str, script: Path, columns: int, say: Words
) -> Iterator[Line]:
    launch = group.launch
    yield ((_heading(group, title, say), "text"), ("", "text"))
    files = {"": _name(launch["file"], script)}
    for found in (*launch["lines"], *launch["findings"]):
        path = found.get("file", "")
        files.setdefault(path, _name(path, script))
    yield from _source_lines(rows(launch["lines"], simt.COUNTERS, say), files, columns, say)
    for finding in launch["findings"]:
        file = files[finding.get("file", "")]
        yield from findings.placed_lines(findings.of_plain(finding), say, file)


def _heading(group: LaunchGroup, title: str, say: Words) -> str:
    grid, block = sizes(group.launch["grid"]), sizes(group.launch["block"])
    time = _time(group.seconds, say)
    heading = say("profile.heading", title=title, grid=grid, block=block, time=time)
    if not group.launch["finished"]:
        heading = say("profile.unfinished", heading=heading)
    if group.summed:
        return say("profile.summed", heading=heading, n=group.count)
    return say("profile.equal", heading=heading, n=group.count) if group.count > 1 else heading


def _name(path: str, script: Path) -> str:
    """Name a file as seen from the current folder; "" for the script."""
    if Path(path) == script.absolute():
        return ""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


def _time(seconds: float, say: Words) -> str:
    if seconds >= 1:
        return say("profile.seconds", seconds=seconds)
    return say("profile.milliseconds", milliseconds=seconds * 1000)


def _source_lines(
    found: Sequence[Row], files: Mapping[str, str], columns: int, say: Words
) -> Iterator[Line]:
    """Show a table; the lines of a file other than the script are below its name."""
    if not found:
        return
    head, *lines = table(found, columns, say)
    yield head
    before = None
    for row, line in zip(found, lines, strict=True):
        if row.file != before and (files[row.file] or before is not None):
            yield sentence(f"   {files[row.file] or Path(row.file).name}")
        before = row.file
        yield line
