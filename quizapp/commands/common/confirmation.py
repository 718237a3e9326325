"""Asks the person, and checks that there is a terminal to ask them on."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection

import click

from grader.facts import Fact, fact
from quizapp.domain.errors import EnvironmentProblem, UsageError
from quizapp.report.words import Words
from quizapp.system.language import person_language
from quizapp.system.streams import is_terminal

YES = ("y", "yes", "是")


def confirm(question: Fact, wanted: Collection[str] = YES) -> None:
    """Go on only when one of `wanted` is typed.

    Raises:
        UsageError: the input has ended.
        Abort: the answer was another one.
    """
    say = Words(person_language())
    print(say.fact(question), end=" ", file=sys.stderr, flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        print(file=sys.stderr)
        raise UsageError(fact("usage.no-answer"))
    if line.strip().lower() not in wanted:
        print(say("nothing-changed"), file=sys.stderr)
        raise click.Abort


def require_terminal(what: Fact, instead: Fact) -> None:
    """See that a screen can be drawn.

    Raises EnvironmentProblem: `what` cannot run here; `instead` is what can.
    """
    if not is_terminal():
        raise EnvironmentProblem(fact("usage.no-terminal", what=what), instead)
    if not can_draw():
        term = os.environ.get("TERM") or fact("usage.term-not-set")
        raise EnvironmentProblem(fact("usage.no-drawing", what=what, term=term), instead)


def can_draw() -> bool:
    """Return True if a screen can be drawn."""
    return is_terminal() and os.environ.get("TERM", "") not in ("", "dumb")
