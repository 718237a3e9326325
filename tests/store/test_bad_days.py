"""Full disks, damaged files, folders that cannot be written: the error, the way out, the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.domain.errors import (
    DATA,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
)
from quizapp.store.log import NewEvent
from quizapp.store.store import Store
from tests.file_systems import mount
from tests.sentences import english
from tests.store.tools import (
    OTHER,
    ROOT,
    Q,
    answer,
    build_answer,
    driver,
    new,
    unprivileged,
    with_parameters,
    writer,
)

LONG = "words " * 20_000


def state(folder: Path) -> dict[str, bytes]:
    """The content of every file that holds data. -shm is only an index of -wal."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and not file.name.endswith("-shm") and file.stat().st_size
    }


def stamp(path: Path, revision: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


# --- a newer version's database


def test_a_newer_database_is_refused_untouched(path: Path):
    stamp(path, "9999")
    before = state(path.parent)
    with pytest.raises(StoreTooNew, match="9999") as caught:
        Store.open(path)
    assert caught.value.exit_status == DATA
    assert str(path) in english(caught.value)
    assert "upgrade quiz" in english(caught.value)
    assert state(path.parent) == before


def test_a_newer_database_whose_program_was_killed_is_refused_untouched(path: Path):
    """Its last words are in the write-ahead log, which an ordinary connection would fold in."""
    live = path.with_name("live.db")
    shutil.copy(path, live)
    connection = sqlite3.connect(live, isolation_level=None)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    shutil.copy(live, path)
    shutil.copy(f"{live}-wal", f"{path}-wal")
    connection.close()
    before = state(path.parent)
    assert "progress.db-wal" in before
    with pytest.raises(StoreTooNew):
        Store.open(path)
    assert state(path.parent) == before


# --- damage


DAMAGES = {
    "garbage": lambda _: bytes(range(256)) * 64,
    "text": lambda _: b"my notes on shared memory\n" * 300,
    "short text": lambda _: b"notes\n",
    "cut in half": lambda content: content[: len(content) // 2],
    "cut within the header": lambda content: content[:60],
    "damaged header": lambda content: content[:16] + b"\xff" * 84 + content[100:],
    "no text": lambda content: content.replace(b"TABLE card", b"TABLE\x80card"),
    "zeroed schema": lambda content: content[:100] + bytes(3996) + content[4096:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_untouched(path: Path, damage: str):
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    before = state(path.parent)
    with pytest.raises(StoreDamaged, match=r"store\.damaged") as caught:
        Store.open(path)
    assert str(path) in english(caught.value)
    assert state(path.parent) == before


def test_a_foreign_database_is_refused_untouched(path: Path):
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = state(path.parent)
    with pytest.raises(StoreDamaged, match=r"store\.not-quiz"):
        Store.open(path)
    assert state(path.parent) == before


def follow(hint: str, home: Path) -> None:
    """Do what the message says first: its indented lines are commands."""
    commands = [
        row.strip().partition("  #")[0] for row in hint.splitlines() if row.startswith("  ")
    ]
    command = f"{sys.executable} -m quizapp {commands[0].removeprefix('quiz ')} --yes"
    subprocess.run(
        ["sh", "-c", command], check=True, cwd=ROOT, env=os.environ | {"QUIZ_HOME": str(home)}
    )


def test_the_way_out_of_damage_brings_back_the_newest_backup(path: Path):
    with Store.open(path) as store:
        store.backup("old")
        answer(store)
        newest = store.backup("old")
        dump = store.dump()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StoreDamaged) as caught:
        Store.open(path)
    assert str(newest) in english(caught.value)
    follow(english(caught.value), path.parent)
    with Store.open(path) as store:
        assert store.dump() == dump


def test_the_way_out_of_damage_without_a_backup(path: Path):
    with Store.open(path) as store:
        answer(store)
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    with pytest.raises(StoreDamaged) as caught:
        Store.open(path)
    follow(english(caught.value), path.parent)
    with Store.open(path) as store:
        assert store.count_events() == 2
        assert store.check() == []


def test_damage_that_shows_up_later_is_named_too(path: Path):
    """A page in the middle: opening reads only what it needs."""
    with Store.open(path) as store:
        answer(store)
        with driver(store) as connection:
            query = "SELECT rootpage FROM sqlite_master WHERE name = 'event_question'"
            (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(b"\xa5" * 4096)
    with Store.open(path) as store:
        assert store.check() != []
        with pytest.raises(StoreDamaged):
            store.rebuild()


def check_any_damage(pristine: Path, start: int, junk: bytes) -> None:
    """Whatever was overwritten: it works, or a StoreError says so, or `check` lists it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(pristine, Path(folder) / "progress.db"))
        with path.open("r+b") as file:
            file.seek(start % path.stat().st_size)
            file.write(junk)
        try:
            with Store.open(path) as store:
                store.check()
                store.cards()
                answer(store)
                store.rebuild()
        except StoreError as error:
            assert str(path) in str(error) or "bad-event" in str(error)  # noqa: PT017 - the message


@settings(max_examples=40, deadline=None)
@given(start=st.integers(0, 200_000), junk=st.binary(min_size=1, max_size=600))
def test_any_damage_ends_in_an_error_that_names_the_file(pristine: Path, start, junk):
    check_any_damage(pristine, start, junk)


@pytest.mark.long
@settings(max_examples=4000, deadline=None)
@given(start=st.integers(0, 200_000), junk=st.binary(min_size=1, max_size=5000))
def test_any_damage_full_size(pristine: Path, start, junk):
    check_any_damage(pristine, start, junk)


def test_an_event_that_cannot_be_read_is_named(store: Store):
    with store._database.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO event SELECT NULL, 'strange', at_ms, machine, 99, session, 'p/x', 'flag',"
            """ '{"type":"flag","on":"perhaps"}' FROM event"""
        )
    with pytest.raises(StoreDamaged, match="strange"):
        store.events("p/x")


def test_a_program_killed_at_the_very_first_write_is_cleaned_up_after(tmp_path: Path):
    """Before the write-ahead log is on, a kill leaves a journal to roll back."""
    live = tmp_path / "live.db"
    connection = sqlite3.connect(live, isolation_level=None)
    connection.execute("PRAGMA cache_size=1")
    connection.execute("CREATE TABLE anything (x)")
    connection.execute("DROP TABLE anything")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE anything (x)")
    connection.execute("INSERT INTO anything VALUES (zeroblob(100000))")
    path = tmp_path / "progress.db"
    shutil.copy(live, path)
    shutil.copy(f"{live}-journal", f"{path}-journal")
    connection.rollback()
    connection.close()
    with Store.open(path) as store:
        assert store.check() == []


# --- not writable


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that another user may enter; pytest's own are private."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def expect_refusal(path: Path) -> StoreReadOnly:
    with unprivileged(), pytest.raises(StoreReadOnly) as caught:
        Store.open(path)
    assert str(path) in english(caught.value)
    assert str(path.parent) in english(caught.value)
    assert "QUIZ_HOME" in english(caught.value)
    return caught.value


def test_a_file_that_cannot_be_written(shared_folder: Path, pristine: Path):
    path = Path(shutil.copy(pristine, shared_folder / "progress.db"))
    shared_folder.chmod(0o777)
    path.chmod(0o444)
    before = state(shared_folder)
    expect_refusal(path)
    assert state(shared_folder) == before


def test_a_folder_that_cannot_be_written(shared_folder: Path, pristine: Path):
    path = Path(shutil.copy(pristine, shared_folder / "progress.db"))
    path.chmod(0o666)
    shared_folder.chmod(0o555)
    before = state(shared_folder)
    expect_refusal(path)
    assert state(shared_folder) == before


def test_a_folder_in_which_nothing_can_be_made(shared_folder: Path):
    shared_folder.chmod(0o555)
    expect_refusal(shared_folder / "progress.db")
    expect_refusal(shared_folder / "deeper" / "progress.db")
    assert list(shared_folder.iterdir()) == []


def test_a_folder_that_may_not_be_entered(shared_folder: Path, pristine: Path):
    shutil.copy(pristine, shared_folder / "progress.db")
    shared_folder.chmod(0o600)
    expect_refusal(shared_folder / "progress.db")


def test_a_folder_that_is_a_file(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    for path in (tmp_path / "file" / "progress.db", tmp_path / "file" / "sub" / "progress.db"):
        with pytest.raises(StoreReadOnly):
            Store.open(path)


def test_a_database_that_is_a_folder(tmp_path: Path):
    (tmp_path / "progress.db").mkdir()
    with pytest.raises(StoreError, match=str(tmp_path / "progress.db")):
        Store.open(tmp_path / "progress.db")


def test_a_file_that_becomes_read_only_keeps_what_it_has(shared_folder: Path, pristine: Path):
    path = Path(shutil.copy(pristine, shared_folder / "progress.db"))
    with Store.open(path) as store:
        answer(store)
        with driver(store) as connection:
            connection.execute("PRAGMA query_only=ON")
        with pytest.raises(StoreReadOnly):
            answer(store, OTHER)
        with driver(store) as connection:
            connection.execute("PRAGMA query_only=OFF")
        assert store.count_events() == 2


# --- a full disk


def test_a_full_database_refuses_and_the_call_can_be_repeated(path: Path):
    """SQLITE_FULL from SQLite itself, by its own limit on the file's size."""
    with Store.open(path) as store:
        answer(store)
        before, dump = store.count_events(), store.dump()
        with driver(store) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count={pages}")
        wanted = [new(Q, build_answer(19_001, response=LONG)), new(OTHER, build_answer(19_001))]
        with pytest.raises(StoreFull, match=r"store\.full") as caught:
            store.append(wanted)
        assert "try again" in english(caught.value)
        assert (store.count_events(), store.dump()) == (before, dump)
        with driver(store) as connection:
            connection.execute("PRAGMA max_page_count=100000")
        logged = store.append(wanted)
        assert [event.sequence for event in logged] == [3, 4]
        assert store.append(wanted) == logged


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with mount(folder, "-t", "tmpfs", "-o", "size=1m,mode=755", "none"):
        yield folder


def fill(store: Store, wanted: list[NewEvent]) -> StoreFull:
    """Answer until the disk is full."""
    while True:
        wanted.append(new(f"p/{len(wanted)}", build_answer(response=LONG[:30_000])))
        try:
            store.append(wanted[-1:])
        except StoreFull as error:
            return error


def test_a_disk_that_fills_up_within_a_session(small_disk: Path):
    """Answers until it is full, space is made, the same call again: all there, each once."""
    path = small_disk / "progress.db"
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(300_000))
    with Store.open(path) as store:
        with_parameters(store)
        wanted: list[NewEvent] = []
        caught = fill(store, wanted)
        assert str(path) in english(caught)
        assert store.count_events() == len(wanted)
        assert len(store.cards()) == len(wanted) - 1
        with pytest.raises(StoreFull):
            store.append(wanted[-1:])
        with pytest.raises(StoreFull):
            store.save_draft(Q, LONG, 0)
        with pytest.raises(StoreFull):
            store.backup("full")
        assert list((small_disk / "backups").iterdir()) == [], "no half of a backup"
        ballast.unlink()
        store.append(wanted[-1:])
        assert store.count_events() == len(wanted) + 1
    with Store.open(path) as store:
        assert len(store.cards()) == len(wanted)
        assert store.check() == []


def test_a_disk_without_any_room_at_the_start(small_disk: Path, pristine: Path):
    existing = Path(shutil.copy(pristine, small_disk / "progress.db"))
    content = existing.read_bytes()
    ballast = small_disk / "ballast"
    with pytest.raises(OSError, match="No space"):
        ballast.write_bytes(bytes(2_000_000))
    for path in (existing, small_disk / "new.db", small_disk / "new" / "progress.db"):
        with pytest.raises(StoreFull):
            Store.open(path)
    assert existing.read_bytes() == content
    ballast.unlink()
    with Store.open(existing) as store:
        answer(store)


def test_a_full_disk_in_another_program_is_no_lock(path: Path):
    """A transaction that failed lets go at once."""
    with Store.open(path, busy_timeout_ms=100) as store:
        with driver(store) as connection:
            connection.execute("PRAGMA max_page_count=1")
        with pytest.raises(StoreFull):
            store.append([new(Q, build_answer(response=LONG))])
        process = writer("append", path, 1)
        out, _ = process.communicate("\n", timeout=60)
        assert process.returncode == 0
        assert len(out.split()) == 2
