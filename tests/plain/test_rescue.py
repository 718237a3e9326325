"""Damaged or missing progress in the plain mode: what is offered, and what each choice does."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from grader.facts import quote
from quizapp.domain.errors import StoreDamaged, StoreFull
from quizapp.plain.rescue import offer_rescue
from quizapp.report.words import Words
from quizapp.store.safety import backup, recovery
from quizapp.store.safety.backup import copies
from quizapp.store.store import Store
from quizapp.study import rescue
from tests.plain.person import Stage, right

WORDS = {"en": Words("en"), "zh": Words("zh")}


@pytest.fixture
def damaged(stage: Stage) -> Path:
    """A database with two answers in its backup and three in itself, whose header is gone."""
    stage.play(right, "", right, "", ":q").study.store.close()
    assert len(copies(stage.path)) == 1, "made after the session"
    stage.play(right, "", ":q").study.store.close()
    stage.path.write_bytes(bytes(100) + stage.path.read_bytes()[100:])
    return stage.path


def offer(path: Path, *typed: str, language: str = "en") -> tuple[bool, str]:
    """Whether a way out was taken, and what was said."""
    with pytest.raises(StoreDamaged) as caught:
        Store.open(path)
    out = StringIO()
    stdin = StringIO("".join(f"{line}\n" for line in typed))
    return offer_rescue(caught.value, path, WORDS[language], stdin, out), out.getvalue()


def events(path: Path) -> int:
    with Store.open(path) as store:
        assert store.check() == []
        return store.count_events()


@pytest.mark.parametrize(("choice", "held"), [("1", 4), ("2", 3), ("3", 0)])
def test_each_way_out_leads_to_a_database_that_opens(damaged: Path, choice: str, held: int):
    before = damaged.read_bytes()
    taken, said = offer(damaged, choice)
    assert taken
    assert "is damaged. Nothing was changed." in said
    assert "1  rescue what can still be read from the damaged file (4 events)" in said
    assert "(3 events)" in said
    assert "(0 events)" in said
    assert f"The database holds {held} events now." in said
    (kept,) = (damaged.parent / "replaced").glob("*/quiz.db")
    assert f"quiz salvage {kept}" in said
    assert kept.read_bytes() == before
    assert events(damaged) == held


def test_in_chinese(damaged: Path):
    taken, said = offer(damaged, "9", "1", language="zh")
    assert taken
    assert f"数据库 {damaged} 已损坏" in said
    assert "请输入 1 到 3，或 q。" in said
    assert "数据库现有 4 条记录。" in said


@pytest.mark.parametrize("typed", [["q"], [":q"], [], ["x", "0", "4"]])
def test_no_choice_leaves_everything(damaged: Path, typed: list[str]):
    before = damaged.read_bytes()
    taken, _ = offer(damaged, *typed)
    assert not taken
    assert damaged.read_bytes() == before
    assert not (damaged.parent / "replaced").exists()


def test_a_way_that_fails_is_said_and_another_can_be_taken(damaged: Path, monkeypatch):
    (copy,) = copies(damaged)
    refused = iter([StoreFull(quote("The disk is full"))])

    def restore(path: Path, of: Path) -> recovery.Restoration:
        for error in refused:
            raise error
        return real(path, of)

    real = recovery.restore
    monkeypatch.setattr(recovery, "restore", restore)
    taken, said = offer(damaged, "2", "2")
    assert taken
    assert "The disk is full" in said
    assert events(damaged) == backup.content(copy.path).events == 3


def test_what_keeps_nothing_is_not_offered(damaged: Path):
    damaged.write_bytes(b"rubbish" * 5000)
    assert [way.name for way in rescue.ways_out(damaged).ways] == ["restore", "empty"]
    taken, said = offer(damaged, "1")
    assert taken
    assert "Nothing can be read from the file itself." in said
    assert events(damaged) == 3


def test_without_a_backup_nothing_is_offered_to_restore(damaged: Path):
    shutil.rmtree(damaged.parent / "backups")
    assert [way.name for way in rescue.ways_out(damaged).ways] == ["salvage", "empty"]
    taken, said = offer(damaged, "1")
    assert taken
    assert "bring back" not in said
    assert events(damaged) == 4


def test_the_newest_backup_that_can_be_read_is_offered(damaged: Path):
    (copy,) = copies(damaged)
    later = copy.path.with_name(f"{damaged.stem}-20990101-120000-by-hand.db")
    later.write_bytes(b"rubbish" * 999)
    ways = rescue.ways_out(damaged)
    way = ways.ways[1]
    assert (way.name, way.copy, way.events) == ("restore", copy, 3)
    assert (ways.unusable, ways.others) == ((), 1), "a date in the future comes last"


def test_a_backup_with_a_bad_page_is_named_and_the_one_before_it_is_brought_back(damaged: Path):
    """Its events can all be counted: only a check of every page finds what is wrong."""
    (copy,) = copies(damaged)
    older = copy.path.with_name(f"{damaged.stem}-20200101-120000-by-hand.db")
    oldest = copy.path.with_name(f"{damaged.stem}-20190101-120000-by-hand.db")
    for other in (older, oldest):
        shutil.copy(copy.path, other)
    spoil_an_index(copy.path)
    assert backup.content(copy.path).events == 3
    taken, said = offer(damaged, "2")
    assert taken
    assert f"is damaged too and cannot be restored: {copy.path}" in said
    assert "2  restore the backup from 2020-01-01" in said
    assert "There is 1 other backup, too" in said
    assert events(damaged) == 3


def test_an_emptied_database_says_that_progress_is_missing(damaged: Path):
    damaged.write_bytes(b"")
    taken, said = offer(damaged, "1")
    assert taken
    assert f"progress is missing from {damaged}" in said


# --- within a session


def spoil_an_index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'answer_pace'"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(bytes(4096))


def test_a_damaged_page_is_found_before_the_first_question(stage: Stage):
    stage.play(right, "", ":q").study.store.close()
    spoil_an_index(stage.path)
    with pytest.raises(StoreDamaged):
        stage.play(right, "", right, "")
    assert "1 of" not in stage.out.getvalue()
    with pytest.raises(StoreDamaged):
        stage.opened[-1].session.next()


def test_too_little_room_for_a_backup_is_said_after_the_session(stage: Stage, monkeypatch):
    def refuse(_: Store) -> None:
        raise StoreFull(quote("No backup was made"))

    monkeypatch.setattr(Store, "roll", refuse)
    played = stage.play(right, "", ":q")
    last = played.said.strip().splitlines()[-1]
    assert last.startswith("no backup was made, since ")
    assert str(stage.path.parent / "backups") in last
    assert stage.play(":q", language="zh").said.strip().splitlines()[-1].startswith("空间不足")
