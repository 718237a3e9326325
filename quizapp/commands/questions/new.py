"""`quiz new`: writes a question or a theme that already lints, with the schema."""

from __future__ import annotations

from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.help import subcommand
from quizapp.commands.common.output import note
from quizapp.commands.common.parameters import NEW_KIND, PACK
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.deck.index import MOCK_FOLDER
from quizapp.deck.writing import new_question
from quizapp.domain.errors import UsageError
from quizapp.report.words import Words
from quizapp.system.paths import absolute


@subcommand(
    "quiz new choice",
    "quiz new number --pack mine --id pitch-of-33",
    "quiz new recall --to content/shared-memory/interview --id warp-shuffle",
    "quiz new mock --id my-interview",
    own="mine",
)
@click.argument("kind", type=NEW_KIND)
@click.option("--pack", type=PACK)
@click.option("--id", "name", metavar="ID")
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER")
def command(kind: str, pack: str | None, name: str | None, folder: Path | None) -> None:
    """Write a question file, or a theme, and print its path."""
    if pack is not None and folder is not None:
        raise UsageError(fact("new.two-places"))
    where = surroundings()
    language = where.settings.language
    if folder is None:
        place = new_question.own_place(where.paths.own_content, pack or new_question.OWN_PACK)
    else:
        place = new_question.place_in(absolute(folder))
    if kind == MOCK_FOLDER:
        path = new_question.write_theme(place, name, language)
        print(path)
        note(Words(language)("new.next-theme", path=path))
        return
    path = new_question.write_question(read_deck(where), place, kind, name, language)
    print(path)
    note(Words(language)("new.next", path=path))
