"""`quiz backup`, `restore`, `salvage`: what they say, in which status they end, what is kept."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from quizapp.domain.errors import DATA, INTERRUPTED, OK, USAGE
from quizapp.store.store import Store
from tests.commands.program import answer
from tests.file_systems import mount


def events(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT count(*) FROM event").fetchone()[0]


def spoil_an_index(path: Path) -> None:
    """Every event can still be counted: only a check of all pages finds it."""
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'answer_pace'"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(bytes(4096))


def spoil_the_header(path: Path) -> None:
    path.write_bytes(bytes(100) + path.read_bytes()[100:])


@pytest.fixture
def database(inside, home) -> Path:
    answer(3)
    return home / "progress.db"


def test_a_backup_and_its_way_back(inside, database, home):
    said = inside("backup")
    assert said.status == OK
    copy = Path(said.out.strip())
    assert copy.parent == home / "backups"
    before = events(database)
    answer(2)
    said = inside("restore", copy, typed="y\n")
    assert said.status == OK
    assert "Replace your progress with" in said.err
    assert events(database) == events(copy) == before
    assert events(Path(said.out.strip())) > before


def test_a_backup_elsewhere_is_never_written_over(inside, database, tmp_path):
    target = tmp_path / "elsewhere" / "mine.db"
    target.parent.mkdir()
    assert inside("backup", target).out.strip() == str(target)
    assert events(target) == events(database)
    assert [file.name for file in target.parent.iterdir()] == ["mine.db"]
    content = target.read_bytes()
    said = inside("backup", target)
    assert said.status == USAGE
    assert "exists already" in said.err
    assert target.read_bytes() == content


def test_nothing_to_back_up(inside, home):
    said = inside("backup")
    assert said.status == DATA
    assert "holds no progress yet" in said.err
    assert not (home / "progress.db").exists()


def test_the_backups_are_listed_newest_first(inside, database):
    assert "There is no backup yet" in inside("restore").err
    first = inside("backup").out.strip()
    answer(1)
    second = inside("backup").out.strip()
    third = inside("backup").out.strip()
    spoil_an_index(Path(third))
    Path(first).write_bytes(b"rubbish" * 999)
    listed = json.loads(inside("restore", "--json").out)["backups"]
    assert [backup["path"] for backup in listed] == [third, second, first]
    assert [backup["events"] for backup in listed] == [None, events(database), None]
    said = inside("restore")
    lines = said.out.splitlines()
    assert second in lines[2]
    assert "damaged" not in lines[2]
    assert "damaged" in lines[1]
    assert "damaged" in lines[3]
    assert f"quiz salvage {third}" in said.err


@pytest.mark.parametrize("arguments", [["restore", "--empty"], ["salvage"]])
def test_another_answer_changes_nothing(arguments, inside, database):
    database.write_bytes(bytes(100) + database.read_bytes()[100:])
    before = database.read_bytes()
    said = inside(*arguments, typed="n\n")
    assert said.status == INTERRUPTED
    assert inside(*arguments).status == USAGE
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["no-such.db"], "there is no file no-such.db"),
        ([".", "--yes"], "there is no file ."),
        (["pyproject.toml", "--empty"], "not both"),
    ],
)
def test_a_wrong_call_of_restore(arguments, what, inside, database):
    said = inside("restore", *arguments)
    assert said.status == USAGE
    assert what in said.err


def test_starting_over(inside, database):
    said = inside("restore", "--empty", "--yes", "--json")
    told = json.loads(said.out)
    assert (told["events"], told["database"]) == (0, str(database))
    assert events(Path(told["kept"])) > 0
    assert json.loads(inside("due", "--json").out)["studied_days"] == 0


def test_a_salvaged_database_is_studied_on(inside, database):
    before = json.loads(inside("due", "--json").out)
    database.write_bytes(bytes(100) + database.read_bytes()[100:])
    assert inside("due").status == DATA
    said = inside("salvage", "--yes", "--json")
    told = json.loads(said.out)
    assert told["events"] == events(database)
    assert (told["unreadable"], told["rescheduled"], told["drafts"]) == (0, 0, 0)
    assert Path(told["kept"]).read_bytes()[:100] == bytes(100)
    assert json.loads(inside("due", "--json").out) == before
    answer(1)


@pytest.mark.parametrize("choice", ["1", "2", "3"])
def test_the_session_goes_on_after_each_way_out(quiz, inside, database, choice):
    """In a process of its own: the menu and the session read one standard input."""
    inside("backup")
    database.write_bytes(bytes(100) + database.read_bytes()[100:])
    done = quiz("start", "--plain", typed=f"{choice}\n:q\n")
    assert (done.returncode, done.stderr) == (OK, "")
    menu, _, session = done.stdout.partition("The database holds")
    assert "Your choice:" in menu
    assert "1 of " in session


def test_a_healthy_database_is_not_salvaged(inside, database):
    before = database.read_bytes()
    said = inside("salvage", "--yes")
    assert (said.status, said.out) == (OK, "")
    assert f"Nothing is wrong with {database}" in said.err
    assert "damaged" not in said.err
    assert json.loads(inside("salvage", "--json").out)["healthy"] is True
    assert inside("salvage", database).status == OK
    assert database.read_bytes() == before
    assert not (database.parent / "replaced").exists()


@pytest.mark.parametrize("spoil", [spoil_an_index, spoil_the_header])
def test_a_damaged_file_is_not_restored_and_can_be_salvaged(spoil, inside, database, tmp_path):
    file = Path(shutil.copy(inside("backup").out.strip(), tmp_path / "my copy.db"))
    held = events(file)
    spoil(file)
    answer(2)
    before, live = database.read_bytes(), events(database)
    said = inside("restore", file, "--yes")
    assert (said.status, said.out) == (DATA, "")
    what, todo = said.err.strip().splitlines()
    assert f"{file} is damaged" in what
    assert f"quiz salvage '{file}'" in todo
    assert "--empty" not in said.err
    assert database.read_bytes() == before
    said = inside("salvage", file, typed="y\n")
    assert said.status == OK
    assert f"{held} events can be read from {file}" in said.err
    assert events(database) == held
    kept = said.out.strip()
    assert f"quiz restore {kept}" in said.err
    assert inside("restore", kept, "--yes").status == OK
    assert events(database) == live


def test_after_a_restore_the_way_back_to_a_damaged_database_is_named(inside, database):
    copy = inside("backup").out.strip()
    answer(2)
    held = events(database)
    database.write_bytes(bytes(100) + database.read_bytes()[100:])
    said = inside("restore", copy, "--yes")
    kept = said.out.strip()
    assert f"quiz salvage {kept}" in said.err
    assert inside("salvage", kept, "--yes").status == OK
    assert events(database) == held


def test_a_file_to_salvage_that_is_not_there(inside, database):
    said = inside("salvage", "no-such.db")
    assert said.status == USAGE
    assert "there is no file no-such.db" in said.err


def test_without_a_database_there_is_nothing_to_salvage(inside, home):
    said = inside("salvage", "--yes")
    assert said.status == DATA
    assert "no event can be read" in said.err
    assert not (home / "progress.db").exists()


def test_without_the_log_what_derives_from_it_is_named(inside, database):
    with closing(sqlite3.connect(database)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'event'"
        (page,) = connection.execute(query).fetchone()
    content = bytearray(database.read_bytes())
    content[4096 * (page - 1) : 4096 * page] = bytes(4096)
    database.write_bytes(content)
    said = inside("salvage", "--yes")
    assert said.status == DATA
    assert "no event can be read" in said.err
    assert "rating of its 3 answers are still in the table `answer`" in said.err
    assert database.read_bytes() == content


def test_of_rubbish_nothing_can_be_rescued(inside, home):
    home.mkdir()
    database = home / "progress.db"
    database.write_bytes(b"rubbish" * 9999)
    said = inside("salvage", "--yes")
    assert said.status == DATA
    assert "no event can be read" in said.err
    assert database.read_bytes() == b"rubbish" * 9999


@pytest.mark.parametrize("command", ["due", "stats", "rebuild", "reset", "erase"])
def test_a_database_that_was_emptied_is_not_begun_anew(command, inside, database):
    copy = inside("backup").out.strip()
    database.write_bytes(b"")
    arguments = ["--all", "--yes"] if command == "reset" else []
    said = inside(command, *arguments)
    assert (said.status, said.out) == (DATA, "")
    assert "progress is missing from" in said.err
    for way in (f"quiz restore {copy}", "quiz salvage", "quiz restore --empty"):
        assert way in said.err
    assert database.read_bytes() == b""


def test_a_page_that_went_bad_after_a_copy_of_the_whole(inside, database, tmp_path):
    whole = Path(shutil.copy(database, tmp_path / "whole.db"))
    database.write_bytes(database.read_bytes()[:8192])
    said = inside("restore", whole, "--yes")
    assert said.status == OK
    assert events(database) == events(whole)


# --- a home that cannot be written


@pytest.mark.parametrize("killed", [False, True])
def test_what_only_reads_works_on_a_read_only_home(killed, inside, database, home, capsys):
    """Also where the last program was killed, and what it wrote is only in the log."""
    files = [database, Path(f"{database}-wal")]
    with Store.open(database) as store:
        store.save_draft("shared-memory/interview-broadcast", "half a sentence", 1)
        as_killed = {file: file.read_bytes() for file in files}
    wanted = {name: inside(name, "--json").out for name in ("due", "stats", "plan", "card")}
    assert '"drafts": 1' in wanted["due"]
    if killed:
        for file, content in as_killed.items():
            file.write_bytes(content)
    before = {file: file.read_bytes() for file in home.glob("progress.db*")}
    with mount(home, "--bind", "-o", "ro", str(home)):
        for name, out in wanted.items():
            said = inside(name, "--json")
            assert (said.status, said.err) == (OK, "")
            assert said.out == out
        with pytest.raises(SystemExit, match=r"^0$"):
            inside(_QUIZ_COMPLETE="bash_complete", COMP_WORDS="quiz mock trans", COMP_CWORD="2")
        assert "shared-memory/transpose-at-a-third" in capsys.readouterr().out
        said = inside("rebuild")
        assert said.status == DATA
        assert str(database) in said.err
        said = inside("config", "language", "zh")
        assert said.status != OK
        assert f"{home / 'config.toml'}: the file system is read-only" in said.err
    assert {file: file.read_bytes() for file in home.glob("progress.db*")} == before


def test_a_full_disk_is_named_by_the_file_that_was_to_be_written(inside, home):
    home.mkdir()
    with mount(home, "-t", "tmpfs", "-o", "size=100k", "none"):
        assert inside("config", "language", "en").status == OK
        with suppress(OSError), (home / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
        said = inside("config", "language", "zh")
        assert f"{home / 'config.toml'}: no space left on the disk" in said.err
        assert sorted(file.name for file in home.iterdir()) == ["config.toml", "filler", "quiz.log"]
        assert inside("due").status == OK
        said = inside("rebuild")
        assert f"{home / 'progress.db'} is full" in said.err


def test_a_link_is_followed_to_the_place_that_is_full(inside, home, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    home.symlink_to(disk)
    with mount(disk, "-t", "tmpfs", "-o", "size=8k", "none"):
        said = inside("rebuild")
    assert str(home / "progress.db") in said.err
    assert str(disk / "progress.db") in said.err
