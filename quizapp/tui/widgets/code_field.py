"""The editor of an exercise: a text area that indents as code is written."""

from __future__ import annotations

from textual import events
from textual.widgets import TextArea

INDENT = 4


class CodeField(TextArea):
    """Keeps the indent on a new line, and deepens it behind a colon."""

    async def _on_key(self, event: events.Key) -> None:
        """Enter begins a line as deep as the one it ends."""
        if event.key != "enter" or self.read_only:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        depth = len(before) - len(before.lstrip(" ")) + INDENT * before.rstrip().endswith(":")
        start, end = self.selection
        self._replace_via_keyboard("\n" + " " * depth, start, end)
