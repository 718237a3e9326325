"""A finding as steps to walk through: who wrote, who read, what is missing between them.

Made from the fields of the finding alone, never from its sentence. Knows no screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.facts import Fact
from grader.kernels import KernelGrade
from grader.simt import Finding
from quizapp.report.lines import Line, Span
from quizapp.report.verdicts import findings, line_panel
from quizapp.report.words import Words

Three = tuple[int, int, int]
HERE = "❯"
"""The sign of the step that a person is at."""
RACES = ("race", "global-race")
"""The kinds of finding that have two ends to walk through."""
_WRITES = {
    "access.store": "inspect.writes",
    "access.load": "inspect.reads",
    "access.atomic": "inspect.updates",
}
_MISSING = {
    "thread.in-warp": "inspect.missing-warp",
    "thread.in-block": "inspect.missing-block",
    "thread.elsewhere": "inspect.missing-grid",
}


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One end of a finding, or what is missing between its ends.

    Attributes:
        line: of the source; 0 if it is about the launch as a whole.
        block, thread: whose step it is; None where it is nobody's.
    """

    line: int
    said: tuple[Line, ...]
    finding: Finding
    block: Three | None = None
    thread: Three | None = None


@dataclass(frozen=True, slots=True)
class _End:
    line: int
    block: Three
    thread: Three
    access: str


def steps(finding: Finding, say: Words, *, cures: bool = True) -> tuple[RecordedStep, ...]:
    """List the steps: of a race both ends and what is missing, else the one place there is.

    Without `cures` nothing says what is missing, and no hint is given.
    """
    ends = _ends(finding)
    if not ends:
        block = finding.block
        thread = finding.threads[0] if finding.threads else None
        said = tuple(findings.lines(finding, say, cures=cures))
        return (RecordedStep(finding.line, said, finding, block, thread),)
    element = _element(finding)
    shown = [
        RecordedStep(
            end.line, (_sentence(end, element, finding, say),), finding, end.block, end.thread
        )
        for end in ends
    ]
    if not cures:
        return tuple(shown)
    return (*shown, RecordedStep(finding.line, (*_missing(finding, ends, say),), finding))


def lines(
    known: Sequence[RecordedStep], at: int, graded: KernelGrade, room: int, say: Words
) -> Iterator[Line]:
    """Draw the steps of one finding, each with its line of the source; a person is at one of them.

    `known`: the steps of all findings. `at`: which of them the person is at.
    """
    yield ((say("inspect.step", step=at + 1, n=len(known)), "dim"),)
    yield ((findings.kind_name(known[at].finding, say), "bold"),)
    for place, step in enumerate(known):
        if step.finding is not known[at].finding:
            continue
        yield ()
        sign: Span = (f"{HERE} ", "note") if place == at else ("  ", "text")
        yield (sign, *line_panel.head(graded, step.line, room - 2, say))
        for line in step.said:
            yield (("  ", "text"), *line)


def _ends(finding: Finding) -> Sequence[_End]:
    """Return the two accesses of a race, a write first; nothing for other findings."""
    if finding.kind not in RACES or len(finding.threads) != 2:
        return ()
    blocks = finding.blocks or (finding.block or (0, 0, 0),) * 2
    later, other = (_access(finding.what, field) for field in ("access", "earlier"))
    ends = [
        _End(finding.other_line, blocks[1], finding.threads[1], other),
        _End(finding.line, blocks[0], finding.threads[0], later),
    ]
    return sorted(ends, key=lambda end: end.access == "access.load")


def _access(what: Fact, field: str) -> str:
    """Return the code of what a thread did."""
    access = what.fields.get(field)
    return access.code if isinstance(access, Fact) else ""


def _sentence(end: _End, element: str, finding: Finding, say: Words) -> Line:
    key = _WRITES.get(end.access, "inspect.touches")
    text = say(
        key,
        thread=format_position(end.thread),
        block=format_position(end.block),
        element=element,
        byte=f"{finding.address or 0:,}",
    )
    return ((text, "text"),)


def _missing(finding: Finding, ends: Sequence[_End], say: Words) -> list[Line]:
    """Say what would order the two accesses."""
    rival = finding.what.fields.get("rival")
    key = _MISSING.get(rival.code if isinstance(rival, Fact) else "", "inspect.missing-block")
    said: list[Line] = [((say("inspect.missing"), "conflict"),), ((f"  {say(key)}", "text"),)]
    if "access.atomic" in {end.access for end in ends}:
        said.append(((f"  {say('inspect.not-atomic')}", "text"),))
    elif len({end.line for end in ends}) == 1:
        said.append(((f"  {say('inspect.same-line')}", "dim"),))
    return said


def _element(finding: Finding) -> str:
    return f"{finding.array}[{', '.join(map(str, finding.index))}]"


def format_position(three: Three) -> str:
    """Write (x, y, z) without the last coordinates that are 0."""
    x, y, z = three
    return f"({x}, {y}, {z})" if z else f"({x}, {y})" if y else str(x)
