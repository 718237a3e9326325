"""What is wrong with the kernel of a `spot` question, or what its lines cost."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.exercises.spots import SpotAnswer, kind_of
from quizapp.report import numbered_code
from quizapp.report.lines import Line
from quizapp.report.verdicts import findings
from quizapp.report.words import Words


def lines(answer: SpotAnswer, named: tuple[int, str] | None, say: Words) -> Iterator[Line]:
    """Draw the answer.

    `named`: the line and the kind that a person gave; of a cause, the line where it shows is added.
    """
    if named is not None and named in answer.causes:
        shown = ", ".join(map(str, answer.lines))
        yield (("• ", "text"), (say("spot.comes-from", line=named[0], lines=shown), "text"))
    for slow in answer.costs:
        text = say(f"spot.cost.{slow.kind}", line=slow.line, spent=slow.spent, ideal=slow.ideal)
        yield (("• ", "text"), (text, "text"))
    for finding in answer.findings:
        name = numbered_code.kind_name(kind_of(finding), say)
        yield from findings.named_lines(finding, name, ("• ", "text"), say)
