"""The first and the last line of every screen: where I am, and what I can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from quizapp.system.safe_text import safe
from quizapp.system.width import columns as cells
from quizapp.tui.keys import KEYS, SCREENS
from quizapp.tui.shell import Shell
from quizapp.tui.widgets.field import Field
from quizapp.tui.wrap import clip

MOST_KEYS = 6


class TopLine(Widget):
    """One line with something at either end, and a rule below it. The left gives way first."""

    DEFAULT_CSS = "TopLine { dock: top; height: 2; width: 1fr; }"

    def __init__(self, left: str = "", right: str | Content = "") -> None:
        super().__init__()
        self._left = left
        self._right = Content(right) if isinstance(right, str) else right

    def show(self, left: str, right: str | Content = "") -> None:
        """Show other text."""
        self._left = left
        self._right = Content(right) if isinstance(right, str) else right
        self.refresh()

    def render(self) -> Content:
        """Draw both ends and the rule."""
        width = self.content_size.width
        right = self._right
        room = width - cells(right.plain) - 3
        left = clip(safe(self._left), room)
        gap = max(1, width - cells(left) - cells(right.plain) - 2)
        line = Content(f" {left}") + Content(" " * gap) + right
        return line + Content("\n") + Content("─" * width).stylize("$foreground 30%")


class KeyLine(Widget):
    """The keys that matter now, at most six; each can be clicked.

    While a line of text has the focus, those that it does not type, and what leaves it.

    Takes binding ids, `id:word` where the key means something else than usual; which key a binding
    has, remapped or not, the application knows.
    """

    DEFAULT_CSS = "KeyLine { dock: bottom; height: 1; width: 1fr; }"

    def __init__(self, *ids: str) -> None:
        super().__init__()
        self.auto_links = False  # their color would hide that of the keys
        self._ids = ids

    def on_mount(self) -> None:
        """Follow the focus."""
        self.watch(self.screen, "focused", self._follow_focus, init=False)

    def _follow_focus(self) -> None:
        self.refresh()

    def show(self, *ids: str) -> None:
        """Show other keys."""
        if ids != self._ids:
            self._ids = ids
            self.refresh()

    def render(self) -> Content:
        """Draw `key what` for each; on a narrow line the last two stay, back and help."""
        parts = [self._part(entry) for entry in self._working()[:MOST_KEYS]]
        while len(parts) > 1 and _width(parts) > self.content_size.width:
            del parts[max(1, len(parts) - 3)]
        return Content(" ") + Content("   ").join(parts)

    def _working(self) -> tuple[str, ...]:
        """Return the entries that a line of text with the focus leaves."""
        if not (isinstance(self.screen.focused, Field) and self.screen.focused.types_all):
            return self._ids
        key_of = cast("Shell", self.app).key_of
        names = [(entry, entry.partition(":")[0]) for entry in self._ids]
        left = [entry for entry, name in names if len(key_of(name)) > 1 and name != "back"]
        return (*left, "back:leave-field")

    def _part(self, entry: str) -> Content:
        """Draw one key and what it does; it can be clicked."""
        app = cast("Shell", self.app)
        name, _, word = entry.partition(":")
        action = KEYS[name].action
        of = "focused." if name in SCREENS["inspector"] else "screen."
        click = action if "." in action else f"{of}{action}"
        what = app.say(f"key.{word or name}")
        part = Content.assemble((app.key_of(name), "bold $text-accent"), (f" {what}", "dim"))
        return part.stylize(Style.from_meta({"@click": click}))


def _width(parts: Sequence[Content]) -> int:
    return 1 + sum(cells(part.plain) for part in parts) + 3 * (len(parts) - 1)
