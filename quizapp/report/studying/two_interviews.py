"""Two people's reports on the same interview, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from quizapp.report.lines import Line, sentence, table
from quizapp.report.numbers import clock_time, percent
from quizapp.report.studying.interview import name_of

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.mock.interview_report import InterviewReport
    from quizapp.study.mock.shared_interview import OtherStage, SharedInterview

_LONGEST = 44
"""Columns of a stage's name."""
_TICKED = "recall"
"""The kind that a person judges."""


def lines(mine: InterviewReport, other: SharedInterview, say: Words) -> Iterator[Line]:
    """Show every stage of an interview beside what the other person made of it.

    What a person judged by a rubric has `~` before its score.
    """
    theirs = {f"{stage.theme}/{stage.stage}": stage for stage in other.interview.stages}
    names = ("stage", "you", "time", "other", "time")
    rows: list[tuple[str, ...]] = [tuple(say(f"mock.column.{name}") for name in names)]
    for number, stage in enumerate(mine.stages, 1):
        beside = theirs.get(f"{stage.theme}/{stage.name}")
        own = _shown(stage.state, stage.kind, stage.worth, stage.elapsed_ms)
        given = ("–", "–") if beside is None else _other(beside)
        named = say("mock.numbered", number=number, name=name_of(stage, say, _LONGEST))
        rows.append((named, *own, *given))
        probes = (stage.probes_worth, None if beside is None else beside.probes_worth)
        if any(each is not None for each in probes):
            mine_too, theirs_too = map(percent, probes)
            rows.append((say("mock.probes-row"), mine_too, "–", theirs_too, "–"))
    reached = {f"{stage.theme}/{stage.name}" for stage in mine.stages}
    rows += [
        (stage.stage.replace("-", " "), "–", "–", *_other(stage))
        for name, stage in theirs.items()
        if name not in reached
    ]
    rows.append((say("mock.score"), percent(mine.score), "", percent(other.interview.score), ""))
    yield sentence("")
    yield sentence(say("mock.two"), "bold")
    yield from table(rows, right=(1, 2, 3, 4))


def _other(stage: OtherStage) -> Sequence[str]:
    return _shown(stage.state, stage.kind or "", stage.worth, stage.elapsed_ms)


def _shown(state: str, kind: str, score: float | None, elapsed_ms: int) -> Sequence[str]:
    """Write a stage's score and time; nothing where it was not answered, or is not told."""
    if score is None or state not in ("right", "wrong", "gave-up"):
        return "–", "–"
    return ("~" if kind == _TICKED else "") + percent(score), clock_time(elapsed_ms)
