"""Where the program cannot start: it says why, where and what to do, and touches nothing."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from quizapp.store.store import Store
from tests.file_systems import mount
from tests.terminal.program import HOME, TOPIC, Start, StartPty
from tests.terminal.screen import environment, program
from tests.terminal.steps import answer_verbatim

PATIENCE_S = 60


@pytest.fixture
def progress(home: Path) -> Path:
    """A database with something in it."""
    path = home / "progress.db"
    with Store.open(path):
        pass
    return path


def bytes_of(home: Path) -> dict[str, bytes]:
    """The database's files with data in them; -shm and an empty -wal hold none."""
    found = [path for path in home.glob("progress.db*") if not path.name.endswith("-shm")]
    return {path.name: path.read_bytes() for path in found if path.stat().st_size}


def read_refusal(start: Start, status: int) -> str:
    """What is said, in one line, when the program ends with `status` before its first screen."""
    screen = start(size=(200, 24))
    assert screen.exit_status() == status
    assert not screen.alternate()
    said = screen.text()
    assert "Traceback" not in said
    return " ".join(said.split())


def test_without_a_terminal(home: Path):
    done = subprocess.run(
        [*program(), "start"],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 4
    assert done.stdout == ""
    assert "quiz start --plain" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("term", ["", pytest.param("dumb", marks=pytest.mark.long)])
def test_a_dumb_terminal(start_pty: StartPty, term: str):
    pty = start_pty(TERM=term)
    said = pty.rest()
    assert pty.exit_status() == 4
    assert b"quiz start --plain" in said
    assert b"\x1b" not in said


@pytest.mark.parametrize("piped", ["stdin", "stdout"])
def test_one_end_is_a_pipe(start_pty: StartPty, piped: str):
    script = {"stdin": "true | quiz start", "stdout": "quiz start | cat >&2; exit ${PIPESTATUS[0]}"}
    quiz = " ".join(program())
    pty = start_pty(command=["bash", "-c", script[piped].replace("quiz", quiz)])
    said = pty.rest()
    assert pty.exit_status() == 4
    assert b"quiz start --plain" in said


def test_the_data_folder_cannot_be_made(start: Start, home: Path):
    blocked = home / "file"
    blocked.write_text("in the way")
    screen = start(size=(200, 24), QUIZ_HOME=str(blocked / "below"))
    assert screen.exit_status() == 3
    said = " ".join(screen.text().split())
    assert str(blocked / "below" / "progress.db") in said
    assert "QUIZ_HOME=" in said
    assert blocked.read_text() == "in the way"


def test_the_disk_is_full(start: Start, home: Path):
    with mount(home, "-t", "tmpfs", "-o", "size=8k", "none"):
        (home / "config.toml").write_text("welcomed = true\n", "utf-8")
        said = read_refusal(start, 3)
        assert str(home / "progress.db") in said
        assert "full" in said


def test_the_data_folder_is_read_only(start: Start, home: Path, progress: Path):
    before = bytes_of(home)
    with mount(home, "--bind", "-o", "ro", str(home)):
        said = read_refusal(start, 3)
    assert str(progress) in said
    assert "QUIZ_HOME=" in said
    assert bytes_of(home) == before


@pytest.mark.parametrize("damage", ["garbage", "truncated", "page"])
def test_a_damaged_database(start: Start, home: Path, progress: Path, damage: str):
    whole = progress.read_bytes()
    progress.write_bytes(
        {
            "garbage": os.urandom(20_000),
            "truncated": whole[: len(whole) // 3],
            "page": whole[:4096] + os.urandom(len(whole) - 4096),
        }[damage]
    )
    before = bytes_of(home)
    screen = start(size=(200, 24))
    screen.wait_for(str(progress), "is damaged. Nothing was changed.", "Your choice:")
    screen.type("q")
    screen.keys("Enter")
    assert screen.exit_status() == 3
    assert not screen.alternate()
    said = " ".join(screen.text().split())
    assert "Traceback" not in said
    assert "quiz salvage" in said
    assert bytes_of(home) == before


def test_a_way_out_of_damage_leads_to_the_first_screen(start: Start, home: Path, progress: Path):
    """A backup is brought back, then `quiz start` goes on as if nothing had been."""
    first = start.at_home(*TOPIC)
    first.keys("Enter")
    answer_verbatim(first)
    first.keys("C-c")
    assert first.exit_status() == 130
    assert len([*(home / "backups").iterdir()]) == 1
    progress.write_bytes(b"")
    screen = start(*TOPIC, size=(200, 24))
    screen.wait_for("rogress is missing from", "restore the backup from", "Your choice:")
    screen.type("1")
    screen.keys("Enter")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
    with Store.open(progress) as store:
        assert len(store.answer_facts()) == 1


def test_a_database_of_a_newer_version(start: Start, home: Path, progress: Path):
    with closing(sqlite3.connect(progress)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = bytes_of(home)
    said = read_refusal(start, 3)
    assert str(progress) in said
    assert "9999" in said
    assert "newer version" in said
    assert "upgrade quiz" in said.lower()
    assert bytes_of(home) == before


def test_a_database_that_another_program_holds(start: Start, home: Path, progress: Path):
    # Read before and after: closing the file would drop this process's lock on it.
    before = bytes_of(home)
    with closing(sqlite3.connect(progress, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        said = read_refusal(start, 3)
    assert bytes_of(home) == before
    assert str(progress) in said
    assert "another program keeps the database" in said.lower()
    assert "close that program" in said.lower()


@pytest.mark.long
def test_a_lock_in_the_middle_of_a_session(start: Start, home: Path):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    with closing(sqlite3.connect(home / "progress.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        answer_verbatim(screen)
        screen.wait_for("! Not saved:", "r ")
        connection.execute("ROLLBACK")
    screen.keys("r")
    screen.wait_for("saved", gone="Not saved")
    screen.keys("Enter")
    screen.wait_for("How many lanes")


def test_settings_that_cannot_be_read(start: Start, home: Path):
    (home / "config.toml").write_text("new_per_dya = 3\n", "utf-8")
    said = read_refusal(start, 2)
    assert f"{home / 'config.toml'}:1" in said
    assert "did you mean 'new_per_day'?" in said


def test_questions_with_errors_are_left_out_and_counted(start: Start, home: Path):
    (home / "content" / "mine" / "broken.yaml").write_text("- id: [\n", "utf-8")
    screen = start.at_home()
    screen.wait_for("quiz lint", HOME)


def test_an_empty_topic_is_named(start: Start):
    screen = start("--topic", "nonesuch", size=(200, 24))
    assert screen.exit_status() == 2
    said = screen.text()
    assert "there is no topic 'nonesuch'" in said.lower()
    assert "`quiz pack topics` lists the topics" in said
