"""`quiz reset`: makes questions new again, after a backup and a confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import subcommand, yes_option
from quizapp.commands.common.output import note
from quizapp.commands.common.parameters import QUESTION, TOPIC
from quizapp.commands.common.surroundings import open_progress
from quizapp.domain.errors import UsageError
from quizapp.report.words import Words
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.study.service import Study


@subcommand(
    "quiz reset shared-memory/interview-broadcast",
    "quiz reset --topic banks",
    "quiz reset --all --yes",
    "quiz reset --all --half-written",
)
@click.argument("question", required=False, type=QUESTION)
@click.option("--topic", type=TOPIC)
@click.option("--all", "everything", is_flag=True)
@click.option("--half-written", is_flag=True)
@yes_option
def command(
    question: str | None, topic: str | None, *, everything: bool, half_written: bool, yes: bool
) -> None:
    """Make the chosen questions new."""
    if (question is not None) + (topic is not None) + everything != 1:
        raise UsageError(fact("reset.which"))
    say = Words(person_language())
    if half_written:
        _drop_half_written(say, question, topic, yes=yes)
        return
    with open_progress("reset") as study:
        named, card = _choose(study, question, topic), study.progress.card
        chosen = [name for name in named if card(name).memory is not None]
        if not chosen:
            note(say("reset.nothing"))
            return
        what = chosen[0] if len(chosen) == 1 else fact("count.questions", n=len(chosen))
        if not yes:
            confirm(fact("reset.question", what=what))
        backup = study.store.backup("before-reset")
        count = study.marks.reset(chosen)
        logs.record("reset", questions=count)
    note(say("reset.done", questions=say("count.questions", n=count)))
    print(backup)


def _drop_half_written(say: Words, question: str | None, topic: str | None, *, yes: bool) -> None:
    """Forget what was written for the chosen questions and not submitted, with a backup."""
    with open_progress("reset") as study:
        begun = study.attempts.half_written()
        chosen = [*begun]
        if question is not None or topic is not None:
            chosen = [name for name in _choose(study, question, topic) if name in begun]
        if not chosen:
            note(say("reset.nothing-written"))
            return
        for name in chosen:
            note(name)
        if not yes:
            confirm(fact("reset.drop.question", what=fact("count.questions", n=len(chosen))))
        backup = study.store.backup("before-reset")
        count = study.attempts.drop_half_written(chosen)
        logs.record("reset", half_written=count)
    note(say("reset.dropped", questions=say("count.questions", n=count)))
    print(backup)


def _choose(study: Study, question: str | None, topic: str | None) -> list[str]:
    """Return the ids that were meant: all that have progress, even if their question is gone."""
    if question is not None:
        return [study.deck.find(question).id]
    if topic is not None:
        named, pack = study.deck.find_topic(topic)
        entries = study.deck.entries.values()
        return [e.id for e in entries if e.topic == named and pack in (None, e.pack)]
    return list(study.progress.cards)
