"""Reads the texts of `quiz banks`: a block, a tile, a mask of lanes, an architecture."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.banks import LANES, Architecture, InvalidAccess, architecture
from grader.facts import fact
from grader.layouts import Block, InvalidExercise, check_block
from quizapp.domain.errors import UsageError

ALL_LANES = (1 << LANES) - 1
"""The mask of a whole warp."""

_SIZES = re.compile(r"\d{1,6}([x×]\d{1,6})*", re.ASCII)
"""At most six digits each, so that no address in a tile needs more than 64 bits."""


class DeclaredTile(NamedTuple):
    """A tile as it is declared: `float tile[rows][columns]`."""

    rows: int
    columns: int

    @property
    def elements(self) -> int:
        """The number of elements."""
        return self.rows * self.columns

    def __str__(self) -> str:
        return f"{self.rows}×{self.columns}"


def read_block(text: str) -> Block:
    """Read the threads along x, y and z: `32`, `32x8`, `8x8x4`.

    Raises UsageError: hardware has no such block.
    """
    sizes = _sizes(text)
    if not 1 <= len(sizes) <= len(Block._fields):
        raise UsageError(fact("analysis.no-block", text=text))
    try:
        return check_block(Block(*sizes))
    except InvalidExercise as error:
        raise UsageError(error.what, fact("analysis.no-block.hint")) from None


def read_tile(text: str) -> DeclaredTile:
    """Read rows and columns: `32x33`. Raises UsageError: the text is not such a pair."""
    sizes = _sizes(text)
    if len(sizes) != len(DeclaredTile._fields) or 0 in sizes:
        raise UsageError(fact("analysis.no-tile", text=text))
    return DeclaredTile(*sizes)


def read_mask(text: str) -> int:
    """Read active lanes as bits: `0xffff`, `65535`, `0b1111`.

    Raises UsageError: the text is not a number of 32 bits.
    """
    try:
        mask = int(text, 0)
    except ValueError:
        raise UsageError(fact("analysis.no-mask", text=text)) from None
    if not 0 <= mask <= ALL_LANES:
        raise UsageError(fact("analysis.wide-mask", text=text), fact("analysis.no-mask.hint"))
    return mask


def read_architecture(text: str) -> Architecture:
    """Look up a row of the bank model by its name or a compute capability: `8.9`.

    Raises UsageError: there is no such row.
    """
    try:
        return architecture(text)
    except InvalidAccess as error:
        raise UsageError(error.what) from None


def _sizes(text: str) -> list[int]:
    return [int(size) for size in re.split("[x×]", text)] if _SIZES.fullmatch(text) else []
