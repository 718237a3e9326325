"""What `quiz start` is measured against: the least that Textual can show. Run as a script."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

TEXT = "one Static"


class Bare(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        """It."""
        yield Static(TEXT)


if __name__ == "__main__":
    Bare().run()
