"""What a study day asks, and why no more: limits, minutes, the plan, what is overdue.

Computed anew from `StudyProgress` each time; nothing is remembered here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from quizapp.domain import queue, workload
from quizapp.domain.log.events import MockQueued
from quizapp.domain.minutes import EASY_SHARE, NEW_SHARE, DayMinutes
from quizapp.domain.order import Candidate
from quizapp.domain.placement import begin_where_unknown
from quizapp.domain.queue import Limits, Queue
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Load
from quizapp.study.home_values import Filter
from quizapp.study.scheduling.progress import StudyProgress

_MINUTE_MS = 60_000

_BACKLOG_DAYS = 7

_PLACED_DAYS = 30
"""So long a placement decides where new questions begin."""


def plan_day(progress: StudyProgress, narrowed: Filter) -> Queue:
    """Build the queue of what the day still asks of a selection."""
    course, cards, day = progress.course, progress.cards, progress.day
    candidates = course.candidates(narrowed)
    if narrowed.is_chosen:
        if narrowed.guided:
            candidates = _left_today(progress, candidates)
        resting = frozenset(c.question for c in candidates if course.rests(c.question))
        practice = frozenset(course.deck.entries) if narrowed.practice else resting
        return queue.choose(candidates, cards, day, practice, once=narrowed.guided)
    candidates = _begin_where_placed(progress, candidates)
    if narrowed.new is None:
        candidates = _within_plan(progress, candidates)
    limits = find_limits(progress, narrowed.new)
    planned = queue.build(candidates, cards, limits, day, course.known, concepts=course.concepts)
    return queue.head(planned, _headed(progress, candidates, day), cards, day)


def failed_lately(progress: StudyProgress) -> tuple[str, ...]:
    """List questions with an answer rated Again today or on the study day before."""
    facts = progress.store.answer_facts(progress.day - 1)
    return tuple(dict.fromkeys(f.question for f in facts if f.rating is Rating.AGAIN))


def _begin_where_placed(progress: StudyProgress, candidates: list[Candidate]) -> list[Candidate]:
    """Put what a placement found probably known behind the rest, as far as answers agree.

    A placement that was undone has left no card, and an old one says nothing any more.
    """
    taken = progress.store.placement_taken()
    if taken is None or progress.day - taken.study_day > _PLACED_DAYS:
        return candidates
    found = {each.question: each.knew is True for each in taken.asked}
    if not any(knew and progress.card(name).memory for name, knew in found.items()):
        return candidates
    facts = progress.store.answer_facts(taken.study_day)
    found |= {f.question: f.correct for f in facts if f.counts and f.was_new}
    by_name = {candidate.question: candidate for candidate in progress.course.order}
    steps = [(by_name[name], knew) for name, knew in found.items() if name in by_name]
    return begin_where_unknown(candidates, steps)


def _left_today(progress: StudyProgress, candidates: list[Candidate]) -> list[Candidate]:
    """Leave out what was answered today, so that leaving can be resumed; all, if all was."""
    cards, today = progress.cards.values(), progress.day
    met = {card.question for card in cards if card.memory and card.memory.last_day == today}
    return [c for c in candidates if c.question not in met] or candidates


def _within_plan(progress: StudyProgress, candidates: list[Candidate]) -> list[Candidate]:
    """Leave out the new questions that the plan, if there is one, does not cover.

    Somebody who asks for a number of new questions goes beyond the plan.
    """
    goal = progress.goal
    if goal is None or not goal.topics:
        return candidates
    return [c for c in candidates if goal.covers(c) or progress.card(c.question).memory]


def _headed(progress: StudyProgress, candidates: Iterable[Candidate], day: int) -> list[Candidate]:
    """List what failed in a mock interview and is to come first, until it is answered."""
    since: dict[str, int] = {}
    for event in progress.store.mock_events():
        if isinstance(event.body, MockQueued) and event.body.day <= day:
            since |= dict.fromkeys(event.body.questions, event.body.day)
    if not since:
        return []
    cards = progress.cards
    answered = {
        name
        for name, first in since.items()
        if (card := cards.get(name)) and card.memory and card.memory.last_day >= first
    }
    by_name = {candidate.question: candidate for candidate in candidates}
    return [by_name[name] for name in since if name in by_name and name not in answered]


# How much


def find_limits(progress: StudyProgress, new: int | None = None) -> Limits:
    """Return what is left of the day's limits; a filter's `new` replaces those of new ones."""
    settings, goal = progress.course.settings, progress.goal
    done = progress.store.totals_of_day(progress.day)
    minutes = None
    pace = 0 if overdue_minutes(progress) else settings.new_per_day - done.new
    whole, share = settings.day_minutes, NEW_SHARE
    if goal is not None:
        pace, whole, share = len(progress.course.order), goal.minutes, goal.new_share
    if whole and new is None:
        spent = _divide_minutes(progress, done.duration_ms)
        easy = EASY_SHARE if progress.day in progress.easy_days else 1
        minutes = DayMinutes(whole * easy, progress.estimate_minutes(), share, spent)
    return Limits(
        new=pace if new is None else new,
        reviews=settings.reviews_per_day - done.reviews,
        new_of=_new_of_packs(progress) if new is None else {},
        minutes=minutes,
        later=_leave_for_later(progress) if goal is None else frozenset(),
    )


def minutes_left(progress: StudyProgress, narrowed: Filter) -> float | None:
    """Return what is left of the day's minutes; None if what is asked has no such limit."""
    minutes = None if narrowed.is_chosen else find_limits(progress, narrowed.new).minutes
    return None if minutes is None else minutes.minutes - sum(minutes.spent)


def _new_of_packs(progress: StudyProgress) -> dict[str, int]:
    """Return what is left of the limits that packs have of their own."""
    limits, entries = progress.course.settings.new_per_pack, progress.course.deck.entries
    if not limits:
        return {}
    facts = (f for f in progress.store.answer_facts(progress.day) if f.counts and f.was_new)
    done = Counter(entry.pack for f in facts if (entry := entries.get(f.question)))
    return {pack: most - done[pack] for pack, most in limits.items()}


def minutes_used(progress: StudyProgress) -> float:
    """Return the minutes of today that are spent, and those that what returns will take."""
    day, each = progress.day, progress.estimate_minutes()
    returning = queue.expect_repeats(progress.course.candidates(), progress.cards, day, each)
    return progress.store.totals_of_day(day).duration_ms / _MINUTE_MS + sum(returning)


def _divide_minutes(progress: StudyProgress, duration_ms: int) -> tuple[float, float]:
    """Divide what was spent today into minutes on reviews and on questions new today."""
    facts = progress.store.answer_facts(progress.day)
    new = {fact.question for fact in facts if fact.was_new}
    on_new = sum(fact.duration_ms for fact in facts if fact.question in new)
    return (duration_ms - on_new) / _MINUTE_MS, on_new / _MINUTE_MS


def _leave_for_later(progress: StudyProgress) -> frozenset[str]:
    """Choose the reviews that wait where today would take more than is usual."""
    course, day, each = progress.course, progress.day, progress.estimate_minutes()
    facts = progress.store.answer_facts(day - workload.RECENT_DAYS)
    reviewed = (
        (fact.study_day, each(fact.question))
        for fact in facts
        if fact.counts and not fact.was_new and fact.study_day < day
        if fact.question in course.deck.entries
    )
    usual = workload.find_usual(reviewed)
    if usual is None:
        return frozenset()
    names = (candidate.question for candidate in course.candidates())
    cards = [progress.cards[name] for name in names if name in progress.cards]
    return workload.leave_for_later(
        cards, day, usual, each, parameters=progress.parameters, easy=progress.easy_days
    )


def overdue_minutes(progress: StudyProgress) -> int:
    """Return the minutes of overdue reviews if new questions wait for them; else 0.

    They wait while these are more than the person has in a week, unless there is a plan: a day that
    is shared with new questions leaves some every day. What was due today is not overdue.
    """
    most = _BACKLOG_DAYS * progress.course.settings.day_minutes
    if progress.goal is not None or not most:
        return 0
    day, each = progress.day, progress.estimate_minutes()
    asked = (progress.cards.get(c.question) for c in progress.course.candidates())
    overdue = (c for c in asked if c and c.memory and not c.suspended and c.memory.due_day < day)
    minutes = sum(each(card.question) for card in overdue)
    return round(minutes) if minutes > most else 0


def find_load(progress: StudyProgress, question: str) -> Load:
    """Find what the other questions of the packs that are on ask of the days to come."""
    course = progress.course
    asked = (candidate for candidate in course.order if candidate.pack in course.packs_on)
    minutes = progress.estimate_minutes()
    return workload.find_load(question, asked, progress.cards, minutes, progress.easy_days)
