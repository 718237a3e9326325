"""Limits on counters: what was counted, what is allowed."""

from __future__ import annotations

from grader.kernels import KernelGrade, RunReport, counters_of
from grader.verdict import Gate
from quizapp.report.words import Words


def counter_name(counter: str, say: Words) -> str:
    """Name a counter; a rare one by its key."""
    return say.get(f"counter.{counter}", counter.replace("_", " "))


def describe_met(graded: KernelGrade, gate: Gate, say: Words) -> str:
    """Say what was counted where a limit is met, and what is allowed."""
    name, count = counter_name(gate.subject, say), _count(graded.runs[0], gate, say)
    return say("kernel.count.passed", name=name, count=count, limit=_limit(gate, say))


def describe_missed(graded: KernelGrade, gate: Gate, say: Words) -> str:
    """Say what was counted where a limit is missed, at which shape, and what is required."""
    ran = graded.find_run(gate)
    name, count = counter_name(gate.subject, say), _count(ran, gate, say)
    text = say("kernel.count", name=name, count=count, limit=_limit(gate, say))
    if gate.least is None:
        text = say("kernel.count.most", name=name, count=count, most=_number(gate.most or 0, gate))
    return say("kernel.for-shape", text=text, shape=ran.shape_text) if ran.shape else text


def explain(gate: Gate, say: Words) -> str:
    """Explain the limit that was missed; empty for a rare counter."""
    if gate.least is not None and gate.count is not None and gate.count < gate.least:
        return say.get(f"limit.under.{gate.subject}", "")
    return say.get(f"limit.over.{gate.subject}", "")


def _limit(gate: Gate, say: Words) -> str:
    bounds = (gate.least, gate.most)
    least, most = (_number(bound, gate) if bound is not None else "" for bound in bounds)
    if not most:
        return say("kernel.limit.least", least=least)
    if not least:
        return say("kernel.limit.most", most=most)
    if least == most:
        return say("kernel.limit.exactly", count=least)
    return say("kernel.limit.both", least=least, most=most)


def _number(n: int, gate: Gate) -> str:
    """Write a count; percents of a mean as prompts have them, in multiples of it."""
    shares = gate.subject.endswith("_percent")
    return f"{n / 100:,.2f}".rstrip("0").rstrip(".") + "×" if shares else f"{n:,}"


def _count(ran: RunReport, gate: Gate, say: Words) -> str:
    """Write the count, and how many of it are atomics where that may surprise."""
    parts = () if "_atomic_" in gate.subject else counters_of(gate.subject)
    totals, count = ran.totals, _number(gate.count or 0, gate)
    atomics = sum(totals.get(part, 0) for part in parts if "_atomic_" in part)
    return say("kernel.atomics", count=count, atomics=f"{atomics:,}") if atomics else count
