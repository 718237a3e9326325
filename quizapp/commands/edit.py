"""`quiz edit`: opens a question in the editor, then checks it; or takes a changed copy back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp import editor, overlay
from quizapp.commands._output import note
from quizapp.commands._params import QUESTION
from quizapp.commands._shared import Surroundings, read_deck, subcommand, surroundings
from quizapp.commands.lint import check, print_problems
from quizapp.errors import FINDINGS, OK

if TYPE_CHECKING:
    from quizapp.deck.index import Entry


@subcommand(
    "Open a question in your editor.",
    "quiz edit shared-memory/interview-broadcast",
    "EDITOR=nano quiz edit interview-broadcast",
    "quiz edit --revert interview-broadcast",
)
@click.argument("question", type=QUESTION)
@click.option("--revert", is_flag=True, help="Go back to the question you changed a copy of.")
def command(question: str, *, revert: bool) -> int:
    """A question that came with the program is edited in a copy of yours, which goes before it.

    The copy survives upgrades; --revert moves it aside. The editor is the setting 'editor', else
    $VISUAL, $EDITOR, vi. Afterwards the file is checked as by `quiz lint`.
    """
    where = surroundings()
    found = read_deck(where).find(question)
    return _revert(found, where) if revert else _edit(found, where)


def _revert(found: Entry, where: Surroundings) -> int:
    aside = overlay.revert(found, where.paths)
    note(f"{found.id} is again as it came. Your version is kept in:")
    print(aside)
    return OK


def _edit(found: Entry, where: Surroundings) -> int:
    path, line = overlay.editable_copy(found, where.paths)
    try:
        editor.edit(where.settings.editor, path, line)
    finally:
        unchanged = overlay.drop_unchanged(found, where.paths)
    if unchanged:
        note(f"{found.id} is as it was.")
        return OK
    print(path)
    if path != Path(found.file):
        note(f"This is your copy; `quiz edit --revert {found.id}` takes it back.")
    problems = check([path]).problems
    print_problems(problems)
    return FINDINGS if problems else OK
