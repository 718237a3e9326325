"""`quiz edit`: opens a question in the editor, then checks it; or takes a changed copy back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import require_terminal
from quizapp.commands.common.help import subcommand
from quizapp.commands.common.output import note
from quizapp.commands.common.parameters import QUESTION
from quizapp.commands.common.surroundings import Surroundings, read_deck, surroundings
from quizapp.commands.questions.lint import check, print_held_back, print_problems, status
from quizapp.deck.writing import overlay
from quizapp.domain.errors import OK, UsageError
from quizapp.report.words import Words
from quizapp.system import editor
from quizapp.system.language import person_language
from quizapp.system.trust import check_may_run, read_trust

if TYPE_CHECKING:
    from quizapp.deck.index import Entry


@subcommand(
    "quiz edit shared-memory/interview-broadcast",
    "EDITOR=nano quiz edit interview-broadcast",
    "quiz edit --revert interview-broadcast",
    "quiz edit --source interview-broadcast",
)
@click.argument("question", type=QUESTION)
@click.option("--revert", is_flag=True)
@click.option("--source", is_flag=True)
def command(question: str, *, revert: bool, source: bool) -> int:
    """Edit a question and check it, or revert the copy."""
    where = surroundings()
    deck = read_deck(where)
    found = deck.find(question)
    if revert and source:
        raise UsageError(fact("edit.revert-or-source"))
    if revert:
        return _revert(found, where)
    if source:
        overlay.original(found)
    elif not overlay.is_edited_in_place(found, where.paths):
        check_may_run(found.id, found.file, deck.question(found.id), where.paths)
    if not editor.stands_beside(where.settings.editor):
        instead = fact("edit.elsewhere", file=found.file, line=found.line)
        require_terminal(fact("edit.here"), instead)
    return _edit(found, where, source=source)


def _revert(found: Entry, where: Surroundings) -> int:
    aside = overlay.revert(found, where.paths)
    note(Words(person_language())("edit.reverted", question=found.id))
    print(aside)
    return OK


def _edit(found: Entry, where: Surroundings, *, source: bool) -> int:
    path, line = overlay.original(found) if source else overlay.editable_copy(found, where.paths)
    try:
        editor.edit(where.settings.editor, path, line)
    finally:
        unchanged = overlay.drop_unchanged(found, where.paths)
    say = Words(person_language())
    if unchanged:
        note(say("edit.unchanged", question=found.id))
        return OK
    print(path)
    if path != Path(found.file):
        note(say("edit.copy", question=found.id))
    report = check([path], agreed=read_trust(where.paths))
    print_problems(report.problems, say)
    print_held_back(report, say)
    return status(report)
