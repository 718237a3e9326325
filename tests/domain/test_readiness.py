"""Readiness in closed form: weights by what is asked, shared within a concept, and mock stages."""

from __future__ import annotations

import numpy as np
import pytest

from quizapp.domain.order import Candidate
from quizapp.domain.planning.readiness import measure

ASKED = [
    Candidate(f"pack/{name}", topic, (), 1, concept=concept, frequency=frequency)
    for name, topic, concept, frequency in (
        ("one", "banks", "twice", 6),
        ("two", "banks", "twice", 6),
        ("three", "tiles", "once", 3),
        ("four", "tiles", "never", 0),
    )
]
NOW = {"pack/one": np.array([0.4, 0.6]), "pack/four": np.ones(2)}
LATER = {name: np.ones(2) for name in ("pack/one", "pack/two", "pack/four")}


@pytest.mark.parametrize(
    ("stages", "today", "on_day", "gain"),
    [
        ([], (3 * 0.5) / 9, 6 / 9, 3 / 9),
        ([("pack/two", 1.0), ("gone/x", 1.0)], (2 * 0.5 + 2) / 9, 6 / 9, 3 / 9),
        ([("pack/three", 0.5)], (3 * 0.5 + 0.75) / 9, 6.75 / 9, 2.25 / 9),
    ],
)
def test_readiness_is_the_share_of_what_is_asked(stages, today, on_day, gain):
    found = measure(ASKED, stages, NOW, LATER)
    assert found is not None
    assert found.today.mean == pytest.approx(today)
    assert found.today.low < today < found.today.high
    assert found.on_day.mean == pytest.approx(on_day)
    assert (found.topic, found.gain) == (("pack", "tiles"), pytest.approx(gain))
    assert measure(ASKED[3:], stages, NOW, LATER) is None
