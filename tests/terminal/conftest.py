"""The stage: a home of one's own, a tmux server for this process, programs that end with a test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.compiled_content import fill_cache
from tests.terminal.program import Start, StartPty
from tests.terminal.screen import Tmux

MINE = Path(__file__).with_name("mine")


@pytest.fixture(scope="session")
def tmux(needs_program: Callable[[str], str]) -> Iterator[Tmux]:
    server = Tmux(needs_program("tmux"))
    yield server
    server.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """QUIZ_HOME: the first-start screen was seen; four questions of one's own on one topic."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("welcomed = true\nday_minutes = 0\n", "utf-8")
    shutil.copytree(MINE, home / "content" / "mine")
    fill_cache(home)
    return home


@pytest.fixture
def start(tmux: Tmux, home: Path) -> Iterator[Start]:
    """Call it with arguments of `quiz start`: the program in a tmux pane."""
    starting = Start(tmux, home)
    yield starting
    starting.close()


@pytest.fixture
def start_pty(home: Path) -> Iterator[StartPty]:
    """Call it with arguments of `quiz start`: the program on a bare pty."""
    starting = StartPty(home)
    yield starting
    starting.close()
