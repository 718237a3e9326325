"""Which rules propose repairs for which kind of finding."""

from __future__ import annotations

from collections.abc import Iterator

from grader.facts import Fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.atomics import propose_atomics
from grader.simt.repairs.barriers import propose_barriers, propose_moves
from grader.simt.repairs.candidates import Candidate, Scene
from grader.simt.repairs.guards import explain_guard, propose_guards


def propose(finding: Finding, scene: Scene) -> Iterator[Candidate]:
    """Propose changes of the kernel's own file for a finding, the likeliest first."""
    if finding.kind in ("race", "global-race"):
        yield from propose_atomics(finding, scene)
        yield from propose_barriers(finding, scene)
    elif finding.kind == "barrier-divergence":
        yield from propose_moves(finding, scene)
    elif finding.kind == "out-of-bounds":
        yield from propose_guards(finding, scene)


def explain(finding: Finding, scene: Scene) -> Fact | None:
    """Say why nothing is proposed for a finding, where that is known."""
    return explain_guard(finding, scene) if finding.kind == "out-of-bounds" else None
