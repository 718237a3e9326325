"""The person's editor: which it is, and how it is told the line. Runs it and waits."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from grader.facts import Fact, fact
from quizapp.domain.errors import BadSetting, EnvironmentProblem
from quizapp.system import os_errors

LAST_RESORT = "vi"

PLUS_LINE = frozenset(("vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "kak"))
GOTO = frozenset(("code", "code-insiders", "codium", "cursor"))
COLON_LINE = frozenset(("hx", "helix", "subl", "zed"))
WAITS = GOTO | {"subl", "zed"}
"""These return at once, while the file is still open, unless told to wait."""


def arguments(
    setting: str, path: Path, line: int, environment: Mapping[str, str] | None = None
) -> list[str]:
    """Build the command that opens `path` at `line`: the setting's, $VISUAL's, $EDITOR's, vi.

    Raises BadSetting: the command cannot be split into words.
    """
    environment = os.environ if environment is None else environment
    choices: tuple[tuple[Fact | str, str], ...] = (
        (fact("editor.setting"), setting),
        ("$VISUAL", environment.get("VISUAL", "")),
        ("$EDITOR", environment.get("EDITOR", "")),
        ("", LAST_RESORT),
    )
    name, chosen = next((name, text) for name, text in choices if text.strip())
    try:
        words = shlex.split(chosen)
    except ValueError:
        if _ends_in_backslash(chosen):
            raise BadSetting(fact("editor.open-escape", name=name, command=chosen)) from None
        raise BadSetting(fact("editor.open-quote", name=name, command=chosen)) from None
    return [*words, *_place(Path(words[0]).name, words, path, line)]


def stands_beside(setting: str) -> bool:
    """Return True if the editor has a window of its own, so that the terminal stays free.

    Raises BadSetting: the command cannot be split into words.
    """
    return Path(arguments(setting, Path(), 1)[0]).name in WAITS


def open_beside(setting: str, path: Path) -> None:
    """Open `path` in an editor with a window of its own, and do not wait for it to be closed.

    What it prints goes nowhere: the terminal is the application's.

    Raises:
        BadSetting: the command cannot be split into words.
        EnvironmentProblem: it cannot be run.
    """
    command = [word for word in arguments(setting, path, 1) if word not in ("--wait", "-w")]
    _run(command, path, output=subprocess.DEVNULL)


def edit(setting: str, path: Path, line: int) -> None:
    """Open the editor on `path` at `line`, and wait until it is closed.

    Raises:
        BadSetting: the command cannot be split into words.
        EnvironmentProblem: it cannot be run, or says that it failed.
    """
    command = arguments(setting, path, line)
    before = signal.signal(signal.SIGINT, _leave_to_the_editor)
    try:
        _run(command, path)
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_to_the_editor(*_: object) -> None:
    """Leave Ctrl-C to the editor that has the terminal; unlike SIG_IGN, not inherited."""


def _run(command: list[str], path: Path, output: int | None = None) -> None:
    instead = "vi" if Path(command[0]).name == "nano" else "nano"
    try:
        done = subprocess.run(command, check=False, stdin=output, stdout=output, stderr=output)
    except OSError as error:
        reason = os_errors.system_reason(error)
        what = fact("editor.cannot-run", program=command[0], reason=reason, instead=instead)
        raise EnvironmentProblem(what) from None
    if done.returncode != 0:
        raise EnvironmentProblem(
            fact(
                "editor.failed",
                program=command[0],
                status=done.returncode,
                path=str(path),
                instead=instead,
            )
        )


def _ends_in_backslash(command: str) -> bool:
    return (len(command) - len(command.rstrip("\\"))) % 2 == 1


def _place(program: str, words: list[str], path: Path, line: int) -> list[str]:
    wait = ["--wait"] if program in WAITS and not {"--wait", "-w"} & set(words) else []
    if program in PLUS_LINE:
        return [f"+{line}", str(path)]
    if program in GOTO:
        return [*wait, "--goto", f"{path}:{line}"]
    if program in COLON_LINE:
        return [*wait, f"{path}:{line}"]
    return [str(path)]
