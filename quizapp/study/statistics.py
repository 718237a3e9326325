"""What the log says about a person's studying: statistics over all time, and a session's summary.

Counts only; reads the store and changes nothing. An undone answer is not there. "Counted" is a
day's first attempt at a question, which moved the schedule; the others are repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quizapp.domain.leeches import LEECH_LAPSES, OFTEN_LAPSES
from quizapp.domain.log.totals import Totals, add_up
from quizapp.domain.question import Recall
from quizapp.domain.queue import Stage
from quizapp.study.home_values import TopicRow
from quizapp.study.overview import due_days, pack_rows, streak, topic_rows
from quizapp.study.service import Study
from quizapp.study.values import (
    ForgottenQuestion,
    GradedResponse,
    MissedPoint,
    Retention,
    Statistics,
    Summary,
)

HISTORY_DAYS = 53 * 7
"""Days of `Statistics.answers_by_day`: a year, in the whole weeks that a heatmap has as columns."""

MOST_FAILED = 8
"""So many checks, and so many rubric points, are listed."""

FORECAST_DAYS = 30
RETENTION_DAYS = 30


def statistics(study: Study) -> Statistics:
    """Collect the statistics screen's facts as of now."""
    day, topics = study.day, topic_rows(study)
    by_day = study.store.totals_by_day(0, day)
    studied = {past: totals.counted for past, totals in by_day.items() if totals.counted}
    recent = {past: totals for past, totals in by_day.items() if past > day - HISTORY_DAYS}
    whole = add_up(by_day.values())
    month = add_up(totals for past, totals in by_day.items() if past > day - RETENTION_DAYS)
    return Statistics(
        day=day,
        answers_by_day={past: n for past, n in studied.items() if past in recent},
        duration_by_day={past: totals.duration_ms for past, totals in recent.items()},
        forecast=_forecast(study, day),
        retention_month=Retention(month.reviews, month.recalled),
        retention_all=Retention(whole.reviews, whole.recalled),
        retention_young=Retention(whole.young, whole.young_recalled),
        retention_mature=Retention(whole.mature, whole.mature_recalled),
        topic_retention=_topic_retention(study, topics),
        calibration=whole.calibration,
        failed_checks=_failed_checks(study),
        missed_points=_missed_points(study),
        streak=streak(study, studied),
        answers=whole.counted,
        duration_ms=whole.duration_ms,
        topics=topics,
        packs=pack_rows(study, topics),
        forgotten=_forgotten(study),
    )


def summary(study: Study, graded: Sequence[GradedResponse]) -> Summary:
    """Summarize a session's answers (those not undone).

    `right`, `new` and `topics` (right, of how many) are about first attempts; `answered` and
    `duration_ms` are about all.
    """
    first = [g for g in graded if g.turn.item.stage is not Stage.REPEAT]
    asked = Counter(g.turn.entry.topic_names for g in first)
    right = Counter(
        g.turn.entry.topic_names
        for g in first
        if g.grade.correct and not g.response.effort.failures
    )
    tomorrow = study.day + 1
    answered = {g.turn.entry.id for g in graded if g.turn.item.stage is not Stage.PRACTICE}
    return Summary(
        answered=len(graded),
        right=right.total(),
        repeats=len(graded) - len(first),
        new=sum(g.turn.item.stage is Stage.NEW for g in first),
        practice=sum(g.turn.item.stage is Stage.PRACTICE for g in first),
        duration_ms=sum(g.response.effort.duration_ms for g in graded),
        topics={topic: (right[topic], asked[topic]) for topic in asked},
        due_tomorrow=sum(
            due <= tomorrow for due in due_days(study, study.course.candidates(), study.day)
        ),
        again_today=sum(study.progress.card(name).again_day == study.day for name in answered),
    )


def _forecast(study: Study, day: int) -> dict[int, int]:
    """Count what is due on each of the next days: on the first what is overdue or comes again."""
    due = Counter(due_days(study, study.course.candidates(), day))
    return {later: due[later] for later in range(day, day + FORECAST_DAYS)}


def _topic_retention(study: Study, topics: Sequence[TopicRow]) -> dict[tuple[str, str], Retention]:
    """Sum the reviews of each topic's questions."""
    members: dict[tuple[str, str], list[Totals]] = {(row.pack, row.topic): [] for row in topics}
    for name, totals in study.store.totals_by_question().items():
        entry = study.deck.entries.get(name)
        if entry is not None and (found := members.get((entry.pack, entry.topic))) is not None:
            found.append(totals)
    sums = {topic: add_up([Totals(), *found]) for topic, found in members.items()}
    return {topic: Retention(each.reviews, each.recalled) for topic, each in sums.items()}


def _failed_checks(study: Study) -> tuple[tuple[str, int], ...]:
    """Count the submissions that failed at each check, over all questions."""
    counts: Counter[str] = Counter()
    for each in study.store.check_totals():
        counts[each.check] += each.failed
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_FAILED])


def _missed_points(study: Study) -> tuple[MissedPoint, ...]:
    """Return the rubric points left out most often, of questions as they are now."""
    found: list[MissedPoint] = []
    for each in study.store.rubric_totals():
        entry = study.deck.entries.get(each.question)
        if entry is None or entry.rev != each.rev:
            continue
        question = study.deck.question(each.question)
        if isinstance(question, Recall):
            found += [
                MissedPoint(each.question, point.point, each.answers, missed)
                for place, point in enumerate(question.rubric)
                if (missed := each.answers - each.covered.get(place, 0))
            ]
    order = sorted(found, key=lambda point: (-point.missed, point.question))
    return tuple(order[:MOST_FAILED])


def _forgotten(study: Study) -> tuple[ForgottenQuestion, ...]:
    """Return the questions forgotten often, the worst first."""
    cards = (study.progress.card(name) for name in study.deck.entries)
    found = [
        ForgottenQuestion(
            card.question,
            card.memory.lapses,
            set_aside=card.suspended and card.memory.lapses >= LEECH_LAPSES,
        )
        for card in cards
        if card.memory is not None and card.memory.lapses >= OFTEN_LAPSES
    ]
    return tuple(sorted(found, key=lambda each: (-each.lapses, each.question)))
