"""Taking back what an import or a sync brought, and bringing it back: acts of their own.

The key that undoes an answer leaves them alone, since one press would hide another machine's work.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from quizapp.domain.log.events import Unvoided, Voided
from quizapp.store.log import NewEvent

if TYPE_CHECKING:
    from quizapp.store.foreign import Brought
    from quizapp.store.store import Store

_SESSION = "import"


class Reversal(NamedTuple):
    """An import or a sync that can be taken back (`undo`), or brought back."""

    brought: Brought
    undo: bool


def reversals(store: Store) -> Iterator[Reversal]:
    """Yield what can be turned round: the latest that stands, the one taken back last."""
    latest = store.latest_import()
    if latest is not None:
        yield Reversal(latest, undo=True)
    for brought in store.withdrawn_imports()[:1]:
        yield Reversal(brought, undo=False)


def reverse(store: Store, reversal: Reversal, now_ms: int) -> None:
    """Make what an import brought as if it had never come, or let it count again."""
    if reversal.undo:
        store.append([_step(Voided(target=reversal.brought.id), now_ms)])
    else:
        bring_back(store, [reversal.brought], now_ms)


def bring_back(store: Store, imports: Collection[Brought], now_ms: int) -> None:
    """Let what these imports brought count again."""
    store.append([_step(Unvoided(target=brought.id), now_ms) for brought in imports])


def _step(body: Voided | Unvoided, now_ms: int) -> NewEvent:
    return NewEvent(uuid.uuid4().hex, _SESSION, None, body, now_ms)
