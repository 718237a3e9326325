"""Home as it was kept: what the next start says itself, and nothing once anything has changed."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from quizapp.deck.content import load_deck
from quizapp.domain.goal import Goal
from quizapp.study import kept_home, kept_report
from quizapp.study.home_values import Filter, Home
from quizapp.study.opening import open_study
from quizapp.study.overview import home
from quizapp.study.service import Study
from quizapp.system import trust
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from tests.compiled_content import fill_cache
from tests.sampling import every
from tests.study.test_overview import answer
from tests.study.tools import TODAY, FixedClock

TEXT = """
- id: {id}
  kind: number
  topic: lanes
  concept: {id}
  difficulty: 1
  prompt: "How many, {id}?"
  answer: 32
  explanation: So many.
  sources: [own]
"""


class Start:
    """Somebody's installation, and their starts of the program."""

    def __init__(self, folder) -> None:
        self.paths = Paths(folder, folder / "config.toml", folder / "cache", folder / "quiz.log")
        self.clock = FixedClock()
        self.settings = Settings(day_minutes=0, interview_date=date(2024, 12, 24))
        self.write("a")
        fill_cache(folder)

    def write(self, name: str) -> None:
        file = self.paths.own_content / "mine" / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEXT.format(id=name), "utf-8")

    def open(self) -> Study:
        study = open_study(self.paths, self.settings, self.clock)
        study.session.begin(Filter())
        return study

    def say(self) -> Home:
        with self.open() as study:
            return home(study)

    def keep(self, study: Study) -> None:
        days = kept_home.foresee(study, self.paths)
        study.__exit__()
        assert days is not None
        kept_home.keep(study, self.paths, days)

    def read(self) -> Home | None:
        deck = load_deck(self.paths, self.settings)
        return kept_home.read(self.paths, self.settings, deck, self.clock.now())


@pytest.fixture
def start(tmp_path) -> Start:
    one = Start(tmp_path)
    study = one.open()
    for correct in (True, False, True):
        answer(study, correct=correct)
    one.keep(study)
    return one


def test_what_was_kept_is_what_the_next_start_says_today_and_tomorrow(start):
    assert start.read() == start.say()
    start.clock.move(days=1)
    assert start.read() == start.say()
    start.clock.move(days=1)
    assert start.read() is None


def test_with_a_plan_too_and_while_the_session_is_about_a_part(start):
    study = start.open()
    study.plan.set(Goal(TODAY, TODAY + 9, 5, retention=0.8))
    study.session.begin(Filter(topic="lanes"))
    start.keep(study)
    for _ in range(2):
        kept = start.read()
        assert kept == start.say()
        assert kept.interview_in is not None
        start.clock.move(days=1)


def answer_one(start: Start) -> None:
    with start.open() as study:
        answer(study)


def put_a_copy(start: Start) -> None:
    database = start.paths.database
    shutil.copy2(database, f"{database}.copy")
    Path(f"{database}.copy").replace(database)


def spoil(old: bytes, new: bytes):
    def change(start: Start) -> None:
        data = start.paths.kept_home.read_bytes()
        assert old in data
        start.paths.kept_home.write_bytes(data.replace(old, new))

    return change


CHANGES = {
    "answered": answer_one,
    "another database": put_a_copy,
    "no database": lambda start: start.paths.database.unlink(),
    "another time zone": lambda start: start.clock.move(offset_s=7200),
    "a clock set back": lambda start: start.clock.move(days=-1),
    "other settings": lambda start: setattr(start, "settings", Settings(language="zh")),
    "another deck": lambda start: start.write("b"),
    "consent": lambda start: trust.agree(start.paths, "mine", ["0"]),
    "another figure": spoil(b'"due":', b'"due":1'),
    "cut off": spoil(b"}", b""),
    "not a file": lambda start: start.paths.kept_home.unlink(),
}


@pytest.mark.parametrize("name", every(2, CHANGES, str))
def test_it_is_not_read_once_anything_has_changed(start, name):
    CHANGES[name](start)
    assert start.read() is None


def test_it_is_not_read_by_another_version_of_the_program(start, monkeypatch):
    monkeypatch.setattr(kept_report, "program", lambda: ["newer"])
    assert start.read() is None


def test_nor_while_another_program_has_written_what_is_not_in_the_file_yet(start):
    with start.open() as other:
        assert start.read() == home(other)
        answer(other)
        assert start.read() is None
        start.keep(start.open())
        assert start.read() is None
    start.keep(start.open())
    assert start.read() == start.say()


def test_nothing_is_kept_of_what_another_program_changes_meanwhile(start, monkeypatch):
    study, other = start.open(), start.open()
    said = kept_home.overview.home

    def say_and_answer(later: Study) -> Home:
        facts = said(later)
        answer(other)
        return facts

    monkeypatch.setattr(kept_home.overview, "home", say_and_answer)
    assert kept_home.foresee(study, start.paths) is None
    for each in (study, other):
        each.__exit__()


def test_a_folder_that_cannot_be_written_only_costs_the_picture(start):
    start.paths.kept_home.unlink()
    start.paths.kept_home.mkdir()
    start.keep(start.open())
    assert start.read() is None
