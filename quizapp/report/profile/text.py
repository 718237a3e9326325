"""The report on launches as styled lines, for a terminal: verdict, then each group of launches."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from grader.kernels import WorstAccess
from grader.profiles import LaunchGroup, LaunchReport
from grader.simt import COUNTERS, Finding
from quizapp.report import bankmap
from quizapp.report.lines import Line, sentence
from quizapp.report.profile import sentences
from quizapp.report.profile.sentences import FileNames
from quizapp.report.verdicts import findings, warp_access
from quizapp.report.verdicts.counted_lines import PROFILE_HEAD, Row, rows, table
from quizapp.report.words import Words

_Places: TypeAlias = dict[Hashable, list[LaunchGroup]]
"""The groups that have the same finding, by what findings of several launches share."""
_MOST_PASSES = 4
"""Of a bank map; a line sums up the rest."""


def report_lines(
    report: LaunchReport, script: Path, columns: int, say: Words, *, line: int | None = None
) -> Iterator[Line]:
    """Show the verdict, then each group of launches.

    `script`: its name is not shown beside its lines. `line`: show this line only, in whatever file.
    """
    if not report.launches:
        return
    names = FileNames(script)
    yield sentence(sentences.headline(report, names, say), "bold")
    places: _Places = {}
    for group in report.groups:
        for place in {_place(finding, group) for finding in group.launch.findings}:
            places.setdefault(place, []).append(group)
    for group in report.groups:
        yield ()
        yield from _group_lines(group, places, (names, columns), say, line)


def _place(finding: Finding, group: LaunchGroup) -> Hashable:
    """Return what findings of several launches of a kernel share if they are the same."""
    launch = group.launch
    place = launch.path(finding.file), finding.line, finding.column
    other = launch.path(finding.other_file), finding.other_line, finding.other_column
    sort = finding.kind, finding.topic, finding.array, finding.what.code
    return launch.qualname, place, other, sort


def _about(group: LaunchGroup, names: FileNames, say: Words) -> Iterator[Line]:
    """Say what was launched, with what, and what it costs at least."""
    about = (
        sentences.compiled(group, say),
        sentences.libraries(group, say),
        sentences.launched(group, names, say),
        *sentences.bound(group.bound, say),
        sentences.shared(group, say),
    )
    yield from (sentence(f"  {said}", "dim") for said in about if said)


def _group_lines(
    group: LaunchGroup, places: _Places, room: tuple[FileNames, int], say: Words, only: int | None
) -> Iterator[Line]:
    names, columns = room
    launch = group.launch
    yield sentence(sentences.heading(group, say))
    yield from _about(group, names, say)
    files = {"": names(launch.file)}
    files |= {path: names(path) for path in (found.file for found in launch.lines) if path}
    files |= {path: names(path) for path in (found.file for found in launch.findings) if path}
    shown = [row for row in counted_rows(group, say) if only in (None, row.line)]
    yield from _source_lines(shown, files, columns, say)
    for finding in launch.findings:
        if only in (None, finding.line, finding.other_line):
            first, *others = places[_place(finding, group)]
            if first is not group:
                kind, number = findings.kind_name(finding, say), first.numbers[0]
                said = say("profile.found-above", kind=kind, line=finding.line, number=number)
                yield sentence(f" {said}", "dim")
                continue
            yield from _finding_lines(finding, group, files, say)
            numbers = sorted(number for other in others for number in other.numbers)
            if numbers:
                said = say("profile.found-again", numbers=bankmap.format_lanes(numbers))
                yield sentence(f"   {said}", "dim")
    yield from _access_lines(group, columns, say, only)
    for advice in launch.advice if only is None else ():
        yield from findings.change_lines(advice, say)
    for said in sentences.strides(group, say, only):
        yield sentence(said, "good")


def counted_rows(group: LaunchGroup, say: Words) -> list[Row]:
    """Return a row for each line that ran, the worst marked."""
    lines = [
        {
            "file": line.file,
            "line": line.line,
            "source": line.source,
            "library": line.library,
            **line.counts,
        }
        for line in group.launch.lines
    ]
    return rows(lines, COUNTERS, say)


def _source_lines(
    found: Sequence[Row], files: Mapping[str, str], columns: int, say: Words
) -> Iterator[Line]:
    """Show a table; the lines of a file other than the script are below its name."""
    if not found:
        return
    head, *drawn = table(found, columns, say, head=PROFILE_HEAD, whole=True)
    yield from head
    before = None
    for row, lines in zip(found, drawn, strict=True):
        if row.file != before and (files[row.file] or before is not None):
            yield sentence(f"   {files[row.file] or Path(row.file).name}")
        before = row.file
        yield from lines


def _finding_lines(
    finding: Finding, group: LaunchGroup, files: Mapping[str, str], say: Words
) -> Iterator[Line]:
    """Draw a finding, then the source of both places as far as their lines ran."""
    yield from findings.placed_lines(finding, say, files[finding.file])
    other = finding.other_file or ("" if finding.other_line else None)
    places = [(finding.file, finding.line)]
    if other is not None and (other, finding.other_line) not in places:
        places.insert(0, (other, finding.other_line))
    if len(places) > 1:
        for place in places:
            if source := source_of(group, *place):
                yield ((f"   {place[1]:>4}  ", "dim"), (source, "text"))
    yield from findings.advice_lines(finding, say, "   ")


def source_of(group: LaunchGroup, file: str, line: int) -> str:
    """Return the text of a line that ran; "" if it did not."""
    texts = (
        found.source for found in group.launch.lines if (found.file, found.line) == (file, line)
    )
    return next(texts, "").strip()


def _access_lines(group: LaunchGroup, columns: int, say: Words, only: int | None) -> Iterator[Line]:
    """Draw the worst shared access with its bank map, and the layouts that would help."""
    worst = worst_at(group, only)
    if worst is None:
        return
    yield ()
    where = sentences.place(worst.line, "", say)
    access = warp_access.of_worst(worst, group.launch.arrays, say)
    titled = replace(access, title=say("profile.worst-access", place=where, title=access.title))
    yield from warp_access.lines(titled, columns, say, _MOST_PASSES)
    for said in sentences.proposals(group, say):
        yield sentence(said, "good")


def worst_at(group: LaunchGroup, line: int | None) -> WorstAccess | None:
    """Return the worst shared access, of one line if that is given; None if all are ideal."""
    if line is None:
        return group.worst
    here = [access for access in group.launch.worst if access.line == line and access.excess > 0]
    return max(here, key=lambda access: access.excess, default=None)
