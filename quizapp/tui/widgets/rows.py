"""A list of one-line rows with a cursor: draws only what is seen, so a thousand rows cost nothing.

What a row looks like and what opening it means, the screen decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from quizapp.tui.safety import make_visible

DrawRow = Callable[[int, int], Content]
"""The text of the row at a position, in so many columns."""

_CURSOR_COLUMNS = 2


class Rows(ScrollView, inherit_bindings=False):
    """The rows. Arrows, page keys, home and end move the cursor, and so does a click.

    Left and right are the screen's: nothing scrolls sideways.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", show=False),
        Binding("down", "scroll_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]
    DEFAULT_CSS = """
    Rows { height: 1fr; width: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }
    """

    class Moved(Message):
        """The cursor is on the row at `position` now."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    class Clicked(Message):
        """The row under the cursor was clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._count = 0
        self._draw: DrawRow = _blank
        self.cursor = 0

    def show(self, count: int, draw: DrawRow, cursor: int = 0) -> None:
        """Show other rows, with the cursor on one of them."""
        self._count = count
        self._draw = draw
        self.virtual_size = Size(1, count)
        self.cursor = max(0, min(cursor, count - 1))
        self._keep_in_sight()
        self.refresh()

    def move(self, rows: int) -> None:
        """Move the cursor by so many rows, as far as there are any."""
        self.move_to(self.cursor + rows)

    def move_to(self, position: int) -> None:
        """Put the cursor on a row, or on the nearest there is."""
        position = max(0, min(position, self._count - 1))
        if position != self.cursor:
            self.refresh_line(self.cursor)
            self.refresh_line(position)
            self.cursor = position
            self._keep_in_sight()
            self.post_message(self.Moved(position))

    def action_scroll_up(self) -> None:
        """Move one row up."""
        self.move(-1)

    def action_scroll_down(self) -> None:
        """Move one row down."""
        self.move(1)

    def action_page_up(self) -> None:
        """Move one page up."""
        self.move(-self._page)

    def action_page_down(self) -> None:
        """Move one page down."""
        self.move(self._page)

    def action_scroll_home(self) -> None:
        """Move to the first row."""
        self.move_to(0)

    def action_scroll_end(self) -> None:
        """Move to the last row."""
        self.move_to(self._count - 1)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor by a click; a click on the cursor's row opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        position = offset.y + self.scroll_offset.y
        if position == self.cursor:
            self.post_message(self.Clicked())
        elif position < self._count:
            self.move_to(position)

    def on_resize(self) -> None:
        """Keep the cursor visible in less height."""
        self._keep_in_sight()

    def render_line(self, y: int) -> Strip:
        """Draw the row at line `y` of what is seen."""
        width = self.scrollable_content_region.width
        position = y + self.scroll_offset.y
        if position >= self._count:
            return Strip.blank(width, self.rich_style)
        here = position == self.cursor
        line = Content("❯ " if here else "  ").stylize("$text-accent")
        line = line + make_visible(self._draw(position, width - _CURSOR_COLUMNS))
        drawn = line.stylize("bold") if here else line
        strips = Visual.to_strips(self, drawn, width, 1, self.visual_style, pad=True)
        return strips[0] if strips else Strip.blank(width, self.rich_style)

    @property
    def _page(self) -> int:
        return max(1, self.scrollable_content_region.height - 1)

    def _keep_in_sight(self) -> None:
        height = self.scrollable_content_region.height
        if not height:
            return
        top = self.scroll_offset.y
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False)


def _blank(position: int, width: int) -> Content:
    return Content("")
