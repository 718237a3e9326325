"""Rolling copies, and bringing one back: by real files, real processes and small disks."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.domain.errors import (
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreLost,
    StoreTooNew,
)
from quizapp.store.safety import recovery, rolling
from quizapp.store.safety.backup import BackupCopy, copies, newest
from quizapp.store.safety.salvage import rescue
from quizapp.store.store import Store
from tests.file_systems import mount
from tests.sentences import english
from tests.store.tools import (
    NOON_MS,
    OTHER,
    ROOT,
    Q,
    answer,
    build_answer,
    dump_tables,
    new,
    one,
    writer,
)

# --- which copies are kept


def copy_of(day: datetime) -> BackupCopy:
    name = f"progress-{day:%Y%m%d-%H%M%S}-daily.db"
    return BackupCopy(Path("backups") / name, day, "daily", 1)


@settings(max_examples=60, deadline=None)
@given(gaps=st.lists(st.integers(1, 40), min_size=1, max_size=120), start=st.integers(0, 3000))
def test_seven_days_and_eight_weeks_are_kept(gaps: list[int], start: int):
    """A copy is made now and then, for months: after each, the kept ones by brute force."""
    day = datetime(2024, 1, 1, 12, tzinfo=UTC) + timedelta(days=start)
    kept: list[BackupCopy] = []
    ever: list[BackupCopy] = []
    for gap in gaps:
        day += timedelta(days=gap)
        kept.append(copy_of(day))
        ever.append(kept[-1])
        kept = [copy for copy in kept if copy not in rolling.superfluous(kept)]
        assert kept[-7:] == ever[-7:]
        assert len(kept) <= 15
        weeks = {(c.made - timedelta(days=c.made.weekday())).date(): c for c in ever}
        assert set(list(weeks.values())[-8:]) <= set(kept)


def at(path: Path, days_ago: int, reason: str = "daily") -> Path:
    """Make a copy and date it back."""
    with Store.open(path) as store:
        made = store.backup(reason)
    then = datetime.now(UTC) - timedelta(days=days_ago)
    return made.rename(made.with_name(f"{path.stem}-{then:%Y%m%d-%H%M%S}-{reason}.db"))


def test_a_copy_is_made_once_a_day_and_only_of_something_new(store: Store, path: Path):
    yesterday = at(path, 1)
    assert store.roll() is None, "nothing is new"
    answer(store)
    made = store.roll()
    assert made is not None
    assert dump_tables(made) == dump_tables(path)
    answer(store, OTHER)
    assert store.roll() is None, "there is one of today"
    assert {copy.path for copy in copies(path)} == {yesterday, made}


def test_an_empty_log_needs_no_copy(tmp_path: Path):
    with Store.open(tmp_path / "progress.db") as store:
        assert store.roll() is None
    assert not (tmp_path / "backups").exists()


def test_old_rolling_copies_go_and_other_backups_stay(store: Store, path: Path):
    old = [at(path, days) for days in (400, 300, 200, 100, 90, 80, 70, 60, 50, 40, 30, 20)]
    kept = at(path, 500, "before-reset")
    answer(store)
    made = store.roll()
    left = {copy.path for copy in copies(path)}
    assert {made, kept, *old[-7:]} <= left
    assert not left & set(old[:4])


def test_a_damaged_database_replaces_no_copy(store: Store, path: Path):
    answer(store)
    store.checkpoint()
    before = [at(path, days) for days in range(20, 2, -1)]
    answer(store)
    store.checkpoint()
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'event_question'"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(os.urandom(4096))
    with pytest.raises(StoreDamaged):
        store.roll()
    assert sorted(file for file in (path.parent / "backups").iterdir()) == sorted(before)
    with pytest.raises(StoreDamaged):
        answer(store)
    with pytest.raises(StoreDamaged):
        store.save_draft(Q, "words", 1)


def test_a_page_that_went_bad_is_found_and_nothing_is_written_from_then_on(path: Path):
    with Store.open(path) as store:
        answer(store)
        store.check_pages()
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'answer_pace'"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(bytes(4096))
    with Store.open(path) as store:
        with pytest.raises(StoreDamaged):
            store.check_pages()
        with pytest.raises(StoreDamaged, match=r"store\.damaged"):
            answer(store)


def test_too_little_room_is_said_and_nothing_is_written(store: Store, path: Path, monkeypatch):
    answer(store)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 12_000_000))
    with pytest.raises(StoreFull, match=r"store\.no-room \(folder=.*backups, free=12\.0") as said:
        store.roll()
    assert "after the next session" in english(said.value)
    assert copies(path) == []
    answer(store, OTHER)


def test_a_disk_that_fills_up_during_a_copy(tmp_path: Path, pristine: Path, monkeypatch):
    monkeypatch.setattr(rolling, "_SPARE", 0)
    disk = tmp_path / "disk"
    disk.mkdir()
    path = Path(shutil.copy(pristine, tmp_path / "progress.db"))
    (tmp_path / "backups").symlink_to(disk)
    with (
        mount(disk, "-t", "tmpfs", "-o", "size=64k", "none"),
        Store.open(path) as store,
    ):
        # More than there is room for, though the check before the copy saw enough.
        usage = shutil._ntuple_diskusage(1, 1, 1 << 40)
        monkeypatch.setattr(rolling.shutil, "disk_usage", lambda _: usage)
        store.append([new(Q, build_answer(response="x" * 200_000))])
        for make in (store.roll, lambda: store.backup("by-hand")):
            with pytest.raises(StoreFull) as said:
                make()
            assert str(tmp_path / "backups") in english(said.value)
            assert str(disk) in english(said.value), "the real path"
            assert list(disk.iterdir()) == []
        answer(store, OTHER)


ROLLING = """
import sys
from pathlib import Path
from quizapp.store import rolling
print("ready", flush=True)
for _ in iter(int, 1):
    rolling.roll(Path(sys.argv[1]))
    for copy in rolling.copies(Path(sys.argv[1])):
        copy.path.unlink()
"""


@pytest.mark.parametrize("times", [4, pytest.param(60, marks=pytest.mark.long)])
def test_killed_during_a_copy(path: Path, times: int):
    """Again and again, at any moment: what has its name is whole, and the database is too."""
    with Store.open(path) as store:
        for number in range(40):
            one(store, f"pack/{number}", build_answer(response="z" * 50_000))
    for attempt in range(times):
        command = [sys.executable, "-c", ROLLING, str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.01 + 0.013 * attempt % 0.1)  # somewhere in a copy, which takes 20 ms
            process.send_signal(signal.SIGKILL)
        for copy in copies(path):
            with closing(sqlite3.connect(copy.path)) as connection:
                assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
                assert connection.execute("SELECT count(*) FROM event").fetchone() == (41,)
    for unfinished in (path.parent / "backups").glob("*.partial*"):
        os.utime(unfinished, (0, 0))
    for copy in copies(path):
        copy.path.unlink()
    assert rolling.roll(path) is not None
    assert [file.suffix for file in (path.parent / "backups").iterdir()] == [".db"]


# --- the main file is up to date


def test_a_checkpoint_brings_the_main_file_up_to_date(store: Store, path: Path, tmp_path: Path):
    for number in range(50):
        one(store, f"pack/{number}", build_answer())
    alone = tmp_path / "alone.db"
    shutil.copy(path, alone)
    with closing(sqlite3.connect(alone)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone()[0] < 51
    store.checkpoint()
    shutil.copy(path, alone)
    with closing(sqlite3.connect(alone)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (51,)
    answer(store)


# --- restoring


def test_a_restored_database_is_that_of_the_backup_under_another_machine_id(path: Path):
    with Store.open(path) as store:
        answer(store)
        copy = store.backup("by-hand")
        dump, machine = store.dump(), store.machine
        later = answer(store, OTHER)
    before = path.read_bytes()
    done = recovery.restore(path, copy)
    assert done.events == 2
    assert done.kept is not None
    assert done.kept.read_bytes() == before
    with Store.open(path) as store:
        assert store.dump() == dump
        assert store.machine != machine
        event = answer(store, OTHER)
        assert (event.machine, event.sequence) != (machine, later.sequence)
    with Store.open(done.kept) as former:
        assert former.event(later.id) == later
    assert copy.exists()


def test_restoring_twice_in_a_second_keeps_both(path: Path):
    with Store.open(path) as store:
        copy = store.backup("by-hand")
    kept = {recovery.restore(path, copy).kept for _ in range(3)}
    assert len(kept) == 3
    assert all(file is not None and file.exists() for file in kept)


def test_a_write_ahead_log_goes_with_the_database_that_is_replaced(path: Path, tmp_path: Path):
    """A program was killed: its last answers are only in the log, which must not be replayed."""
    with Store.open(path) as store:
        copy = store.backup("by-hand")
        live = tmp_path / "live"
        live.mkdir()
        answer(store)
        for name in ("progress.db", "progress.db-wal"):
            shutil.copy(path.with_name(name), live)
    killed = live / "progress.db"
    done = recovery.restore(killed, copy)
    with Store.open(killed) as store:
        assert (store.count_events(), store.check()) == (1, [])
    assert done.kept is not None
    with Store.open(done.kept) as former:
        assert former.count_events() == 2


@pytest.mark.parametrize("whole", [True, False])
def test_a_database_in_use_by_another_program_is_not_replaced(path: Path, whole: bool):
    """Idle or not: whoever has it open would go on writing into the file that was replaced."""
    with Store.open(path) as store:
        copy = store.backup("by-hand")
    with writer("append", path, 3) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        if not whole:
            with path.open("r+b") as file:
                file.write(bytes(100))
        before = path.read_bytes()
        with pytest.raises(StoreLocked, match=r"store\.in-use"):
            recovery.restore(path, copy)
        with pytest.raises(StoreLocked, match=r"store\.in-use"):
            recovery.start_over(path)
        assert path.read_bytes() == before
        assert not path.with_name("replaced").exists()
        if whole:
            process.communicate("\n", timeout=60)
        else:
            process.kill()
    recovery.restore(path, copy)
    with Store.open(path) as store:
        assert store.count_events() == 1


def stamp(copy: Path, revision: str) -> Path:
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    return copy


def test_a_backup_of_a_newer_version_is_refused(path: Path):
    with Store.open(path) as store:
        copy = stamp(store.backup("by-hand"), "9999")
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="9999") as caught:
        recovery.restore(path, copy)
    assert str(copy) in english(caught.value)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["backups", "progress.db"]


@pytest.mark.parametrize("content", [b"", b"notes\n" * 999])
def test_what_is_no_backup_is_refused(path: Path, tmp_path: Path, content: bytes):
    (tmp_path / "file").write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match=str(tmp_path / "file")):
        recovery.restore(path, tmp_path / "file")
    assert path.read_bytes() == before


def test_a_damaged_backup_is_refused(path: Path):
    with Store.open(path) as store:
        for number in range(30):
            one(store, f"pack/{number}", build_answer(response="x" * 500))
        copy = store.backup("by-hand")
    content = copy.read_bytes()
    copy.write_bytes(content[: len(content) // 2])
    before = path.read_bytes()
    with pytest.raises(StoreError):
        recovery.restore(path, copy)
    assert path.read_bytes() == before


def test_starting_over_keeps_what_was_there(path: Path):
    with Store.open(path) as store:
        answer(store)
        machine = store.machine
        store.backup("by-hand")
    kept = recovery.start_over(path)
    assert kept is not None
    with Store.open(path) as store:
        assert (store.count_events(), store.cards()) == (0, {})
        assert store.machine != machine
    with Store.open(kept) as former:
        assert former.count_events() == 2


# --- a database that shrank


@pytest.fixture
def backed_up(path: Path) -> Path:
    with Store.open(path) as store:
        answer(store)
        store.backup("by-hand")
    return path


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def without_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE t (x); DROP TABLE t;")


@pytest.mark.parametrize("shrink", [empty_file, without_tables, Path.unlink])
def test_a_database_that_shrank_to_nothing_is_refused(backed_up: Path, shrink):
    shrink(backed_up)
    before = backed_up.read_bytes() if backed_up.exists() else None
    with pytest.raises(StoreLost, match=r"store\.(emptied|gone) \(backup=.*\.db") as caught:
        Store.open(backed_up)
    copy = newest(backed_up)
    assert copy is not None
    assert str(copy.path) in english(caught.value)
    assert (backed_up.read_bytes() if backed_up.exists() else None) == before
    recovery.restore(backed_up, copy.path)
    with Store.open(backed_up) as store:
        assert store.count_events() == 2


def test_an_older_file_in_its_place_is_refused(path: Path, pristine: Path):
    with Store.open(path) as store:
        answer(store)
        answer(store, OTHER)
        store.backup("by-hand")
    shutil.copy(pristine, path)
    with pytest.raises(StoreLost, match=r"store\.shorter \(last=1, backup=.*, known=3\)"):
        Store.open(path)
    recovery.salvage_database(path)
    with Store.open(path) as store:
        assert store.count_events() == 1


def test_a_write_ahead_log_beside_an_empty_file_is_not_deleted(path: Path):
    """SQLite would: to it, an empty file has no log."""
    with Store.open(path) as store:
        answer(store)
        log = Path(f"{path}-wal").read_bytes()
    Path(f"{path}-wal").write_bytes(log)
    path.write_bytes(b"")
    with pytest.raises(StoreLost, match=r"store\.only-log \(log=progress\.db-wal\)"):
        Store.open(path)
    assert Path(f"{path}-wal").read_bytes() == log


def test_the_log_of_a_file_that_is_gone_is_kept_and_not_replayed(path: Path):
    with Store.open(path) as store:
        answer(store)
        copy = store.backup("by-hand")
        answer(store, OTHER)
        log = Path(f"{path}-wal").read_bytes()
    path.unlink()
    Path(f"{path}-wal").write_bytes(log)
    done = recovery.restore(path, copy)
    assert done.kept is not None
    assert Path(f"{done.kept}-wal").read_bytes() == log
    assert not Path(f"{path}-wal").exists()
    with Store.open(path) as store:
        assert (store.count_events(), store.check()) == (2, [])
    assert len(rescue(done.kept).events) == 3, "all of them are in the log"


def test_a_write_ahead_log_that_is_gone_is_noticed(path: Path, tmp_path: Path):
    """The main file alone is sound, but the backup knows of answers that were only in the log."""
    killed = tmp_path / "killed"
    killed.mkdir()
    with Store.open(path) as store:
        answer(store)
        copy = store.backup("by-hand")
        shutil.copy(path, killed)
    shutil.copytree(copy.parent, killed / "backups")
    with pytest.raises(StoreLost, match=r"store\.shorter"):
        Store.open(killed / "progress.db")
    assert rescue(killed / "progress.db").unreadable == 0
    recovery.restore(killed / "progress.db", copies(killed / "progress.db")[0].path)
    with Store.open(killed / "progress.db") as store:
        assert store.count_events() == 2


def test_what_was_erased_restored_or_begun_anew_is_not_missing(backed_up: Path):
    with Store.open(backed_up) as store:
        answer(store, OTHER)
        store.backup("by-hand")
        store.erase(NOON_MS)
    Store.open(backed_up).close()
    oldest = copies(backed_up)[0]
    recovery.restore(backed_up, oldest.path)
    Store.open(backed_up).close()
    recovery.start_over(backed_up)
    Store.open(backed_up).close()


def test_a_backup_that_cannot_be_read_is_no_witness(backed_up: Path):
    copy = newest(backed_up)
    assert copy is not None
    copy.path.write_bytes(b"rubbish" * 1000)
    Store.open(backed_up).close()
    backed_up.unlink()
    Store.open(backed_up).close()


def test_an_older_backup_is_witness_where_the_newest_cannot_be_read(backed_up: Path, pristine):
    (copy,) = copies(backed_up)
    tomorrow = datetime.now(UTC) + timedelta(hours=20)
    later = copy.path.with_name(f"{backed_up.stem}-{tomorrow:%Y%m%d-%H%M%S}-daily.db")
    later.write_bytes(b"rubbish" * 1000)
    newer = newest(backed_up)
    assert newer is not None
    assert newer.path == later
    shutil.copy(pristine, backed_up)
    with pytest.raises(StoreLost, match=r"store\.shorter"):
        Store.open(backed_up)
    backed_up.unlink()
    with pytest.raises(StoreLost, match=r"store\.(emptied|gone)"):
        Store.open(backed_up)


def test_a_copy_dated_in_the_future_is_not_the_newest(backed_up: Path):
    future = at(backed_up, -3000)
    with Store.open(backed_up) as store:
        answer(store, OTHER)
        made = store.backup("by-hand")
    copy = newest(backed_up)
    assert copy is not None
    assert copy.path == made
    made.unlink()
    for other in copies(backed_up)[:-1]:
        other.path.unlink()
    only = newest(backed_up)
    assert only is not None
    assert only.path == future


# --- read where nothing can be written


def test_a_read_only_folder_is_read(path: Path):
    with Store.open(path) as store:
        answer(store)
        cards = store.cards()
    with (
        mount(path.parent, "--bind", "-o", "ro", str(path.parent)),
        Store.read(path) as store,
    ):
        assert store.cards() == cards
        answer(store, OTHER)
        store.adopt({"p/old": "p/new"})
    with Store.open(path) as store:
        assert store.cards() == cards


def test_a_read_only_folder_with_a_write_ahead_log_is_read(path: Path, tmp_path: Path):
    killed = tmp_path / "killed"
    killed.mkdir()
    with Store.open(path) as store:
        answer(store)
        for name in ("progress.db", "progress.db-wal"):
            shutil.copy(path.with_name(name), killed)
        cards = store.cards()
    with (
        mount(killed, "--bind", "-o", "ro", str(killed)),
        Store.read(killed / "progress.db") as store,
    ):
        assert store.cards() == cards
    assert sorted(file.name for file in killed.iterdir()) == ["progress.db", "progress.db-wal"]


def test_an_absent_database_is_read_as_an_empty_one(tmp_path: Path):
    with Store.read(tmp_path / "progress.db") as store:
        assert store.cards() == {}
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_missing_where_nothing_can_be_written_too(backed_up: Path, pristine):
    shutil.copy(pristine, backed_up)
    with (
        closing(sqlite3.connect(backed_up)) as connection,
        closing(sqlite3.connect(copies(backed_up)[0].path)) as copy,
    ):
        (machine,) = copy.execute("SELECT value FROM meta WHERE key = 'machine'").fetchone()
        connection.execute("UPDATE meta SET value = ? WHERE key = 'machine'", (machine,))
        connection.commit()
    with pytest.raises(StoreLost, match=r"store\.shorter"):
        Store.read(backed_up)
    backed_up.write_bytes(b"")
    with pytest.raises(StoreLost, match=r"store\.(emptied|only-log)"):
        Store.read(backed_up)
