"""Which rules propose repairs for which kind of finding."""

from __future__ import annotations

from collections.abc import Iterator

from grader.facts import Fact
from grader.simt.checks.findings import FLOAT64, UNSIGNED_WRAP, Finding
from grader.simt.repairs.atomics import propose_atomics
from grader.simt.repairs.barriers import propose_barriers, propose_moves
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.guards import explain_guard, propose_guards
from grader.simt.repairs.numbers import propose_float32, propose_wider
from grader.simt.repairs.warp_masks import propose_masks


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
