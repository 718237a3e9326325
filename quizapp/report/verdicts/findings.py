"""A finding of the emulator in the person's language: its name, its sentence, what to do.

Knows no screen. Lines are drawn as `bankmap` draws them.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.simt import Advice, Effect, Finding
from quizapp.report.lines import Line, Role, Span
from quizapp.report.words import Words

_SIGNS: dict[str, Role] = {"+": "good", "-": "conflict", " ": "dim"}


def lines(finding: Finding, say: Words, *, cures: bool = True) -> Iterator[Line]:
    """Draw a finding: its kind and line, and its sentence; with `cures`, hint and advice."""
    fault = finding.kind != "warning"
    sign: Span = ("✗ ", "conflict") if fault else ("! ", "text")
    yield from named_lines(finding, kind_name(finding, say), sign, say, cures=cures)


def named_lines(
    finding: Finding, name: str, sign: Span, say: Words, *, cures: bool = True
) -> Iterator[Line]:
    """Draw a finding under a name and a sign of the caller's choice."""
    place = say("kernel.at", line=finding.line) if finding.line else ""
    yield (sign, (name + place, "text"))
    yield ((f"  {sentence(finding, say)}", "text"),)
    if not cures:
        return
    if hint := remark(finding, say):
        yield ((f"  {hint}", "dim"),)
    yield from advice_lines(finding, say, "  ")


def placed_lines(finding: Finding, say: Words, file: str = "") -> Iterator[Line]:
    """Draw a finding of a script: kind, place, sentence, block, byte and cases in one line.

    `file`: how to name the file of its place; "" for the script itself.
    """
    fault = finding.kind != "warning"
    text = " · ".join((head(finding, say, file), *details(finding, say)))
    yield ((f" {'✗' if fault else '!'} {text}", "conflict" if fault else "text"),)
    if hint := remark(finding, say):
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


def remark(finding: Finding, say: Words) -> str:
    """Say what else is known of the case; "" where that is nothing."""
    return say.hint(finding.what, finding.hint)


def in_line(finding: Finding, say: Words) -> str:
    """Say what was found, what else is known, and what removes it, in one line."""
    said = say.in_line(finding.what, finding.hint)
    if finding.advice is None:
        return said
    return say("problem.separator").join((said, _describe(finding.advice, say)))


def advice_lines(finding: Finding, say: Words, indent: str) -> Iterator[Line]:
    """Draw what removes it and its effect, if something was tried and does; then the change."""
    if finding.advice is not None:
        yield from change_lines(finding.advice, say, indent)


def change_lines(advice: Advice, say: Words, indent: str = "") -> Iterator[Line]:
    """Draw what changes do and what they changed, then the lines in which the source differs."""
    yield ((f"{indent}{_describe(advice, say)}", "good"),)
    for line in advice.diff:
        number = "" if line.sign == "+" else line.line
        yield ((f"{indent}{number:>4} ", "dim"), (f"{line.sign} {line.text}", _SIGNS[line.sign]))


def _describe(advice: Advice, say: Words) -> str:
    """Say what changes do, and what they changed when the launch ran again."""
    effects = [_effect(place, effect, say) for place, effect in enumerate(advice.effects)]
    listed = say("repair.separator").join(effects)
    return say("repair.proven", what=say.fact(advice.what), effects=listed)


def _effect(place: int, effect: Effect, say: Words) -> str:
    if effect.after:
        counts = {"before": f"{effect.before:,}", "after": f"{effect.after:,}"}
        return say("repair.counts", name=say(f"repair.counted.{effect.subject}"), **counts)
    if not place and effect.subject == "warning":
        return say("repair.removes-warning")
    if not place:
        return say("repair.removes", n=effect.before)
    kind = say(f"finding.kind.{effect.subject}")
    key = "repair.removes-too" if effect.array else "repair.removes-place"
    return say(key, kind=kind, line=effect.line, array=effect.array)
