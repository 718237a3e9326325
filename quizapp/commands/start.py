"""`quiz start`: checks what was asked for, then hands over to the screen or to the plain mode."""

from __future__ import annotations

import gc
import os
import sys

import click

from grader.facts import fact
from quizapp import __version__
from quizapp.commands.common.confirmation import require_terminal
from quizapp.commands.common.help import subcommand
from quizapp.commands.common.parameters import KIND, PACK, TOPIC, Integer
from quizapp.commands.common.surroundings import (
    Surroundings,
    open_progress,
    read_deck,
    surroundings,
)
from quizapp.domain.errors import StoreDamaged
from quizapp.domain.question import KINDS
from quizapp.plain import rescue, session
from quizapp.report.words import Words
from quizapp.study import values
from quizapp.system import logs
from quizapp.tui import app

TICKS = "240"
"""The rate in Hz at which Textual may draw; it reads this when it is imported."""


@subcommand(
    "quiz start",
    "quiz start --topic banks --kind choice --limit 10",
    "quiz start --new 0",
    "quiz start --practice --failed",
    "quiz start --plain",
    kinds=", ".join(KINDS),
)
@click.option("--pack", type=PACK)
@click.option("--topic", type=TOPIC)
@click.option("--kind", type=KIND)
@click.option("--limit", type=Integer(min=1), metavar="N")
@click.option("--new", type=Integer(min=0), metavar="N")
@click.option("--practice", is_flag=True)
@click.option("--failed", is_flag=True)
@click.option("--guided", is_flag=True)
@click.option("--plain", is_flag=True)
def command(
    pack: str | None,
    topic: str | None,
    kind: str | None,
    limit: int | None,
    new: int | None,
    *,
    practice: bool,
    failed: bool,
    guided: bool,
    plain: bool,
) -> int:
    """Ask in the screens or line by line; offer the ways out if the database is damaged."""
    where = surroundings()
    if pack is not None:
        read_deck(where).check_pack(pack)
    if topic is not None:
        read_deck(where).check_topic(topic)
    if not plain:
        require_terminal(fact("start.screen"), fact("start.plain-instead"))
    narrowed = values.Filter(
        topic, kind, limit, new, failed=failed, practice=practice, guided=guided, pack=pack
    )
    study = _study_plain if plain else _study_on_screen
    while True:
        try:
            return study(where, narrowed)
        except StoreDamaged as error:
            if not _offer_rescue(error, where):
                raise


def _study_plain(where: Surroundings, narrowed: values.Filter) -> int:
    with open_progress("start --plain", where) as study:
        return session.run(study, narrowed, sys.stdin, sys.stdout)


def _study_on_screen(where: Surroundings, narrowed: values.Filter) -> int:
    """Open the screens.

    Textual draws on a timer, 60 times per second by default, so a key would wait up to 17 ms for
    its picture. Garbage is not collected before home is drawn: that took 60 ms of importing and
    drawing.
    """
    os.environ.setdefault("TEXTUAL_FPS", TICKS)
    gc.disable()
    logs.set_up(where.paths.log)
    logs.record("start", version=__version__)
    return app.run(where.paths, where.settings, narrowed)


def _offer_rescue(error: StoreDamaged, where: Surroundings) -> bool:
    """Offer the ways out; return True once one was taken."""
    words = Words(where.settings.language)
    return rescue.offer_rescue(error, where.paths.database, words, sys.stdin, sys.stdout)
