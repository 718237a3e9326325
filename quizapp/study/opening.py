"""Opens a study: paths, settings, deck and store put together, for every interface."""

from __future__ import annotations

from quizapp.config import Settings
from quizapp.deck.content import load_deck
from quizapp.paths import Paths
from quizapp.store import Store
from quizapp.study.clock import Clock, SystemClock
from quizapp.study.service import Study


def open_study(paths: Paths, settings: Settings, clock: Clock | None = None) -> Study:
    """A study on the person's database, which is created where it is absent.

    Raises:
        StoreError: the database cannot be used; it is untouched.
    """
    deck = load_deck(paths, settings)
    return Study(deck, Store.open(paths.database), settings, clock or SystemClock())
