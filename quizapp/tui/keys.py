"""Every key that can be remapped, as one table: id, key, action. Screens take theirs from here.

A person remaps by id (`[keys]` in the configuration); help and footer take their words from the
catalogue as `key.<id>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from textual.binding import Binding, BindingType

from grader.facts import Fact, fact


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
    # everywhere
    Key("palette", "ctrl+p", "app.command_palette"),
    Key("suspend-program", "ctrl+z", "app.suspend_process"),
    # home
    Key("study", "enter", "study"),
    Key("study-topic", "right", "open_row"),
    Key("fold", "left", "fold"),
    Key("practice", "p", "practice"),
    Key("more", "n", "more"),
    Key("switch-pack", "o", "switch_pack"),
    Key("mock", "m", "app.mock"),
    Key("browse", "slash", "app.browse"),
    Key("statistics", "s", "app.statistics"),
    Key("settings", "comma", "app.settings"),
    Key("plan", "P", "app.plan"),
    Key("half-written", "w", "half_written"),
    Key("up", "up,k", "move(-1)"),
    Key("down", "down,j", "move(1)"),
    # the plan
    Key("change-plan", "enter", "change_plan"),
    Key("left-out", "l", "left_out"),
    Key("drop-plan", "x", "drop_plan"),
    Key("set-plan", "enter", "set_plan"),
    Key("next-field", "tab", "move(1)"),
    # a question
    Key("answer", "enter", "enter"),
    Key("more-below", "pagedown", "page_down"),
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
    Key("view-here", "ctrl+t", "view(True)"),
    Key("prompt", "f1", "prompt"),
    Key("line-here", "f4", "line"),
    Key("hint-here", "f2", "hint"),
    Key("give-up-here", "f3", "give_up(True)"),
    Key("switch-language", "f5", "switch_language"),
    Key("open-code", "o", "open_code"),
    Key("open-code-here", "ctrl+o", "open_code"),
    Key("retry", "r", "retry"),
    Key("probes", "p", "probes"),
    Key("mark", "space", "mark"),
    *(Key(f"digit-{n}", str(n), f"digit({n})") for n in range(1, 10)),
    Key("digit-0", "0", "digit(10)"),
    Key("digit-11", "equals_sign", "digit(11)"),
    # the right side of the workbench
    Key("inspect-map", "m", "map"),
    Key("inspect-next", "n", "step(1)"),
    Key("inspect-back", "p", "step(-1)"),
    Key("inspect-go", "enter", "go"),
    Key("inspect-values", "v", "values"),
    Key("inspect-block", "b", "block"),
    Key("inspect-leave", "escape", "leave_mode"),
    Key("inspect-left", "left", "move(0, -1)"),
    Key("inspect-right", "right", "move(0, 1)"),
    Key("inspect-up", "up,k", "move(-1, 0)"),
    Key("inspect-down", "down,j", "move(1, 0)"),
    # help
    Key("guided", "t", "app.guided"),
    # the preview
    Key("next", "n,right", "turn(1)"),
    Key("previous", "p,left", "turn(-1)"),
    Key("language", "l", "language"),
    # mock interviews
    Key("mock-style", "tab", "switch_style"),
    Key("mock-longer", "plus,right", "lengthen(5)"),
    Key("mock-shorter", "minus,left", "lengthen(-5)"),
    Key("place-here", "f2", "place"),
    Key("place-again", "a", "place_again"),
    Key("study-now", "s", "study"),
    Key("mock-queue", "t", "queue"),
    Key("mock-export", "e", "export"),
    # the browser
    Key("open", "enter", "open"),
    Key("attempt", "enter", "attempt"),
    Key("look", "space", "look"),
    Key("reveal", "a", "reveal"),
    Key("search", "slash", "search"),
    Key("revert", "r", "revert"),
    Key("reset", "x", "reset"),
    Key("drop-draft", "d", "drop_draft"),
    Key("filter", "tab", "filter"),
)
KEYS: dict[str, Key] = {key.id: key for key in _TABLE}
_NAVIGATION = ("help", "back", "quit")
SCREENS: dict[str, tuple[str, ...]] = {
    "home": (
        *("study", "study-topic", "fold", "practice", "more", "switch-pack", "detail", "mock"),
        "browse",
        *("statistics", "settings", "plan", "half-written", "undo", "redo", "up", "down"),
        *("guided", *_NAVIGATION),
    ),
    "question": (
        *("answer", "hint", "give-up", "write", "undo", "redo", "edit", "bury"),
        *("suspend", "flag", "copy", "detail", "retry", "mark", "probes"),
        *("more-below", "browse", "settings", "check", "open-code", "open-code-here"),
        *(
            "switch-language", "practise", "view", "view-here", "prompt", "line-here", "hint-here",
            "give-up-here",
        ),
        *("without-gpu", *(f"digit-{n}" for n in (*range(10), 11)), "up", "down", *_NAVIGATION),
    ),
    "inspector": (
        *("inspect-map", "inspect-next", "inspect-back", "inspect-go", "inspect-leave"),
        *("inspect-values", "inspect-block"),
        *("inspect-left", "inspect-right", "inspect-up", "inspect-down"),
    ),
    "summary": ("home", "more", "undo", "redo", "statistics", "browse", "settings", *_NAVIGATION),
    "mock": (
        *("open", "mock-style", "mock-longer", "mock-shorter", "up", "down", "settings"),
        *_NAVIGATION,
    ),
    "report": (
        *("open", "next", "previous"),
        *("mock-queue", "mock-export", "undo", "redo", "up", "down", "browse", "settings"),
        *_NAVIGATION,
    ),
    "walkthrough": ("answer", "next", "previous", "detail", "up", "down", *_NAVIGATION),
    "browser": (
        *("attempt", "search", "practice", "look", "reveal", "filter", "edit", "revert"),
        *("suspend", "flag", "reset", "drop-draft"),
        *("undo", "redo", "up", "down", "settings", *_NAVIGATION),
    ),
    "statistics": ("undo", "redo", "up", "down", "browse", "settings", *_NAVIGATION),
    "plan-form": ("set-plan", "mark", "next-field", "up", "down", "back"),
    "plan": (
        *("change-plan", "left-out", "drop-plan", "undo", "redo", "up", "down"),
        *("browse", "settings", *_NAVIGATION),
    ),
    "settings": ("open", "up", "down", "statistics", "browse", *_NAVIGATION),
    "guide": ("search", "guided", "up", "down", "settings", "back", "quit"),
    "first-conflict": ("mark", "home", "language", "quit", "back"),
    "welcome": ("study", "back", "mark", "up", "down", "place-here"),
    "placed": ("home", "place-again", "study-now", "undo", "redo", "help", "quit"),
    "preview": ("next", "previous", "language", "quit", "up", "down", "back"),
}  # fmt: skip
"""The bindings of each screen; two of them cannot have one key."""
EVERYWHERE = ("palette", "suspend-program")
"""The bindings of the application, which work on every screen."""
RESERVED = frozenset({"ctrl+c", "ctrl+q"})
"""Keys that leave any screen."""


class Clash(NamedTuple):
    """A key that a binding cannot have; `holder` uses it on the same screen, "" is every screen."""

    key: str
    holder: str


def find_clash(name: str, remapped: Mapping[str, str | None]) -> Clash | None:
    """Return why a binding cannot have the keys that a person gave it; None if it can.

    `remapped`: the keys that a person gave, by id; without any, a binding has its own.
    """
    wanted = _keys_of(name, remapped)
    for key in sorted(wanted & RESERVED):
        return Clash(key, "")
    screens = SCREENS.values()
    together = [(*ids, *EVERYWHERE) for ids in screens if name in (*ids, *EVERYWHERE)]
    for other in dict.fromkeys(chain.from_iterable(together)):
        if other != name:
            for key in sorted(wanted & _keys_of(other, remapped)):
                return Clash(key, other)
    return None


def describe_clash(name: str, clash: Clash) -> Fact:
    """State that a binding cannot have a key, and which has it."""
    if not clash.holder:
        return fact("config.key-reserved", name=name, key=clash.key)
    meaning = Fact(f"key.{clash.holder}")
    return fact("config.key-taken", name=name, key=clash.key, holder=clash.holder, meaning=meaning)


def split_keymap(remapped: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Clash]]:
    """Split the keys that a person gave into those that work and those that clash."""
    accepted: dict[str, str] = {}
    clashes: dict[str, Clash] = {}
    for name, keys in remapped.items():
        clash = find_clash(name, remapped) if name in KEYS else None
        if clash is None:
            accepted[name] = keys
        else:
            clashes[name] = clash
    return accepted, clashes


def _keys_of(name: str, remapped: Mapping[str, str | None]) -> set[str]:
    keys = remapped.get(name) or KEYS[name].keys
    return {binding.key for binding in Binding.make_bindings([Binding(keys, "")])}


def bindings(ids: Iterable[str]) -> list[BindingType]:
    """Build the bindings of a screen."""
    return [
        Binding(key.keys, key.action, key.id, id=key.id, show=False)
        for key in (KEYS[name] for name in ids)
    ]
