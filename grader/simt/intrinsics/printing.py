"""What threads print: a line for each, in the order of threads, which a device does not promise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.pointers import reach_target
from grader.simt.memory.reaching import uncounted
from grader.simt.program.types import INT64, UINT8

Layout = str | tuple["Layout", ...] | None
"""How a value is printed: as a text, as a tuple of values, or as a number."""
_SPECIFIER = re.compile(r"%([-+ 0#]*[0-9]*(?:\.[0-9]*)?)(hh|h|ll|l|z|j|t)?(.)?", re.DOTALL)
_LETTERS = {**dict.fromkeys("diu", "d"), **{each: each for each in "xXofFeEgGcs"}}
"""From C's letters to Python's."""
MOST_PRINTED = 1 << 20
"""Characters of a launch: a device's buffer has as many bytes by default, and no room for more."""


def print_lines(layouts: tuple[Layout, ...], here: ExecutionPoint, *values: Value) -> None:
    """Print a line for each thread: its values, with a blank between two."""
    mask = here.mask
    if here.chunk.launch.printed is None:
        return
    columns = [_column(*pair, mask) for pair in zip(layouts, values, strict=True)]
    for row in zip(*columns, strict=True) if columns else [()] * mask.count:
        _print(" ".join(row), here)


def _print(line: str, here: ExecutionPoint) -> None:
    """Print a line, if there is room."""
    launch = here.chunk.launch
    if launch.printed is None:
        return
    launch.characters += len(line) + 1
    if launch.characters > MOST_PRINTED:
        launch.printed = None
        what = fact("finding.print-buffer", most=MOST_PRINTED)
        here.report("warning", here.mask.full, what, topic="print buffer")
        return
    launch.printed(line)


def _column(layout: Layout, value: Value, mask: Mask) -> list[str]:
    """Format the value of each thread of a mask; a tuple in parentheses."""
    if isinstance(layout, str):
        return [layout] * mask.count
    if isinstance(layout, tuple):
        parts = zip(layout, value, strict=True)
        rows = zip(*(_column(*pair, mask) for pair in parts), strict=True)
        return [f"({row[0]},)" if len(row) == 1 else f"({', '.join(row)})" for row in rows]
    return [_format_value(part) for part in np.broadcast_to(value, mask.full.shape)[mask.full]]


def _format_value(value: Any) -> str:
    """Format a NumPy value as `printf` does with %f, %lld or %s."""
    return f"{value:f}" if isinstance(value, np.floating) else str(value)


class Specifier(NamedTuple):
    """What a format of C says of a value: `%-8.3lld`.

    Attributes:
        flags: its flags, width and precision, which Python's `%` takes as they are.
        length: of the value, such as `ll`.
    """

    text: str
    flags: str
    length: str
    letter: str

    @property
    def style(self) -> str:
        """How Python's `%` writes the value; "" for what C does not know."""
        if self.letter == "p":
            return f"0x%{self.flags}x"
        return f"%{self.flags}{_LETTERS[self.letter]}" if self.letter in _LETTERS else ""


def split_format(text: str) -> list[str | Specifier]:
    """Return the texts and specifiers of a format in order; `%%` is a text."""
    pieces: list[str | Specifier] = []
    start = 0
    for found in _SPECIFIER.finditer(text):
        pieces.append(text[start : found.start()])
        start = found.end()
        flags, length, letter = (part or "" for part in found.groups())
        pieces.append("%" if letter == "%" else Specifier(found.group(), flags, length, letter))
    return [*pieces, text[start:]]


def styles_of(pieces: Iterable[str | Specifier]) -> tuple[str, ...]:
    """Return the styles of `print_text` for texts and specifiers."""
    styles = [""]
    for piece in pieces:
        if isinstance(piece, str):
            styles[-1] += piece
        else:
            styles += [piece.style, ""]
    return tuple(styles)


def print_text(styles: tuple[str, ...], here: ExecutionPoint, *values: Value) -> None:
    """Print a text for each thread: its lines; without a line end, what follows begins a new line.

    Args:
        styles: texts, and between each two how to format a value, as Python's `%` does.
    """
    mask = here.mask
    if here.chunk.launch.printed is None:
        return
    columns = [np.broadcast_to(value, mask.full.shape)[mask.full].tolist() for value in values]
    for row in zip(*columns, strict=True) if columns else [()] * mask.count:
        parts = list(styles)
        for at, value in enumerate(row):
            parts[2 * at + 1] %= value
        for line in "".join(parts).removesuffix("\n").split("\n"):
            _print(line, here)


def print_values(
    styles: tuple[str, ...], texts: frozenset[int], here: ExecutionPoint, *values: Value
) -> None:
    """Print values, of which some are pointers to texts."""
    shown = (_read_text(here, each) if at in texts else each for at, each in enumerate(values))
    print_text(styles, here, *shown)


def _read_text(here: ExecutionPoint, pointer: Value) -> Value:
    """Return the text that each thread's pointer points to, up to its zero."""
    shape, left, octets = here.mask.full.shape, uncounted(here), list[Value]()
    while len(octets) < MOST_PRINTED:
        cells = reach_target(UINT8, pointer, ((uniform(len(octets), INT64), 1),), left)
        if cells is None:
            break
        octets.append(np.where(cells.mask.full, cells.load(), 0))
        mask, _ = left.mask.split(octets[-1] != 0)
        if mask is None:
            break
        left = left._replace(mask=mask)
    rows = zip(*(each.reshape(-1).tolist() for each in octets), strict=True)
    found = np.full(here.mask.full.size, "", dtype=np.object_)
    for at, row in enumerate(rows):
        found[at] = bytes(row).partition(b"\0")[0].decode("utf-8", "replace")
    return found.reshape(shape)
