"""Grades jobs on a Dask cluster, as `pool` does on this machine; the only module that loads Dask.

Dask distributes the work, and runs what a lost worker had on another one. A task has several jobs,
since Dask needs 6 ms of a core per task; with a hard exercise, and toward the end, it has one. Some
tasks per thread of the cluster are under way at a time, so memory does not grow with the number of
jobs.

Dask gives up a task after some of its workers were lost, whatever they were lost by, and whether or
not they had begun it. Its jobs are then graded one by one; what is lost again is graded at the end,
when nothing else is under way: in a process of this machine, or where it needs a GPU on the
cluster. A job has no verdict only if those are lost as well.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import time
import uuid
import warnings
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

from distributed import Client, Future, KilledWorker, Security
from distributed.comm import CommClosedError, connect, get_address_host_port, parse_address
from msgspec import DecodeError, Struct, json

from grader.facts import Fact, fact
from quizapp.batch import cluster_worker
from quizapp.batch.gpu_pool import is_for_gpu
from quizapp.batch.grading import is_lost, ungraded
from quizapp.batch.pool import Worker
from quizapp.batch.values import Job, Result
from quizapp.domain.errors import EnvironmentProblem
from quizapp.system import os_errors

CONNECT_SECONDS = 10.0
"""Until a scheduler must have answered."""
_REACH_SECONDS = 8.0
"""Until there must be a connection; Dask says then why there is none."""
_REFUSED_SECONDS = 1.5
"""Until something must listen; a scheduler that starts may need a moment."""
_PAUSE = 0.2
"""Seconds before that is looked at again."""
PATIENCE_SECONDS = 120.0
"""How long a cluster may be without workers."""
SCHEDULER = "scheduler"
"""What the scheduler is called beside the addresses of workers."""
_FILE_ENDING = ".json"
"""Of what names a scheduler's file, not its address."""
_AHEAD = 2
"""Tasks per thread of the cluster that are under way."""
_TOGETHER = 4
"""Jobs of a task, at most, of the easiest exercises; of others one less for each step, since they
take longer: by difficulties 1 to 5 of 300, 0.02, 0.1, 0.1, 0.1, and 1.0 s."""
_AHEAD_GPU = 8
"""Per GPU: submissions that the emulator has passed, and no GPU has graded."""
_FETCH_SECONDS = 20.0
"""Until results have come from the worker that has them; if it was lost, they come later."""
_LOST_ALONE = 4
"""Workers that were lost while nothing but a submission was under way: it is to blame."""
GPU = "GPU"
"""What a worker with a GPU has as a Dask resource: `dask worker --resources GPU=1`."""
_LOOKS = 2.0
"""Seconds between two looks at the cluster's workers."""
_MOST_NAMED = 3
"""Workers in one sentence."""


class _Members(NamedTuple):
    """The workers of a cluster.

    Attributes:
        threads: of all.
        without_gpu: addresses of those that have none.
        gpus: how many the others have, by address.
    """

    threads: int
    without_gpu: tuple[str, ...]
    gpus: Mapping[str, int]


class Cluster:
    """A connection to a scheduler whose workers can grade; a `with` closes it."""

    def __init__(
        self, scheduler: str, *, gpu: bool = False, patience: float = PATIENCE_SECONDS
    ) -> None:
        """Connect.

        `scheduler`: its address (`tcp://host:8786`, `tls://…`), or the file that it wrote.
        `patience`: seconds that the cluster may be without workers.

        Raises EnvironmentProblem: it does not answer, it has no workers or no GPUs, or quiz is not
        the same everywhere.
        """
        self._scheduler = scheduler
        self._patience = patience
        self._gpu = gpu
        self._members = _Members(0, (), {})
        self._seen = self._looked = 0.0
        """When there were workers, and when that was looked at."""
        self._client = _connect(scheduler)
        try:
            self._check()
            if gpu:
                self._open_gpus()
        except BaseException:
            self._client.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with suppress(OSError):
            self._client.close()

    def grade(self, jobs: Iterator[Job]) -> Generator[Result, None, None]:
        """Yield a result for each job, as they are ready; cancels the others when it is closed.

        Raises EnvironmentProblem: the cluster was lost, or has had no workers for too long.
        """
        run, portions = _Run(self._client), Portions(jobs)
        try:
            with Worker() as here:
                while True:
                    self._look()
                    slots = _AHEAD * max(self._members.threads, 1)
                    elsewhere = self._members.without_gpu if self._gpu else ()
                    while self._has_room(run, slots) and (portion := portions.take(slots)):
                        run.submit(_Task(portion), elsewhere)
                    if run.waiting:
                        with suppress(Empty):
                            yield from self._take_up(run, *run.next(_LOOKS))
                    elif not run.aside:
                        return
                    elif (task := run.aside.popleft()).gpu:
                        run.submit(task)
                    else:
                        for job in task.jobs:
                            yield from self._pass_on(run, job, here.grade(job))
        finally:
            run.cancel()

    def _has_room(self, run: _Run, slots: int) -> bool:
        """Return True if another task may be under way; not while many wait for GPUs."""
        if run.measured > _AHEAD_GPU * sum(self._members.gpus.values()) > 0:
            return False
        return len(run.waiting) < slots

    def _take_up(self, run: _Run, task: _Task, future: Future) -> Iterator[Result]:
        """Yield the results of a task that is done, and see to its jobs that have none."""
        try:
            found = future.result(_FETCH_SECONDS)
        except KilledWorker as error:
            yield from run.do_again(task, error.allowed_failures + 1)
            return
        except Exception as error:
            if not isinstance(error, TimeoutError) or future.status == "error":
                raise self._explain(error) from None
            run.wait_for(task, future)  # the worker that had the results was lost
            return
        for job, encoded in zip(task.jobs, found, strict=True):
            result = json.decode(encoded, type=Result)
            if task.gpu:
                yield result
            elif is_lost(result):
                run.aside.append(_Task([job]))
            else:
                yield from self._pass_on(run, job, result)

    def _pass_on(self, run: _Run, job: Job, result: Result) -> Iterator[Result]:
        """Yield what the emulator says, unless it is a GPU's turn."""
        if self._gpu and is_for_gpu(job, result):
            run.submit(_Task([job], gpu=True))
        else:
            yield result

    def _explain(self, error: Exception) -> EnvironmentProblem:
        # The client notices only some time after a call has failed.
        if self._client.status != "running" or isinstance(error, CommClosedError):
            return EnvironmentProblem(fact("batch.cluster-lost", address=self._scheduler))
        return EnvironmentProblem(fact("batch.cluster-failed", reason=_describe(error)))

    def _look(self) -> None:
        """Count the threads of the cluster now and then.

        Raises EnvironmentProblem: there have been none for too long, or the cluster is lost.
        """
        now = time.monotonic()
        if now - self._looked < _LOOKS:
            return
        self._looked = now
        try:
            members = _members(self._client)
        except Exception as error:
            raise self._explain(error) from None
        if members.threads:
            self._members, self._seen = members, now
        elif now - self._seen > self._patience:
            what = fact("batch.workers-gone", seconds=self._patience)
            raise EnvironmentProblem(what)

    def _check(self) -> None:
        """Compare the versions of quiz.

        Raises EnvironmentProblem: there are no workers, or they differ.
        """
        versions: dict[str, Any] = {SCHEDULER: self._ask_scheduler()}
        workers = self._client.run(cluster_worker.describe_version, on_error="return")
        if not workers:
            raise EnvironmentProblem(fact("batch.no-workers", address=self._scheduler))
        fault = _compare({**versions, **workers})
        if fault is not None:
            raise EnvironmentProblem(fault)

    def _open_gpus(self) -> None:
        """Have the workers take their GPUs.

        Raises EnvironmentProblem: no worker has one, or one cannot be used.
        """
        gpus = _members(self._client).gpus
        if not gpus:
            raise EnvironmentProblem(fact("batch.no-gpu-workers", address=self._scheduler))
        found = self._client.run(
            cluster_worker.open_gpus, gpus, workers=list(gpus), on_error="return"
        )
        for worker, fault in found.items():
            if isinstance(fault, Exception):
                raise self._explain(fault)
            if fault is not None:
                raise EnvironmentProblem(fact("batch.gpu-worker", worker=worker, reason=fault))

    def _ask_scheduler(self) -> Any:
        try:
            return self._client.run_on_scheduler(cluster_worker.describe_version)
        except Exception as error:  # whatever importing quiz there raised
            return error


def _members(client: Client) -> _Members:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    gpus = {address: int(worker["resources"].get(GPU, 0)) for address, worker in workers.items()}
    return _Members(
        sum(worker["nthreads"] for worker in workers.values()),
        tuple(address for address, count in gpus.items() if not count),
        {address: count for address, count in gpus.items() if count},
    )


class Portions:
    """Jobs, some at a time: fewer of long ones and toward the end, so that no thread idles."""

    def __init__(self, jobs: Iterator[Job]) -> None:
        self._jobs = jobs
        self._ready: deque[Job] = deque()

    def take(self, slots: int) -> list[Job]:
        """Take the jobs of one task; none if there are no more.

        `slots`: how many tasks are under way at a time.
        """
        self._ready.extend(islice(self._jobs, max(slots * _TOGETHER - len(self._ready), 0)))
        if not self._ready:
            return []
        most = max(_TOGETHER + 1 - self._ready[0].exercise.difficulty, 1)
        many = min(-(-len(self._ready) // slots), most)
        return [self._ready.popleft() for _ in range(many)]


class _Task(NamedTuple):
    """What a worker does without a pause.

    Attributes:
        jobs: graded one after the other.
        gpu: on a GPU, after the emulator.
        lost: workers, while nothing else was under way; None: something was.
    """

    jobs: Sequence[Job]
    gpu: bool = False
    lost: int | None = None


class _Run:
    """The tasks of one run: those that are under way, and those set aside until none is."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._id = uuid.uuid4().hex
        self._count = 0
        self._done: SimpleQueue[Future] = SimpleQueue()
        self._version = cluster_worker.describe_version()
        self.waiting: dict[str, tuple[_Task, Future]] = {}
        self.aside: deque[_Task] = deque()
        self.measured = 0
        """How many of them are on GPUs, or wait for one."""

    def submit(self, task: _Task, elsewhere: Sequence[str] = ()) -> None:
        """Have a task done; `elsewhere`: by one of these workers, if they can."""
        key = f"quiz-{self._id}-{self._count}"
        self._count += 1
        future = self._client.submit(
            cluster_worker.grade, [*map(json.encode, task.jobs)], self._version, task.gpu,
            key=key, pure=False, priority=int(task.gpu),
            **({"resources": {GPU: 1}} if task.gpu else {}),
            **({"workers": list(elsewhere), "allow_other_workers": True} if elsewhere else {}),
        )  # fmt: skip
        self.wait_for(task, future)

    def wait_for(self, task: _Task, future: Future) -> None:
        """Have `next` return a task once it is done."""
        self.waiting[future.key] = task, future
        self.measured += task.gpu
        future.add_done_callback(self._done.put)

    def next(self, seconds: float) -> tuple[_Task, Future]:
        """Return a task that is done. Raises Empty: none was done in time."""
        future = self._done.get(timeout=seconds)
        task, _ = self.waiting.pop(future.key)
        self.measured -= task.gpu
        return task, future

    def do_again(self, task: _Task, lost: int) -> Iterator[Result]:
        """Have done again what lost so many workers; yield the result of what is to blame."""
        alone = 0 if task.lost is None else task.lost + lost
        if len(task.jobs) > 1:
            for job in task.jobs:
                self.submit(_Task([job]))
        elif alone < _LOST_ALONE:
            self.aside.append(task._replace(lost=alone))
        else:
            [job] = task.jobs
            yield ungraded(job, fact("batch.workers-lost", tries=alone))

    def cancel(self) -> None:
        """Cancel what is under way."""
        futures = [future for _, future in self.waiting.values()]
        if futures:
            with suppress(Exception):  # the scheduler may be gone
                self._client.cancel(futures, force=True)


def _connect(scheduler: str) -> Client:
    """Connect to a scheduler. Raises EnvironmentProblem: it does not answer."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # its errors are reported here
    for name in ("distributed.client", "distributed.core", "distributed.batched"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        address = _read_address(scheduler)
        # First without a client: one that fails to connect takes half a minute to close.
        asyncio.run(asyncio.wait_for(_ask_identity(address), CONNECT_SECONDS))
        with warnings.catch_warnings():
            # Other versions of packages than quiz work as long as they understand each other.
            warnings.simplefilter("ignore")
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # of a file, a socket, TLS, an address that is none
        what = fact("batch.no-scheduler", address=scheduler, reason=_explain_silence(error))
        raise EnvironmentProblem(what) from None


def _explain_silence(error: Exception) -> Fact | str:
    """Say why there is no connection."""
    if isinstance(error, DecodeError):
        return fact("batch.not-a-scheduler-file")
    if isinstance(error, TimeoutError):
        return fact("batch.silent-scheduler", seconds=CONNECT_SECONDS)
    if isinstance(error, OSError) and error.errno:
        return os_errors.system_reason(error)
    return _describe(error)


def _read_address(scheduler: str) -> str:
    """Return the address of a scheduler, which may have written it to a file."""
    if not scheduler.endswith(_FILE_ENDING):
        return scheduler
    return json.decode(Path(scheduler).read_bytes(), type=_SchedulerFile).address


class _SchedulerFile(Struct):
    """What `dask scheduler --scheduler-file FILE` writes, as far as it is needed."""

    address: str


async def _ask_identity(address: str) -> None:
    """Ask a scheduler something; what is no scheduler does not answer."""
    options = Security().get_connection_args("client")
    if parse_address(address)[0] == "tcp":
        await _check_listens(*get_address_host_port(address))
    comm = await connect(address, timeout=_REACH_SECONDS, **options)
    try:
        await comm.write({"op": "identity", "reply": True})
        await comm.read()
    finally:
        comm.abort()


async def _check_listens(host: str, port: int) -> None:
    """Check that something listens, since Dask asks again and again until its time is over.

    Raises ConnectionRefusedError: nothing does.
    """
    until = time.monotonic() + _REFUSED_SECONDS
    while True:
        try:
            _, writer = await asyncio.open_connection(host, port)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise ConnectionRefusedError(errno.ECONNREFUSED, "") from None
        except OSError:
            return  # Dask says why
        else:
            writer.close()
            return
        await asyncio.sleep(_PAUSE)


def _compare(versions: Mapping[str, Any]) -> Fact | None:
    """Say which members of the cluster cannot grade; None if all can."""
    failed = {where: found for where, found in versions.items() if isinstance(found, Exception)}
    if failed:
        reason = _describe(next(iter(failed.values())))
        return fact("batch.quiz-missing", where=_name(failed), n=len(failed), reason=reason)
    here = cluster_worker.describe_version()
    others = {where: found for where, found in versions.items() if found != here}
    if others:
        there = str(next(iter(others.values())))
        return fact(
            "batch.quiz-differs", where=_name(others), n=len(others), there=there, here=here
        )
    return None


def _name(members: Mapping[str, Any]) -> tuple[str, ...]:
    names = sorted(members)
    return (*names[:_MOST_NAMED], *(["…"] if len(names) > _MOST_NAMED else []))


def _describe(error: BaseException) -> str:
    """Return the first line of an error; its cause, where Dask only says that something failed."""
    while isinstance(error.__cause__, Exception):
        error = error.__cause__
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
