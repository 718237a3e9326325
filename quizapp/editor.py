"""The person's editor: which it is, and how it is told the line. Runs it and waits."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from quizapp.errors import BadSetting, EnvironmentProblem

LAST_RESORT = "vi"

PLUS_LINE = frozenset(("vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "kak"))
GOTO = frozenset(("code", "code-insiders", "codium", "cursor"))
COLON_LINE = frozenset(("hx", "helix", "subl", "zed"))
WAITS = GOTO | {"subl", "zed"}
"""These return at once, while the file is still open, unless told to wait."""


def arguments(
    setting: str, path: Path, line: int, environment: Mapping[str, str] | None = None
) -> list[str]:
    """The command that opens `path` at `line` (1-based): the setting's, $VISUAL's, $EDITOR's, vi.

    Raises:
        BadSetting: the command cannot be split into words.
    """
    environment = os.environ if environment is None else environment
    choices = {
        "the setting 'editor'": setting,
        "$VISUAL": environment.get("VISUAL", ""),
        "$EDITOR": environment.get("EDITOR", ""),
        "the default": LAST_RESORT,
    }
    name, chosen = next((n, text) for n, text in choices.items() if text.strip())
    try:
        words = shlex.split(chosen)
    except ValueError as error:
        what = f"{name} is no command: {chosen} ({str(error).lower()})"
        raise BadSetting(what, "close the quotation mark") from None
    return [*words, *_place(Path(words[0]).name, words, path, line)]


def stands_beside(setting: str) -> bool:
    """Whether the editor has a window of its own, so that the terminal stays free.

    Raises:
        BadSetting: the command cannot be split into words.
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
    """Ctrl-C while the editor has the terminal is the editor's; unlike SIG_IGN not inherited."""


def _run(command: list[str], path: Path, output: int | None = None) -> None:
    instead = "vi" if Path(command[0]).name == "nano" else "nano"
    another = f"choose another: `quiz config editor {instead}`, or set EDITOR"
    try:
        done = subprocess.run(  # noqa: S603 - the person's own
            command, check=False, stdin=output, stdout=output, stderr=output
        )
    except OSError as error:
        what = f"the editor '{command[0]}' cannot be run: {error.strerror}"
        raise EnvironmentProblem(what, another) from None
    if done.returncode != 0:
        what = f"the editor '{command[0]}' ended with status {done.returncode}"
        raise EnvironmentProblem(what, f"the file is {path}; or {another}")


def _place(program: str, words: list[str], path: Path, line: int) -> list[str]:
    wait = ["--wait"] if program in WAITS and not {"--wait", "-w"} & set(words) else []
    if program in PLUS_LINE:
        return [f"+{line}", str(path)]
    if program in GOTO:
        return [*wait, "--goto", f"{path}:{line}"]
    if program in COLON_LINE:
        return [*wait, f"{path}:{line}"]
    return [str(path)]
