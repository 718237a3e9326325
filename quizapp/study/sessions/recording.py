"""Grades and rates a response, and makes the events that record it.

Pure but for ids: no store, no clock. `Session` supplies what is known and commits the events.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from quizapp.domain import schedule
from quizapp.domain.attempt import Assessment, GradedSubmission, Response
from quizapp.domain.credit import credit_of
from quizapp.domain.days import Instant
from quizapp.domain.grading import (
    Grade,
    grade_choice,
    grade_facts,
    grade_number,
    grade_recall,
    guess_score,
    is_terse,
)
from quizapp.domain.log.event_bounds import LONGEST_TEXT
from quizapp.domain.log.events import Answered, Body, ParametersSet, Rerated, Submitted, Tried
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    FactChoice,
    Index,
    InputChoice,
    Kernel,
    Number,
    PutQuestion,
    Recall,
    Spot,
)
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Effort, Pace, Rating, Suggestion, suggest, suggest_recall
from quizapp.domain.schedule import Load, Parameters
from quizapp.exercises.numbers import compute_answer
from quizapp.store.log import NewEvent
from quizapp.study.values import GradedResponse, Turn

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms


@dataclass(frozen=True, slots=True)
class Occasion:
    """When something is recorded: moment, study day, session, and the scheduler's parameters.

    `announce` is True if the log does not know these parameters yet, so that their event goes
    first. `load`: what the other questions ask of the days to come. `bring_forward` makes the due
    day that the schedule chose the plan's. `submission` is the event that
    holds the code already; empty if there is none.
    """

    moment: Instant
    day: int
    session: str
    parameters: Parameters
    announce: bool
    pace: Pace
    load: Load | None = None
    bring_forward: Callable[[int], int] = int
    submission: str = ""


def draw_order(question: AnyQuestion, name: str, repetition: int) -> tuple[int, ...]:
    """Draw the order of a choice's options, new at each review and the same if drawn again."""
    if not isinstance(question, Choice):
        return ()
    order = list(range(len(question.options)))
    if question.shuffle:
        random.Random(f"{name}#{repetition}").shuffle(order)
    return tuple(order)


def grade(turn: Turn, response: Response, occasion: Occasion) -> GradedResponse:
    """Grade a response, rate it, and make the events to commit."""
    result = grade_response(turn.question, response)
    suggestion = suggest_rating(turn.question, result, response, occasion.pace)
    days = schedule.preview(
        turn.entry.id, turn.card.memory, occasion.day, occasion.parameters, occasion.load
    )
    answer = _record_answer(turn, response, Assessment(result, suggestion, days), occasion)
    shown = {r: occasion.bring_forward(occasion.day + n) - occasion.day for r, n in days.items()}
    bodies: list[tuple[str | None, Body]] = [(turn.entry.id, answer)]
    if occasion.announce:
        bodies.insert(0, (None, ParametersSet(parameters=occasion.parameters)))
    events = tuple(new_event(name, body, occasion) for name, body in bodies)
    return GradedResponse(result, suggestion, shown, turn, response, events, days)


def grade_apart(turn: Turn, response: Response) -> GradedResponse:
    """Grade a response that moves no schedule; whoever asks adds the event that records it."""
    result = grade_response(turn.question, response)
    suggestion = suggest_rating(turn.question, result, response, Pace(first_exposure=True))
    return GradedResponse(result, suggestion, dict.fromkeys(Rating, 0), turn, response, ())


def chance_of(question: PutQuestion, effort: Effort) -> float:
    """Return what a guess at a question scores on average; 0 of one that was given up."""
    if not isinstance(question, Choice) or isinstance(question, FactChoice | InputChoice):
        return 0.0
    return 0.0 if effort.gave_up else guess_score(question)


def give_credit(graded: GradedResponse) -> GradedResponse:
    """Add what an answer of a mock interview counts."""
    question, effort = graded.turn.question, graded.response.effort
    credit = credit_of(question, graded.grade, effort, chance_of(question, effort))
    return replace(graded, credit=credit)


def suggest_rating(
    question: PutQuestion, grade: Grade, response: Response, pace: Pace
) -> Suggestion:
    """Suggest the rating of a graded response."""
    if isinstance(question, Recall):
        return suggest_recall(grade, response.effort, is_terse=is_terse(response.text))
    return suggest(grade, response.effort, pace)


def rerate(graded: GradedResponse, rating: Rating, day: int) -> Rerated:
    """Override the rating of an answer, on a study day."""
    due = day + graded.chosen[rating]
    return Rerated(target=graded.event_id, rating=rating, due_day=due)


def record_failure(turn: Turn, submission: GradedSubmission, occasion: Occasion) -> NewEvent:
    """Make the event that keeps a submission that failed."""
    body = Tried(
        **_occasion_fields(turn, occasion),
        source=submission.source[:LONGEST_TEXT],
        gate=submission.gate,
        ran=submission.ran,
        submission=occasion.submission or UNSET,
        practice=turn.is_practice,
    )
    return new_event(turn.entry.id, body, occasion)


def record_submission(turn: Turn, checked: CheckedKernel, occasion: Occasion) -> NewEvent:
    """Make the event that keeps a submission while a GPU judges it."""
    body = Submitted(
        **_occasion_fields(turn, occasion),
        source=checked.source,
        gates={gate.key: gate.state for gate in checked.graded.verdict.gates},
    )
    return new_event(turn.entry.id, body, occasion)


def new_event(question: str | None, body: Body, occasion: Occasion) -> NewEvent:
    """Make an event with an id of its own, which may be appended again after a failure."""
    return NewEvent(
        id=uuid.uuid4().hex,
        session=occasion.session,
        question=question,
        body=body,
        utc_ms=occasion.moment.utc_ms,
    )


def grade_response(question: PutQuestion, response: Response) -> Grade:
    """Grade a response to a question of any kind."""
    if response.effort.gave_up:
        return Grade(correct=False, score=0.0)
    match question:
        case FactChoice():
            return grade_facts(question, response.picked)
        case InputChoice():
            return Grade(response.credit >= 1, response.credit)
        case Choice():
            return grade_choice(question, response.picked)
        case Recall():
            return grade_recall(question, response.covered)
        case Index() | Kernel() | Spot():
            return Grade(response.credit > 0, response.credit)
        case Number():
            if response.value is None:
                return Grade(correct=False, score=0.0)
            return grade_number(compute_answer(question), response.value)


def _record_answer(
    turn: Turn, response: Response, assessment: Assessment, occasion: Occasion
) -> Answered:
    """Make the event of an answer."""
    grade, suggestion = assessment.grade, assessment.suggestion
    due_day = occasion.day + assessment.days[suggestion.rating]
    if turn.is_practice:
        due_day = turn.card.memory.due_day if turn.card.memory is not None else occasion.day
    return Answered(
        kind=turn.entry.kind,
        **_occasion_fields(turn, occasion),
        correct=grade.correct,
        score=grade.score,
        **asdict(response.effort),
        response=readable(response),
        drawn=describe_drawn(turn),
        rating=suggestion.rating,
        rule=suggestion.rule,
        scheduler=schedule.SCHEDULER_VERSION,
        parameters_id=occasion.parameters.id,
        due_day=due_day,
        repeat=turn.item.stage is Stage.REPEAT,
        submission=occasion.submission or UNSET,
        practice=turn.is_practice or UNSET,
    )


def _occasion_fields(turn: Turn, occasion: Occasion) -> dict[str, Any]:
    """Collect which text was asked, and when."""
    return {
        "language": turn.language if turn.languages else UNSET,
        "content_hash": turn.entry.content_hash,
        "rev": turn.entry.rev,
        "study_day": occasion.day,
        "utc_ms": occasion.moment.utc_ms,
        "offset_s": occasion.moment.offset_s,
    }


def describe_drawn(turn: Turn) -> dict[str, Any]:
    """Collect what was drawn for this review, by what it is."""
    drawn: dict[str, Any] = {"order": turn.order} if turn.order else {}
    if turn.drawn is not None:
        drawn["parameters"] = dict(turn.drawn.parameters)
    return drawn


def readable(response: Response) -> str:
    """Write a response so that it can be read back: its text, and the positions it chose."""
    chosen = response.picked or response.covered
    parts = [response.text, " ".join(map(str, chosen)) if chosen else ""]
    return "\n".join(part for part in parts if part)[:LONGEST_TEXT]
