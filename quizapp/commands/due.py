"""`quiz due`: the home screen's facts as text or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quizapp.commands._output import counted, percent, print_json, print_table, weekday
from quizapp.commands._shared import json_option, opened, subcommand
from quizapp.domain.days import as_date

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizapp.study.values import Home, TopicRow


@subcommand("Say what is due, and when the next is.", "quiz due", "quiz due --json")
@json_option
def command(*, as_json: bool) -> None:
    """What `quiz start` would bring now, by the daily limits, and the strength of each topic."""
    with opened("due") as study:
        from quizapp.study.overview import home  # noqa: PLC0415 - 150 ms: SQLAlchemy

        facts = home(study)
    if as_json:
        print_json(as_plain(facts))
    else:
        _print(facts)


def as_plain(home: Home) -> dict[str, Any]:
    """What `--json` prints; the keys are promised in docs/cli.md."""
    upcoming = None
    if home.next_due_day is not None:
        upcoming = {"day": as_date(home.next_due_day).isoformat(), "questions": home.next_due}
    return {
        "day": as_date(home.day).isoformat(),
        "due": home.due,
        "new": home.new,
        "unseen": home.unseen,
        "questions": home.questions,
        "left_out": home.left_out,
        "minutes": home.minutes,
        "drafts": home.drafts,
        "studied_days": home.studied_days,
        "next": upcoming,
        "interview_in_days": home.interview_in,
        "interview_forecast": home.forecast,
        "topics": topics_as_plain(home.topics),
    }


def topics_as_plain(topics: Sequence[TopicRow]) -> list[dict[str, Any]]:
    """Each topic's strength, as in `quiz due --json` and `quiz stats --json`."""
    return [
        {
            "topic": row.topic,
            "questions": row.questions,
            "seen": row.seen,
            "known": round(row.known, 4),
            "due": row.due,
            "new": row.new,
            "hardest": row.hardest or None,
        }
        for row in topics
    ]


def print_topics(topics: Sequence[TopicRow]) -> None:
    """Each topic's strength as a table."""
    rows = [
        (r.topic, percent(r.known) if r.seen else "–", str(r.due), str(r.new), r.hardest)
        for r in topics
    ]
    print_table([("topic", "known", "due", "new", "hardest for you"), *rows], right=(1, 2, 3))


def _print(home: Home) -> None:
    rows = [("due", str(home.due), ""), ("new", str(home.new), f"of {home.unseen:,}")]
    if home.minutes:
        rows.append(("time", str(home.minutes), "min, about"))
    if home.next_due_day is not None:
        rows.append(("next", str(home.next_due), f"on {weekday(as_date(home.next_due_day))}"))
    if home.drafts:
        rows.append(("drafts", str(home.drafts), "half-written"))
    if home.left_out:
        rows.append(("left out", str(home.left_out), "with errors: see `quiz lint`"))
    print_table(rows, right=(1,))
    if home.interview_in is not None:
        forecast = "" if home.forecast is None else f", forecast {percent(home.forecast)}"
        print(f"interview in {counted(home.interview_in, 'day')}{forecast}")
    if home.topics:
        print()
        print_topics(home.topics)
    else:
        print("There are no questions yet: `quiz new choice` writes one.")
