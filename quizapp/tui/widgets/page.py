"""One widget for all that a question shows: Markdown, lines, figures, and rows to pick from.

A widget for each of them cost 50 ms at the first question, nearly all of it in applying styles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message

from quizapp.system.safe_text import safe
from quizapp.tui import markdown
from quizapp.tui.safety import make_visible
from quizapp.tui.widgets.flow import Flow

if TYPE_CHECKING:
    from quizapp.report.lines import Line, Role

RowStart = tuple[int, int]
"""The column at which a row begins, and its position."""

_INDENT = 6
_ROW_KEYS = "1234567890="
"""The keys that pick a row, by its position."""
_DEEPER = 4
"""Columns by which the rest of a line of code stands further in: it is no line of its own."""

PROSE = 90
"""Columns of the longest line of prose; figures may take more."""


@dataclass(frozen=True, slots=True)
class PickableRow:
    """One row to pick. `sign` replaces its mark once graded (✓ or ✗), `note` stands below it."""

    text: str
    picked: bool = False
    sign: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class PickableRows:
    """Numbered rows: the choices of a question, or the points of a rubric.

    `several` draws boxes instead of circles; `cursor` is the row that space would pick;
    `side_by_side` draws short rows in as many columns as there is room for.
    """

    rows: tuple[PickableRow, ...]
    several: bool
    cursor: int | None = None
    side_by_side: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """Lines that depend on the width, styled by what they mean: a bank map, a verdict."""

    draw: Callable[[int], Iterable[Line | Content]]


Part = str | Content | PickableRows | Figure
"""Markdown, a line as it is, rows, or a figure."""

ROLE_STYLES: dict[Role, str] = {
    "text": "", "dim": "dim", "lane": "", "conflict": "bold $text-error",
    "good": "bold $text-success", "note": "$text-warning", "bold": "bold", "cursor": "reverse bold",
    "heat-1": "$heat-1", "heat-2": "bold $heat-2", "heat-3": "bold $heat-3",
    "heat-4": "bold $heat-4",
}  # fmt: skip


class Page(Flow):
    """Parts one below the other, an empty line between them; says which row was clicked."""

    DEFAULT_CSS = "Page.empty { display: none; }"

    class RowClicked(Message):
        """The row at `position` was clicked."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._parts: tuple[Part, ...] = ()
        self._rows_at: dict[int, tuple[RowStart, ...]] = {}
        self._most: int | None = None
        self._more = ""
        self.figure_at = 0  # the line of the first figure

    def put(self, parts: Sequence[Part]) -> None:
        """Show other parts; empty ones are left out."""
        kept = tuple(p for p in parts if (p.rows if isinstance(p, PickableRows) else p))
        if kept != self._parts:
            self._parts = kept
            self.show(self._folded_lines)
        self.set_class(not kept, "empty")

    def prepare(self, text: str) -> None:
        """Lay out Markdown that may be shown at this width: what is laid out is kept a while."""
        markdown.lines(text, min(self.content_size.width, PROSE))

    def fold(self, most: int | None, more: str = "") -> None:
        """Draw so many lines at most, the last of which then is `more`; None draws all."""
        if (most, more) != (self._most, self._more):
            self._most, self._more = most, more
            self.show(self._folded_lines)

    def on_click(self, event: events.Click) -> None:
        """Say which row it was."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y in self._rows_at:
            before = [row for x, row in self._rows_at[offset.y] if x <= offset.x]
            self.post_message(self.RowClicked(before[-1]))

    def _folded_lines(self, width: int) -> list[Content]:
        """Draw all lines, or the first of them where there is no room for all."""
        lines = self._lines(width)
        if self._most is None or len(lines) <= self._most:
            return lines
        kept = lines[: self._most - 1]
        while kept and not kept[-1].plain.strip():
            kept.pop()
        return [*kept, Content(self._more).stylize("dim")]

    def _lines(self, width: int) -> list[Content]:
        """Draw all lines; note on the way which row is where."""
        room = min(width, PROSE)
        lines: list[Content] = []
        self._rows_at = {}
        self.figure_at = 0
        for part in self._parts:
            if lines:
                lines.append(Content(""))
            if isinstance(part, Figure) and not self.figure_at:
                self.figure_at = len(lines)
            if isinstance(part, PickableRows):
                for starts, drawn in _row_lines(part, room):
                    for line in hang(drawn, width):
                        self._rows_at[len(lines)] = starts
                        lines.append(line)
            elif isinstance(part, Figure):
                lines += (row for line in part.draw(width) for row in hang(style_line(line), width))
            elif isinstance(part, str):
                for line in markdown.lines(part, room):
                    lines += hang(line, width, _DEEPER)
            else:
                lines += make_visible(part).wrap(room)
        return lines


def hang(line: Content, width: int, deeper: int = 0) -> list[Content]:
    """Wrap the line if it must be, with its own indent before every part.

    `deeper`: by how much more the parts after the first are indented.
    """
    if line.cell_length <= width:
        return [line]
    indent = len(line.plain) - len(line.plain.lstrip(" "))
    first, *rest = line[indent:].wrap(max(8, width - indent - deeper))
    lead = Content(" " * (indent + deeper))
    return [Content(" " * indent) + first, *(lead + part for part in rest)]


def style_line(line: Line | Content) -> Content:
    """Draw a line in the styles of its roles."""
    if isinstance(line, Content):
        return line
    return Content("").join(Content(safe(text)).stylize(ROLE_STYLES[role]) for text, role in line)


def _row_lines(rows: PickableRows, width: int) -> Iterator[tuple[tuple[RowStart, ...], Content]]:
    """Yield each line with the rows that begin in it."""
    if rows.side_by_side:
        yield from _short_row_lines(rows, width)
        return
    room = max(8, width - _INDENT)
    for position, row in enumerate(rows.rows):
        lead = _lead(rows, position)
        for line in markdown.lines(row.text, room):
            yield ((0, position),), lead + line
            lead = Content(" " * _INDENT)
        for line in markdown.lines(row.note, room) if row.note else ():
            yield ((0, position),), Content(" " * _INDENT) + line.stylize("dim")


def _short_row_lines(
    rows: PickableRows, width: int
) -> Iterator[tuple[tuple[RowStart, ...], Content]]:
    """Yield the lines of rows in columns, numbered downwards, as few lines as there is room for."""
    texts = [_lead(rows, n) + Content(safe(row.text)) for n, row in enumerate(rows.rows)]
    for height in range(1, len(texts) + 1):
        columns = [
            range(top, min(top + height, len(texts))) for top in range(0, len(texts), height)
        ]
        widths = [max(texts[n].cell_length for n in column) for column in columns]
        if sum(widths) <= width:
            break
    edges = list(accumulate(widths, initial=0))
    for y in range(height):
        starts = tuple(
            (x, column[y]) for x, column in zip(edges[:-1], columns, strict=True) if y < len(column)
        )
        line = Content("")
        for x, position in starts:
            line += Content(" " * (x - line.cell_length)) + texts[position]
        yield starts, line


def _lead(rows: PickableRows, position: int) -> Content:
    """Draw cursor, key and mark of a row: six columns."""
    row = rows.rows[position]
    cursor = "❯" if position == rows.cursor else " "
    mark = row.sign or ("☐☑" if rows.several else "○●")[row.picked]
    style = {"✓": "bold $text-success", "✗": "bold $text-error"}.get(mark, "")
    number = Content(f"{cursor} {_ROW_KEYS[position]} ").stylize("$text-accent")
    return number + Content(mark).stylize(style) + Content(" ")
