"""A finding of the emulator in the person's language: its name, its sentence, what to do.

Knows no screen. Lines are drawn as `bankmap` draws them.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.facts import Fact
from grader.simt import Finding
from quizapp.report.lines import Line, Span
from quizapp.report.words import Words

_BARRIERS = {
    "thread.in-warp": ("cuda.syncwarp()", "__syncwarp()"),
    "thread.in-block": ("cuda.syncthreads()", "__syncthreads()"),
}
"""What orders a thread with another one, by where that is: in Numba, and in CUDA C++."""


def lines(finding: Finding, say: Words) -> Iterator[Line]:
    """Draw a finding: its kind and line, its sentence, its advice."""
    fault = finding.kind != "warning"
    sign: Span = ("✗ ", "conflict") if fault else ("! ", "text")
    yield from named_lines(finding, kind_name(finding, say), sign, say)


def named_lines(finding: Finding, name: str, sign: Span, say: Words) -> Iterator[Line]:
    """Draw a finding under a name and a sign of the caller's choice."""
    place = say("kernel.at", line=finding.line) if finding.line else ""
    yield (sign, (name + place, "text"))
    yield ((f"  {sentence(finding, say)}", "text"),)
    if hint := advice(finding, say):
        yield ((f"  {hint}", "dim"),)


def placed_lines(finding: Finding, say: Words, file: str = "") -> Iterator[Line]:
    """Draw a finding of a script: kind, place, sentence, block, byte and cases in one line.

    Args:
        finding: of a launch.
        say: the catalogue.
        file: how to name the file of its place; "" for the script itself.
    """
    fault = finding.kind != "warning"
    text = " · ".join((head(finding, say, file), *details(finding, say)))
    yield ((f" {'✗' if fault else '!'} {text}", "conflict" if fault else "text"),)
    if hint := script_advice(finding, say):
        yield ((f"   {hint}", "dim"),)


def head(finding: Finding, say: Words, file: str = "") -> str:
    """Say in one line the kind, the place and what was found; `file` as of `placed_lines`."""
    place = (
        say("place.line-of-file", line=finding.line, file=file)
        if file
        else say("place.line", line=finding.line)
    )
    kind = kind_name(finding, say)
    return say("finding.placed", kind=kind, place=place, text=sentence(finding, say))


def details(finding: Finding, say: Words) -> Iterator[str]:
    """Say which block it is of, where in memory, and how often it happens."""
    if finding.block is not None:
        yield say("finding.block-of", block=str(finding.block))
    if finding.address is not None:
        array = say("finding.shared-array") if finding.space == "shared" else finding.array
        yield say("finding.byte", address=finding.address, array=array)
    if finding.count > 1 and finding.kind != "never-written":
        yield say("finding.cases", count=f"{finding.count:,}")


def kind_name(finding: Finding, say: Words) -> str:
    """Return the name of a finding's kind."""
    return say(f"finding.kind.{finding.kind}")


def sentence(finding: Finding, say: Words) -> str:
    """Say what was found in the first case."""
    return say.fact(finding.what)


def script_advice(finding: Finding, say: Words) -> str:
    """Say how to fix it; of a race within a block, also which barrier orders it, and where."""
    rival = finding.what.fields.get("rival")
    barriers = _BARRIERS.get(rival.code) if isinstance(rival, Fact) else None
    if barriers is None or finding.line in (0, finding.other_line) or not finding.other_line:
        return advice(finding, say)
    if finding.file != finding.other_file:
        return advice(finding, say)
    first, second = sorted((finding.line, finding.other_line))
    barrier = barriers[finding.what.fields.get("language") == "cuda"]
    between = say("finding.barrier-between", barrier=barrier, first=first, second=second)
    why = advice(finding, say)
    return say("advice.both", first=between, second=why) if why else between


def advice(finding: Finding, say: Words) -> str:
    """Say how to fix it; "" where that is not known."""
    return say.hint(finding.what, finding.hint)
