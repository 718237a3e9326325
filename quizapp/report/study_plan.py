"""A plan with its forecast, as lines of text and as plain data for `--json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from quizapp.domain.days import as_date
from quizapp.report.lines import Line, sentence, table

if TYPE_CHECKING:
    from quizapp.domain.forecast import Recall
    from quizapp.report.words import Words
    from quizapp.study.planning import StudyPlan, TopicForecast


def plan_lines(plan: StudyPlan, say: Words) -> Iterator[Line]:
    """Show the day, what to do per day, what is left out, and the recall on the day by topic."""
    goal, fit = plan.goal, plan.fit
    last_fifth = as_date(goal.last_fifth.start).isoformat()
    day = say("goal.in-days", n=goal.day - plan.today)
    yield from table(
        [
            (say("goal.day"), as_date(goal.day).isoformat(), day),
            (say("goal.time"), str(goal.minutes), say("goal.minutes")),
            (say("goal.new"), str(fit.pace), say("goal.new-of", n=len(fit.new))),
            (say("goal.again"), last_fifth, say("goal.again-about")),
            (say("goal.recall"), recall_text(plan.whole), say("goal.recall-about")),
        ],
        right=(1,),
    )
    yield sentence("")
    if fit.left_out:
        yield sentence("! " + say("goal.too-little", n=len(fit.left_out)), "note")
        yield sentence("  " + say("goal.enough-minutes", minutes=fit.minutes))
        if fit.enough_day is not None:
            yield sentence("  " + say("goal.enough-day", day=as_date(fit.enough_day).isoformat()))
    else:
        yield sentence(say("goal.fits", minutes=fit.minutes))
    yield sentence("")
    heads = ("goal.topic", "goal.questions", "goal.learned", "goal.left-out", "goal.recalled")
    rows = [tuple(map(say, heads)), *(_topic_row(topic, say) for topic in plan.topics)]
    yield from table(rows, right=(1, 2, 3, 4))


def _topic_row(topic: TopicForecast, say: Words) -> tuple[str, ...]:
    left_out = str(topic.left_out) if topic.left_out else "–"
    counts = (str(topic.questions), str(topic.learned), left_out)
    return (say.topic(topic.names), *counts, recall_text(topic.recall))


def recall_text(recall: Recall | None) -> str:
    """Write a predicted share with its uncertainty: 62% (54–71)."""
    if recall is None:
        return "–"
    low, high = round(100 * recall.low), round(100 * recall.high)
    return f"{round(100 * recall.mean)}% ({low}–{high})"


def plan_as_plain(plan: StudyPlan | None) -> dict[str, Any]:
    """Return what `quiz plan --json` prints; the keys are promised in docs/cli.md."""
    if plan is None:
        return {"plan": None}
    goal, fit = plan.goal, plan.fit
    enough = None if fit.enough_day is None else as_date(fit.enough_day).isoformat()
    return {
        "plan": {
            "date": as_date(goal.day).isoformat(),
            "days": goal.day - plan.today,
            "minutes": goal.minutes,
            "topics": list(goal.topics),
            "new_per_day": fit.pace,
            "new": len(fit.new),
            "last_fifth": as_date(goal.last_fifth.start).isoformat(),
            "in_time": plan.in_time,
            "left_out": [candidate.question for candidate in fit.left_out],
            "enough": {"minutes": fit.minutes, "date": enough},
            "recall": _recall_as_plain(plan.whole),
            "by_topic": [
                {
                    "pack": topic.pack,
                    "topic": topic.topic,
                    "questions": topic.questions,
                    "learned": topic.learned,
                    "left_out": topic.left_out,
                    "recall": _recall_as_plain(topic.recall),
                }
                for topic in plan.topics
            ],
        }
    }


def _recall_as_plain(recall: Recall | None) -> dict[str, float] | None:
    if recall is None:
        return None
    return {
        "mean": round(recall.mean, 4),
        "low": round(recall.low, 4),
        "high": round(recall.high, 4),
    }
