"""What the workers of a Dask cluster run: they say which quiz they have, and grade.

Called by name from `cluster`. A submission is graded in a process of its own, as on one machine,
so that a crash or an endless loop costs no Dask worker. Needs no deck, and no Dask.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import json

from grader.facts import Fact, fact
from quizapp import __version__
from quizapp.batch.devices import BatchDevice, claim_devices
from quizapp.batch.gpu_pool import GpuWorker, open_all
from quizapp.batch.grading import ungraded
from quizapp.batch.pool import Turns, Worker
from quizapp.batch.values import Job, Result

PROTOCOL = 3
"""Raised with every change of a job, of a result, or of a function here."""
_idle: deque[Worker] = deque()
"""Warm processes of this Dask worker, which has a thread for each task that it runs at a time."""
_turns = Turns()
"""Of these processes."""
_gpus: list[BatchDevice] = []
"""Those of this Dask worker, one for each that it has as a resource."""
_idle_gpus: deque[Worker] = deque()
"""Warm processes on them."""


class OtherVersion(Exception):
    """This worker joined the cluster after the versions were compared, and has another one."""


def describe_version() -> str:
    """Name the installed version, as client and workers must have it in common."""
    return f"{__version__}, protocol {PROTOCOL}"


def open_gpus(counts: Mapping[str, int], dask_worker: Any) -> Fact | None:
    """Take the GPUs of a worker, of those of its machine that nothing else grades on.

    They are kept until this worker ends.

    `counts`: how many, by the worker's address. Dask passes the worker under the name
    `dask_worker`.

    Returns:
        Why that fails.
    """
    return _open_gpus(counts[dask_worker.address])


def _open_gpus(count: int) -> Fact | None:
    missing = max(count - len(_gpus), 0)
    devices = list(islice(claim_devices(), missing))
    workers = [GpuWorker(device.name) for device in devices]
    fault = fact("batch.gpu-taken", n=count) if len(devices) < missing else open_all(workers)
    if fault is None:
        _gpus.extend(devices)
        _idle_gpus.extend(workers)
        return None
    for worker, device in zip(workers, devices, strict=True):
        worker.close()
        device.close()
    return fault


def grade(
    encoded: Sequence[bytes],
    version: str,
    gpu: bool,  # noqa: FBT001 - as Dask passes it
) -> list[bytes]:
    """Grade jobs, one after the other.

    `version`: of the client.

    Returns:
        Their results, encoded.

    Raises OtherVersion: the client's is not that of this worker.
    """
    if version != describe_version():
        raise OtherVersion(f"quiz {describe_version()}; the client has {version}")
    return [json.encode(_grade(json.decode(each, type=Job), gpu=gpu)) for each in encoded]


def _grade(job: Job, *, gpu: bool) -> Result:
    idle = _idle_gpus if gpu else _idle
    if gpu and not idle:  # it joined the cluster after the others were opened
        fault = _open_gpus(len(_gpus) + 1)
        if fault is not None:
            return ungraded(job, fault)
    worker = idle.popleft() if idle else Worker(turns=_turns)
    try:
        return worker.grade(job)
    finally:
        idle.append(worker)
