"""`quiz start`: checks what was asked for, then hands over to the screen or to the plain mode."""

from __future__ import annotations

import sys

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import require_terminal
from quizapp.commands.common.help import subcommand
from quizapp.commands.common.parameters import KIND, PACK, QUESTION, TOPIC, Integer
from quizapp.commands.common.screens import open_screens, with_rescue
from quizapp.commands.common.surroundings import (
    Surroundings,
    open_progress,
    read_deck,
    surroundings,
)
from quizapp.plain import session
from quizapp.study import home_values


@subcommand(
    "quiz start",
    "quiz start --topic banks --kind choice --limit 10",
    "quiz start --only shared-memory/interview-broadcast",
    "quiz start --new 0",
    "quiz start --practice --failed",
    "quiz start --plain",
)
@click.option("--pack", type=PACK)
@click.option("--topic", type=TOPIC)
@click.option("--kind", type=KIND)
@click.option("--only", type=QUESTION, multiple=True)
@click.option("--limit", type=Integer(min=1), metavar="N")
@click.option("--new", type=Integer(min=0), metavar="N")
@click.option("--practice", is_flag=True)
@click.option("--failed", is_flag=True)
@click.option("--guided", is_flag=True)
@click.option("--plain", is_flag=True)
def command(
    pack: str | None, topic: str | None, kind: str | None, limit: int | None, new: int | None, *,
    only: tuple[str, ...], practice: bool, failed: bool, guided: bool, plain: bool,
) -> int:  # fmt: skip
    """Ask in the screens or line by line; offer the ways out if the database is damaged."""
    where = surroundings()
    if pack is not None:
        pack = read_deck(where).find_pack(pack)
    if topic is not None:
        topic, of_pack = read_deck(where).find_topic(topic, pack)
        pack = pack or of_pack
    named = tuple(read_deck(where).find(name).id for name in only)
    if not plain:
        require_terminal(fact("start.screen"), fact("start.plain-instead"))
    narrowed = home_values.Filter(
        topic, kind, limit, new, named, failed=failed, practice=practice, guided=guided, pack=pack
    )
    if plain:
        return with_rescue(where, lambda: _study_plain(where, narrowed))
    return with_rescue(where, lambda: open_screens(where, narrowed))


def _study_plain(where: Surroundings, narrowed: home_values.Filter) -> int:
    with open_progress("start --plain", where) as study:
        return session.run(study, narrowed, sys.stdin, sys.stdout)
