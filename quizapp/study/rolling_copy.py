"""Makes today's copy after a session, and brings the main file up to date."""

from __future__ import annotations

from grader.facts import Fact, fact
from quizapp.domain.errors import StoreDamaged, StoreError, StoreFull
from quizapp.store.store import Store


def keep_copy(store: Store) -> Fact | None:
    """Make today's rolling copy if one is due; return why that failed, if it did.

    For any thread: it may take as long as the disk does.

    Raises StoreDamaged: the database is not sound; no answer is taken any more.
    """
    try:
        store.roll()
    except StoreDamaged:
        raise
    except StoreFull:
        return fact("backup.no-room", folder=str(store.backups))
    except StoreError as error:
        return fact("backup.failed", what=error.what)
    return None
