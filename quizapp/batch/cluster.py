"""Grades jobs on a Dask cluster, as `pool` does on this machine; the only module that loads Dask.

Dask distributes the work, and runs what a lost worker had on another one. Some jobs per thread of
the cluster are under way at a time, so memory does not grow with their number.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
import warnings
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

from distributed import Client, Future, KilledWorker, Security
from distributed.comm import connect
from msgspec import Struct, json

from grader.facts import Fact, fact
from quizapp.batch import cluster_worker
from quizapp.batch.grading import ungraded
from quizapp.batch.values import Job, Result
from quizapp.domain.errors import EnvironmentProblem

CONNECT_SECONDS = 10.0
"""Until a scheduler must have answered."""
_REACH_SECONDS = 8.0
"""Until there must be a connection; Dask says then why there is none."""
PATIENCE_SECONDS = 120.0
"""How long a cluster may be without workers."""
SCHEDULER = "scheduler"
"""What the scheduler is called beside the addresses of workers."""
_FILE_ENDING = ".json"
"""Of what names a scheduler's file, not its address."""
_AHEAD = 3
"""Jobs per thread of the cluster that are under way."""
_LOOKS = 2.0
"""Seconds between two looks at the cluster's workers."""
_MOST_NAMED = 3
"""Workers in one sentence."""


class Cluster:
    """A connection to a scheduler whose workers can grade; a `with` closes it."""

    def __init__(self, scheduler: str, patience: float = PATIENCE_SECONDS) -> None:
        """Connect.

        Args:
            scheduler: its address (`tcp://host:8786`, `tls://…`), or the file that it wrote.
            patience: seconds that the cluster may be without workers.

        Raises:
            EnvironmentProblem: it does not answer, it has no workers, or quiz is not the same
                everywhere.
        """
        self._scheduler = scheduler
        self._patience = patience
        self._threads = 0
        self._seen = self._looked = 0.0
        """When there were workers, and when that was looked at."""
        self._client = _connect(scheduler)
        try:
            self._check()
        except BaseException:
            self._client.close()
            raise

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        with suppress(OSError):
            self._client.close()

    def grade(self, jobs: Iterator[Job]) -> Generator[Result, None, None]:
        """Yield a result for each job, as they are ready; cancels the others when it is closed.

        Raises:
            EnvironmentProblem: the cluster was lost, or has had no workers for too long.
        """
        run = _Run(self._client)
        try:
            while True:
                self._look()
                for job in islice(jobs, max(_AHEAD * self._threads - len(run.waiting), 0)):
                    run.submit(job)
                if run.waiting:
                    with suppress(Empty):
                        yield self._result(*run.next(_LOOKS))
                elif self._threads:
                    return
        finally:
            run.cancel()

    def _result(self, job: Job, future: Future) -> Result:
        try:
            return json.decode(future.result(), type=Result)
        except KilledWorker as error:
            tries = error.allowed_failures + 1
            return ungraded(job, fact("batch.workers-lost", tries=tries))
        except Exception as error:
            raise self._explain(error) from None

    def _explain(self, error: Exception) -> EnvironmentProblem:
        if self._client.status != "running":
            return EnvironmentProblem(fact("batch.cluster-lost", address=self._scheduler))
        return EnvironmentProblem(fact("batch.cluster-failed", reason=_describe(error)))

    def _look(self) -> None:
        """Count the threads of the cluster now and then.

        Raises:
            EnvironmentProblem: there have been none for too long, or the cluster is lost.
        """
        now = time.monotonic()
        if now - self._looked < _LOOKS:
            return
        self._looked = now
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._explain(error) from None
        if threads:
            self._threads, self._seen = threads, now
        elif now - self._seen > self._patience:
            what = fact("batch.workers-gone", seconds=self._patience)
            raise EnvironmentProblem(what)

    def _check(self) -> None:
        """Compare the versions of quiz.

        Raises:
            EnvironmentProblem: there are no workers, or they differ.
        """
        versions: dict[str, Any] = {SCHEDULER: self._ask_scheduler()}
        workers = self._client.run(cluster_worker.describe_version, on_error="return")
        if not workers:
            raise EnvironmentProblem(fact("batch.no-workers", address=self._scheduler))
        fault = _compare({**versions, **workers})
        if fault is not None:
            raise EnvironmentProblem(fault)

    def _ask_scheduler(self) -> Any:
        try:
            return self._client.run_on_scheduler(cluster_worker.describe_version)
        except Exception as error:  # whatever importing quiz there raised
            return error


class _Run:
    """The jobs of one run that are under way."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._id = uuid.uuid4().hex
        self._count = 0
        self._done: SimpleQueue[Future] = SimpleQueue()
        self._version = cluster_worker.describe_version()
        self.waiting: dict[str, tuple[Job, Future]] = {}

    def submit(self, job: Job) -> None:
        """Have a job graded."""
        key = f"quiz-{self._id}-{self._count}"
        self._count += 1
        future = self._client.submit(
            cluster_worker.grade, json.encode(job), self._version, key=key, pure=False
        )
        self.waiting[key] = job, future
        future.add_done_callback(self._done.put)

    def next(self, seconds: float) -> tuple[Job, Future]:
        """Return a job that is done.

        Raises:
            Empty: none was done in time.
        """
        future = self._done.get(timeout=seconds)
        job, _ = self.waiting.pop(future.key)
        return job, future

    def cancel(self) -> None:
        """Cancel what is under way."""
        futures = [future for _, future in self.waiting.values()]
        if futures:
            with suppress(Exception):  # the scheduler may be gone
                self._client.cancel(futures, force=True)


def _connect(scheduler: str) -> Client:
    """Connect to a scheduler.

    Raises:
        EnvironmentProblem: it does not answer.
    """
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
        what = fact("batch.no-scheduler", address=scheduler, reason=_describe(error))
        raise EnvironmentProblem(what) from None


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
    comm = await connect(address, timeout=_REACH_SECONDS, **options)
    try:
        await comm.write({"op": "identity", "reply": True})
        await comm.read()
    finally:
        comm.abort()


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
