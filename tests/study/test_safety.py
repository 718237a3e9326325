"""Copies and checkpoints as the study makes them: against the files, and a killed process."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from grader.facts import quote
from quizapp.domain.errors import StoreLocked, StoreReadOnly
from quizapp.store.store import Store
from quizapp.study.rolling_copy import keep_copy
from quizapp.study.sessions.session import CHECKPOINT_ANSWERS
from quizapp.system.config import Settings
from tests.sentences import english
from tests.study.tools import EVERYTHING, ROOT, answer

STUDYING = """
import sys
from pathlib import Path
from quizapp.system.config import Settings
from quizapp.deck.deck import load
from quizapp.store.store import Store
from quizapp.study.service import Study
from quizapp.study.sessions.session import CHECKPOINT_ANSWERS
from tests.study.tools import EVERYTHING, FixedClock, answer

database, cache = sys.argv[1:]
deck = load(["content"], cache)
settings = Settings(new_per_day=200, day_minutes=0)
study = Study(deck, Store.open(Path(database)), settings, FixedClock())
study.store._database._engine.connect().connection.driver_connection.execute(
    "PRAGMA wal_autocheckpoint=0"
)
study.session.begin(EVERYTHING)
for _ in range(CHECKPOINT_ANSWERS + 5):
    answer(study)
print("answered", flush=True)
sys.stdin.read()
"""


def answers(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT count(*) FROM event WHERE kind = 'answer'"
        return connection.execute(query).fetchone()[0]


def test_a_lost_write_ahead_log_costs_less_than_fifty_answers(tmp_path: Path):
    """A kill, then the log is gone: what the main file alone holds."""
    path = tmp_path / "progress.db"
    with subprocess.Popen(
        [sys.executable, "-c", STUDYING, str(path), str(tmp_path / "cache")],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "answered\n"
        process.send_signal(signal.SIGKILL)
    assert Path(f"{path}-wal").stat().st_size
    alone = Path(shutil.copy(path, tmp_path / "alone.db"))
    assert answers(alone) == CHECKPOINT_ANSWERS
    assert answers(path) == CHECKPOINT_ANSWERS + 5


def test_after_a_session_the_main_file_is_up_to_date_and_copied(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    answer(study)
    assert answers(Path(shutil.copy(one.database, one.database.with_name("alone.db")))) == 0
    study.session.checkpoint()
    assert answers(Path(shutil.copy(one.database, one.database.with_name("alone.db")))) == 1
    assert keep_copy(study.store) is None
    (copy,) = study.store.backups.iterdir()
    assert answers(copy) == 1


def test_a_copy_that_fails_is_a_notice(person, monkeypatch):
    def refuse(_: Store) -> None:
        raise StoreReadOnly(quote("/backups cannot be opened for writing"))

    monkeypatch.setattr(Store, "roll", refuse)
    notice = keep_copy(person().open().store)
    assert notice is not None
    assert english(notice) == (
        "no backup was made, but your answers are stored: /backups cannot be opened for writing"
    )


def test_a_checkpoint_that_fails_loses_nothing(person, monkeypatch):
    def refuse(_: Store) -> None:
        raise StoreLocked("busy", "")

    monkeypatch.setattr(Store, "checkpoint", refuse)
    one = person(new_per_day=200)
    assert isinstance(one.settings, Settings)
    study = one.open()
    study.session.begin(EVERYTHING)
    for _ in range(CHECKPOINT_ANSWERS + 1):
        answer(study)
    assert len(study.session.results) == CHECKPOINT_ANSWERS + 1
