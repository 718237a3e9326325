"""Fixtures of the store's tests: real files, and one that is created once and then copied."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from quizapp.store.store import Store
from tests.store.tools import with_parameters


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed database that holds nothing but the scheduler's parameters. Copy it.

    It does not know where it is, so its copies keep its machine id.
    """
    path = tmp_path_factory.mktemp("pristine") / "progress.db"
    with Store.open(path) as store:
        with_parameters(store)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM meta WHERE key = 'place'")
    return path


@pytest.fixture
def path(pristine: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(pristine, tmp_path / "progress.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store
