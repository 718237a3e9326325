"""`quiz reset`: makes questions new again, after a backup and a confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from quizapp import logs
from quizapp.commands._output import counted, note
from quizapp.commands._params import QUESTION, TOPIC
from quizapp.commands._shared import confirm, opened, subcommand, yes_option
from quizapp.errors import UsageError

if TYPE_CHECKING:
    from quizapp.study.service import Study


@subcommand(
    "Make questions new again; a backup is made.",
    "quiz reset shared-memory/interview-broadcast",
    "quiz reset --topic banks",
    "quiz reset --all --yes",
)
@click.argument("question", required=False, type=QUESTION)
@click.option("--topic", type=TOPIC, help="All questions on this topic.")
@click.option("--all", "everything", is_flag=True, help="All questions.")
@yes_option
def command(question: str | None, topic: str | None, *, everything: bool, yes: bool) -> None:
    """What was answered stays in the log, but no longer counts. Prints the backup's path."""
    if (question is not None) + (topic is not None) + everything != 1:
        what = "say what to reset: one question, one topic, or all"
        raise UsageError(what, "quiz reset QUESTION, quiz reset --topic T, or quiz reset --all")
    with opened("reset") as study:
        chosen = [q for q in _chosen(study, question, topic) if study.card(q).memory is not None]
        if not chosen:
            note("Nothing to reset: no answer to any of these counts.")
            return
        what = chosen[0] if len(chosen) == 1 else counted(len(chosen), "question")
        if not yes:
            confirm(f"Make {what} new again? [y/N]", ("y", "yes"))
        backup = study.store.backup("before-reset")
        count = study.reset(chosen)
        logs.record("reset", questions=count)
    note(f"{counted(count, 'question')} will be asked as new. What was before is kept in:")
    print(backup)


def _chosen(study: Study, question: str | None, topic: str | None) -> list[str]:
    """The ids that were meant; all that have progress, even if their question is gone."""
    if question is not None:
        return [study.deck.find(question).id]
    if topic is not None:
        study.deck.check_topic(topic)
        return [e.id for e in study.deck.entries.values() if e.topic == topic]
    return list(study.cards)
