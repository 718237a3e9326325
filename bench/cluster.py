"""`quiz grade --all --dask`: two Dask workers of this machine against one process; lost workers.

What Dask's own processes take of a core is printed beside it: it tells more than the ratio where
others use the machine.

`python -m bench.cluster N` grades N submissions in one process, on two Dask workers, and on two of
which one after the other is killed and replaced. The submissions are those of `bench.batch`.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from bench.batch import draw_jobs, make_class
from bench.data import Data
from bench.figures import Figure, count_rounds, note
from quizapp.batch import cluster as clusters
from quizapp.batch.pool import Pool
from quizapp.batch.values import Job, Result, SubmissionKey
from tests.batch.clusters import LocalDask

SUBMISSIONS = 300
KILLS = 10
AT_LEAST = 1.8
"""How much faster two workers must be than one process."""
OWN_LIMIT_MS = 10.0
_QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "1s",
}
"""As `docs/cluster.md` has it: otherwise Dask watches itself with 2% of a core per process."""
_BETWEEN_KILLS = 8.0
"""Seconds: a worker takes some to start."""


def measure(data: Data | None, repeat: int = 1, submissions: int = SUBMISSIONS) -> list[Figure]:
    """The ratio of two workers to one process, and the results that differ after kills."""
    del data
    ratios, details, own, differ, kills = [], [], [], 0, 0
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        jobs = draw_jobs(make_class(Path(folder)).jobs(), submissions)
        dask = LocalDask(Path(folder), **_QUIET)
        try:
            for _ in range(2):
                dask.add_worker()
            for _ in count_rounds(repeat):
                one, alone = _grade(jobs, Pool(1).grade)
                with clusters.Cluster(str(dask.file)) as cluster:
                    before = _core_ms(dask)
                    two, both = _grade(jobs, cluster.grade)
                    own.append((_core_ms(dask) - before) / len(jobs))
                    killer = _Killer(dask, min(KILLS, int(two / _BETWEEN_KILLS) + 1))
                    killer.start()
                    killed, after = _grade(jobs, cluster.grade)
                    killer.end()
                ratios.append(one / two)
                rates = (len(jobs) / seconds for seconds in (one, two, killed))
                details.append("{:.1f} and {:.1f} a second, {:.1f} killed".format(*rates))
                differ += _count_differences(alone, both) + _count_differences(alone, after)
                kills += killer.killed
        finally:
            dask.close()
    what = f"{submissions:,} gradings, two Dask workers : one process"
    taken = "what Dask takes of a core per grading: this process, scheduler, two workers"
    same = f"results that differ after {kills} kills, missing or twice"
    return [
        Figure("cluster", what, min(ratios), AT_LEAST, "×", "; ".join(details), at_least=True),
        Figure("cluster", taken, max(own), OWN_LIMIT_MS, "ms", f"at {two / len(jobs):.2f} s each"),
        Figure("cluster", same, differ, 0, "", f"of {submissions:,}"),
    ]


def _core_ms(dask: LocalDask) -> float:
    """Return what this process and Dask's, without those that grade, have had of a core so far."""
    stats = [
        Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        for process in (dask.scheduler, *dask.workers)
    ]
    ticks = sum(int(stat[11]) + int(stat[12]) for stat in stats)
    return 1000 * (process_time() + ticks / os.sysconf("SC_CLK_TCK"))


class _Killer(threading.Thread):
    """Kills workers at random moments, and starts others."""

    def __init__(self, dask: LocalDask, kills: int) -> None:
        super().__init__(daemon=True)
        self._dask = dask
        self._kills = kills
        self._random = Random(kills)
        self._over = threading.Event()
        self.killed = 0

    def run(self) -> None:
        while self.killed < self._kills:
            if self._over.wait(self._random.uniform(0.5, 1.5) * _BETWEEN_KILLS):
                return
            victim = self._random.choice(self._dask.workers[-2:])
            victim.kill()
            self.killed += 1
            self._dask.workers.remove(victim)
            victim.wait()
            self._dask.add_worker()

    def end(self) -> None:
        """Let the last worker that was begun start."""
        self._over.set()
        self.join()


def _grade(
    jobs: list[Job], grade: Callable[[Iterator[Job]], Generator[Result, None, None]]
) -> tuple[float, dict[SubmissionKey, list[Result]]]:
    """Grade all; return the seconds, and the results of each."""
    results: dict[SubmissionKey, list[Result]] = {}
    began = perf_counter()
    for done, result in enumerate(grade(iter(jobs)), 1):
        results.setdefault(result.key, []).append(result)
        note(f"  {done} of {len(jobs)}")
    return perf_counter() - began, results


def _count_differences(
    one: dict[SubmissionKey, list[Result]], other: dict[SubmissionKey, list[Result]]
) -> int:
    """Count the submissions that have other results, none, or several."""
    names = one.keys() | other.keys()
    return sum(len(one.get(name, ())) != 1 or one.get(name) != other.get(name) for name in names)


if __name__ == "__main__":
    from bench.__main__ import table

    print(table([(figure, 0.0) for figure in measure(None, submissions=int(sys.argv[1]))]))
