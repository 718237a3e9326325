"""`quiz stats`: the statistics as text or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quizapp.commands._output import counted, percent, print_json, print_table, weekday
from quizapp.commands._shared import json_option, opened, subcommand
from quizapp.commands.due import print_topics, topics_as_plain
from quizapp.domain.days import as_date

if TYPE_CHECKING:
    from collections.abc import Mapping

    from quizapp.study.values import Retention, Statistics

DAYS = 14
"""Days of answers, and of forecast, that the text shows; JSON has all."""

_BAR = 30
_MS_A_MINUTE = 60_000


@subcommand(
    "Show answers by day, forecast, retention, strength by topic.",
    "quiz stats",
    "quiz stats --json",
)
@json_option
def command(*, as_json: bool) -> None:
    """True retention is the share of reviews (not first exposures) that were not rated Again."""
    with opened("stats") as study:
        from quizapp.study.statistics import statistics  # noqa: PLC0415 - 150 ms: SQLAlchemy

        facts = statistics(study)
    if as_json:
        print_json(_as_plain(facts))
    else:
        _print(facts)


def _as_plain(facts: Statistics) -> dict[str, Any]:
    """What `--json` prints; the keys are promised in docs/cli.md."""
    return {
        "day": as_date(facts.day).isoformat(),
        "streak_days": facts.streak,
        "answers": facts.answers,
        "duration_ms": facts.duration_ms,
        "answers_by_day": _by_date(facts.answers_by_day),
        "forecast": _by_date(facts.forecast),
        "retention": {
            "month": _retention_as_plain(facts.retention_month),
            "all": _retention_as_plain(facts.retention_all),
        },
        "topics": topics_as_plain(facts.topics),
        "leeches": [{"question": name, "lapses": lapses} for name, lapses in facts.leeches],
    }


def _by_date(days: Mapping[int, int]) -> dict[str, int]:
    return {as_date(day).isoformat(): count for day, count in sorted(days.items())}


def _retention_as_plain(retention: Retention) -> dict[str, Any]:
    return {
        "answers": retention.answers,
        "passed": retention.passed,
        "share": None if retention.share is None else round(retention.share, 4),
    }


def _print(facts: Statistics) -> None:
    rows = [
        ("answers", f"{facts.answers:,}", f"in {facts.duration_ms // _MS_A_MINUTE:,} min"),
        ("streak", str(facts.streak), "days" if facts.streak != 1 else "day"),
        ("retention", percent(facts.retention_month.share), _of(facts.retention_month, "month")),
        ("", percent(facts.retention_all.share), _of(facts.retention_all, "all time")),
    ]
    print_table(rows, right=(1,))
    print("\nanswers by day")
    _print_days(facts.answers_by_day, range(facts.day - DAYS + 1, facts.day + 1))
    print("\nreviews due")
    _print_days(facts.forecast, range(facts.day, facts.day + DAYS))
    print()
    print_topics(facts.topics)
    if facts.leeches:
        print("\nforgotten most often")
        print_table([(name, str(n)) for name, n in facts.leeches], right=(1,), indent="  ")


def _of(retention: Retention, since: str) -> str:
    return f"{since}, {counted(retention.answers, 'review')}"


def _print_days(days: Mapping[int, int], shown: range) -> None:
    """A bar a day; days on which there is nothing have no line."""
    most = max((days.get(day, 0) for day in shown), default=0)
    rows = [
        (weekday(as_date(day)), str(count), "#" * max(1, round(_BAR * count / most)))
        for day in shown
        if (count := days.get(day, 0))
    ]
    print_table(rows or [("none", "", "")], right=(1,), indent="  ")
