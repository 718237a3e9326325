"""Who grades the submissions of `quiz grade --all`: processes of this machine, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec

from grader.facts import fact
from quizapp.batch import cluster, devices, gpu_pool, pool
from quizapp.batch.running import GradeAll
from quizapp.commands.common.output import announce_wait
from quizapp.domain.errors import EnvironmentProblem, UsageError
from quizapp.report.words import Words
from quizapp.system.config import GpuSettings
from quizapp.system.gpu import explain_absence


@contextmanager
def open_graders(
    jobs: int | None, scheduler: str | None, gpu: GpuSettings | None, say: Words
) -> Iterator[GradeAll]:
    """Open what grades; it has been seen to work.

    `jobs`: processes of this machine; None: one per CPU. `scheduler`: of a Dask cluster; None: this
    machine grades. `gpu`: judges what the emulator passes; None: no GPU does.

    Raises:
        UsageError: options exclude each other.
        EnvironmentProblem: the cluster, or a GPU, cannot grade.
    """
    if scheduler is None:
        emulators = pool.Pool(jobs or os.cpu_count() or 1)
        if gpu is None:
            yield emulators.grade
            return
        with open_gpus(gpu) as gpus:
            yield gpu_pool.TwoStages(emulators, gpus).grade
        return
    if gpu is not None and gpu.host:
        raise UsageError(fact("batch.gpu-host-and-dask"))
    if jobs is not None:
        raise UsageError(fact("batch.jobs-and-dask"))
    if find_spec("distributed") is None:
        raise EnvironmentProblem(fact("batch.no-distributed"))
    waiting = say("batch.connecting", address=scheduler, seconds=cluster.CONNECT_SECONDS)
    with announce_wait(waiting):
        connected = cluster.Cluster(scheduler, gpu=gpu is not None)
    with connected:
        yield connected.grade


@contextmanager
def open_gpus(gpu: GpuSettings) -> Iterator[gpu_pool.GpuPool]:
    """Open the GPU of a host, or all of this machine that nothing else grades on.

    Raises EnvironmentProblem: there is none, or one does not work.
    """
    reason = explain_absence(gpu)
    if reason is not None:
        raise EnvironmentProblem(reason.what, reason.todo)
    with ExitStack() as held:
        if gpu.host:
            workers = [gpu_pool.GpuWorker(host=gpu.host)]
        else:
            workers = []
            for device in devices.claim_devices():
                held.callback(device.close)
                workers.append(gpu_pool.GpuWorker(device.name))
        if not workers:
            raise EnvironmentProblem(fact("batch.gpu-taken", n=1))
        for worker in workers:
            held.callback(worker.close)
        fault = gpu_pool.open_all(workers)
        if fault is not None:
            raise EnvironmentProblem(fault)
        yield gpu_pool.GpuPool(workers)
