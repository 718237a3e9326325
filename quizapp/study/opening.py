"""Opens a study: paths, settings, deck and store put together, for every interface."""

from __future__ import annotations

from quizapp.config import Settings
from quizapp.deck.deck import Deck, load
from quizapp.paths import Paths, shipped_content
from quizapp.store import Store
from quizapp.study.clock import Clock, SystemClock
from quizapp.study.service import Study


def content_roots(paths: Paths, settings: Settings) -> list[str]:
    """Where packs lie, later ones overlaying earlier: shipped, configured, the person's own."""
    return [str(shipped_content()), *settings.content, str(paths.own_content)]


def load_deck(paths: Paths, settings: Settings) -> Deck:
    """The deck of all content roots."""
    return load(content_roots(paths, settings), str(paths.compiled_deck))


def open_study(paths: Paths, settings: Settings, clock: Clock | None = None) -> Study:
    """A study on the person's database, which is created where it is absent.

    Raises:
        StoreError: the database cannot be used; it is untouched.
    """
    deck = load_deck(paths, settings)
    return Study(deck, Store.open(paths.database), settings, clock or SystemClock())
