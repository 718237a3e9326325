"""Fixtures of the store's tests: real files, and one that is created once and then copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizapp.store.store import Store
from tests.store.tools import with_parameters


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed database that holds nothing but the scheduler's parameters. Copy it."""
    path = tmp_path_factory.mktemp("pristine") / "progress.db"
    with Store.open(path) as store:
        with_parameters(store)
    return path


@pytest.fixture
def path(pristine: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(pristine, tmp_path / "progress.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store
