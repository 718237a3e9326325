"""Makes the report of a script's launches."""

from __future__ import annotations

from collections.abc import Sequence

from grader.profiles.grouping import group_launches
from grader.profiles.values import LaunchRecord, LaunchReport, RefusedFeature
from grader.profiles.verdicts import judge


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
