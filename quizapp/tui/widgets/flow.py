"""A widget for lines that depend on the width: text it is given a function for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from quizapp.system.width import columns as cells
from quizapp.tui.safety import make_visible
from quizapp.tui.wrap import breaks

Draw = Callable[[int], Iterable[Content]]
"""The lines at a width in columns."""


class Flow(Widget):
    """Draws what a function says for the width it gets; text can be selected and copied."""

    DEFAULT_CSS = "Flow { height: auto; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw: Draw = lambda _: ()
        self._drawn: tuple[int, Content, int] | None = None

    def show(self, draw: Draw) -> None:
        """Show other lines."""
        self._draw = draw
        self._drawn = None
        self.refresh(layout=True)

    def write(self, text: str, style: str = "") -> None:
        """Show plain text, wrapped; no line for no text."""
        self.show(lambda width: wrap(text, width, style=style) if text else ())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Count the lines in `width` columns."""
        return self._at(width)[1]

    def render(self) -> Content:
        """Draw the lines at the present width."""
        return self._at(self.content_size.width)[0]

    def find(self, text: str) -> int:
        """Return the first line that has this text, from 0; 0 if none has."""
        drawn = self._at(self.content_size.width)[0].plain.split("\n")
        return next((i for i, line in enumerate(drawn) if text in line), 0)

    def _at(self, width: int) -> tuple[Content, int]:
        if self._drawn is None or self._drawn[0] != width:
            lines = [part for line in self._draw(width) for part in _fit(make_visible(line), width)]
            self._drawn = (width, Content("\n").join(lines), len(lines))
        return self._drawn[1:]


def wrap(text: str, width: int, indent: int = 0, style: str = "") -> Iterator[Content]:
    """Wrap plain text, verbatim, to `width` columns; lines begin with `indent` blanks."""
    lead = " " * indent
    for paragraph in text.split("\n"):
        for start, end in breaks(paragraph, max(8, width - indent)):
            yield Content(lead) + Content(paragraph[start:end]).stylize(style)


def _fit(line: Content, width: int) -> list[Content]:
    """Break a line that is too long: broken later, it would take the place of the last one."""
    if not 0 < width < line.cell_length:
        return [line]
    text = line.plain.lstrip(" ")
    indent = min(len(line) - len(text), width // 2)
    lead, rest = line[:indent], line[indent:]
    return [lead + rest[start:end] for start, end in breaks(rest.plain, width - indent)]


def join_columns(
    left: Sequence[Content], right: Sequence[Content], left_width: int, gap: int
) -> list[Content]:
    """Draw two columns of lines; the left must not be wider than `left_width`."""
    column, empty = left_width + gap, Content("")
    return [
        start + Content(" " * (column - cells(start.plain))) + end if end.plain else start
        for start, end in zip_longest(left, right, fillvalue=empty)
    ]
