"""The plan as a person sees it: what to do per day, what to leave out, what will be recalled.

Loads NumPy, 80 ms: only where a plan is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from quizapp.domain import forecast
from quizapp.domain.forecast import Outlook, Recall
from quizapp.domain.goal import Fit, Goal
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

    @property
    def in_time(self) -> bool:
        """True if nothing has to be left out."""
        return not self.fit.left_out


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
