"""Backups, erasing, checking."""

from __future__ import annotations

import re
import sqlite3
import stat
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from grader.facts import fact
from quizapp.domain.errors import StoreError
from quizapp.store.store import Store
from tests.sentences import english
from tests.store.tools import (
    NOON_MS,
    Q,
    answer,
    build_answer,
    driver,
    dump_tables,
    new,
    with_parameters,
)

SECRET = "a sentence nobody else should read"


def test_a_backup_is_a_whole_database_in_one_file(store: Store):
    answer(store)
    copy = store.backup("before reset!")
    assert re.fullmatch(r"progress-\d{8}-\d{6}-before-reset\.db", copy.name)
    assert copy.parent == store._database.path.parent / "backups"
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]
    assert dump_tables(copy) == dump_tables(store._database.path)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_backups_in_the_same_second_do_not_overwrite_each_other(store: Store):
    with ThreadPoolExecutor(4) as pool:
        copies = list(pool.map(lambda _: store.backup("x"), range(8)))
    assert len(set(copies)) == 8
    assert set(copies[0].parent.iterdir()) == set(copies)


def test_a_backup_can_be_opened_and_continued(store: Store):
    answer(store)
    with Store.open(store.backup("x")) as copy:
        assert copy.dump() == store.dump()
        assert copy.machine != store.machine
        answer(copy, day=19_005)


def test_erasing_leaves_an_empty_database_and_a_backup(store: Store):
    path = store._database.path
    store.append([new(Q, build_answer(response=SECRET))])
    store.save_draft(Q, SECRET, 1)
    store.adopt({"p/old": "p/new"})
    before, machine = dump_tables(path), store.machine
    copy = store.erase(NOON_MS)
    assert "before-erase" in copy.name
    assert dump_tables(copy) == before
    assert store.machine == machine
    assert (store.count_events(), store.cards(), store.drafts()) == (1, {}, {})
    assert [rows for rows in store.dump().values() if rows] == []
    assert store.check() == []


def test_erased_words_are_gone_from_the_file(store: Store):
    path = store._database.path
    size = path.stat().st_size
    store.append([new(Q, build_answer(response=SECRET * 10_000))])
    store.save_draft(Q, SECRET, 1)
    store.erase(NOON_MS)
    assert path.stat().st_size <= size
    folder = path.parent
    left = [f for f in folder.iterdir() if f.is_file() and SECRET.encode() in f.read_bytes()]
    assert left == []


def test_after_an_erase_the_log_is_append_only_again(store: Store):
    answer(store)
    store.erase(NOON_MS)
    with_parameters(store)
    with driver(store) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM event")


def test_an_erase_does_not_number_events_again(store: Store):
    """So that the backup's log and the new one could be united one day."""
    last = answer(store)
    store.erase(NOON_MS)
    store.erase(NOON_MS)
    with_parameters(store)
    assert answer(store).sequence == last.sequence + 4
    with Store.open(store._database.path) as again:
        assert answer(again).sequence == last.sequence + 5


def test_another_program_goes_on_after_an_erase(store: Store):
    with Store.open(store._database.path) as beside:
        answer(beside)
        store.erase(NOON_MS)
        assert beside.cards() == {}
        with_parameters(beside)
        answer(beside)
        assert len(store.cards()) == 1


def test_a_sound_database_has_no_problems(store: Store):
    answer(store)
    assert store.check() == []


def test_check_names_rows_that_refer_to_nothing(store: Store):
    with driver(store) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("INSERT INTO answer VALUES (99,99,'k',1,1,1,1,1,1,1,1,1,1)")
        connection.execute("PRAGMA foreign_keys=ON")
    # It refers to an event and to a question.
    assert store.check() == 2 * [fact("store.orphan", row=99, table="answer")]


def test_check_names_an_index_that_disagrees(store: Store):
    answer(store)
    with driver(store) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'event_question'")
    store.close()
    with Store.open(store._database.path) as again:
        assert any("never used" in str(problem) for problem in again.check())


def test_what_sqlite_refuses_for_other_reasons_names_the_file(store: Store):
    with driver(store) as connection:
        connection.execute("DROP TABLE card")
    with pytest.raises(StoreError, match="no such table: card") as caught:
        store.cards()
    assert str(store._database.path) in english(caught.value)


def test_an_error_does_not_quote_what_was_written(store: Store):
    """It ends in the log file, which people attach to reports."""
    with driver(store) as connection:
        connection.execute(
            "CREATE TEMP TRIGGER refuse BEFORE INSERT ON draft"
            " BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    with pytest.raises(StoreError, match="refused") as caught:
        store.save_draft(Q, SECRET, 1)
    told = "".join(traceback.format_exception(caught.value))
    assert "INTO draft" in told
    assert SECRET not in told


def test_the_store_may_move_between_threads(store: Store):
    with ThreadPoolExecutor(1) as worker:
        event = worker.submit(answer, store).result()
    assert store.event(event.id) == event


def test_a_closed_store_leaves_one_file(path: Path):
    with Store.open(path) as store:
        answer(store)
        assert Path(f"{path}-wal").exists()
    assert [file.name for file in path.parent.iterdir()] == ["progress.db"]
    assert stat.S_ISREG(path.stat().st_mode)
