"""Draws the rows of the question list, and how much of each fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from quizapp.report.words import Words
from quizapp.study.browsing import Listed, State
from quizapp.system.width import columns as cells
from quizapp.tui.wrap import pad

SIGNS = {
    State.NEW: "·",
    State.KNOWN: "✓",
    State.DUE: "!",
    State.SUSPENDED: "=",
    State.BURIED: "~",
}
FLAG = "⚑"
CHANGED = "*"
_STYLES = {State.KNOWN: "$text-success", State.DUE: "$text-warning"}
_MARKS = 4
_DUE = 8


@dataclass(frozen=True, slots=True)
class _Column:
    """Shown from `least` columns of the whole row on; `width` includes the gap before it."""

    name: str
    width: int
    least: int
    text: Callable[[Listed, Words], str]


_COLUMNS = (
    _Column("topic", 17, 56, lambda row, say: say.topic(row.entry.topic)),
    _Column("kind", 7, 66, lambda row, say: say(f"kind.{row.entry.kind}")),
    _Column("difficulty", 6, 66, lambda row, _: difficulty(row.entry.difficulty)),
)


class Table:
    """Draws the rows, and the head above them."""

    def __init__(self, rows: Sequence[Listed], say: Words) -> None:
        self._rows = rows
        self._say = say
        packs = {row.entry.id.split("/", 1)[0] for row in rows}
        self._bare = len(packs) == 1

    def head(self, width: int) -> Content:
        """Draw the names of the columns."""
        say = self._say
        text = " " * _MARKS + pad(say("browser.column.id"), _id_width(width))
        for column in _visible_columns(width):
            text += " " + pad(say(f"browser.column.{column.name}"), column.width - 1)
        return Content(text + _right(say("browser.column.due"), _DUE)).stylize("dim")

    def row(self, position: int, width: int) -> Content:
        """Draw the question at `position`."""
        row = self._rows[position]
        name = row.entry.id.split("/", 1)[1] if self._bare else row.entry.id
        rest = "".join(
            " " + pad(column.text(row, self._say), column.width - 1)
            for column in _visible_columns(width)
        )
        flag, changed = FLAG if row.card.flagged else " ", CHANGED if row.entry.changed else " "
        return Content.assemble(
            (SIGNS[row.state], _STYLES.get(row.state, "")),
            f"{flag}{changed} ",
            pad(name, _id_width(width)),
            (rest, "dim"),
            _right(self._due(row), _DUE),
        )

    def _due(self, row: Listed) -> str:
        if row.due_in is None:
            return "–"
        return self._say("days", n=row.due_in) if row.due_in else self._say("days.today")


def difficulty(level: int) -> str:
    """Draw one of five as dots: ●●●○○."""
    return "●" * level + "○" * (5 - level)


def _visible_columns(width: int) -> list[_Column]:
    return [column for column in _COLUMNS if width >= column.least]


def _id_width(width: int) -> int:
    """Return what the other columns leave."""
    return max(8, width - _MARKS - _DUE - sum(column.width for column in _visible_columns(width)))


def _right(text: str, width: int) -> str:
    return " " * (width - cells(text)) + text
