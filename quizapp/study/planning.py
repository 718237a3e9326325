"""The plan as a person sees it: what to do per day, what to leave out, what will be recalled.

Loads NumPy, 80 ms: only where a plan is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from grader.facts import fact
from quizapp.deck.index import Entry
from quizapp.domain import forecast
from quizapp.domain.days import from_date
from quizapp.domain.errors import UsageError
from quizapp.domain.forecast import Outlook, Recall
from quizapp.domain.goal import LATEST_DAYS, MINUTES, MOST_MINUTES, Fit, Goal
from quizapp.domain.question import AnyQuestion
from quizapp.study.service import Study


@dataclass(frozen=True, slots=True)
class TopicForecast:
    """A topic of the plan: its questions, those learned, left out, and the recall on the day.

    `recall` is about what will have been met; None where nothing will.
    """

    pack: str
    topic: str
    names: tuple[str, str]
    questions: int
    learned: int
    left_out: int
    recall: Recall | None


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A plan with its forecast; `whole` is the recall over all topics."""

    goal: Goal
    today: int
    fit: Fit
    topics: tuple[TopicForecast, ...]
    whole: Recall | None

    def topic_names(self, topic: str) -> tuple[str, str]:
        """Name a topic of the plan; by its id if none of its questions are to be asked."""
        names = {each.topic: each.names for each in self.topics}
        return names.get(topic, (topic, topic))

    @property
    def in_time(self) -> bool:
        """True if nothing has to be left out."""
        return not self.fit.left_out


def choose(
    study: Study,
    when: str | None = None,
    topics: Iterable[str] | None = None,
    minutes: int | None = None,
) -> Goal:
    """Build a plan from what was chosen; what is None stays as it is in the plan that holds.

    Args:
        study: of the person.
        when: the day, as 2027-02-01; without it and without a plan, that of the settings.
        topics: some, by id or title; none of them stands for all.
        minutes: per day.

    Raises:
        UsageError: the date is none, or is not ahead; or the minutes are out of their limits.
        UnknownTopic: there is no such topic, or several have this title.
    """
    before, today = study.goal, study.day
    day = read_day(when) if when is not None else study.interview
    if day is None:
        raise UsageError(fact("goal.which-date"))
    if not today < day <= today + LATEST_DAYS:
        raise UsageError(fact("goal.not-ahead", days=LATEST_DAYS))
    chosen = before.topics if before is not None else ()
    if topics is not None:
        chosen = tuple(dict.fromkeys(study.deck.find_topic(topic)[0] for topic in topics))
    if minutes is None:
        minutes = before.minutes if before is not None else MINUTES
    if not 1 <= minutes <= MOST_MINUTES:
        raise UsageError(fact("goal.which-minutes", most=MOST_MINUTES))
    return Goal(today, day, minutes, chosen)


def read_day(text: str) -> int:
    """Read a date as a study day.

    Raises:
        UsageError: it is not a date.
    """
    try:
        return from_date(date.fromisoformat(text))
    except ValueError:
        raise UsageError(fact("goal.not-a-date", text=text)) from None


def left_out(study: Study) -> tuple[tuple[Entry, AnyQuestion], ...]:
    """Return the questions that the plan has no time for, in the order they would come in."""
    fitted = study.fit_plan()
    names = [candidate.question for candidate in fitted[1].left_out] if fitted is not None else []
    return tuple((study.deck.entries[name], study.deck.question(name)) for name in names)


def describe(study: Study) -> StudyPlan | None:
    """Forecast the plan that holds; None if there is none."""
    fitted = study.fit_plan()
    if study.goal is None or fitted is None:
        return None
    goal, (work, fit) = study.goal, fitted
    calibration = forecast.learn(study.store.answer_facts(), study.parameters)
    meetings = {c.question: study.day + n // max(1, fit.pace) for n, c in enumerate(fit.new)}
    cards = {card.question: card for card in work.learned}
    last_chances = goal.spread(study.candidates())
    outlook = Outlook(cards, meetings, last_chances, study.parameters)
    names, runs = forecast.simulate(outlook, goal, study.day, calibration)
    left_out = {candidate.question for candidate in fit.left_out}
    members: dict[tuple[str, str], list[str]] = {}
    for name in (*cards, *meetings, *left_out):
        entry = study.deck.entries[name]
        members.setdefault((entry.pack, entry.topic), []).append(name)
    order = dict.fromkeys((c.pack, c.topic) for c in study.candidates())
    topics = tuple(
        TopicForecast(
            pack=pack,
            topic=topic,
            names=study.deck.entries[members[pack, topic][0]].topic_names,
            questions=len(members[pack, topic]),
            learned=sum(name in cards for name in members[pack, topic]),
            left_out=sum(name in left_out for name in members[pack, topic]),
            recall=forecast.summarize(names, runs, members[pack, topic]),
        )
        for pack, topic in order
        if (pack, topic) in members
    )
    return StudyPlan(goal, study.day, fit, topics, forecast.summarize(names, runs, names))
