"""Says where a database is that another one replaced, and which command leads back to it."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from quizapp.commands.common.output import note
from quizapp.report.words import Words
from quizapp.store.safety import recovery


def print_replaced(kept: Path, say: Words) -> None:
    """Print the path to standard output, all else to standard error."""
    sound = recovery.is_sound(kept)
    key = "progress.kept-sound" if sound else "progress.kept-damaged"
    note(say(key, path=quote(str(kept))))
    print(kept)
