"""A widget for running text: Markdown laid out at the width it gets."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from quizapp.tui import markdown


class Prose(Widget):
    """Markdown as styled text; text can be selected and copied, code is verbatim."""

    DEFAULT_CSS = "Prose { height: auto; width: 1fr; }"

    def __init__(self, text: str = "", *, id: str | None = None, classes: str = "") -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._text = text
        self._laid_out: tuple[int, Content] | None = None

    @property
    def text(self) -> str:
        """The Markdown that is shown."""
        return self._text

    def show(self, text: str) -> None:
        """Show other text."""
        if text != self._text:
            self._text = text
            self._laid_out = None
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """How many lines the text takes in `width` columns."""
        content = self._content(width)
        return content.plain.count("\n") + 1 if content.plain else 0

    def render(self) -> Content:
        """The text at the present width."""
        return self._content(self.content_size.width)

    def _content(self, width: int) -> Content:
        if self._laid_out is None or self._laid_out[0] != width:
            lines = markdown.lines(self._text, width) if self._text else []
            self._laid_out = (width, Content("\n").join(lines))
        return self._laid_out[1]
