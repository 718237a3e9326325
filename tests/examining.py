"""The processes that grade kernels for tests: shared by all of them, ended when they are."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.kernels import Referee
from quizapp.domain.question import Spot
from quizapp.study.examiner import Examiner
from tests.compiled_content import RUN, locked

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


@contextmanager
def shared_runs(home: Path) -> Iterator[None]:
    """Let a home know what kernels came to in another test of the run; the first runs them."""
    cache, shared = home / "cache" / "mutants", Path(os.environ[RUN], "mutants")
    with locked(shared.with_suffix(".lock")):
        if shared.exists():
            shutil.copytree(shared, cache)
        yield
        shutil.copytree(cache, shared, dirs_exist_ok=True)
