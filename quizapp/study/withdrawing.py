"""Taking back what an import or a sync brought, and bringing it back: acts of their own.

The key that undoes an answer leaves them alone, since one press would hide another machine's work.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import TYPE_CHECKING

from quizapp.domain.events import Unvoided, Voided
from quizapp.store.log import NewEvent

if TYPE_CHECKING:
    from quizapp.store.foreign import Brought
    from quizapp.store.store import Store

_SESSION = "import"


def latest(store: Store) -> Brought | None:
    """Return the latest import or sync that stands; None if there is none."""
    standing, _ = store.imports()
    return standing[-1] if standing else None


def withdrawn(store: Store) -> list[Brought]:
    """Return the imports and syncs that were taken back, the last one first."""
    return store.imports()[1]


def withdraw(store: Store, brought: Brought, now_ms: int) -> None:
    """Make what an import brought as if it had never come."""
    store.append([_step(Voided(target=brought.id), now_ms)])


def bring_back(store: Store, imports: Collection[Brought], now_ms: int) -> None:
    """Let what these imports brought count again."""
    store.append([_step(Unvoided(target=brought.id), now_ms) for brought in imports])


def _step(body: Voided | Unvoided, now_ms: int) -> NewEvent:
    return NewEvent(uuid.uuid4().hex, _SESSION, None, body, now_ms)
