"""Extras that questions need: a question whose extra is missing is not asked, and says so."""

from __future__ import annotations

from grader import extras
from grader.facts import fact
from quizapp.domain import languages
from quizapp.domain.errors import EnvironmentProblem


def find_missing(extra: str) -> str:
    """Return the extra of a question if it is not installed; "" if nothing is missing."""
    return extra if extra and not extras.is_installed(extra) else ""


def check_installed(name: str, question: object) -> None:
    """Check that the extra that a question needs is there. Raises EnvironmentProblem: it is not."""
    missing = find_missing(languages.extra_of(question))
    if missing:
        raise EnvironmentProblem(fact("extra.missing", question=name, extra=missing))
