"""`quiz erase`: forgets all progress, after a backup and a confirmation that must be typed."""

from __future__ import annotations

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import subcommand, yes_option
from quizapp.commands.common.output import note
from quizapp.commands.common.surroundings import open_progress, surroundings
from quizapp.report.words import Words
from quizapp.system import logs
from quizapp.system.language import person_language


@subcommand("quiz erase", "quiz erase --yes")
@yes_option
def command(*, yes: bool) -> None:
    """Erase all progress."""
    where = surroundings()
    say = Words(person_language())
    if not where.paths.database.exists():
        note(say("erase.nothing", path=where.paths.database))
        return
    with open_progress("erase", where) as study:
        events = fact("count.events", n=study.store.count_events())
        if not yes:
            confirm(fact("erase.question", events=events), ("erase",))
        backup = study.store.erase(study.clock.now().utc_ms)
        logs.record("erase")
        for kept in (where.paths.kept_plan, where.paths.kept_home):  # they name questions
            kept.unlink(missing_ok=True)
    note(say("erase.done"))
    print(backup)
