"""The plan as a person sees it: what to do per day, what to leave out, what will be recalled.

Loads NumPy, 80 ms: only where a plan is set or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from math import inf

from grader.facts import fact
from quizapp.deck.index import Entry
from quizapp.domain.days import from_date
from quizapp.domain.errors import UsageError
from quizapp.domain.goal import LATEST_DAYS, MINUTES, MOST_MINUTES, Goal
from quizapp.domain.planning import forecast, plan_choice, readiness
from quizapp.domain.planning.forecast import DayRule, Outcome, Outlook, RecallForecast
from quizapp.domain.planning.plan import Plan, Waiting, plan
from quizapp.domain.planning.plan_choice import Fit, PaceForecast
from quizapp.domain.planning.readiness import Readiness
from quizapp.domain.question import KINDS, AnyQuestion
from quizapp.study import kept_report
from quizapp.study.mock.interview import records
from quizapp.study.scheduling import daily
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
    recall: RecallForecast | None


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Why fewer questions fit than the plan promised.

    `missed`: study days without an answer since it was set, of `days`. `minutes`: per day on the
    others, in the mean.
    """

    promised: int
    missed: int
    days: int
    minutes: int


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A plan with its forecast.

    Attributes:
        goal: the plan.
        today: the study day of the forecast.
        retention: what it asks questions again at.
        fit: what fits, by the simulation of today.
        new, left_out: how many questions are still to be met, and those that the plan leaves out.
        topics: by topic.
        whole: the recall over all of the plan; what was not met by then counts as forgotten.
        shortfall: why that is less than it promised; None if it is not.
        readiness: the share of what is asked that the person would answer; None if nothing is.
        waiting: what its topics have besides, and for which topics that waits.
    """

    goal: Goal
    today: int
    retention: float
    fit: Fit
    new: int
    left_out: tuple[str, ...]
    topics: tuple[TopicForecast, ...]
    whole: RecallForecast | None
    shortfall: Shortfall | None
    readiness: Readiness | None
    waiting: Waiting

    def topic_names(self, topic: str) -> tuple[str, str]:
        """Name a topic of the plan; by its id if none of its questions are to be asked."""
        names = {each.topic: each.names for each in self.topics}
        return names.get(topic, (topic, topic))

    @property
    def fitting(self) -> int:
        """How many questions fit, those that were learned included."""
        return self.new + sum(topic.learned for topic in self.topics)

    @property
    def in_time(self) -> bool:
        """True if nothing has to be left out."""
        return not self.left_out


def choose(
    study: Study,
    when: str | None = None,
    topics: Iterable[str] | None = None,
    minutes: int | None = None,
) -> Goal:
    """Build a plan from what was chosen; what is None stays as it is in the plan that holds.

    How it studies is chosen by simulation: the retention, unless the person set one, and how much
    of a day is for new questions.

    `when`: the day, as 2027-02-01; without it and without a plan, that of the settings. `topics`:
    some, by id or title; none of them stands for all. `minutes`: per day.

    Raises:
        UsageError: the date is none, or is not ahead; or the minutes are out of their limits.
        UnknownTopic: there is no such topic, or several have this title.
    """
    before, today = study.progress.goal, study.day
    day = read_day(when) if when is not None else study.progress.interview
    if day is None:
        raise UsageError(fact("goal.which-date"))
    if not today < day <= today + LATEST_DAYS:
        raise UsageError(fact("goal.not-ahead", days=LATEST_DAYS))
    chosen = before.topics if before is not None else ()
    if topics is not None:
        chosen = tuple(dict.fromkeys(study.deck.find_topic(topic)[0] for topic in topics))
    if minutes is None:
        minutes = before.minutes if before is not None else usual_minutes(study)
    if not 1 <= minutes <= MOST_MINUTES:
        raise UsageError(fact("goal.which-minutes", most=MOST_MINUTES))
    goal = Goal(today, day, minutes, chosen)
    return _choose_how(study, goal, look_ahead(study, goal))


def usual_minutes(study: Study) -> int:
    """Return the minutes per day that a plan begins with: those of the settings."""
    return study.settings.day_minutes or MINUTES


def _choose_how(study: Study, goal: Goal, outlook: Outlook) -> Goal:
    """Choose how a plan studies, and what it promises, as of today."""
    weights = {each.question: 1.0 + each.frequency for each in study.course.candidates()}
    return plan_choice.choose(goal, study.day, outlook, weights, study.settings.retention)


def read_day(text: str) -> int:
    """Read a date as a study day. Raises UsageError: it is not a date."""
    try:
        return from_date(date.fromisoformat(text))
    except ValueError:
        raise UsageError(fact("goal.not-a-date", text=text)) from None


def foresee_pace(study: Study) -> Callable[[int, int], PaceForecast]:
    """Return what says what a pace of new questions takes per day, and which one fits.

    Of the questions that were chosen, such as those of a topic; of all, if none were. The function
    takes the minutes that bound a day, 0 for none; it needs a second, in any thread.
    """
    chosen = {candidate.question for candidate in study.course.candidates(study.session.narrowed)}
    whole, day = look_ahead(study, None), study.day
    learned = {name: memory for name, memory in whole.learned.items() if name in chosen}
    outlook = replace(whole, learned=learned, new=[name for name in whole.new if name in chosen])
    return lambda pace, minutes: plan_choice.foresee(outlook, day, pace, minutes)


def foresee_meeting(
    study: Study,
) -> Callable[[int, int | None], tuple[Plan, tuple[PaceForecast, ...]]]:
    """Return what says when a pace has met everything, and what to say of the minutes per day.

    The function takes the day of the interview. Where the pace is too slow for it, the minutes are
    those of the pace that it takes, and then how many new ones the person's minutes leave room for.
    It needs up to three seconds, and may be called from any thread.
    """
    foresee, new = foresee_pace(study), study.plan.to_meet()
    minutes, today = study.settings.day_minutes, study.day

    def meeting(pace: int, interview: int | None) -> tuple[Plan, tuple[PaceForecast, ...]]:
        found = foresee(pace, minutes)
        met = plan(new, found.rate, today, interview)
        if met.in_time or met.enough is None:
            return met, (found,)
        fits = found if found.minutes else foresee(met.enough, minutes)
        return met, (foresee(met.enough, 0), fits) if fits.minutes else (fits,)

    return meeting


def look_ahead(study: Study, goal: Goal | None) -> Outlook:
    """Collect what a simulation needs to know of a person and what a plan covers; None: all."""
    learned, new = study.plan.covered(goal)
    facts = list(study.store.answer_facts())
    minutes = {kind: study.progress.paces.minutes(kind) for kind in KINDS}
    each = {name: minutes[entry.kind] for name, entry in study.deck.entries.items()}
    return Outlook(
        {card.question: card.memory for card in learned if card.memory is not None},
        [candidate.question for candidate in new],
        {} if goal is None else goal.spread(study.course.candidates()),
        study.progress.parameters,
        forecast.learn(facts, study.progress.parameters),
        forecast.observe(each, facts, study.day),
        0.0 if goal is None else daily.minutes_used(study.progress),
        study.progress.easy_days,
    )


def find_fitting(study: Study) -> None:
    """Find out whether the plan that holds has shrunk, so that whatever the study says follows."""
    goal = study.progress.goal
    if goal is not None and _read_kept(study, goal) is None:
        day, outlook = study.day, look_ahead(study, goal)
        outcome = plan_choice.run(goal, day, outlook)
        study.plan.note_fitting(day, goal, plan_choice.count_fitting(goal, outlook, outcome))


def left_out(study: Study) -> tuple[tuple[Entry, AnyQuestion], ...]:
    """Return the questions that the plan has no time for, in the order they would come in."""
    planned = study.plan.split_new()
    names = [candidate.question for candidate in planned[1]] if planned is not None else []
    return tuple((study.deck.entries[name], study.deck.question(name)) for name in names)


def describe(study: Study) -> StudyPlan | None:
    """Forecast the plan that holds; None if there is none. What is unchanged is kept."""
    goal = study.progress.goal
    if goal is None:
        return None
    found = _read_kept(study, goal)
    if found is None:
        key = kept_report.find_key(study)
        found = _forecast(study, goal)
        study.plan.note_fitting(found.today, goal, found.fitting)
        kept_report.write(study.kept_plan, key, found)
    return found


def _read_kept(study: Study, goal: Goal) -> StudyPlan | None:
    """Return the forecast of an earlier look, if nothing has changed since; the study follows."""
    found = kept_report.read(study.kept_plan, kept_report.find_key(study), StudyPlan)
    if found is not None:
        study.plan.note_fitting(found.today, goal, found.fitting)
    return found


def _forecast(study: Study, goal: Goal) -> StudyPlan:
    """Simulate a plan, and others where it leaves questions out."""
    outlook = look_ahead(study, goal)
    outcome = plan_choice.run(goal, study.day, outlook)

    def confirms(other: Goal) -> bool:
        """Return True if everything would fit if the person set this plan today."""
        begun = replace(other, since=study.day)
        spread = begun.spread(study.course.candidates())
        chosen = _choose_how(study, begun, replace(outlook, last_chances=spread))
        return chosen.promised == len(outlook.learned) + len(outlook.new)

    fit = plan_choice.find_fit(goal, study.day, outlook, outcome, confirms)
    kept = max(0, plan_choice.count_fitting(goal, outlook, outcome) - len(outlook.learned))
    new, left = outlook.new[:kept], outlook.new[kept:]
    fitting = {*outlook.learned, *new}
    members: dict[tuple[str, str], list[str]] = {}
    for name in (*outlook.learned, *outlook.new):
        entry = study.deck.entries[name]
        members.setdefault((entry.pack, entry.topic), []).append(name)
    order = dict.fromkeys((c.pack, c.topic) for c in study.course.candidates())
    topics = tuple(
        TopicForecast(
            pack=pack,
            topic=topic,
            names=study.deck.entries[names[0]].topic_names,
            questions=len(names),
            learned=sum(name in outlook.learned for name in names),
            left_out=sum(name not in fitting for name in names),
            recall=forecast.summarize(outcome, fitting.intersection(names)),
        )
        for pack, topic in order
        if (names := members.get((pack, topic)))
    )
    return StudyPlan(
        goal,
        study.day,
        study.progress.parameters.retention,
        fit,
        len(new),
        tuple(left),
        topics,
        forecast.summarize(outcome, fitting),
        _find_shortfall(study, goal, fit),
        _measurer(study, outlook)(outcome),
        study.plan.waiting_new([c for c in study.course.candidates() if goal.covers(c)]),
    )


def foresee_readiness(study: Study) -> Callable[[], Readiness | None]:
    """Return what measures the readiness for the day that is prepared for; None without a day.

    The function takes 0.2 s, and may be called from any thread. It also finds out whether the plan
    has shrunk (`find_fitting`).
    """
    goal, today, day = study.progress.goal, study.day, study.progress.interview
    if day is None or not today <= day <= today + LATEST_DAYS:
        return lambda: None
    if goal is not None and (kept := _read_kept(study, goal)) is not None:
        known = kept.readiness
        return lambda: known
    outlook = look_ahead(study, goal)
    settings, retention = study.settings, study.progress.parameters.retention
    rule = DayRule(retention, settings.day_minutes or inf, new_per_day=settings.new_per_day)
    if goal is not None:
        rule = plan_choice.make_rule(goal, outlook)
    measure = _measurer(study, outlook)

    def foresee() -> Readiness | None:
        outcome = forecast.simulate(outlook, rule, range(today, day))
        if goal is not None:
            study.plan.note_fitting(today, goal, plan_choice.count_fitting(goal, outlook, outcome))
        return measure(outcome)

    return foresee


def name_topic(study: Study, found: Readiness | None) -> tuple[str, str]:
    """Name the topic that would add most; by its id if the deck has lost it meanwhile."""
    pack, topic = ("", "") if found is None else found.topic
    return study.deck.topic_names(topic, pack) if topic in study.deck.topics else (topic, topic)


def _measurer(study: Study, outlook: Outlook) -> Callable[[Outcome], Readiness | None]:
    """Return what measures the readiness by an outcome of the days until then.

    A kernel that never passed is not known, though its solution was seen.
    """
    goal, day = study.progress.goal, study.day
    asked = [c for c in study.course.candidates() if goal is None or goal.covers(c)]
    kernels = (c.question for c in asked if c.kind == "kernel")
    failed = {name for name in kernels if not study.progress.card(name).passed}
    answers = {stage: a for record in records(study) for stage, a in record.answers.items()}
    stages = [(answer.question, answer.score) for answer in answers.values()]

    def measure(outcome: Outcome) -> Readiness | None:
        now = forecast.simulate(outlook, DayRule(outlook.parameters.retention), range(day, day))
        today = forecast.by_question(now)
        passed = {name: chance for name, chance in today.items() if name not in failed}
        return readiness.measure(asked, stages, passed, forecast.by_question(outcome))

    return measure


def _find_shortfall(study: Study, goal: Goal, fit: Fit) -> Shortfall | None:
    """Say why less fits than was promised; None if the promise is still within the range."""
    if goal.promised is None or goal.promised <= fit.questions.high:
        return None
    days = range(goal.since, study.day)
    spent = [ms for day in days if (ms := study.store.totals_of_day(day).duration_ms)]
    minutes = round(sum(spent) / 60_000 / len(spent)) if spent else 0
    return Shortfall(goal.promised, len(days) - len(spent), len(days), minutes)
