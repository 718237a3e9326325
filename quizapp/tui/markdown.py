"""Markdown → lines of styled text at a width. Light: a short prompt takes about a millisecond.

Textual's Markdown widget mounts a widget per block (54–71 ms for one with a table); prompts need
none of that. Code is shown verbatim and never wrapped. Loads Pygments and markdown-it, 60 ms:
import it as a module, so that it loads once the first screen is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from textual.content import Content, Span
from textual.highlight import highlight

from quizapp.system.width import columns as cells
from quizapp.tui.code_colors import CodeColors
from quizapp.tui.safety import legible
from quizapp.tui.wrap import breaks

if TYPE_CHECKING:
    from markdown_it.token import Token

CODE_INDENT = 2
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "link": "underline"}
_CODE_STYLE = "$text-accent"
_BULLET = "•"


@dataclass(frozen=True, slots=True)
class ParagraphLayout:
    """Running text: `first` stands before its first line, `indent` columns before the others."""

    text: Content
    first: str = ""
    indent: int = 0


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block, verbatim."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows of cells; the first row is the head."""

    rows: tuple[tuple[Content, ...], ...]


Block = ParagraphLayout | CodeBlock | TableBlock


@lru_cache(maxsize=256)
def lines(markdown: str, width: int) -> tuple[Content, ...]:
    """Lay out `markdown` in `width` columns, an empty line between blocks."""
    result: list[Content] = []
    previous: Block | None = None
    for block in blocks(markdown):
        if previous is not None and not _tight(previous, block):
            result.append(Content(""))
        result += _block_lines(block, width)
        previous = block
    return tuple(result)


@lru_cache(maxsize=256)
def blocks(markdown: str) -> tuple[Block, ...]:
    """Parse the blocks of `markdown`."""
    return tuple(_Reader(MarkdownIt("commonmark").enable("table").parse(markdown)).read())


def code_of(markdown: str) -> str:
    """Collect all code blocks of `markdown`, as `y` copies them."""
    return "\n\n".join(block.text for block in blocks(markdown) if isinstance(block, CodeBlock))


class _Reader:
    """Walks markdown-it's flat tokens: one method a token type, named as the type is."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._lists: list[int | None] = []
        self._marker = ""
        self._heading = False
        self._row: list[Content] = []
        self._rows: list[tuple[Content, ...]] | None = None

    def read(self) -> Iterator[Block]:
        """Yield the blocks in order; tokens that mean nothing on a terminal are passed over."""
        for token in self._tokens:
            handler: Callable[[Token], Block | None] | None = getattr(self, f"_{token.type}", None)
            block = handler(token) if handler is not None else None
            if block is not None:
                yield block

    def _fence(self, token: Token) -> Block:
        language = token.info.split()[0] if token.info.strip() else "text"
        return CodeBlock(legible(token.content).rstrip("\n"), language)

    _code_block = _fence

    def _bullet_list_open(self, _: Token) -> None:
        self._lists.append(None)

    def _ordered_list_open(self, token: Token) -> None:
        self._lists.append(int(token.attrGet("start") or 1))

    def _bullet_list_close(self, _: Token) -> None:
        self._lists.pop()

    _ordered_list_close = _bullet_list_close

    def _list_item_open(self, _: Token) -> None:
        number = self._lists[-1]
        self._marker = f"{_BULLET} " if number is None else f"{number}. "
        if number is not None:
            self._lists[-1] = number + 1

    def _heading_open(self, _: Token) -> None:
        self._heading = True

    def _heading_close(self, _: Token) -> None:
        self._heading = False

    def _table_open(self, _: Token) -> None:
        self._rows = []

    def _table_close(self, _: Token) -> Block:
        rows, self._rows = self._rows or [], None
        return TableBlock(tuple(rows))

    def _tr_open(self, _: Token) -> None:
        self._row = []

    def _tr_close(self, _: Token) -> None:
        if self._rows is not None:
            self._rows.append(tuple(self._row))

    def _inline(self, token: Token) -> Block | None:
        text = _inline(token.children or [])
        if self._rows is not None:
            self._row.append(text)
            return None
        return self._paragraph(text.stylize("bold") if self._heading else text)

    def _paragraph(self, text: Content) -> ParagraphLayout:
        indent = 2 * len(self._lists)
        first = self._marker.rjust(indent)
        self._marker = ""
        return ParagraphLayout(text, first, indent)


def _inline(tokens: Sequence[Token]) -> Content:
    """One paragraph's text with its styles; a line break within it is a space."""
    text = ""
    spans: list[Span] = []
    opened: list[tuple[int, str]] = []
    for token in tokens:
        content = legible(token.content)  # an entity such as `&#27;` is a character by now
        name = token.type.removesuffix("_open").removesuffix("_close")
        if token.type == "code_inline":
            spans.append(Span(len(text), len(text) + len(content), _CODE_STYLE))
            text += content
        elif token.type in ("softbreak", "hardbreak"):
            text += _joint(text)
        elif token.type.endswith("_open"):
            opened.append((len(text), _STYLES.get(name, "")))
        elif token.type.endswith("_close"):
            start, style = opened.pop()
            spans.append(Span(start, len(text), style))
        else:
            text += content
    return Content(text, spans)


def _joint(text: str) -> str:
    """Return what a line break becomes: nothing after Chinese, a space otherwise."""
    return "" if text and cells(text[-1]) == 2 else " "


def _tight(before: Block, after: Block) -> bool:
    """List items follow one another without an empty line."""
    return all(isinstance(b, ParagraphLayout) and b.indent for b in (before, after))


def _block_lines(block: Block, width: int) -> Iterator[Content]:
    match block:
        case ParagraphLayout(text, first, indent):
            for number, (start, end) in enumerate(breaks(text.plain, max(8, width - indent))):
                lead = first if number == 0 else " " * indent
                yield Content(lead) + text[start:end]
        case CodeBlock(text, language):
            highlighted = color_code(text, language)
            for line in highlighted.split("\n", allow_blank=True):
                yield Content(" " * CODE_INDENT) + line
        case TableBlock(rows):
            yield from _table_lines(rows)


@lru_cache(maxsize=256)
def color_code(code: str, language: str) -> Content:
    """Color code. `sass` is a stylesheet language to Pygments, so it stays plain."""
    known = {"cuda": "cuda", "cpp": "cpp", "c": "c", "python": "python", "bash": "bash"}
    if language not in known:
        return Content(code)
    return highlight(code, language=known[language], theme=CodeColors, tab_size=4)


def _table_lines(rows: tuple[tuple[Content, ...], ...]) -> Iterator[Content]:
    columns = [max(cells(row[i].plain) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        line = Content("")
        for cell, width in zip(row, columns, strict=True):
            shown = cell.stylize("bold") if number == 0 else cell
            line = line + shown + Content(" " * (width - cells(cell.plain) + 2))
        yield line
        if number == 0:
            yield Content("─" * (sum(columns) + 2 * len(columns) - 2))
