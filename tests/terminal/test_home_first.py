"""Home is drawn from what was kept, in a real terminal, and the database is opened behind it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.program import PROMPTS, TOPIC, Start
from tests.terminal.screen import Screen, Size
from tests.terminal.steps import answer_verbatim, counts
from tests.waiting import until

GATED = """
import os, sys, time
from pathlib import Path
from quizapp.tui.app import QuizApp
opened = QuizApp._open
async def gated(self, open_study):
    def wait():
        loaded = (n for n, m in sys.modules.items() if type(m).__name__ != "DeferredModule")
        Path(os.environ["LOADED"]).write_text(" ".join(loaded))
        while not os.path.exists(os.environ["GATE"]):
            time.sleep(0.01)
        return open_study()
    await opened(self, wait)
QuizApp._open = gated
from quizapp.cli import main
sys.exit(main())
"""
"""`quiz start` that says what was loaded once home was drawn, and then waits to open the study."""

LATER = ("sqlalchemy", "alembic", "quizapp.store", "quizapp.study.service", "yaml", "numpy")


@pytest.fixture
def gated(start: Start, tmp_path: Path) -> Callable[..., Screen]:
    """Starts the program so that it waits behind home until there is a file `gate`."""

    def begin(**more: Size) -> Screen:
        names = {"LOADED": str(tmp_path / "loaded"), "GATE": str(tmp_path / "gate")}
        return start(command=[sys.executable, "-c", GATED, "start"], **names, **more)

    return begin


def leave(screen: Screen) -> None:
    screen.keys("q")
    assert screen.exit_status() == 0


@pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.long)], ids=str
)
def test_keys_pressed_before_the_database_is_open_act_once_it_is(
    start: Start, gated: Callable[..., Screen], tmp_path: Path, size: Size
):
    leave(start.at_home(size=size))
    screen = gated(size=size)
    assert counts(screen) == {"Due": 0, "New": 10}
    loaded = tmp_path / "loaded"
    until(loaded.exists, screen.text)
    names = [f"{name}." for name in loaded.read_text().split()]
    assert [name for name in names if name.startswith(tuple(f"{each}." for each in LATER))] == []
    before = screen.text()
    screen.keys("/")
    screen.type("verbatim")
    assert screen.text() == before
    (tmp_path / "gate").touch()
    screen.wait_for("verbatim", PROMPTS[0][:20])


@pytest.mark.parametrize("ends", ["killed", "left"])
def test_home_never_shows_what_has_changed_since(
    start: Start, gated: Callable[..., Screen], tmp_path: Path, ends: str
):
    leave(start.at_home())
    screen, other = start.at_home(*TOPIC), start.at_home()
    screen.keys("Enter")
    answer_verbatim(screen)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[1])  # the answer is stored
    if ends == "killed":
        screen.signal(signal.SIGKILL)
    else:
        leave(other)
    assert counts(gated()) == {"Due": 0, "New": 9}
    assert not (tmp_path / "loaded").exists()
