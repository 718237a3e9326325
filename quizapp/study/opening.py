"""Opens a study: paths, settings, deck and store put together, for every interface."""

from __future__ import annotations

from collections.abc import Callable

from quizapp.deck.content import load_deck
from quizapp.domain.errors import StoreFull, StoreReadOnly
from quizapp.store.store import Store
from quizapp.study.clock import SystemClock, TimeSource
from quizapp.study.service import Study
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.system.trust import read_trust


def open_study(
    paths: Paths,
    settings: Settings,
    clock: TimeSource | None = None,
    *,
    only_reading: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Open a study on the person's database, which is created where it is absent.

    `only_reading`: where the database cannot be written, a copy in memory will do. `progress`: gets
    (done, of how many) while a database of an older version is brought up to date.

    Raises:
        StoreError: the database cannot be used; it is untouched.
    """
    deck = load_deck(paths, settings)
    try:
        store = Store.open(paths.database, progress=progress)
    except (StoreReadOnly, StoreFull):
        if not only_reading:
            raise
        store = Store.read(paths.database)
    clock = clock or SystemClock()
    return Study(deck, store, settings, clock, lambda: read_trust(paths), kept_plan=paths.kept_plan)
