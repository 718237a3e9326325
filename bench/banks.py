"""The bank model on many accesses at once: ms for a million, on one core.

A million in 200 ms is 5 million a second. Addresses are random over 48 KB, so that nothing is
easier than it would be; where loads may merge, every other one does.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from bench.data import Data
from bench.figures import Figure, count_rounds, spread
from grader.banks import WIDTHS, cost_many

MILLION = 1_000_000
ANY_LIMIT_MS = 1000.0
FULL_WORDS_LIMIT_MS = 200.0
ACCESSES = 200_000
SHARED_BYTES = 48 * 1024


def measure(_data: Data, repeat: int = 9) -> list[Figure]:
    """The median of processor time, each width with all lanes active and with 70 %."""
    return [_figure(width, repeat, masked=masked) for width in WIDTHS for masked in (False, True)]


def _figure(width: int, repeat: int, *, masked: bool) -> Figure:
    random = np.random.default_rng(width)
    addresses = random.integers(0, SHARED_BYTES // width, (ACCESSES, 32)) * width
    if width > 4:
        addresses[::2] = np.repeat(addresses[::2, ::2], 2, axis=1)
    active = random.random(addresses.shape) < 0.7 if masked else None

    def once() -> float:
        began = process_time()
        cost_many("load", width, addresses, active)
        return 1000 * (process_time() - began) * MILLION / ACCESSES

    once()
    times = sorted(once() for _ in count_rounds(repeat))
    middle = times[len(times) // 2]
    full_words = width == 4 and not masked
    return Figure(
        "banks",
        f"{MILLION:,} loads of {width} bytes, {'70 % of' if masked else 'all'} lanes active",
        middle,
        FULL_WORDS_LIMIT_MS if full_words else ANY_LIMIT_MS,
        "ms",
        f"{spread(times)}: {MILLION / middle / 1000:.1f} million a second",
        {"quiz": times},
    )
