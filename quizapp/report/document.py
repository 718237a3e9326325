"""A small document as blocks, and its three forms: lines of text, Markdown, and a page of HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from quizapp.report.folding import fold
from quizapp.report.html.page import page, text
from quizapp.report.lines import Line, Role, Span, sentence, table
from quizapp.report.words import Words

_CODE = re.compile(r"`([^`]+)`")
_SPECIAL = re.compile(r"([\\*_\[\]<>|#])")


@dataclass(frozen=True, slots=True)
class Heading:
    """A title within the document."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two; code in it stands between backquotes, as everywhere below."""

    text: str
    role: Role = "text"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `right` are the columns that are aligned to the right. The head may be empty.

    `folds`: terminal columns beyond which the first cell of a row goes on below; 0 for no end.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[int] = ()
    folds: int = 0


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; the lines of an item go one below the other."""

    items: Sequence[str]


Block = Heading | Paragraph | Grid | Bullets


def lines(title: str, blocks: Iterable[Block]) -> Iterator[Line]:
    """Write the document as lines of text."""
    yield sentence(title, "bold")
    for block in blocks:
        match block:
            case Heading(text=heading):
                yield sentence("")
                yield sentence(heading, "bold")
            case Paragraph(text=said, role=role):
                yield sentence(said.replace("`", ""), role)
            case Grid():
                yield from _table(block)
            case Bullets(items=items):
                for item in items:
                    first, *more = item.replace("`", "").split("\n")
                    yield sentence(f"  {first}")
                    yield from (sentence(f"    {line}") for line in more)


def _table(grid: Grid) -> list[Line]:
    rows: list[list[str | Span]] = []
    for row in grid.rows:
        first, *others = (cell.replace("`", "") for cell in row)
        begun, *more = fold(first, grid.folds) if grid.folds else [first]
        rows.append([begun, *others])
        rows += ([part, *[""] * len(others)] for part in more)
    if any(grid.head):
        rows.insert(0, [(cell, "dim") for cell in grid.head])
    return table(rows, right=grid.right, indent="  ")


def markdown(title: str, blocks: Iterable[Block]) -> str:
    """Write the document as Markdown."""
    parts = [f"# {_escape(title)}"]
    for block in blocks:
        match block:
            case Heading(text=heading):
                parts.append(f"## {_escape(heading)}")
            case Paragraph(text=said):
                parts.append(_escape(said))
            case Grid():
                rules = ["--:" if i in block.right else "---" for i in range(len(block.head))]
                rows = [block.head, rules, *([_escape(cell) for cell in r] for r in block.rows)]
                parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
            case Bullets(items=items):
                parts.append("\n".join(f"- {_escape_lines(item)}" for item in items))
    return "\n\n".join(parts) + "\n"


def html(title: str, blocks: Iterable[Block], say: Words) -> bytes:
    """Write the document as one file of HTML that needs no other."""
    return page(title, _html_blocks(blocks), say)


def _html_blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(text=heading):
                yield f"<h2>{text(heading)}</h2>"
            case Paragraph(text=said):
                yield f"<p>{_inline(said)}</p>"
            case Grid():
                yield "<table>"
                if any(block.head):
                    yield _html_row(block, block.head, "th")
                yield from (_html_row(block, row, "td") for row in block.rows)
                yield "</table>"
            case Bullets(items=items):
                lists = ("<br>".join(map(_inline, item.split("\n"))) for item in items)
                listed = "".join(f"<li>{item}</li>" for item in lists)
                yield f"<ul>{listed}</ul>"


def _html_row(grid: Grid, cells: Sequence[str], tag: str) -> str:
    aligned = (' style="text-align: right"' if i in grid.right else "" for i in range(len(cells)))
    shown = zip(aligned, cells, strict=True)
    return "<tr>" + "".join(f"<{tag}{how}>{_inline(cell)}</{tag}>" for how, cell in shown) + "</tr>"


def _inline(said: str) -> str:
    """Escape a text for HTML; what stands between backquotes is code."""
    return _CODE.sub(r"<code>\1</code>", text(said))


def _escape_lines(said: str) -> str:
    """Escape a text of several lines; a backslash ends a line that goes on below."""
    return "\\\n  ".join(map(_escape, said.split("\n")))


def _escape(said: str) -> str:
    """Escape a text for Markdown, but not the code in it."""
    parts = re.split(r"(`[^`]+`)", " ".join(said.split()))
    return "".join(p if p.startswith("`") else _SPECIAL.sub(r"\\\1", p) for p in parts)
