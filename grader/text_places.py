"""Where in a text its lines and columns are, as tokens and trees give them.

Knows no language but that the trees of Python count bytes.
"""

from __future__ import annotations

import ast
from itertools import accumulate


class TextPlaces:
    """The offsets of places in one text, in characters."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place; line and column are counted in characters, from 1."""
        return self._starts[line - 1] + column - 1

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return where a node of the text's tree begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._of_byte(node.lineno, node.col_offset),
            self._of_byte(node.end_lineno, node.end_col_offset),
        )

    def _of_byte(self, line: int, column: int) -> int:
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self._starts[line - 1] + column
