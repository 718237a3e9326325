"""The report on launches as plain data, for `--json`: what is 0, empty, or unknown is left out.

The keys are promised in docs/cli.md; `grader.profiles` reads them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from grader import profiles
from grader.profiles import (
    CostlyLine,
    CountedLine,
    LaunchGroup,
    LaunchRecord,
    LaunchReport,
    RefusedFeature,
)
from grader.simt import Finding
from quizapp.report.words import Words

Plain = dict[str, Any]

FORMAT = 3
"""The version of the report; in the first, counters that are 0 were there, and `bound` had cycles
of `instructions` up to the second."""


def report_as_plain(report: LaunchReport, say: Words) -> Plain:
    """Return verdict, launches, layouts that help, and what the emulator refused."""
    return {
        "verdict": verdict_as_plain(report),
        "launches": [*_launches(report, say)],
        "layouts": [plain for group in report.groups for plain in _layouts(group)],
        "strides": [plain for group in report.groups for plain in _strides(group)],
        "refused": _refused(report.refused),
    }


def report_as_rows(report: LaunchReport, added: Plain, say: Words) -> Iterator[Plain]:
    """Return one document per launch, then one with everything else and what was added."""
    yield from _launches(report, say)
    rest = report_as_plain(replace(report, launches=()), say)
    del rest["launches"]
    yield rest | added


def verdict_as_plain(report: LaunchReport) -> Plain:
    """Return how many launches have faults, which, and the costliest lines."""
    found = report.verdict
    costly = [_costly(line) for line in found.costly]
    faults = [_short(asdict(fault)) for fault in found.faults]
    counts = {"unfinished": found.unfinished, "warnings": found.warnings}
    plain = {"launches": found.launches, "faulty": found.faulty, "costly": costly}
    return {**plain, "faults": faults, **counts}


def _costly(line: CostlyLine) -> Plain:
    shown = asdict(replace(line, pitch=None))  # the launch has it
    return {**_short(shown), "share": round(line.share, 4), "ratio": round(line.ratio, 4)}


def _launches(report: LaunchReport, say: Words) -> Iterator[Plain]:
    """Yield the launches; of several with the same worst accesses, the first alone has them."""
    known: set[object] = set()
    for launch in report.launches:
        plain = _launch(launch, say)
        accesses = launch.qualname, launch.file, launch.worst, launch.arrays, launch.scattered
        if accesses not in known:
            known.add(accesses)
            plain["worst"] = [asdict(access) for access in launch.worst]
            plain["arrays"] = [asdict(array) for array in launch.arrays]
            plain["scattered"] = [asdict(access) for access in launch.scattered]
        yield plain


def _launch(launch: LaunchRecord, say: Words) -> Plain:
    bound = profiles.find_bound(profiles.own_totals(launch))
    return {
        "kernel": launch.kernel,
        "qualname": launch.qualname,
        "file": launch.file,
        "line": launch.line,
        "grid": launch.grid,
        "block": launch.block,
        "seconds": launch.seconds,
        "finished": launch.finished,
        "operations": launch.operations,
        "caller": _short(asdict(launch.caller)),
        "arguments": [_short(asdict(argument)) for argument in launch.arguments],
        "bound": {
            "limit": bound.limit,
            "cycles": bound.cycles,
            "bytes_moved": bound.bytes_moved,
            "bytes_needed": bound.bytes_needed,
        },
        "totals": launch.totals,
        "ncu": profiles.ncu_metrics(launch.totals),
        "lines": [_line(line) for line in launch.lines],
        "findings": [finding_as_plain(finding, say) for finding in launch.findings],
        "advice": [asdict(advice) for advice in launch.advice],
        **({"compiler": launch.compiler} if launch.compiler else {}),
        **({"libraries": launch.libraries} if launch.libraries else {}),
        **({"shared_bytes": launch.shared_bytes} if launch.shared_bytes else {}),
    }


def _line(line: CountedLine) -> Plain:
    place = {"line": line.line, "column": line.column, "source": line.source, **line.counts}
    return {"file": line.file, **place} if line.file else place


def finding_as_plain(finding: Finding, say: Words) -> Plain:
    """Return a finding; its advice is null where it follows from the code of `what`."""
    hint = finding.hint and asdict(finding.hint)
    return {
        **_short(asdict(finding)),
        "hint": hint,
        "sentence": say.in_line(finding.what, finding.hint),
    }


def _layouts(group: LaunchGroup) -> Iterator[Plain]:
    for found in group.proposals:
        yield {"kernel": group.title, "launches": group.numbers, **_short(asdict(found))}


def _strides(group: LaunchGroup) -> Iterator[Plain]:
    for found in group.strides:
        yield {"kernel": group.title, "launches": group.numbers, **_short(asdict(found))}


def _refused(refused: RefusedFeature | None) -> Plain | None:
    if refused is None:
        return None
    return {**_short(asdict(refused)), "hint": refused.hint and asdict(refused.hint)}


def _short(values: Mapping[str, Any]) -> Plain:
    """Leave out what is unknown or empty; a byte address may be 0."""
    return {
        name: value
        for name, value in values.items()
        if (name == "address" and value is not None) or value not in (None, "", 0, (), [], {})
    }
