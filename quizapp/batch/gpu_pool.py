"""Grades jobs on GPUs: a warm process for each device, which has it alone.

What the emulator passes and a GPU judges, too, goes from the one pool to the other; the emulator
goes on meanwhile, but never far ahead of the devices.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from queue import SimpleQueue

from grader import gpu as gpu_grader
from grader.facts import Fact, fact
from grader.process import Process, ProcessEnded, python
from quizapp.batch.devices import VISIBLE
from quizapp.batch.gpu_worker import OpenReply, OpenRequest
from quizapp.batch.outcomes import Outcomes
from quizapp.batch.pool import Pool, Worker
from quizapp.batch.values import Job, Result, SubmissionKey
from quizapp.domain.question import Kernel

SECONDS = 300.0
"""For one submission: in the emulator, then on a device whose process may have to be started."""
_OPEN_SECONDS = 90.0
_MODULE = "quizapp.batch.gpu_worker"
_AHEAD = 8
"""Submissions per device that the emulator has passed, and no device has graded."""


class GpuWorker(Worker):
    """A process that grades on one GPU."""

    def __init__(self, device: str = "", host: str = "", module: str = _MODULE) -> None:
        """Nothing is started yet.

        `device`: of this machine, as CUDA_VISIBLE_DEVICES names it. `host`: that has the GPU
        instead; empty: this machine. `module`: whose `main` grades; only tests have another.
        """
        super().__init__(SECONDS)
        self._command = [*python(module), *([host] if host else [])]
        pinned = {} if host else {VISIBLE: device}
        self._environment = {**gpu_grader.passed_on(host or None), **pinned}
        self.name = host or device

    def open(self) -> Fact | None:
        """Start the process, and open its device; return why that fails."""
        with self._lock:
            self._process = self._start()
            try:
                return self._process.ask(OpenRequest(), _OPEN_SECONDS, OpenReply).fault
            except ProcessEnded as error:
                return fact("batch.gpu-ended", how=error.what)

    def _start(self) -> Process:
        return Process(self._command, self._environment)


def open_all(workers: Sequence[GpuWorker]) -> Fact | None:
    """Open all devices at the same time; return why one cannot be."""
    with ThreadPoolExecutor(max(len(workers), 1)) as threads:
        faults = list(threads.map(GpuWorker.open, workers))
    for worker, fault in zip(workers, faults, strict=True):
        if fault is not None:
            return fact("batch.gpu-unusable", device=worker.name, reason=fault)
    return None


class GpuPool(Pool):
    """A process for each of some devices; a `with` ends them."""

    def __init__(self, workers: Sequence[GpuWorker]) -> None:
        super().__init__(len(workers))
        self.workers = tuple(workers)

    def _take_workers(self) -> tuple[Worker, ...]:
        return self.workers


def is_for_gpu(job: Job, result: Result) -> bool:
    """Return True if a GPU judges a submission, too, which the emulator has passed."""
    exercise = job.exercise
    return isinstance(exercise, Kernel) and exercise.gpu is not None and result.status == "passed"


class TwoStages:
    """Grades in the emulator, and on GPUs what that has passed."""

    def __init__(self, emulators: Pool, gpus: GpuPool) -> None:
        self._emulators = emulators
        self._gpus = gpus

    def grade(self, jobs: Iterator[Job]) -> Generator[Result, None, None]:
        """Yield a result for each job, as they are ready; ends the processes when it is closed."""
        run = _Run(_AHEAD * len(self._gpus.workers))
        stages = (
            run.outcomes.start(partial(run.emulate, self._emulators, jobs)),
            run.outcomes.start(partial(run.measure, self._gpus)),
        )
        try:
            yield from run.outcomes.collect()
        finally:
            run.stop()
            for worker in (*self._emulators.workers, *self._gpus.workers):
                worker.stop()
            for stage in stages:
                stage.join()


class _Run:
    """What two stages have in common: the jobs between them, and the results of both."""

    def __init__(self, ahead: int) -> None:
        self._room = threading.Semaphore(ahead)
        self._passed: SimpleQueue[Job | None] = SimpleQueue()
        self.outcomes = Outcomes()
        self._stopped = False

    def emulate(self, pool: Pool, jobs: Iterator[Job]) -> None:
        """Grade all jobs; pass those on that a GPU judges, too."""
        begun: dict[SubmissionKey, Job] = {}

        def remember() -> Iterator[Job]:
            for job in jobs:
                if self._stopped:
                    return
                begun[SubmissionKey(job.student, job.question)] = job
                yield job

        try:
            with closing(pool.grade(remember())) as results:
                for result in results:
                    job = begun.pop(result.key)
                    if not is_for_gpu(job, result):
                        self.outcomes.put(result)
                        continue
                    self._room.acquire()
                    if self._stopped:
                        return
                    self._passed.put(job)
        finally:
            self._passed.put(None)

    def measure(self, pool: GpuPool) -> None:
        """Grade on GPUs what is passed on."""
        with closing(pool.grade(iter(self._passed.get, None))) as results:
            for result in results:
                self._room.release()
                self.outcomes.put(result)

    def stop(self) -> None:
        """Let no stage wait for the other."""
        self._stopped = True
        self._room.release()
        self._passed.put(None)
