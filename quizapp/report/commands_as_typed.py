"""Commands in sentences as the person types them: `quiz due`, or `.venv/bin/quiz due`.

After `make start` the program is in a folder that the shell does not search; what a text says to
run must run as it stands. So must what installs an extra, which depends on where the program is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from quizapp.system import installing

_NAME = "quiz"
_INSTALL = "pip install 'gpu-quiz["
_EXTRA = re.compile(re.escape(_INSTALL) + r"([\w-]+)\]'")


class _Typed:
    """How the program was called; what the texts have is right until then."""

    name = _NAME
    command: re.Pattern[str] | None = None


def called(program: str, commands: Iterable[str]) -> None:
    """Note how the program was called, and its subcommands.

    A name without a folder was found by the shell, and so was an absolute path, mostly.
    """
    if not program.startswith(os.sep) and program.endswith(f"{os.sep}{_NAME}"):
        _Typed.name = program
        known = "|".join(sorted(map(re.escape, commands), key=len, reverse=True))
        _Typed.command = re.compile(rf"(?<![\w./-]){_NAME}(?= (?:(?:{known})(?![\w-])|…|-))")


def as_typed(text: str) -> str:
    """Return a text with its commands as this person types them."""
    if _INSTALL in text:
        text = _EXTRA.sub(lambda found: installing.install_command(found[1]), text)
    command = _Typed.command
    return text if command is None else command.sub(lambda _: _Typed.name, text)
