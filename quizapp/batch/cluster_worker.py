"""What the workers of a Dask cluster run: they say which quiz they have, and grade.

Called by name from `cluster`. A submission is graded in a process of its own, as on one machine,
so that a crash or an endless loop costs no Dask worker. Needs no deck, and no Dask.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from msgspec import json

from quizapp import __version__
from quizapp.batch.pool import Worker
from quizapp.batch.values import Job, Result

PROTOCOL = 1
"""Raised with every change of a job, of a result, or of a function here."""
_idle: deque[Worker] = deque()
"""Warm processes of this Dask worker, which has a thread for each task that it runs at a time."""


class OtherVersion(Exception):
    """This worker joined the cluster after the versions were compared, and has another one."""


def describe_version() -> str:
    """Name the installed version, as client and workers must have it in common."""
    return f"{__version__}, protocol {PROTOCOL}"


def grade(encoded: bytes, version: str) -> bytes:
    """Grade a job.

    Args:
        encoded: the job.
        version: of the client.

    Returns:
        The result, encoded.

    Raises:
        OtherVersion: the client's is not that of this worker.
    """
    if version != describe_version():
        raise OtherVersion(f"quiz {describe_version()}; the client has {version}")
    job = json.decode(encoded, type=Job)
    return json.encode(_with_worker(lambda worker: worker.grade(job)))


def _with_worker(grade: Callable[[Worker], Result]) -> Result:
    try:
        worker = _idle.pop()
    except IndexError:
        worker = Worker()
    try:
        return grade(worker)
    finally:
        _idle.append(worker)
