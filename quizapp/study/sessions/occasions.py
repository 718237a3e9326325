"""Collects what holds when something of a turn is recorded: scheduler, load, pace, submission."""

from __future__ import annotations

from functools import cache, partial

from quizapp.domain.log.projection import attempt_so_far
from quizapp.domain.question import Kernel
from quizapp.domain.rating import Pace
from quizapp.study.scheduling import daily
from quizapp.study.scheduling.pace import comparable_durations, expect_seconds
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions.recording import Occasion
from quizapp.study.values import Turn


def find_occasion(progress: StudyProgress, turn: Turn, source: str = "") -> Occasion:
    """Collect what holds now; `source` is the code that was submitted."""
    question, day, parameters = turn.entry.id, progress.day, progress.parameters
    return Occasion(
        moment=progress.clock.now(),
        day=day,
        session=progress.session_id,
        parameters=parameters,
        announce=parameters.id not in progress.store.parameters(),
        pace=_find_pace(progress, turn),
        load=daily.find_load(progress, question),
        bring_forward=partial(progress.planned.bring_forward, question, day),
        submission=_find_submission(progress, turn, source),
    )


def _find_submission(progress: StudyProgress, turn: Turn, source: str) -> str:
    """Find the event of a submission that a GPU never judged, if this is it."""
    if turn.is_practice or not isinstance(turn.question, Kernel):
        return ""
    pending = attempt_so_far(progress.store.events(turn.entry.id)).pending
    return pending.event if pending is not None and pending.source == source else ""


def _find_pace(progress: StudyProgress, turn: Turn) -> Pace:
    course = progress.course

    @cache
    def expect(name: str) -> float:
        return expect_seconds(course.deck.question(name), course.settings.language)

    times = (
        (expect(name), took)
        for name, took in progress.paces.durations(turn.entry.kind)
        if name in course.deck.entries
    )
    expected = expect(turn.entry.id)
    return Pace(
        first_exposure=turn.card.memory is None,
        durations_ms=comparable_durations(times, expected),
        asks_confidence=course.settings.confidence,
    )
