"""Who grades the submissions of `quiz grade --all`: processes of this machine, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from grader.facts import fact
from quizapp.batch import cluster, pool
from quizapp.batch.running import GradeAll
from quizapp.domain.errors import EnvironmentProblem, UsageError


@contextmanager
def open_graders(jobs: int | None, scheduler: str | None) -> Iterator[GradeAll]:
    """Open what grades; it has been seen to work.

    Args:
        jobs: processes of this machine; None: one per CPU.
        scheduler: of a Dask cluster; None: this machine grades.

    Raises:
        UsageError: both are given.
        EnvironmentProblem: the cluster cannot grade.
    """
    if scheduler is None:
        yield pool.Pool(jobs or os.cpu_count() or 1).grade
        return
    if jobs is not None:
        raise UsageError(fact("batch.jobs-and-dask"))
    if find_spec("distributed") is None:
        raise EnvironmentProblem(fact("batch.no-distributed"))
    with cluster.Cluster(scheduler) as connected:
        yield connected.grade
