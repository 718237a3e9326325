"""`quiz --help` against a bare interpreter: both as a shell starts them, with site-packages."""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

from bench.data import QUIZ, Data
from bench.figures import Figure, ratio, spread, time_alternately

LIMIT = 6.0


def measure(data: Data, repeat: int = 31) -> list[Figure]:
    """The ratio of the two medians."""
    with data.copy() as environment:

        def run(*command: str) -> float:
            began = perf_counter()
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            return 1000 * (perf_counter() - began)

        ours, bare = time_alternately(
            repeat, lambda: run(QUIZ, "--help"), lambda: run(sys.executable, "-c", "pass")
        )
    return [
        Figure(
            "help",
            "quiz --help : python -c pass",
            ratio(ours, bare),
            LIMIT,
            "×",
            f"{spread(ours)} : {spread(bare)}",
            {"quiz": ours, "python": bare},
        )
    ]
