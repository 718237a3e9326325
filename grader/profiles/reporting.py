"""Makes the report of a script's launches, and its verdict: the faults, and the costliest lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from grader.profiles.bounds import find_line_costs
from grader.profiles.grouping import group_launches
from grader.profiles.values import (
    CostlyLine,
    FaultPlace,
    LaunchGroup,
    LaunchRecord,
    LaunchReport,
    LayoutProposal,
    RefusedFeature,
    ReportVerdict,
    Space,
)
from grader.simt import Advice

WORTH: dict[Space, float] = {"shared": 1.0, "global": 1.25}
"""Wavefronts or sectors per ideal one that are not worth naming. A row that begins within a sector
touches 5 for 4."""


class _Line(NamedTuple):
    group: LaunchGroup
    file: str
    line: int
    used: int
    ideal: int

    @property
    def excess(self) -> int:
        return self.used - self.ideal


def judge(launches: Sequence[LaunchRecord], groups: Sequence[LaunchGroup]) -> ReportVerdict:
    """Return the verdict on all launches."""
    faulty = sum(bool(launch.faults) for launch in launches)
    places = tuple(dict.fromkeys(place for group in groups for place in _fault_places(group)))
    costly = tuple(line for space in WORTH if (line := _costly(groups, space)))
    unfinished = sum(not launch.finished for launch in launches)
    warnings = {
        (launch.path(found.file), found.line, found.column, found.topic)
        for launch in launches
        for found in launch.findings
        if found.kind == "warning"
    }
    return ReportVerdict(len(launches), faulty, places, costly, unfinished, len(warnings))


def _fault_places(group: LaunchGroup) -> Iterator[FaultPlace]:
    path = group.launch.path
    for fault in group.launch.faults:
        place = FaultPlace(fault.kind, fault.array, path(fault.file), fault.line)
        if fault.other_line:
            place = replace(place, other_file=path(fault.other_file), other_line=fault.other_line)
        yield place


def _costly(groups: Sequence[LaunchGroup], space: Space) -> CostlyLine | None:
    """Find the line with the most wavefronts or sectors beyond the ideal."""
    lines = [line for group in groups for line in _lines(group, space)]
    worst = max(lines, key=lambda line: line.excess, default=None)
    if worst is None or worst.used <= WORTH[space] * worst.ideal:
        return None
    share = worst.used / sum(line.used for line in lines)
    ratio = worst.used / max(1, worst.ideal)
    proposal = _proposal(worst) if space == "shared" else None
    pitch = _find_pitch(worst.group, proposal) if proposal else None
    title = worst.group.title
    return CostlyLine(space, title, worst.file, worst.line, share, ratio, proposal, pitch)


def _lines(group: LaunchGroup, space: Space) -> Iterator[_Line]:
    """Sum what each line of a group costs, over all its launches."""
    times, launch = 1 if group.summed else group.count, group.launch
    called = {(launch.path(line.file), line.line) for line in launch.lines if line.library}
    for (file, number), (used, ideal) in find_line_costs(launch, space).items():
        # What a header of ours costs is not the person's.
        least = used if (file, number) in called else ideal
        if used:
            yield _Line(group, file, number, times * used, times * least)


def _find_pitch(group: LaunchGroup, proposal: LayoutProposal) -> Advice | None:
    """Return the change of an array's pitch that the launch ran again with."""
    return next(
        (
            each
            for each in group.launch.advice
            if each.effects[0].subject == "shared_wavefronts"
            and each.what.fields["array"] == proposal.array
        ),
        None,
    )


def _proposal(line: _Line) -> LayoutProposal | None:
    """Return what is proposed for the array with the worst access of a line."""
    launch = line.group.launch
    if line.file != launch.file:
        return None
    here = [access for access in launch.worst if access.line == line.line]
    worst = max(here, key=lambda access: access.excess, default=None)
    return line.group.proposal_for(worst) if worst else None


def make_report(
    launches: Sequence[LaunchRecord],
    refused: RefusedFeature | None = None,
    *,
    kernel: str = "",
    number: int | None = None,
) -> LaunchReport:
    """Make the report.

    Args:
        refused: why the emulator ended the script, if it did.
        kernel: report on launches of the kernel of this name only, or qualified name.
        number: report on this launch only, counted from 1.
    """
    some = [
        (place, launch)
        for place, launch in enumerate(launches, 1)
        if kernel in ("", launch.kernel, launch.qualname) and number in (None, place)
    ]
    groups = group_launches(some)
    kept = tuple(launch for _, launch in some)
    return LaunchReport(judge(kept, groups), kept, groups, refused)
