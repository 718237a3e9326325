"""A plan with its forecast, as lines of text and as plain data for `--json`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from quizapp.domain.days import as_date
from quizapp.domain.minutes import whole_minutes
from quizapp.report.first_words import first_words
from quizapp.report.lines import Line, sentence, table

if TYPE_CHECKING:
    from quizapp.deck.index import Entry
    from quizapp.domain.goal import Goal
    from quizapp.domain.planning.forecast import RecallForecast
    from quizapp.domain.planning.readiness import Readiness
    from quizapp.domain.question import AnyQuestion
    from quizapp.report.words import Words
    from quizapp.study.planning import Shortfall, StudyPlan, TopicForecast

_WORDS = 140
"""Characters of a prompt that a list shows."""

_MISSED, _SHORT = 0.15, 0.85
"""From which share of days missed, and below which share of the minutes, that is the reason."""


def plan_lines(plan: StudyPlan, say: Words) -> Iterator[Line]:
    """Show the day, what to do per day, what is left out, and the recall on the day by topic."""
    yield from summary_lines(plan, say)
    yield sentence("")
    yield from topic_lines(plan, say)


def topic_lines(plan: StudyPlan, say: Words) -> Iterator[Line]:
    """Show the recall on the day by topic."""
    heads = ("goal.topic", "goal.questions", "goal.learned", "goal.left-out", "goal.recalled")
    rows = [tuple(map(say, heads)), *(_topic_row(topic, say) for topic in plan.topics)]
    yield from table(rows, right=(1, 2, 3, 4))


def summary_lines(plan: StudyPlan, say: Words) -> Iterator[Line]:
    """Show the day, what to do per day, and what is left out."""
    goal, fit = plan.goal, plan.fit
    last_fifth = as_date(goal.last_fifth.start).isoformat()
    day = say("goal.in-days", n=goal.day - plan.today)
    learned = sum(topic.learned for topic in plan.topics)
    met, asked = "{} ({}–{})".format(*fit.questions), learned + plan.new
    about = say("goal.planned-about")
    if goal.since < plan.today and plan.shortfall is None:
        about = say("goal.planned-then", day=as_date(goal.since).isoformat())
    kept, share = round(100 * plan.retention), round(100 * goal.new_share)
    yield from table(
        [
            (say("goal.day"), as_date(goal.day).isoformat(), day),
            (say("goal.time"), str(goal.minutes), say("goal.minutes", n=goal.minutes)),
            (say("goal.planned"), str(asked), about),
            (say("goal.met"), met, say("goal.met-about", n=learned)),
            (
                say("goal.takes"),
                "{} ({})".format(*map(whole_minutes, fit.daily)),
                say("goal.takes-about"),
            ),
            (say("goal.kept"), f"{kept}%", say("goal.kept-about")),
            (say("goal.new"), f"{share}%", say("goal.new-about")),
            (say("goal.again"), last_fifth, say("goal.again-about")),
            (say("goal.recall"), recall_text(plan.whole), say("goal.recall-about", n=asked)),
            *_readiness_rows(plan, say),
            ("", "", say("goal.recall-range")),
        ],
        right=(1,),
    )
    if plan.readiness is not None:
        gain, topic = _gain(plan.readiness), say.topic(plan.topic_names(plan.readiness.topic[1]))
        yield sentence(say("goal.gains", topic=topic, n=gain))
    if goal.topics:
        yield sentence(say("goal.only", topics=_topics_text(goal.topics, plan.topic_names, say)))
    if plan.waiting.questions:
        wanted = ",".join((*goal.topics, *plan.waiting.topics))
        yield sentence(say("goal.waits", n=plan.waiting.questions, topics=wanted))
    yield sentence("")
    if plan.shortfall is not None:
        yield sentence("! " + shortfall_text(plan, plan.shortfall, say), "note")
    yield from _enough_lines(plan, say)


def _enough_lines(plan: StudyPlan, say: Words) -> Iterator[Line]:
    """Say whether everything fits, and if not what would be enough, or that nothing was found."""
    goal, fit = plan.goal, plan.fit
    if plan.left_out:
        later = fit.enough_day is not None and fit.enough_day > goal.day
        some = fit.minutes is not None or later
        key = "goal.too-little" if some else "goal.too-little-by-far"
        yield sentence("! " + say(key, n=len(plan.left_out)), "note")
        if fit.minutes is not None:
            yield sentence("  " + say("goal.enough-minutes", minutes=fit.minutes))
        if fit.enough_day is not None and fit.enough_day > goal.day:
            key = "goal.enough-day" if fit.minutes is None else "goal.or-enough-day"
            yield sentence("  " + say(key, day=as_date(fit.enough_day).isoformat()))
        if fit.minutes is None:
            yield sentence("  " + say("goal.not-minutes", minutes=fit.most), "dim")
        if fit.enough_day is None and fit.minutes != goal.minutes:
            yield sentence("  " + say("goal.not-day"), "dim")
    else:
        peak = whole_minutes(fit.daily[1])
        yield sentence(say("goal.fits", minutes=whole_minutes(fit.daily[0]), peak=peak))


def _readiness_rows(plan: StudyPlan, say: Words) -> Iterator[tuple[str, str, str]]:
    found = plan.readiness
    if found is None:
        return
    about = say("goal.ready-about-topics") if plan.goal.topics else say("goal.ready-about")
    yield say("goal.ready"), recall_text(found.today), about
    then = say("goal.ready-then-about-topics") if plan.goal.topics else say("goal.ready-then-about")
    yield say("goal.ready-then"), recall_text(found.on_day), then


def readiness_text(
    found: Readiness | None, topic: tuple[str, str], goal: Goal | None, say: Words
) -> str:
    """Say the readiness on a line; empty where there is none.

    `topic`: the names of its topic. `goal`: the plan, which may be about some topics.
    """
    if found is None:
        return ""
    return say(
        "home.ready-topics" if goal is not None and goal.topics else "home.ready",
        today=round(100 * found.today.mean),
        on_day=recall_text(found.on_day),
        gain=_gain(found),
        topic=say.topic(topic),
    )


def _gain(found: Readiness) -> int:
    """Return what a topic would add, in whole points."""
    return round(100 * found.gain)


def shortfall_text(plan: StudyPlan, found: Shortfall, say: Words) -> str:
    """Say that fewer questions fit than were promised, and why."""
    if found.missed > _MISSED * found.days:
        reason = say("goal.since-missed", n=found.days - found.missed, days=found.days)
    elif found.days and found.minutes < _SHORT * plan.goal.minutes:
        reason = say("goal.since-short", n=found.minutes, minutes=plan.goal.minutes)
    else:
        reason = say("goal.since-slow")
    day = as_date(plan.goal.since).isoformat()
    return say("goal.shrinks", promised=found.promised, day=day, n=plan.fit.met, reason=reason)


def set_text(goal: Goal, names: Callable[[str], tuple[str, str]], say: Words) -> str:
    """Say that a plan was set, what it is, and how to drop it; `names`: of a topic, by its id."""
    topics = _topics_text(goal.topics, names, say) if goal.topics else say("goal.every-topic")
    return say("goal.set", day=as_date(goal.day).isoformat(), minutes=goal.minutes, topics=topics)


def no_plan_text(ended: int | None, today: int, say: Words) -> str:
    """Say that there is no plan; `ended`: the day of one that has ended."""
    if ended is None:
        return say("goal.none")
    if ended == today:
        return say("goal.ends-today")
    return say("goal.ended", day=as_date(ended).isoformat())


def options_text(goal: Goal) -> str:
    """Write the options that set a plan."""
    topics = f" --topics {','.join(goal.topics)}" if goal.topics else ""
    day = as_date(goal.day).isoformat()
    return f"--date {day} --minutes {goal.minutes}{topics}"


def left_out_lines(found: Sequence[tuple[Entry, AnyQuestion]], say: Words) -> Iterator[Line]:
    """List the questions that the plan has no time for, in the order they would come in."""
    if not found:
        yield sentence(say("goal.none-left-out"))
        return
    yield sentence(say("goal.left-out-list", n=len(found)), "bold")
    for entry, question in found:
        topic = say.topic(entry.topic_names)
        yield sentence(f"  {entry.id} · {topic} · {say(f'kind.{entry.kind}')}")
        yield sentence(f"    {_shorten(first_words(question, say.language))}", "dim")


def _topics_text(topics: Iterable[str], names: Callable[[str], tuple[str, str]], say: Words) -> str:
    return say("plan.and").join(say.topic(names(topic)) for topic in topics)


def _shorten(text: str) -> str:
    """Cut a prompt to what fits on two lines at most."""
    return text if len(text) <= _WORDS else f"{text[: _WORDS - 1].rstrip()}…"


def _topic_row(topic: TopicForecast, say: Words) -> tuple[str, ...]:
    left_out = str(topic.left_out) if topic.left_out else "–"
    counts = (str(topic.questions), str(topic.learned), left_out)
    return (say.topic(topic.names), *counts, recall_text(topic.recall))


def recall_text(recall: RecallForecast | None) -> str:
    """Write a predicted share with its uncertainty: 62% (54–71)."""
    if recall is None:
        return "–"
    low, high = round(100 * recall.low), round(100 * recall.high)
    return f"{round(100 * recall.mean)}% ({low}–{high})"


def plan_as_plain(plan: StudyPlan | None) -> dict[str, Any]:
    """Return what `quiz plan --json` prints; the keys are promised in docs/cli.md."""
    if plan is None:
        return {"plan": None}
    goal, fit, missing = plan.goal, plan.fit, plan.shortfall
    enough = None if fit.enough_day is None else as_date(fit.enough_day).isoformat()
    return {
        "plan": {
            "date": as_date(goal.day).isoformat(),
            "days": goal.day - plan.today,
            "minutes": goal.minutes,
            "topics": list(goal.topics),
            "retention": plan.retention,
            "new_share": goal.new_share,
            "new": plan.new,
            "met": fit.questions._asdict(),
            "minutes_per_day": {"mean": round(fit.daily[0], 1), "peak": round(fit.daily[1], 1)},
            "promised": goal.promised,
            "shortfall": None
            if missing is None
            else {"days": missing.days, "missed": missing.missed, "minutes": missing.minutes},
            "last_fifth": as_date(goal.last_fifth.start).isoformat(),
            "in_time": plan.in_time,
            "left_out": list(plan.left_out),
            "enough": {"minutes": fit.minutes, "date": enough},
            "recall": _recall_as_plain(plan.whole),
            "readiness": _readiness_as_plain(plan.readiness),
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


def _readiness_as_plain(found: Readiness | None) -> dict[str, Any] | None:
    if found is None:
        return None
    pack, topic = found.topic
    return {
        "today": _recall_as_plain(found.today),
        "on_day": _recall_as_plain(found.on_day),
        "pack": pack,
        "topic": topic,
        "gain": round(found.gain, 4),
    }


def _recall_as_plain(recall: RecallForecast | None) -> dict[str, float] | None:
    if recall is None:
        return None
    return {
        "mean": round(recall.mean, 4),
        "low": round(recall.low, 4),
        "high": round(recall.high, 4),
    }
