"""Fixtures of the study's tests: the shipped deck, and a person with a real database."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizapp.deck.deck import Deck
from quizapp.store.store import Store
from quizapp.system.config import Settings
from tests.compiled_content import compile_once, shipped_deck
from tests.created_database import create_once
from tests.study.tools import Person


@pytest.fixture(scope="session")
def shipped() -> Deck:
    return shipped_deck()


@pytest.fixture(autouse=True)
def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in tests of the screens."""
    compile_once(monkeypatch)
    create_once(monkeypatch)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as `Store.open` creates it. Copy it."""
    path = tmp_path_factory.mktemp("empty") / "progress.db"
    Store.open(path).close()
    return path


@pytest.fixture
def person(shipped: Deck, empty_database: Path, tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Makes a person with settings, and a deck other than the shipped one where one is given."""
    made: list[Person] = []

    def make(deck: Deck | None = None, **settings) -> Person:
        settings = {"day_minutes": 0, **settings}  # new questions are bounded by number alone
        database = tmp_path / f"{len(made)}.db"
        shutil.copy(empty_database, database)
        one = Person(database, deck or shipped, settings=Settings(**settings))
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()
