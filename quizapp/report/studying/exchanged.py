"""What an import would do, and what a sync did, as sentences and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from grader.facts import as_plain

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.store.foreign import Brought
    from quizapp.study.transfer.anki import PackagePlan
    from quizapp.study.transfer.exchange import ImportPlan
    from quizapp.study.transfer.sync import Damage, SyncPlan, SyncResult


def import_sentences(plan: ImportPlan, name: str, say: Words) -> list[str]:
    """Say what a file holds and what of it is new here."""
    events = plan.new + plan.known + plan.erased + plan.newer + plan.ahead
    if not events:
        return [say("import.empty", file=name)]
    lines = [
        say(
            "import.holds",
            file=name,
            events=say("count.events", n=events),
            first=_date(plan.first_ms),
            last=_date(plan.last_ms),
            machines=say("count.machines", n=plan.machines),
        )
    ]
    if plan.newer:
        lines.append(say("import.newer", events=say("count.events", n=plan.newer)))
    if plan.ahead:
        lines.append(say("import.ahead", events=say("count.events", n=plan.ahead)))
    if plan.erased:
        lines.append(say("import.erased", events=say("count.events", n=plan.erased)))
    if plan.returning:
        events, answers = plan.withdrawn, plan.withdrawn_answers
        counts = {
            "events": say("count.events", n=events),
            "answers": say("count.answers", n=answers),
        }
        lines.append(say("import.withdrawn", **counts))
    if not plan.new:
        return lines if plan.returning else [*lines, say("import.nothing-new")]
    return [
        *lines,
        say(
            "import.new",
            events=say("count.events", n=plan.new),
            answers=say("count.answers", n=plan.answers),
            known=say("count.events", n=plan.known),
        ),
    ]


def package_sentences(plan: PackagePlan, name: str, say: Words) -> list[str]:
    """Say what of a package of Anki is new here."""
    lines = [
        say(
            "import.package",
            file=name,
            answers=say("count.answers", n=plan.answers),
            known=say("count.answers", n=plan.known),
        )
    ]
    if plan.notes:
        lines.append(
            say("import.new-questions", questions=say("count.questions", n=len(plan.notes)))
        )
    if plan.suspended:
        lines.append(say("import.suspended", n=plan.suspended))
    if plan.skipped:
        lines.append(say("import.skipped", notes=say("count.notes", n=plan.skipped)))
    left = plan.left_behind
    left_behind = (
        ("import.left-cards", left.cards),
        ("import.left-pictures", left.pictures),
        ("import.left-due-days", left.due_days),
        ("import.left-reviews", left.reviews),
    )
    lines += [say(key, n=n) for key, n in left_behind if n]
    if plan.erased:
        lines.append(say("import.erased", events=say("count.events", n=plan.erased)))
    if plan.returning:
        answers = sum(brought.answers for brought in plan.returning)
        lines.append(say("import.to-return", answers=say("count.answers", n=answers)))
    if not plan.rows and not plan.notes and not plan.returning:
        lines.append(say("import.nothing-new"))
    return lines


def import_as_plain(plan: ImportPlan) -> dict[str, Any]:
    """Return what an import would do, for `--json`."""
    names = ("new", "answers", "known", "erased", "newer", "ahead", "machines", "withdrawn")
    return {name: getattr(plan, name) for name in names}


def step_sentence(brought: Brought, say: Words, *, undo: bool) -> str:
    """Say what taking back an import, or bringing it back, comes to."""
    return say(
        "import.to-withdraw" if undo else "import.to-bring-back",
        origin=brought.origin,
        day=_date(brought.entry.at_ms),
        answers=say("count.answers", n=brought.answers),
        events=say("count.events", n=brought.events),
    )


def stepped_sentence(brought: Brought, say: Words, *, undo: bool) -> str:
    """Say that an import was taken back, or brought back."""
    answers = say("count.answers", n=brought.answers)
    said = "import.taken-back" if undo else "import.brought-back"
    return say(said, answers=answers, origin=brought.origin)


def sync_sentences(plan: SyncPlan, say: Words) -> list[str]:
    """Say, before a sync, what a person should know of it."""
    lines = [say("sync.plain-text", folder=plan.folder)] if plan.is_first else []
    if plan.forgotten:
        lines.append(say("sync.to-forget", events=say("count.events", n=plan.forgotten)))
    return lines


def synced_sentences(
    plan: SyncPlan, done: SyncResult, damaged: Mapping[str, Damage], say: Words
) -> list[str]:
    """Say what a sync did, and what it could not; `damaged` is the damage not yet told, by file."""
    lines = [
        say(
            "sync.done",
            taken=say("count.events", n=done.taken),
            written=say("count.events", n=done.written),
        )
    ]
    counts = (
        ("sync.newer", plan.newer),
        ("sync.ahead", plan.ahead),
        ("sync.waiting", plan.waiting),
        ("sync.revived", len(plan.revived)),
    )
    lines += [say(key, events=say("count.events", n=n)) for key, n in counts if n]
    if plan.newer_files:
        lines.append(say("sync.newer-files", n=plan.newer_files))
    if plan.withdrawn:
        lines.append(say("sync.withdrawn", answers=say("count.answers", n=plan.withdrawn)))
    lines += [
        say("sync.implausible", file=each.file, line=each.line, reason=say.fact(each.reason))
        for each in plan.refused[:_SHOWN_REFUSED]
    ]
    if len(plan.refused) > _SHOWN_REFUSED:
        lines.append(say("sync.implausible.more", n=len(plan.refused) - _SHOWN_REFUSED))
    lines += [say("sync.unreadable", file=file, n=each.lines) for file, each in damaged.items()]
    if done.backup is not None:
        lines.append(say("erase.done"))
    return lines


def sync_as_plain(plan: SyncPlan, done: SyncResult) -> dict[str, Any]:
    """Return what a sync did, for `--json`."""
    names = (
        *("forgotten", "waiting", "newer", "newer_files", "ahead"),
        *("unreadable", "withdrawn", "files"),
    )
    return {
        "folder": str(plan.folder),
        "taken": done.taken,
        "written": done.written,
        **{name: getattr(plan, name) for name in names},
        "revived": len(plan.revived),
        "refused": [
            {"file": each.file, "line": each.line, "reason": as_plain(each.reason)}
            for each in plan.refused
        ],
        "backup": str(done.backup) if done.backup else None,
    }


_SHOWN_REFUSED = 3


def _date(at_ms: int) -> str:
    """Return the date of a time in a log, in UTC: logs of several machines have no other."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d}"
