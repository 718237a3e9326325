"""Every key of the application, as one table: id, key, action. Screens take theirs from here.

A person remaps by id (`[keys]` in the configuration); help and footer take their words from the
catalogue as `key.<id>`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual.binding import Binding


class Key(NamedTuple):
    """One binding: `keys` as Textual names them, several separated by commas."""

    id: str
    keys: str
    action: str


_TABLE = (
    Key("quit", "q", "leave"),
    Key("help", "question_mark", "app.guide"),
    Key("back", "escape", "back"),
    Key("home", "enter", "back"),
    # home
    Key("study", "enter", "study"),
    Key("more", "n", "more"),
    Key("browse", "slash", "app.browse"),
    Key("statistics", "s", "app.statistics"),
    Key("settings", "comma", "app.settings"),
    Key("up", "up,k", "move(-1)"),
    Key("down", "down,j", "move(1)"),
    # a question
    Key("answer", "enter", "enter"),
    Key("hint", "h", "hint"),
    Key("give-up", "g", "give_up"),
    Key("write", "i", "write"),
    Key("undo", "u", "undo"),
    Key("redo", "U", "redo"),
    Key("edit", "e", "edit"),
    Key("bury", "minus", "bury"),
    Key("suspend", "at", "suspend"),
    Key("flag", "f", "flag"),
    Key("copy", "y", "copy_code"),
    Key("detail", "d", "detail"),
    Key("check", "ctrl+s", "check"),
    Key("practise", "ctrl+r", "practise"),
    Key("without-gpu", "ctrl+g", "without_gpu"),
    Key("view", "tab", "view"),
    Key("view-here", "ctrl+t", "view"),
    Key("open-code", "o", "open_code"),
    Key("open-code-here", "ctrl+o", "open_code"),
    Key("retry", "r", "retry"),
    Key("mark", "space", "mark"),
    *(Key(f"digit-{n}", str(n), f"digit({n})") for n in range(1, 10)),
    Key("digit-0", "0", "digit(10)"),
    # the preview
    Key("next", "n,right", "turn(1)"),
    Key("previous", "p,left", "turn(-1)"),
    Key("language", "l", "language"),
    # the browser
    Key("open", "enter", "open"),
    Key("search", "slash", "search"),
    Key("revert", "r", "revert"),
    Key("reset", "x", "reset"),
    Key("filter", "tab", "filter"),
)
KEYS: dict[str, Key] = {key.id: key for key in _TABLE}


def bindings(ids: Iterable[str]) -> list[Binding]:
    """Build the bindings of a screen."""
    return [
        Binding(key.keys, key.action, key.id, id=key.id, show=False)
        for key in (KEYS[name] for name in ids)
    ]
