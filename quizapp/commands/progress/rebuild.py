"""`quiz rebuild`: derives every table from the log again, and says how far it is."""

from __future__ import annotations

import sys
from functools import partial

from quizapp.commands.common.help import subcommand
from quizapp.commands.common.output import note
from quizapp.commands.common.surroundings import open_progress
from quizapp.report.words import Words
from quizapp.system import logs
from quizapp.system.language import person_language
from quizapp.system.streams import control


@subcommand("quiz rebuild")
def command() -> None:
    """Derive all tables from the log."""
    say = Words(person_language())
    with open_progress("rebuild") as study:
        study.store.rebuild(partial(_show_progress, say) if sys.stderr.isatty() else None)
        events = study.store.count_events()
        questions = len(study.store.cards())
        logs.record("rebuild", events=events, questions=questions)
    note(
        say(
            "rebuild.done",
            questions=say("count.questions", n=questions),
            events=say("count.events", n=events),
        )
    )


def _show_progress(say: Words, done: int, total: int) -> None:
    end = "\n" if done == total else ""
    control(sys.stderr, "\r")
    text = say("rebuild.progress", done=done, events=say("count.events", n=total))
    print(text, end=end, file=sys.stderr, flush=True)
