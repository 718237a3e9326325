"""`quiz erase`: forgets all progress, after a backup and a confirmation that must be typed."""

from __future__ import annotations

from quizapp import logs
from quizapp.commands._output import counted, note
from quizapp.commands._shared import confirm, opened, subcommand, surroundings, yes_option


@subcommand(
    "Forget everything you ever answered; a backup is made.", "quiz erase", "quiz erase --yes"
)
@yes_option
def command(*, yes: bool) -> None:
    """Answers, schedule, marks and half-written answers. Settings and your own questions stay.

    Prints the backup's path; delete that file too, and nothing is left.
    """
    where = surroundings()
    if not where.paths.database.exists():
        note(f"Nothing to erase: there is no {where.paths.database}.")
        return
    with opened("erase", where) as study:
        size = counted(study.store.count_events(), "event")
        if not yes:
            confirm(f"Forget all progress ({size} in the log)? Type erase:", ("erase",))
        backup = study.store.erase()
        logs.record("erase")
    note("All progress is forgotten. What was before is kept in:")
    print(backup)
