"""What the deck covers and when all of it will have been met, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from typing import TYPE_CHECKING

from quizapp.domain.goal import Goal
from quizapp.domain.planning.plan import Plan
from quizapp.report.dates import date_text
from quizapp.report.words import Words

if TYPE_CHECKING:
    from quizapp.domain.planning.plan_choice import PaceForecast  # NumPy, 80 ms
    from quizapp.study.home_values import Home

_NAMED_TOPICS = 4


def coverage_text(new: Iterable[tuple[str, str]], say: Words, *, off: int = 0) -> str:
    """Say how many questions there are, and on which topics; the largest are named.

    `new`: of each question to be met the names of its topic, in English and in Chinese. `off`: how
    many others are not asked: their packs are off, or they cannot run.
    """
    topics = Counter(new)
    named = [say.topic(topic) for topic, _ in topics.most_common(_NAMED_TOPICS)]
    key = "plan.topics"
    if len(topics) > len(named):
        key = "plan.topics-off" if off else "plan.topics-more"
    return say(
        key,
        n=topics.total(),
        off=off,
        topics=say("plan.and").join(named),
        more=len(topics) - len(named),
    )


def time_text(home: Home, say: Words) -> str:
    """Say how long the day takes: no more than it has minutes, except for the last question."""
    return say("home.minutes-limit" if home.runs_over else "home.minutes", n=home.shown_minutes)


def goal_text(goal: Goal, planned: tuple[Sized, Sized], say: Words) -> str:
    """Say what a plan asks per day; `planned`: what is still to be met, and what is left out."""
    new, left_out = map(len, planned)
    key = "plan.goal-leaves-out" if left_out else "plan.goal"
    day = date_text(goal.day, say)
    return say(key, day=day, minutes=goal.minutes, n=new, left_out=left_out)


def pace_text(found: PaceForecast, say: Words) -> str:
    """Say how many minutes per day a pace takes, or how many fit into those of the person."""
    if found.minutes:
        return say("plan.fits", minutes=found.minutes, n=found.rate)
    return say("plan.minutes", mean=found.mean, peak=found.peak)


def minutes_text(found: Sequence[PaceForecast], say: Words) -> str:
    """Say what `foresee_meeting` found of the minutes per day."""
    if len(found) == 1:
        return pace_text(found[0], say)
    needed, fits = found
    return say("plan.needs", mean=needed.mean, minutes=fits.minutes, n=fits.rate)


def plan_text(plan: Plan, say: Words) -> str:
    """Say when all will have been met, and which pace the interview asks for."""
    if not plan.questions:
        return say("plan.all-met")
    if plan.last_day is None:
        met = say("plan.never", pace=plan.pace)
    else:
        met = say("plan.met", pace=plan.pace, date=date_text(plan.last_day, say))
    if plan.interview is None:
        return say("plan.alone", met=met)
    interview = date_text(plan.interview, say)
    if plan.in_time:
        return say("plan.in-time", met=met, interview=interview)
    if plan.enough is None:
        return say("plan.too-soon", met=met, interview=interview)
    return say("plan.faster", met=met, interview=interview, enough=plan.enough)
