"""The processes that grade kernels for tests: shared by all of them, ended when they are."""

from __future__ import annotations

import atexit

from grader.kernels import Referee
from quizapp.domain.question import Spot
from quizapp.study.examiner import Examiner

EXAMINER = Examiner()
REFEREE = Referee()
for _one in (EXAMINER, REFEREE):
    atexit.register(_one.close)


def right_place(spot: Spot) -> tuple[int, str]:
    """A line and a kind that the emulator reports."""
    return min(EXAMINER.find_bug(spot).places)


def wrong_place(spot: Spot) -> tuple[int, str]:
    """The first line, with a kind that is not reported there."""
    found = EXAMINER.find_bug(spot)
    return 1, next(kind for kind in spot.kinds if not found.score(1, kind))
