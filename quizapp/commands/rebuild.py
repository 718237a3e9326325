"""`quiz rebuild`: derives every table from the log again, and says how far it is."""

from __future__ import annotations

import sys

from quizapp import logs
from quizapp.commands._output import counted, note
from quizapp.commands._shared import opened, subcommand


@subcommand("Derive every table from the log of answers again.", "quiz rebuild")
def command() -> None:
    """The log is the truth, so this loses nothing. It is of use after a repair by hand."""
    with opened("rebuild") as study:
        study.store.rebuild(_progress if sys.stderr.isatty() else None)
        events = study.store.count_events()
        questions = len(study.store.cards())
        logs.record("rebuild", events=events, questions=questions)
    note(f"{counted(questions, 'question')} derived from {counted(events, 'event')}.")


def _progress(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done:,} of {counted(total, 'question')}", end=end, file=sys.stderr, flush=True)
