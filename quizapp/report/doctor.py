"""What `quiz doctor` found, as styled lines. Checks nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from quizapp.report.lines import Line, Role, Span, sentence, table
from quizapp.study.health import Check, Health

if TYPE_CHECKING:
    from quizapp.report.words import Words

_ROLES: dict[Health, Role] = {Health.OK: "good", Health.NOTE: "note", Health.PROBLEM: "conflict"}


def lines(checks: Sequence[Check], say: Words) -> Iterator[Line]:
    """Show the checks by section; below each what to do about it, where something is to be done."""
    rows = [_rows(check, say) for check in checks]
    arranged = iter(table([row for of_check in rows for row in of_check], indent="  "))
    counts = iter(len(of_check) for of_check in rows)
    for section, members in groupby(checks, key=lambda check: check.section):
        yield sentence(say(f"doctor.section.{section}"))
        for _ in members:
            for _ in range(next(counts)):
                yield next(arranged)


def _rows(check: Check, say: Words) -> list[tuple[str | Span, ...]]:
    health = say(f"doctor.health.{check.health}"), _ROLES[check.health]
    name = say.get(f"doctor.name.{check.name}", check.name)
    advice = say.hint(check.what, check.todo)
    first: tuple[str | Span, ...] = (health, name, say.fact(check.what))
    return [first, *(("", "", line) for line in advice.splitlines())]
