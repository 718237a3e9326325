"""Draws the rows of the question list, and how much of each fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from textual.content import Content

from quizapp.report.words import Words
from quizapp.study.browsing import HALF_WRITTEN, MARKS, Listed, State
from quizapp.system.extras import find_missing
from quizapp.system.width import columns as cells
from quizapp.tui.wrap import clip, pad

SIGNS = {
    State.NEW: "·", State.KNOWN: "✓", State.DUE: "!", State.SUSPENDED: "=",
    State.BURIED: "~", State.RESTING: "-", State.HELD: "x",
}  # fmt: skip
FLAG = "⚑"
CHANGED = "*"
_STYLES = {State.KNOWN: "$text-success", State.DUE: "$text-warning"}
_SIGNS = 4
_GAP = 2
_LEAST_WORDS = 8
_TELLING = 6
"""Columns of a title that must be seen after what it shares with another."""


@dataclass(frozen=True, slots=True)
class _Column:
    """Shown from `least` columns of the whole row on; `width` includes the gap before it.

    The words must keep room to be told apart, some 40 columns.
    """

    name: str
    width: int
    least: int
    text: Callable[[Listed, Words], str]


def due(row: Listed, say: Words) -> str:
    """Say when the question is asked again, else how it stands."""
    if row.due_in is None:
        return state_text(row, say)
    if row.due_in > 0:
        return say("browser.in-days", n=row.due_in)
    return say("browser.overdue", n=-row.due_in) if row.due_in else say("browser.due-today")


def state_text(row: Listed, say: Words) -> str:
    """Say how the question stands, and which extra it waits for."""
    if row.state is State.HELD and (extra := find_missing(row.entry.extra)):
        return say("browser.needs", extra=extra)
    return say(f"browser.state.{row.state}")


def record(row: Listed, say: Words) -> str:
    """Say what is most worth knowing of the answers so far."""
    if row.lapses and "certain-and-wrong" not in row.marks:
        return say("browser.lapsed", n=row.lapses)
    if HALF_WRITTEN in row.marks:
        return say("browser.mark.half-written")
    marks = (mark for mark in MARKS if mark in row.marks and mark not in ("flagged", "changed"))
    return next((say(f"browser.mark.{mark}") for mark in marks), "")


_COLUMNS = (
    _Column("topic", 24, 130, lambda row, say: say.topic(row.entry.topic_names)),
    _Column("kind", 8, 64, lambda row, say: say(f"kind.{row.entry.kind}")),
    _Column("difficulty", 7, 64, lambda row, _: difficulty(row.entry.difficulty)),
    _Column("due", 14, 0, due),
    _Column("record", 19, 96, record),
)


def due_columns(rows: Sequence[Listed], say: Words) -> int:
    """Return how many columns the longest entry of the column `due` takes, with its name."""
    unlike = {(row.due_in, row.state, row.entry.extra): row for row in rows}  # 10 of 1,000
    texts = (due(row, say) for row in unlike.values())
    return max(cells(text) for text in (say("browser.column.due"), *texts))


def shorten(title: str, shared: int, width: int) -> str:
    """Cut a title to the width; where another begins alike, leave out what both have.

    `shared`: how many characters of it the title most like it has, too.
    """
    if cells(title) <= width or cells(title[:shared]) < width - _TELLING or shared >= len(title):
        return title
    begins = title.rfind(" ", 0, shared) + 1 or shared
    return clip(title, width // 3) + title[begins:]


class Table:
    """Draws the rows, and the head above them; `words_of` gives the first words of a question.

    `shared`: how many of their characters other questions have, too, by id.
    `due_columns`: the width of that column, which all questions decide and not only these: a
    column must not move while a search is typed.
    """

    def __init__(
        self,
        rows: Sequence[Listed],
        say: Words,
        words_of: Callable[[str], str],
        due_columns: int,
        shared: Mapping[str, int],
    ) -> None:
        self._rows = rows
        self._shared = shared
        self._say = say
        self._words_of = words_of
        self._columns = tuple(
            replace(column, width=due_columns + _GAP) if column.name == "due" else column
            for column in _COLUMNS
        )

    def head(self, width: int) -> Content:
        """Draw the names of the columns."""
        say = self._say
        text = " " * _SIGNS + pad(say("browser.column.words"), self._words_width(width))
        for column in self._visible(width):
            name = pad(say(f"browser.column.{column.name}"), column.width - _GAP)
            text += " " * _GAP + name
        return Content(text).stylize("dim")

    def row(self, position: int, width: int) -> Content:
        """Draw the question at `position`."""
        row = self._rows[position]
        flag, changed = FLAG if row.card.flagged else " ", CHANGED if row.entry.changed else " "
        name, room = row.entry.id, self._words_width(width)
        title = shorten(self._words_of(name), self._shared.get(name, 0), room)
        parts: list[Content | str | tuple[str, str]] = [
            (SIGNS[row.state], _STYLES.get(row.state, "")),
            f"{flag}{changed} ",
            pad(title, room),
        ]
        for column in self._visible(width):
            text = pad(column.text(row, self._say), column.width - _GAP)
            style = _STYLES.get(row.state, "dim") if column.name == "due" else "dim"
            parts += [" " * _GAP, (text, style)]
        return Content.assemble(*parts)

    def _visible(self, width: int) -> list[_Column]:
        return [column for column in self._columns if width >= column.least]

    def _words_width(self, width: int) -> int:
        """Return what the other columns leave."""
        taken = _SIGNS + sum(column.width for column in self._visible(width))
        return max(_LEAST_WORDS, width - taken)


def difficulty(level: int) -> str:
    """Draw one of five as dots: ●●●○○."""
    return "●" * level + "○" * (5 - level)
