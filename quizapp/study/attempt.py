"""One answer: from what a person did to a verdict, a rating and the event that records both.

Pure but for ids: no store, no clock. `Study` supplies what is known and commits the result.
"""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass
from typing import Any

from quizapp.domain import schedule
from quizapp.domain.days import Moment
from quizapp.domain.events import Answered, Body, Hinted, ParametersSet, Rerated, Tried
from quizapp.domain.grading import (
    Expected,
    Grade,
    accepted,
    grade_choice,
    grade_number,
    grade_recall,
)
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    Index,
    Kernel,
    Number,
    PutQuestion,
    Recall,
    Spot,
)
from quizapp.domain.rating import Effort, Pace, Rating, Suggestion, suggest, suggest_recall
from quizapp.domain.schedule import Parameters
from quizapp.domain.session import Stage
from quizapp.store import NewEvent
from quizapp.study.values import Asked, Given, Graded, Submission


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds around an answer: when, on which study day, in which session, tuned how.

    `announce`: the log does not know these parameters yet, so their event goes first.
    """

    moment: Moment
    day: int
    session: str
    parameters: Parameters
    announce: bool
    pace: Pace


def drawn_order(question: AnyQuestion, name: str, repetition: int) -> tuple[int, ...]:
    """The order of a choice's options, new at each review and the same whenever it is redrawn."""
    if not isinstance(question, Choice):
        return ()
    order = list(range(len(question.options)))
    if question.shuffle:
        random.Random(f"{name}#{repetition}").shuffle(order)  # noqa: S311 - no secret
    return tuple(order)


def expected(question: PutQuestion) -> Expected | None:
    """What a number question accepts; None for other kinds."""
    if not isinstance(question, Number):
        return None
    value = question.answer
    if question.compute is not None:
        from grader.compute import compute  # noqa: PLC0415 - NumPy, 80 ms; see `tui.preload`

        value = compute(question.compute)
    return accepted(question, 0.0 if value is None else value)


def grade(asked: Asked, given: Given, setting: Setting) -> Graded:
    """The verdict on an answer, with the events to commit."""
    bounds = expected(asked.question)
    outcome = _outcome(asked.question, given, bounds)
    effort = Effort(
        correct=outcome.correct,
        score=outcome.score,
        hints=given.hints,
        failures=given.failures,
        gave_up=given.gave_up,
        duration_ms=given.duration_ms,
        confidence=given.confidence,
    )
    recall = isinstance(asked.question, Recall)
    suggestion = suggest_recall(effort) if recall else suggest(effort, setting.pace)
    days = schedule.preview(asked.entry.id, asked.card.memory, setting.day, setting.parameters)
    answer = _answered(asked, effort, given, (suggestion, days[suggestion.rating]), setting)
    bodies: list[tuple[str | None, Body]] = [(asked.entry.id, answer)]
    if setting.announce:
        bodies.insert(0, (None, ParametersSet(parameters=setting.parameters)))
    events = tuple(new_event(name, body, setting) for name, body in bodies)
    return Graded(asked, given, outcome, suggestion, days, bounds, events)


def rerate(graded: Graded, rating: Rating, setting: Setting) -> NewEvent:
    """The event that overrides the rating of an answer."""
    due = setting.day + graded.days[rating]
    body = Rerated(target=graded.event_id, rating=rating, due_day=due)
    return new_event(graded.asked.entry.id, body, setting)


def tried(asked: Asked, checked: Submission, setting: Setting) -> NewEvent:
    """The event that keeps a submission that failed."""
    body = Tried(
        content_hash=asked.entry.content_hash,
        rev=asked.entry.rev,
        study_day=setting.day,
        utc_ms=setting.moment.utc_ms,
        offset_s=setting.moment.offset_s,
        source=checked.source,
        gate=checked.gate,
    )
    return new_event(asked.entry.id, body, setting)


def hinted(asked: Asked, number: int, setting: Setting) -> NewEvent:
    """The event of a hint that was shown."""
    body = Hinted(number=number, utc_ms=setting.moment.utc_ms)
    return new_event(asked.entry.id, body, setting)


def new_event(question: str | None, body: Body, setting: Setting) -> NewEvent:
    """An event with an id of its own, ready to be appended as often as needed."""
    return NewEvent(
        id=uuid.uuid4().hex,
        session=setting.session,
        question=question,
        body=body,
        utc_ms=setting.moment.utc_ms,
    )


def _outcome(question: PutQuestion, given: Given, bounds: Expected | None) -> Grade:
    if given.gave_up:
        return Grade(correct=False, score=0.0)
    match question:
        case Choice():
            return grade_choice(question, given.picked)
        case Recall():
            return grade_recall(question, given.covered)
        case Index() | Kernel() | Spot():
            return Grade(given.solved, float(given.solved))
        case Number():
            if bounds is None or given.value is None:
                return Grade(correct=False, score=0.0)
            return grade_number(bounds, given.value)


def _answered(
    asked: Asked,
    effort: Effort,
    given: Given,
    chosen: tuple[Suggestion, int],
    setting: Setting,
) -> Answered:
    """The event of an answer; `chosen` is the rating and the days until it returns."""
    suggestion, days = chosen
    return Answered(
        kind=asked.entry.kind,
        content_hash=asked.entry.content_hash,
        rev=asked.entry.rev,
        study_day=setting.day,
        utc_ms=setting.moment.utc_ms,
        offset_s=setting.moment.offset_s,
        correct=effort.correct,
        score=effort.score,
        hints=effort.hints,
        failures=effort.failures,
        gave_up=effort.gave_up,
        duration_ms=effort.duration_ms,
        confidence=None if effort.confidence is None else int(effort.confidence),
        response=_response(given),
        drawn=_drawn(asked),
        rating=suggestion.rating,
        rule=suggestion.rule,
        scheduler=schedule.SCHEDULER_VERSION,
        parameters_id=setting.parameters.id,
        due_day=setting.day + days,
        repeat=asked.item.stage is Stage.REPEAT,
    )


def _drawn(asked: Asked) -> dict[str, Any]:
    """What was drawn for this review, by what it is."""
    drawn: dict[str, Any] = {"order": asked.order} if asked.order else {}
    if asked.drawn is not None:
        drawn["parameters"] = dict(asked.drawn.parameters)
    return drawn


def _response(given: Given) -> str:
    """What was answered, as it can be read back: their text, or the positions they chose."""
    chosen = given.picked or given.covered
    parts = [given.text, " ".join(map(str, chosen)) if chosen else ""]
    return "\n".join(part for part in parts if part)
