"""The first picture of a first start: a transpose that reads a column of its tile, and its banks.

What it says is computed: one warp reads one column, and 32 warps read one each.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.banks import LANES, WORD_BYTES, Access, AccessCost, cost
from quizapp.report import bankmap
from quizapp.report.lines import Line, Role, sentence
from quizapp.report.words import Words

PITCHES = (32, 33)
"""Floats in a row of the tile: as people write it first, and padded."""

_MOST_WAVEFRONTS = 5
_ARCH = "9.0"
_CODE = (
    "__shared__ float tile[32][{pitch}];",
    "tile[threadIdx.y][threadIdx.x] = in[…];     // row by row",
    "__syncthreads();",
    "out[…] = tile[threadIdx.x][threadIdx.y];    // column by column",
)


def read_a_column(pitch: int) -> AccessCost:
    """Count a warp's load of one column of floats, one row per lane, from a tile of this pitch."""
    lanes = np.arange(LANES)
    return cost(Access("load", WORD_BYTES, lanes * pitch * WORD_BYTES, lanes >= 0), _ARCH)


def lines(pitch: int, room: int, say: Words) -> Iterator[Line]:
    """Draw the kernel, the bank map of its last line, and what all warps' loads take.

    `pitch`: one of `PITCHES`.
    """
    one, padded = read_a_column(pitch), pitch != PITCHES[0]
    role: Role = "good" if padded else "conflict"
    dimension = f"[{pitch}]"
    first, *between, last = _CODE
    before, after = first.format(pitch=pitch).rsplit(dimension, 1)
    yield (("    " + before, "text"), (dimension, role), (after, "text"))
    yield from (sentence("    " + line) for line in between)
    yield (("  ❯ ", role), (last, "bold"))
    yield sentence("")
    yield from bankmap.picture(one, _ARCH, room, say, most=_MOST_WAVEFRONTS)
    yield sentence("")
    figures = {
        "wavefronts": one.wavefronts * LANES,
        "conflicts": one.conflicts * LANES,
        "before": read_a_column(PITCHES[0]).wavefronts * LANES,
    }
    yield (
        (say("first-conflict.padded" if padded else "first-conflict.conflict", **figures), role),
    )
