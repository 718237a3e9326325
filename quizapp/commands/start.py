"""`quiz start`: checks what was asked for, then hands over to the screen or to the plain mode."""

from __future__ import annotations

import sys

import click

from quizapp import __version__, logs
from quizapp.commands._params import KIND, TOPIC
from quizapp.commands._shared import (
    opened,
    read_deck,
    require_terminal,
    subcommand,
    surroundings,
)
from quizapp.domain.question import KINDS

INSTEAD = "`quiz start --plain` works line by line, without a screen"


@subcommand(
    "Study what is due.",
    "quiz start",
    "quiz start --topic banks --kind choice --limit 10",
    "quiz start --new 0",
    "quiz start --plain",
)
@click.option("--topic", type=TOPIC, help="Only questions on this topic.")
@click.option("--kind", type=KIND, help=f"Only questions of this kind: {', '.join(KINDS)}.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N questions.")
@click.option(
    "--new", type=click.IntRange(min=0), metavar="N", help="N new ones instead of the daily limit."
)
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, pipes and scripts.")
def command(
    topic: str | None, kind: str | None, limit: int | None, new: int | None, *, plain: bool
) -> int:
    """Reviews come first, new questions among them; what you answer wrong returns in the session.

    Every answer is stored before the next question is shown, so you may stop at any moment.
    """
    where = surroundings()
    if topic is not None:
        read_deck(where).check_topic(topic)
    if not plain:
        require_terminal("the study screen", INSTEAD)
    from quizapp.study.values import Filter  # noqa: PLC0415 - 150 ms, in vain without a terminal

    narrowed = Filter(topic, kind, limit, new)
    if plain:
        from quizapp.plain import run as run_plain  # noqa: PLC0415

        with opened("start --plain", where) as study:
            return run_plain(study, narrowed, sys.stdin, sys.stdout)
    from quizapp.tui.app import run  # noqa: PLC0415 - 300 ms: Textual

    logs.set_up(where.paths.log)
    logs.record("start", version=__version__)
    return run(where.paths, where.settings, narrowed)
