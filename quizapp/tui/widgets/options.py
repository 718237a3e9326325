"""A numbered list of options to pick from: the choices of a question, or the points of a rubric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from quizapp.tui import markdown

_INDENT = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One option. `sign` replaces its mark once graded (✓ or ✗), `note` stands below it."""

    text: str
    picked: bool = False
    sign: str = ""
    note: str = ""


class Options(Widget):
    """Draws the rows; says which one was clicked. What is picked, the screen decides."""

    DEFAULT_CSS = "Options { height: auto; width: 1fr; }"

    class Clicked(Message):
        """The row at `position` was clicked."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._rows: tuple[Row, ...] = ()
        self._several = False
        self._cursor: int | None = None
        self._row_at: list[int] = []

    def show(self, rows: Sequence[Row], *, several: bool, cursor: int | None = None) -> None:
        """Show other rows; `several` draws boxes instead of circles."""
        self._rows = tuple(rows)
        self._several = several
        self._cursor = cursor
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """How many lines the rows take in `width` columns."""
        return sum(1 for _ in self._lines(width))

    def render(self) -> Content:
        """All rows."""
        drawn = list(self._lines(self.content_size.width))
        self._row_at = [position for position, _ in drawn]
        return Content("\n").join([line for _, line in drawn])

    def on_click(self, event: events.Click) -> None:
        """Say which row it was."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y < len(self._row_at):
            self.post_message(self.Clicked(self._row_at[offset.y]))

    def _lines(self, width: int) -> Iterator[tuple[int, Content]]:
        """Each line with the position of its row."""
        for position, row in enumerate(self._rows):
            text = markdown.lines(row.text, max(8, width - _INDENT))
            for number, line in enumerate(text):
                lead = self._lead(position, row) if number == 0 else Content(" " * _INDENT)
                yield position, lead + line
            if row.note:
                for line in markdown.lines(row.note, max(8, width - _INDENT)):
                    yield position, Content(" " * _INDENT) + line.stylize("dim")

    def _lead(self, position: int, row: Row) -> Content:
        """Cursor, number and mark of a row: six columns."""
        cursor = "❯" if position == self._cursor else " "
        marks = ("☐", "☑") if self._several else ("○", "●")
        mark = row.sign or marks[row.picked]
        style = {"✓": "bold $text-success", "✗": "bold $text-error"}.get(mark, "")
        number = Content(f"{cursor} {position + 1} ").stylize("$text-accent")
        return number + Content(mark).stylize(style) + Content(" ")
