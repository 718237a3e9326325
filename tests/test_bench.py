"""What `python -m bench` prints of a figure."""

from __future__ import annotations

import pytest

from bench.__main__ import table
from bench.figures import Figure


@pytest.mark.parametrize(
    ("limit", "at_least", "shown"),
    [
        (None, False, "2000.00 ×  9.0 ms"),
        (2000, False, "2000.00 × 2000 × ✓ 9.0 ms"),
        (1999, False, "2000.00 × 1999 × ✗ 9.0 ms"),
        (2000, True, "2000.00 × ≥ 2000 × ✓ 9.0 ms"),
        (2001, True, "2000.00 × ≥ 2001 × ✗ 9.0 ms"),
    ],
)
def test_a_limit_is_kept_from_its_own_side(limit, at_least, shown):
    figure = Figure("group", "what", 2000, limit, "×", "detail", at_least=at_least)
    row = table([(figure, 9.0)]).splitlines()[1]
    assert row.split() == ["group", "what", *shown.split()]
