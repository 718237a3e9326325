"""Texts of `quiz banks` as values: a block, a tile, a mask of lanes, an architecture.

Loads NumPy: import it when it is needed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.banks import LANES, Architecture, InvalidAccess, architecture
from grader.layouts import Block, InvalidExercise
from grader.layouts.threads import checked_block
from quizapp.errors import UsageError

EVERYONE = (1 << LANES) - 1
"""The mask of a whole warp."""

_SIZES = re.compile(r"\d{1,6}([x×]\d{1,6})*", re.ASCII)
"""Six digits: then no address in a tile needs more than 64 bits."""

_BLOCK = "--block 32x8 has 32 threads along x and 8 along y, 1,024 at most in all"
_TILE = "--tile 32x33 has 32 rows of 33 columns"
_MASK = "bit i stands for lane i, as in 0xffff, 65535 or 0b1111"


class Shape(NamedTuple):
    """A tile as it is declared: `float tile[rows][columns]`."""

    rows: int
    columns: int

    @property
    def elements(self) -> int:
        """How many it has."""
        return self.rows * self.columns

    def __str__(self) -> str:
        return f"{self.rows}×{self.columns}"


def block_of(text: str) -> Block:
    """Threads along x, y and z: `32`, `32x8`, `8x8x4`.

    Raises:
        UsageError: it is no block that hardware has.
    """
    sizes = _sizes(text)
    if not 1 <= len(sizes) <= len(Block._fields):
        raise UsageError(f"'{text}' is no block", _BLOCK)
    try:
        return checked_block(Block(*sizes))
    except InvalidExercise as error:
        raise UsageError(str(error), _BLOCK) from None


def tile_of(text: str) -> Shape:
    """Rows and columns: `32x33`.

    Raises:
        UsageError: it is no such pair.
    """
    sizes = _sizes(text)
    if len(sizes) != len(Shape._fields) or 0 in sizes:
        raise UsageError(f"'{text}' is no tile", _TILE)
    return Shape(*sizes)


def mask_of(text: str) -> int:
    """Active lanes as bits: `0xffff`, `65535`, `0b1111`.

    Raises:
        UsageError: it is no number of 32 bits.
    """
    try:
        mask = int(text, 0)
    except ValueError:
        raise UsageError(f"'{text}' is no mask", _MASK) from None
    if not 0 <= mask <= EVERYONE:
        raise UsageError(f"mask {text} does not fit into 32 bits", _MASK)
    return mask


def architecture_of(text: str) -> Architecture:
    """A row of the bank model by its name or a compute capability: `8.9`.

    Raises:
        UsageError: there is none.
    """
    try:
        return architecture(text)
    except InvalidAccess as error:
        what, _, todo = str(error).partition("; ")
        raise UsageError(what, todo) from None


def _sizes(text: str) -> list[int]:
    return [int(size) for size in re.split("[x×]", text)] if _SIZES.fullmatch(text) else []
