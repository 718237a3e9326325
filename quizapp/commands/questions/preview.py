"""`quiz preview`: hands over to the screen; without a terminal prints the questions as text."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import can_draw, require_terminal
from quizapp.commands.common.help import subcommand
from quizapp.commands.common.surroundings import Surroundings, surroundings
from quizapp.commands.questions.lint import print_problems
from quizapp.deck import content, index
from quizapp.domain.errors import FINDINGS, OK, UsageError
from quizapp.plain import markdown
from quizapp.report.content import question_text
from quizapp.report.words import Words
from quizapp.study import examiner as examiners
from quizapp.system.paths import absolute
from quizapp.tui import picture, preview


@subcommand("quiz preview mine.yaml", "quiz preview mine.yaml --watch")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--watch", is_flag=True)
def command(file: Path, *, watch: bool) -> int:
    """Show the questions of a file on the screen, or print them."""
    where = surroundings()
    if not file.is_file():
        if file.exists():
            raise UsageError(fact("preview.not-a-file", file=str(file)))
        raise UsageError(fact("file.missing", file=str(file)), fact("preview.name-file"))
    if watch:
        require_terminal(fact("preview.watch"), fact("preview.as-text"))
    if can_draw():
        return preview.run(absolute(file), where.settings, watch=watch)
    return _print(file, where)


def _print(file: Path, where: Surroundings) -> int:
    """Print the questions as text, then what is wrong."""
    say = Words(where.settings.language)
    with closing(examiners.Examiner()) as examiner:
        compiled = index.read(str(where.paths.compiled_deck))
        drawn = picture.read(absolute(file), content.content_roots(*where), examiner, compiled)
    for question in drawn.questions:
        lines = question_text.question_text(question, say, partial(markdown.plain, width=None))
        print("\n".join(lines), end="\n\n")
    print_problems(drawn.problems, say)
    return FINDINGS if drawn.problems else OK
