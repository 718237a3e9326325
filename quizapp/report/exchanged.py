"""What an import would do, and what a sync did, as sentences and as plain data."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.exchange import ImportPlan


def import_sentences(plan: ImportPlan, name: str, say: Words) -> list[str]:
    """Say what a file holds and what of it is new here."""
    events = plan.new + plan.known + plan.newer
    if not events:
        return [say("import.empty", file=name)]
    lines = [
        say(
            "import.holds",
            file=name,
            events=say("count.events", n=events),
            first=_date(plan.first_ms),
            last=_date(plan.last_ms),
            machines=say("count.machines", n=plan.machines),
        )
    ]
    if plan.newer:
        lines.append(say("import.newer", events=say("count.events", n=plan.newer)))
    if not plan.new:
        return [*lines, say("import.nothing-new")]
    return [
        *lines,
        say(
            "import.new",
            events=say("count.events", n=plan.new),
            answers=say("count.answers", n=plan.answers),
            known=say("count.events", n=plan.known),
        ),
    ]


def import_as_plain(plan: ImportPlan) -> dict[str, Any]:
    """Return what an import would do, for `--json`."""
    names = ("new", "answers", "known", "newer", "machines")
    return {name: getattr(plan, name) for name in names}


def _date(at_ms: int) -> str:
    """Return the date of a time in a log, in UTC: logs of several machines have no other."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d}"
