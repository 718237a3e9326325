"""The verdict on a kernel, in the person's words: lines of styled text, as `bankmap` has.

What failed comes first, in a sentence; then the views a person turns through (`VIEWS`): what a GPU
measured, counts by source line, findings, wrong values, the bank map of the worst access,
differences. Knows no screen.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from grader.banks import LANES, Access, cost
from grader.kernels import Graded, Ran, WrongElement
from grader.simt import COUNTERS, Finding
from grader.verdict import Gate
from quizapp import bankmap, counted_lines, gpu_verdict
from quizapp.bankmap import Line, Span
from quizapp.domain.question import prose
from quizapp.exercises.kernels import CheckedKernel
from quizapp.exercises.spots import Spotted
from quizapp.width import columns
from quizapp.words import Words

View = Literal["gpu", "source", "findings", "values", "map", "attempt", "solution"]
VIEWS: tuple[View, ...] = ("gpu", "source", "findings", "values", "map", "attempt", "solution")
_MOST_WAVEFRONTS = 4
_MOST_VALUES = 8
_ARCH = "9.0"
_ACCESSES = {"load": "kernel.load", "store": "kernel.store"}
_VALUES_HEAD = ("kernel.element", "kernel.expected", "kernel.got", "kernel.writer")


def verdict(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """What was shown, or which gate failed first and why and what to do; then what a GPU says."""
    if checked.graded.passed:
        yield from _passed(checked.graded, say)
    else:
        yield from _failure(checked, say)
    yield from gpu_verdict.told(checked, say)


def _failure(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    gate = checked.graded.verdict.failure
    assert gate is not None  # noqa: S101 - asked before
    title = say(f"kernel.gate.{gate.name}", subject=_subject(gate, say))
    place = say("kernel.at", line=gate.line) if gate.line else ""
    yield (("✗ ", "conflict"), (title + place, "text"))
    yield ((f"  {_sentence(checked.graded, gate, say)}", "text"),)
    if gate.hint:
        yield ((f"  {gate.hint}", "dim"),)
    cause = next((one for one in checked.graded.findings if _may_cause(gate, one)), None)
    if cause is not None:
        yield ((f"  {say('kernel.also')}", "dim"),)
        yield from told(cause, say)


def _passed(graded: Graded, say: Words) -> Iterator[Line]:
    """What was shown, of a kernel that passed in the emulator."""
    elements = sum(run.elements for run in graded.runs)
    yield (
        ("✓ ", "good"),
        (say("kernel.passed", n=len(graded.runs), elements=f"{elements:,}"), "text"),
    )
    for gate in graded.verdict.gates:
        if gate.name == "counts":
            text = f"{counter_name(gate.subject, say)}: {gate.came} ({limit_text(gate, say)})"
            yield (("✓ ", "good"), (text, "dim"))


def mistake(checked: CheckedKernel, say: Words) -> str:
    """Why a known mistake is one, as Markdown; empty if it is no known one."""
    known = checked.mistake
    return "" if known is None else prose(known.why, say.language).strip()


def views(checked: CheckedKernel, before: Sequence[str], *, solved: bool) -> tuple[View, ...]:
    """The views that have something to show.

    Args:
        checked: the submission.
        before: submissions before it, the latest last.
        solved: whether the solution may be seen.
    """
    graded = checked.graded
    measured = checked.measured
    shown: dict[View, bool] = {
        "gpu": measured is not None and measured.resources is not None,
        "source": any(
            _worth_showing(counts) for run in graded.runs[:1] for counts in run.counts.values()
        ),
        "findings": len(graded.findings) > (graded.verdict.failed_at.startswith("findings")),
        "values": any(run.wrong for run in graded.runs),
        "map": graded.worst is not None and graded.worst.wavefronts > graded.worst.ideal,
        "attempt": any(one != checked.source for one in before),
        "solution": solved and checked.source != checked.question.solution,
    }
    return tuple(view for view in VIEWS if shown[view])


def view(
    name: View, checked: CheckedKernel, before: Sequence[str], say: Words, room: int
) -> Iterator[Line]:
    """The lines of one view."""
    graded = checked.graded
    match name:
        case "gpu":
            if checked.measured is not None:
                yield from gpu_verdict.table(checked.measured, graded, say)
        case "source":
            yield from source(graded, say, room)
        case "findings":
            for finding in graded.findings:
                yield from told(finding, say)
        case "values":
            yield from values(graded, say)
        case "map":
            yield from worst(graded, say, room)
        case "attempt":
            earlier = [one for one in before if one != checked.source]
            yield from difference(earlier[-1], checked.source, say)
        case "solution":
            yield from difference(checked.source, checked.question.solution or "", say)


def source(graded: Graded, say: Words, room: int) -> Iterator[Line]:
    """Lines of the submission that anything was counted on, at the first shape."""
    run = graded.runs[0]
    texts = graded.source.split("\n")
    lines = [
        {"line": line, "source": texts[line - 1] if line <= len(texts) else "", **counts}
        for line, counts in sorted(run.counts.items())
        if _worth_showing(counts)
    ]
    yield ((_launched(run, say), "dim"),)
    yield from counted_lines.table(counted_lines.rows(lines, COUNTERS), room, say("kernel.line"))
    yield ((say("kernel.as-written"), "dim"),)


def _worth_showing(counts: Mapping[str, int]) -> bool:
    """Whether a line does more than compute with all threads of its warps."""
    computes = {"instructions", "lanes"}
    idle = counts.get("lanes", 0) < LANES * counts.get("instructions", 0)
    return idle or any(count for name, count in counts.items() if name not in computes)


def _may_cause(gate: Gate, finding: Finding) -> bool:
    """Whether wrong values may come from it: what was not written is itself a consequence."""
    return gate.name == "result" and finding.kind not in ("warning", "never-written")


def told(finding: Finding, say: Words) -> Iterator[Line]:
    """A finding in a sentence or two."""
    fault = finding.kind != "warning"
    sign: Span = ("✗ ", "conflict") if fault else ("! ", "text")
    yield from _told(finding, sign, say)


def _told(finding: Finding, sign: Span, say: Words) -> Iterator[Line]:
    where = say("kernel.at", line=finding.line) if finding.line else ""
    yield (sign, (say(f"finding.kind.{finding.kind}") + where, "text"))
    yield ((f"  {finding_text(finding, say)}", "text"),)
    if finding.hint:
        yield ((f"  {finding.hint}", "dim"),)


def values(graded: Graded, say: Words) -> Iterator[Line]:
    """Wrong elements of the first run that has any: expected, got, and who wrote them last."""
    run = next(run for run in graded.runs if run.wrong)
    yield (
        (
            say(
                "kernel.wrong-of",
                n=run.wrong_count,
                wrong=f"{run.wrong_count:,}",
                elements=f"{run.elements:,}",
                shape=_shape(run),
            ),
            "dim",
        ),
    )
    head = tuple(say(key) for key in _VALUES_HEAD)
    table = [head, *(_value_cells(one, say) for one in run.wrong[:_MOST_VALUES])]
    widths = [max(columns(row[i]) for row in table) for i in range(len(head))]
    for i, row in enumerate(table):
        element, expected, got, writer = (
            " " * (width - columns(cell)) + cell if number in (1, 2) else _left(cell, width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield ((f"  {element}  {expected}  {got}  {writer}".rstrip(), "text" if i else "dim"),)


def worst(graded: Graded, say: Words, room: int) -> Iterator[Line]:
    """The bank map of the shared access that is furthest from its ideal."""
    found = graded.worst
    assert found is not None  # noqa: S101 - see `views`
    kind = say(_ACCESSES.get(found.kind, "kernel.atom"))
    access = Access(found.kind, found.width, np.array(found.addresses), np.array(found.active))  # type: ignore[arg-type]
    text = graded.source.split("\n")[found.line - 1].strip()
    yield ((say("kernel.worst", line=found.line, kind=kind), "text"),)
    yield ((f"  {text}", "text"),)
    costed = cost(access, _ARCH)
    yield from bankmap.picture(costed, _ARCH, room, say, most=_MOST_WAVEFRONTS)
    yield ((bankmap.figures(costed, say), "text"),)
    yield ((bankmap.witness(costed, say), "text"),)


def difference(old: str, new: str, say: Words) -> Iterator[Line]:
    """What is new and what is gone, line by line."""
    lines = [*difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)][2:]
    if not lines:
        yield ((say("kernel.no-difference"), "dim"),)
    for line in lines:
        role = {"+": "good", "-": "conflict", "@": "dim"}.get(line[:1], "text")
        yield ((line, role),)  # type: ignore[misc]


def spotted(found: Spotted, say: Words) -> Iterator[Line]:
    """What is wrong with the kernel of a `spot` question."""
    for finding in found.findings:
        yield from _told(finding, ("• ", "text"), say)


def finding_text(finding: Finding, say: Words) -> str:
    """What was found, in a sentence."""
    index = ", ".join(map(str, finding.index))
    element = f"{finding.array}[{index}]" if index else finding.array
    threads = " · ".join(str(thread) for thread in finding.threads) or "–"
    return say(
        f"finding.{finding.kind}",
        message=finding.message,
        element=element,
        line=finding.line,
        other=finding.other_line or finding.line,
        threads=threads,
        count=f"{finding.count:,}",
    )


def counter_name(counter: str, say: Words) -> str:
    """A counter in the person's words; rare ones as they are called."""
    return say.get(f"counter.{counter}", counter.replace("_", " "))


def limit_text(gate: Gate, say: Words) -> str:
    """What a limit allows."""
    return gate.expected if say.language == "en" else _translated(gate.expected, say)


def _translated(expected: str, say: Words) -> str:
    words = (("at least", "kernel.least"), ("at most", "kernel.most"), (" and ", "kernel.and"))
    for english, key in words:
        expected = expected.replace(english, say(key))
    return expected


def _subject(gate: Gate, say: Words) -> str:
    if gate.name == "counts":
        return counter_name(gate.subject, say)
    return say(f"finding.kind.{gate.subject}") if gate.subject else ""


def _sentence(graded: Graded, gate: Gate, say: Words) -> str:
    """Why a gate was not passed."""
    match gate.name:
        case "counts":
            name = counter_name(gate.subject, say)
            return say("kernel.count", name=name, came=gate.came, limit=limit_text(gate, say))
        case "result":
            run = graded.runs[-1]
            first = run.wrong[0]
            element, expected, got, writer = _value_cells(first, say)
            return say("kernel.result", element=element, expected=expected, got=got, writer=writer)
        case "findings" | "runs":
            found = next(
                (f for run in graded.runs for f in run.faults if f.kind == gate.subject), None
            )
            return gate.came if found is None else finding_text(found, say)
    return gate.came


def _value_cells(one: WrongElement, say: Words) -> tuple[str, str, str, str]:
    element = f"{one.array}[{', '.join(map(str, one.index))}]"
    writer = one.writer
    if writer is None:
        return element, one.expected, one.got, say("kernel.never")
    who = {"thread": _point(writer.thread), "block": _point(writer.block), "line": writer.line}
    return element, one.expected, one.got, say("kernel.written", **who)


def _point(place: Sequence[int]) -> str:
    """(x, y, z) without the last that are 0."""
    x, y, z = place
    return f"({x}, {y}, {z})" if z else f"({x}, {y})" if y else str(x)


def _launched(run: Ran, say: Words) -> str:
    grid, block = counted_lines.sizes(run.grid), counted_lines.sizes(run.block)
    return say("kernel.launched", shape=_shape(run), grid=grid, block=block)


def _shape(run: Ran) -> str:
    return ", ".join(f"{name} = {size}" for name, size in run.shape.items())


def _left(cell: str, width: int) -> str:
    return cell + " " * (width - columns(cell))
