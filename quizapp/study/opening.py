"""Opens a study: paths, settings, deck and store put together, for every interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from quizapp.deck.content import load_deck
from quizapp.domain.errors import StoreFull, StoreReadOnly
from quizapp.store.store import Store
from quizapp.study.clock import SystemClock, TimeSource
from quizapp.study.service import Study
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.system.trust import read_trust

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck


def open_study(
    paths: Paths,
    settings: Settings,
    clock: TimeSource | None = None,
    *,
    deck: Deck | None = None,
    only_reading: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Open a study on the person's database, which is created where it is absent.

    `deck`: if it was loaded before. `only_reading`: where the database cannot be written, a copy in
    memory will do. `progress`: gets (done, of how many) while a database of an older version is
    brought up to date.

    Raises StoreError: the database cannot be used; it is untouched.
    """
    deck = deck or load_deck(paths, settings)
    try:
        store = Store.open(paths.database, progress=progress)
    except (StoreReadOnly, StoreFull):
        if not only_reading:
            raise
        store = Store.read(paths.database)
    clock = clock or SystemClock()
    return Study(
        deck,
        store,
        settings,
        clock,
        lambda: read_trust(paths),
        kept_plan=paths.kept_plan,
        mutant_cache=paths.mutant_cache,
    )
