"""Rules for masks of warp primitives: all lanes, or those that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.changes import change_span
from grader.facts import fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.candidates import RepairCandidate, RepairScene

_ALL = "0xffffffff"


def propose_masks(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose another mask for the call that a finding is about."""
    path = [] if finding.file else scene.path(finding.line, finding.column)
    name = str(finding.what.fields.get("name", ""))
    if not path or not name:
        return
    text, statement = scene.source.text, path[-1].statement
    place = scene.source.offset(finding.line, finding.column)
    call = re.compile(rf"\b{re.escape(name.rpartition('.')[2])}\s*\(\s*(?P<mask>[^(),]+?)\s*[,)]")
    calls = [*call.finditer(text, statement.start, statement.end)]
    if not calls:
        return
    found = min(calls, key=lambda each: abs(each.start() - place))
    present = finding.hint.fields.get("mask", "") if finding.hint else ""
    for mask in filter(None, (_ALL, str(present))):
        if mask != found["mask"].lower().rstrip("u"):
            what = fact("repair.mask", mask=mask, line=scene.line_of(found.start("mask")))
            yield RepairCandidate(what, (change_span(text, *found.span("mask"), mask),))
