"""The stage: one deck for all tests, one database for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quizapp.deck.deck import Deck
from tests.created_database import create_once
from tests.plain.person import Stage


@pytest.fixture(autouse=True)
def created_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new database is the same in each test."""
    create_once(monkeypatch)


@pytest.fixture
def stage(tmp_path: Path, deck: Deck) -> Iterator[Stage]:
    stage = Stage(tmp_path / "quiz.db", deck)
    yield stage
    for study in stage.opened:
        study.examiner.close()
        study.store.close()
