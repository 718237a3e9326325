"""Which rules propose repairs for which kind of finding, and that for masks of warp primitives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.changes import change_span
from grader.facts import Fact, fact
from grader.simt.checks.findings import FLOAT64, UNSIGNED_WRAP, Finding
from grader.simt.repairs.atomics import propose_atomics
from grader.simt.repairs.barriers import propose_barriers, propose_moves
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.guards import explain_guard, propose_guards
from grader.simt.repairs.numbers import propose_float32, propose_wider

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


def propose(finding: Finding, scene: RepairScene) -> Iterator[RepairCandidate]:
    """Propose changes of the kernel's own file for a finding, the likeliest first."""
    if finding.kind in ("race", "global-race"):
        yield from propose_atomics(finding, scene)
        yield from propose_barriers(finding, scene)
    elif finding.kind == "barrier-divergence":
        yield from propose_moves(finding, scene)
    elif finding.kind == "out-of-bounds":
        yield from propose_guards(finding, scene)
    elif finding.kind in ("warp-mask", "absent-lanes"):
        yield from propose_masks(finding, scene)
    elif finding.kind == "overflow" or finding.topic == UNSIGNED_WRAP:
        yield from propose_wider(finding, scene)
    elif finding.topic == FLOAT64:
        yield from propose_float32(finding, scene)


def explain(finding: Finding, scene: RepairScene) -> Fact | None:
    """Say why nothing is proposed for a finding, where that is known."""
    return explain_guard(finding, scene) if finding.kind == "out-of-bounds" else None
