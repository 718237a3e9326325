"""The verdict on a kernel: what it has shown, or which gate failed, why, and what to do.

Styled lines; `kernel_views` has what a person may look at below. Knows no screen.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.kernels import KernelGrade, fault_name
from grader.simt import Finding
from grader.verdict import Gate
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report.lines import Line
from quizapp.report.verdicts import count_limits, findings, gpu_verdict
from quizapp.report.verdicts.excerpt import excerpt
from quizapp.report.words import Words


def verdict(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """Draw the emulator's verdict, then what a GPU says."""
    if checked.graded.passed:
        yield from _passed_lines(checked.graded, say)
    else:
        yield from failure(checked, say)
    yield from gpu_verdict.verdict(checked, say)


def _passed_lines(graded: KernelGrade, say: Words) -> Iterator[Line]:
    elements = sum(run.elements for run in graded.runs)
    yield (
        ("✓ ", "good"),
        (say("kernel.passed", n=len(graded.runs), elements=f"{elements:,}"), "text"),
    )
    for gate in graded.verdict.gates:
        if gate.name == "counts":
            yield (("✓ ", "good"), (count_limits.describe_met(graded, gate, say), "dim"))


def failure(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """Draw the gate that failed, why, and what to do, unless that is withheld; one has."""
    gate = checked.graded.verdict.failure
    assert gate is not None
    title = say(f"kernel.gate.{gate.name}", subject=_subject(gate, say))
    place = say("kernel.at", line=gate.line) if gate.line else ""
    yield (("✗ ", "conflict"), (title + place, "text"))
    stopped = gate.subject == "budget"
    cures = checked.tells_cures
    if cures and (stopped or gate.name == "counts") and checked.lacks_tensor_cores:
        yield ((f"  {say('kernel.lacks-tensor-cores')}", "text"),)
    yield ((f"  {_sentence(checked.graded, gate, say)}", "text"),)
    if stopped:
        yield ((f"  {_describe_stop(checked, say)}", "text"),)
    if gate.name == "source":
        yield from excerpt(checked.graded.source, gate.line, gate.column)
    if cures or gate.name == "source":  # where code is not read, its syntax is the matter
        yield from _cure_lines(checked, gate, say)
    finding = find_shown(checked.graded)
    if finding is not None and gate.name != "findings":
        yield ((f"  {say('kernel.also')}", "dim"),)
        yield from findings.lines(finding, say, cures=cures)


def _cure_lines(checked: CheckedKernel, gate: Gate, say: Words) -> Iterator[Line]:
    """Draw what to do about a gate: what its limit means, the hint, and changes that were tried."""
    if gate.name == "counts" and (meaning := count_limits.explain(gate, say)):
        yield ((f"  {meaning}", "text"),)
    names = gate.hint is not None and gate.hint.code.startswith("suggest.")
    withheld = names and not checked.tells_cures  # nobody learns names by trying
    if gate.reason and not withheld and (hint := say.hint(gate.reason, gate.hint)):
        yield ((f"  {hint}", "dim"),)
    if gate.name == "counts":
        for advised in checked.graded.runs[0].advice:
            yield from findings.change_lines(advised, say, "  ")
    finding = find_shown(checked.graded)
    if finding is not None and gate.name == "findings":
        yield from findings.advice_lines(finding, say, "  ")


def _describe_stop(checked: CheckedKernel, say: Words) -> str:
    """Say how much a kernel did that was stopped, and what the solution takes, where known."""
    ran = checked.graded.runs[-1]
    count = f"{ran.totals.get('instructions', 0):,}"
    others = checked.reference.runs if checked.reference is not None else ()
    if not others:
        return say("kernel.stopped-after", count=count)
    other = next((each for each in others if each.shape == ran.shape), others[0])
    takes = f"{other.totals.get('instructions', 0):,}"
    return say("kernel.stopped-beside", count=count, solution=takes, shape=other.shape_text)


def find_shown(graded: KernelGrade) -> Finding | None:
    """Return the finding that the verdict shows: what failed, or a cause of wrong values."""
    gate = graded.verdict.failure
    if gate is None:
        return None
    return next((found for found in graded.findings if _is_shown(gate, found)), None)


def _subject(gate: Gate, say: Words) -> str:
    if gate.name == "counts":
        return count_limits.counter_name(gate.subject, say)
    return say(f"finding.kind.{gate.subject}") if gate.subject else ""


def _sentence(graded: KernelGrade, gate: Gate, say: Words) -> str:
    """Say why a gate failed; of a finding, also at which shape."""
    if gate.name == "counts":
        return count_limits.describe_missed(graded, gate, say)
    text = say.fact(gate.reason) if gate.reason else ""
    for run in graded.runs:
        if run.shape and any(fault_name(fault) == gate.subject for fault in run.faults):
            return say("kernel.for-shape", text=text, shape=run.shape_text)
    return text


def _is_shown(gate: Gate, finding: Finding) -> bool:
    """Return True for what failed, and for what wrong values may come from: no consequence."""
    if gate.name == "findings":
        return fault_name(finding) == gate.subject and finding.line == gate.line
    return gate.name == "result" and finding.kind not in ("warning", "never-written")
