"""What the compiler makes of a kernel, in the person's words: a table, and what may make it slow.

Styled lines; knows no screen and compiles nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from grader.facts import Fact, fact, quote
from quizapp.report.lines import Line, Span, sentence, table

if TYPE_CHECKING:
    from grader.compiled import ArchitectureReport, CompilerReport, Reason
    from quizapp.report.words import Words

COLUMNS = ("architecture", "registers", "spills", "shared", "local", "occupancy", "limiter")
_RIGHT = range(1, 6)
_ALWAYS = ("architecture", "registers", "occupancy", "limiter")
"""Columns that are shown even if they are 0 everywhere."""


def lines(
    found: CompilerReport, reasons: tuple[Reason, ...], threads: int, say: Words
) -> Iterator[Line]:
    """Show registers, memory and occupancy by architecture, and what to look at.

    `reasons`: what may make it slow. `threads`: of a block.
    """
    yield sentence(say("compile.head", threads=threads, compiler=found.compiler), "dim")
    rows = [_cells(report, say) for report in found.architectures]
    shown = [name for name in COLUMNS if name in _ALWAYS or any(row[name] != "0" for row in rows)]
    head: list[str | Span] = [(say(f"compile.column.{name}"), "dim") for name in shown]
    body: list[list[str | Span]] = [[row[name] for name in shown] for row in rows]
    right = [place for place, name in enumerate(shown) if COLUMNS.index(name) in _RIGHT]
    yield from table([head, *body], right=right)
    yield from (sentence(f"· {text}") for text in reason_texts(reasons, say))


def reason_texts(reasons: tuple[Reason, ...], say: Words) -> Iterator[str]:
    """Word each reason in a sentence."""
    for reason in reasons:
        where = say("compile.where", line=reason.line) if reason.line else ""
        if reason.kind == "busiest":
            yield say.fact(fact("compile.busiest", line=reason.line, mix=_mix(reason.mix, say)))
            if reason.recomputes:
                yield say("compile.recomputed")
        elif reason.kind == "fp64":
            yield say("compile.fp64", n=reason.amount, where=where)
        else:
            yield say(f"compile.memory.{reason.kind}", bytes=f"{reason.amount:,}", where=where)


def solution_text(reasons: tuple[Reason, ...], say: Words) -> Iterator[str]:
    """Word what the solution's busiest line has, to compare with."""
    for reason in reasons:
        if reason.kind == "busiest":
            mix = _mix(reason.mix, say)
            yield say.fact(fact("compile.busiest-solution", line=reason.line, mix=mix))


def _mix(mix: Mapping[str, int], say: Words) -> tuple[Fact, ...]:
    return tuple(quote(say(f"compile.mix.{name}", n=n)) for name, n in mix.items() if n)


def _cells(report: ArchitectureReport, say: Words) -> dict[str, str]:
    limiter = say(f"gpu.limit.{report.limiter}") if report.limiter else ""
    return {
        "architecture": report.capability,
        "registers": str(report.registers),
        "spills": f"{report.spill_stores:,}",
        "shared": f"{report.shared:,}",
        "local": f"{report.local:,}",
        "occupancy": f"{100 * report.occupancy:.4g}%",
        "limiter": limiter,
    }
