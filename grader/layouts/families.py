"""The usual layouts, each as a C expression and as the slots it gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.banks import IntArray
from grader.layouts.tiles import Tile

MOST_PADDING = 32
MOST_BITS = 5
"""More than 5 bits of a row number cannot matter: there are 32 banks."""

CHUNK_BITS = 4
PATTERN_BITS = 3
CHUNK_BYTES = 1 << CHUNK_BITS
TMA_MODES = ((1, 32), (2, 64), (3, 128))
TMA_ALIGNMENT = 128


@dataclass(frozen=True, eq=False)
class Layout:
    """One layout of a tile.

    Attributes:
        family: padding, xor, diagonal, CuTe or TMA.
        name: the name within the family: `Swizzle<3,2,3>`.
        expression: the element's slot in C, of row and col.
        slots: (elements,) the same slots, along rows.
    """

    family: str
    name: str
    expression: str
    slots: IntArray


def layouts(tile: Tile) -> Iterator[Layout]:
    """Yield all layouts, simple ones first; a family that does not fit the tile yields none."""
    element = np.arange(tile.elements)
    row, col = element // tile.columns, element % tile.columns
    yield from padding_layouts(tile, row, col)
    yield from xor_layouts(tile, row, col)
    yield from diagonal_layouts(tile, row, col)
    yield from cute_layouts(tile, row, col)
    yield from tma_layouts(tile, row, col)


def padding_layouts(tile: Tile, row: IntArray, col: IntArray) -> Iterator[Layout]:
    """Yield rows with 0 to 32 unused elements at the end."""
    for extra in range(MOST_PADDING + 1):
        pitch = tile.columns + extra
        yield Layout("padding", f"+{extra}", f"row * {pitch} + col", row * pitch + col)


def xor_layouts(tile: Tile, row: IntArray, col: IntArray) -> Iterator[Layout]:
    """Yield `col ^ (row >> right & mask) << left`, where that stays within the row.

    A mask is odd: an even mask is an odd one with other shifts.
    """
    row_bits, col_bits = (tile.rows - 1).bit_length(), (tile.columns - 1).bit_length()
    for right in range(row_bits):
        for left in range(col_bits):
            for mask in _masks(min(row_bits - right, col_bits - left, MOST_BITS)):
                moved = col ^ ((row >> right & mask) << left)
                if moved.max() < tile.columns:
                    term = _xor_term(right, mask, left, tile.rows)
                    text = f"row * {tile.columns} + (col ^ {term})"
                    yield Layout("xor", f"col ^ {term}", text, row * tile.columns + moved)


def _masks(bits: int) -> list[int]:
    """List the odd masks of a number of bits; the simpler ones, without gaps, come first."""
    return sorted(range(1, 1 << bits, 2), key=lambda mask: (mask & (mask + 1) != 0, mask))


def _xor_term(right: int, mask: int, left: int, rows: int) -> str:
    """Write the term in its shortest form, with parentheses wherever people forget them."""
    term = f"(row >> {right})" if right else "row"
    if mask < rows - 1 >> right:
        term = f"({term} & {mask})"
    return f"({term} << {left})" if left else term


def diagonal_layouts(tile: Tile, row: IntArray, col: IntArray) -> Iterator[Layout]:
    """Yield rows that are rotated by some elements more than the row above."""
    for turn in range(1, tile.columns):
        term = "row" if turn == 1 else f"{turn} * row"
        moved = f"(col + {term}) % {tile.columns}"
        slots = row * tile.columns + (col + turn * row) % tile.columns
        yield Layout("diagonal", moved, f"row * {tile.columns} + {moved}", slots)


def cute_layouts(tile: Tile, row: IntArray, col: IntArray) -> Iterator[Layout]:
    """Yield `Swizzle<B,M,S>` of the row-major index: B bits from M up, xored with those S above."""
    index = row * tile.columns + col
    bits = (tile.elements - 1).bit_length()
    for b in range(1, MOST_BITS + 1):
        for s in range(b, bits - b + 1):
            for m in range(bits - b - s + 1):
                slots, text = _swizzle(index, f"(row * {tile.columns} + col)", b, m, s)
                yield Layout("CuTe", f"Swizzle<{b},{m},{s}>", text, slots)


def tma_layouts(tile: Tile, row: IntArray, col: IntArray) -> Iterator[Layout]:
    """Yield the layouts of a TMA copy: 32B, 64B and 128B mode, in boxes as wide as the mode.

    The pattern follows absolute addresses, so the tile's base counts.
    """
    size = tile.element_bytes
    if CHUNK_BYTES % size or tile.base % TMA_ALIGNMENT:
        return
    for b, span in TMA_MODES:
        wide = span // size
        if tile.columns % wide:
            continue
        index = col // wide * (tile.rows * wide) + row * wide + col % wide
        text = f"row * {wide} + col"
        if tile.columns > wide:
            text = f"col / {wide} * {tile.rows * wide} + row * {wide} + col % {wide}"
        first = tile.base // size
        text = f"({text} + {first})" if first else f"({text})"
        chunk = CHUNK_BITS - (size - 1).bit_length()
        slots, text = _swizzle(index + first, text, b, chunk, PATTERN_BITS)
        text = f"({text}) - {first}" if first else text
        yield Layout("TMA", f"{span}B", text, slots - first)


def _swizzle(index: IntArray, text: str, b: int, m: int, s: int) -> tuple[IntArray, str]:
    """Apply `Swizzle<B,M,S>` to an index and to its text."""
    mask = (1 << b) - 1 << m
    return index ^ (index >> s & mask), f"{text} ^ (({text} >> {s}) & {mask})"
