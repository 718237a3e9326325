"""Starting `quiz start` for a test, and what its screens say.

It is forked, which costs a test a second less, unless the test says how it is started, or something
that decides a start itself.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from quizapp.domain.log.events import Answered, LogEntry
from quizapp.store.store import Store
from tests.terminal import forking
from tests.terminal.screen import SIZE, Pty, Screen, Size, Tmux, around, environment, program

TOPIC = ("--topic", "terminal")
"""Only the four questions of `mine/questions.yaml`, in their order."""

HOME = "q quit"
"""Home's last line ends so."""

SURE = "How sure?"
NEXT = "enter next"
"""The last line of a graded question."""

PROMPTS = (
    "beside [/x], [bold] and b[i] += 1?",
    "How many lanes has a warp?",
    "What is a bank conflict?",
    "Which are powers of two?",
)

STARTING = ("PYTHON", "LC_", "LANG", "LD_", "TEXTUAL")
"""Variables that are read as an interpreter starts, or as Textual is loaded."""


def _may_fork(command: Sequence[str], env: Mapping[str, str], begin: Sequence[str]) -> bool:
    """Whether a command begins as the program does, and nothing is said of how it is started."""
    told = [*command[: len(begin)]] == [*begin]
    return told and sys.platform == "linux" and not any(name.startswith(STARTING) for name in env)


class Start:
    """Starts the program in tmux panes."""

    def __init__(self, tmux: Tmux, home: Path) -> None:
        self._tmux = tmux
        self._home = home
        self._screens: list[Screen] = []

    def __call__(
        self,
        *arguments: str,
        size: Size = SIZE,
        term: str = "",
        command: Sequence[str] = (),
        code: str = "",
        **env: str,
    ) -> Screen:
        """`quiz start` with these arguments, or `command`; or `code` in place of the script's."""
        screen = Screen(self._tmux, self._home.parent)
        self._screens.append(screen)
        begin = [sys.executable, "-c", code] if code else program()
        wanted = list(command) or [*begin, "start", *arguments]
        if _may_fork(wanted, env, begin):
            wanted = forking.command(
                code or forking.QUIZ, wanted[len(begin) :], screen.folder, keep=True
            )
        else:
            wanted = around(screen.folder, wanted)
        screen.start(wanted, environment(self._home, **env), size, term)
        return screen

    def at_home(self, *arguments: str, size: Size = SIZE, **env: str) -> Screen:
        """Started, and home is drawn."""
        screen = self(*arguments, size=size, **env)
        screen.wait_for(HOME)
        return screen

    def close(self) -> None:
        for screen in self._screens:
            screen.close()


class StartPty:
    """Starts the program on bare ptys."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._ptys: list[Pty] = []

    def __call__(
        self, *arguments: str, size: Size = SIZE, command: Sequence[str] = (), **env: str
    ) -> Pty:
        """`quiz start` with these arguments, or `command`."""
        wanted, told = list(command) or [*program(), "start", *arguments], ""
        if _may_fork(wanted, env, program()):
            folder = self._home.with_name(f"pty-{len(self._ptys)}")
            folder.mkdir()
            told = str(folder / "pid")
            wanted = forking.command(forking.QUIZ, wanted[len(program()) :], folder)
        pty = Pty(wanted, environment(self._home, **env), size, told=told)
        self._ptys.append(pty)
        return pty

    def at_home(self, *arguments: str, size: Size = SIZE, **env: str) -> Pty:
        """Started, and home is drawn."""
        pty = self(*arguments, size=size, **env)
        pty.wait_for("study", "quit")
        return pty

    def close(self) -> None:
        for pty in self._ptys:
            pty.close()


def events(home: Path) -> list[LogEntry]:
    """The log of all questions of which it says something that was not undone, in order."""
    with Store.open(home / "progress.db") as store:
        found = [event for name in store.cards() for event in store.events(name)]
    return sorted(found, key=lambda event: (event.at_ms, event.sequence))


def answers(home: Path) -> list[str]:
    """The ids of the questions answered, without their pack, in the order of the log."""
    return [
        (event.question or "").partition("/")[2]
        for event in events(home)
        if isinstance(event.body, Answered)
    ]


def drafts(home: Path) -> dict[str, str]:
    """Half-written answers by id without its pack."""
    with Store.open(home / "progress.db") as store:
        return {name.partition("/")[2]: text for name, text in store.drafts().items()}
