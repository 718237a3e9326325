"""How counts are put into the few steps of a heatmap."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles

STEPS = 4


def steps(counts: Sequence[int]) -> list[int]:
    """Return the least count of each step, by quantile; fewer steps where there are few counts."""
    if not counts:
        return []
    cuts = quantiles(counts, n=STEPS, method="inclusive") if len(counts) > 1 else []
    return sorted({min(counts), *(int(cut) + 1 for cut in cuts if cut < max(counts))})
