"""The screens on bad days: a copy after the session, no answer into a damaged database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from grader.facts import quote
from quizapp.domain.errors import StoreDamaged, StoreFull
from quizapp.store.safety.backup import copies
from quizapp.store.store import Store
from quizapp.tui import starting
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from tests.tui.pilots import answer_next, make_app, open_app, press, tap
from tests.tui.screen_text import rest, wait_for_text


async def test_a_copy_is_made_after_the_session_not_before(tmp_path: Path):
    async with open_app(tmp_path, answers=[True, True]) as pilot:
        assert copies(tmp_path / "progress.db") == []
        await pilot.app.finish()
        await rest(pilot)
        await pilot.app.workers.wait_for_complete()
        (copy,) = copies(tmp_path / "progress.db")
    with closing(sqlite3.connect(copy.path)) as connection:
        query = "SELECT count(*) FROM event WHERE kind = 'answer'"
        assert connection.execute(query).fetchone() == (2,)


async def test_too_little_room_for_a_copy_is_a_notice(tmp_path: Path, monkeypatch):
    def refuse(_: Store) -> None:
        raise StoreFull(quote("No backup was made"))

    monkeypatch.setattr(Store, "roll", refuse)
    async with open_app(tmp_path, answers=[True], language="zh") as pilot:
        await pilot.app.finish()
        await wait_for_text(pilot, "空间不足")


async def test_a_damaged_page_is_told_after_home_and_no_question_is_asked(tmp_path: Path):
    async with open_app(tmp_path, answers=[True]):
        pass
    path = tmp_path / "progress.db"
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'answer_pace'"
        (page,) = connection.execute(query).fetchone()
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(bytes(4096))
    before = path.read_bytes()
    async with open_app(tmp_path, day_minutes=0) as pilot:  # else the first queue reads that page
        await wait_for_text(pilot, "not a usable database")
        await tap(pilot, "enter")
        assert not isinstance(pilot.app.screen, QuestionScreen)
        assert isinstance(pilot.app.study.store.damage, StoreDamaged)
    assert path.read_bytes() == before


@pytest.mark.parametrize("key", ["q", "escape"])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_damage_while_a_question_is_shown_leads_out(tmp_path: Path, key: str, language: str):
    path = tmp_path / "progress.db"
    asks = {"en": "The database is damaged, so this", "zh": "数据库已损坏"}[language]
    async with open_app(tmp_path, answers=[True], language=language) as pilot:
        await pilot.app.workers.wait_for_complete()
        await tap(pilot, "enter")
        for file in (path, Path(f"{path}-wal")):
            file.write_bytes(bytes(range(256)) * (file.stat().st_size // 256))
        Path(f"{path}-wal").unlink()
        with pytest.raises(StoreDamaged):  # small as it is, SQLite has all of it in its cache
            pilot.app.study.store.check_pages()
        await tap(pilot, "escape", "g")  # out of the field first
        await wait_for_text(pilot, {"en": "! Not saved:", "zh": "未保存："}[language])
        assert asks in " ".join((await press(pilot, key)).split())
        await tap(pilot, "n")
        assert isinstance(pilot.app.screen, QuestionScreen)
        await tap(pilot, key, "y")
        assert pilot.app.return_code == 0
        assert isinstance(pilot.app.study.store.damage, StoreDamaged)


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_leaving_without_an_answer_that_cannot_be_saved_is_asked(
    tmp_path: Path, key: str, monkeypatch
):
    def refuse(*_: object) -> None:
        raise StoreFull(quote("The disk is full."), quote("Make room."))

    async with open_app(tmp_path, answers=[True]) as pilot:
        await tap(pilot, "enter")
        monkeypatch.setattr(Store, "append", refuse)
        await tap(pilot, "escape", "g")  # out of the field first
        await wait_for_text(pilot, "! Not saved:")
        assert "Leave without saving this answer?" in await press(pilot, key)
        await tap(pilot, "n")
        await wait_for_text(pilot, "! Not saved:")
        await tap(pilot, key, "y")
        assert isinstance(pilot.app.screen, HomeScreen)
        monkeypatch.undo()
        assert len(pilot.app.study.session.results) == 1
        assert "2 of" in await press(pilot, "enter"), "the same question is asked again"


def test_damage_that_was_found_is_raised_once_the_screen_is_gone(tmp_path: Path, monkeypatch):
    """Which `quiz start` answers with the ways out."""

    def found(app) -> int:
        app.study.store._database.damage = StoreDamaged(quote("damaged"))
        return 0

    monkeypatch.setattr(starting, "run_to_end", found)
    app = make_app(tmp_path)
    app.study.store.close()
    with pytest.raises(StoreDamaged, match="damaged"):
        starting.run(app.paths, app.settings, app.narrowed)


@pytest.mark.parametrize(("status", "copied"), [(0, 1), (130, 1), (143, 0), (129, 0)])
def test_a_copy_is_made_on_leaving_unless_the_program_is_ended(
    tmp_path: Path, monkeypatch, status: int, copied: int
):
    def left(app) -> int:
        answer_next(app.study, right=True)
        app.stopped_by = status - 128 if status in (129, 143) else None
        return status

    monkeypatch.setattr(starting, "run_to_end", left)
    app = make_app(tmp_path)
    app.study.store.close()
    assert starting.run(app.paths, app.settings, app.narrowed) == status
    assert len(copies(app.paths.database)) == copied
