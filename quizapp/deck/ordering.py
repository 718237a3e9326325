"""The default order of a deck's questions: what `quizapp.domain.order` makes of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from quizapp.domain.order import JOBS, Candidate, Job, arrange

if TYPE_CHECKING:
    from quizapp.deck.index import Entry, PackEntry


def candidate(entry: Entry, job: Job | None = None) -> Candidate:
    """Return what order and queue need to know of a question, for a kind of job or for any."""
    return Candidate(
        entry.id, entry.topic, entry.requires, entry.rev, entry.kind, entry.difficulty,
        entry.concept, entry.builds_on, entry.asked[0 if job is None else 1 + JOBS.index(job)],
    )  # fmt: skip


def default_order(entries: Iterable[Entry], job: Job | None = None) -> list[Candidate]:
    """Put questions into the order in which they are asked when all are new."""
    return arrange(candidate(entry, job) for entry in entries)


def in_default_order(
    entries: Iterable[Entry], packs: Iterable[PackEntry] = ()
) -> tuple[Entry, ...]:
    """Sort entries into the default order; packs that are off by default come after the others.

    Takes 50 ms a thousand questions, so a compiled deck is kept in it.
    """
    by_id = {entry.id: entry for entry in entries}
    off = {pack.id for pack in packs if not pack.on_by_default}
    parts = ([e for e in by_id.values() if (e.pack in off) is late] for late in (False, True))
    return tuple(by_id[placed.question] for part in parts for placed in default_order(part))
