"""Styled lines: what a report is made of, and tables of them.

Says what each piece of a line is (`Role`); a screen or a command chooses the colors, and a role
never says anything that the words do not. Knows no fact and loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from quizapp.report.folding import fold
from quizapp.system.safe_text import safe
from quizapp.system.width import columns

Role = Literal[
    "text", "dim", "lane", "conflict", "good", "note", "bold", "cursor",
    "heat-1", "heat-2", "heat-3", "heat-4",
]  # fmt: skip
"""`good`: conflict-free, passed; `conflict`: a conflict, a failure; `note`: worth a look; `heat-…`:
on a bank with a conflict, from 2-way to more than 8-way."""

Span = tuple[str, Role]
Line = tuple[Span, ...]


def sentence(text: str, role: Role = "text") -> Line:
    """Return a line of one span, which is folded where it is too long."""
    return ((text, role),)


def fold_line(line: Line, width: int) -> list[Line]:
    """Fold a sentence to a width, each line with its indent; a line of several spans stays.

    A sentence behind a sign is one: its further lines begin below its first word.
    """
    sign = "".join(text for text, _ in line[:-1])
    is_signed = len(line) == 2 and len(sign.strip()) == 1 and not sign.strip().isalnum()
    if len(line) != 1 and not is_signed:
        return [line]
    text, role = line[-1]
    indent = " " * (len(text) - len(text.lstrip(" ")))
    before = columns(sign)
    first, *more = fold(text, width - before, indent)
    below = [sentence(" " * before + part, role) for part in more]
    return [(*line[:-1], (first, role)), *below]


def table(
    rows: Sequence[Sequence[str | Span]], *, right: Collection[int] = (), indent: str = ""
) -> list[Line]:
    """Arrange cells in columns.

    `rows`: the cells of each row, as many in all; a plain text has the role `text`. `right`: the
    columns, counted from 0, that are aligned to the right.
    """
    if not rows:
        return []
    cells = [[_span(cell) for cell in row] for row in rows]
    widths = [max(columns(text) for text, _ in column) for column in zip(*cells, strict=True)]
    return [_row(row, widths, right, indent) for row in cells]


def _row(cells: Sequence[Span], widths: Sequence[int], right: Collection[int], indent: str) -> Line:
    spans: list[Span] = [(indent, "text")]
    for place, ((text, role), width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - columns(text))
        gap = "  " if place else ""
        before, after = (gap + space, "") if place in right else (gap, space)
        spans += [(before, "text"), (text, role), (after, "text")]
    while spans and not spans[-1][0].strip():
        spans.pop()
    return tuple(span for span in spans if span[0])


def _span(cell: str | Span) -> Span:
    return (safe(cell), "text") if isinstance(cell, str) else (safe(cell[0]), cell[1])
