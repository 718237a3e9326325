"""Grades jobs in processes of this machine: some threads, each with a warm process of its own.

A submission can do no harm but to its own process, which is then replaced. Jobs are taken as
they are needed, so memory does not grow with their number. Results come as they are ready.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, repeat

from grader.facts import fact
from grader.process import Process, ProcessEnded, ProcessOwner, ProcessSlow, python
from quizapp.batch.grading import is_lost, ungraded
from quizapp.batch.outcomes import Outcomes
from quizapp.batch.values import Job, Result
from quizapp.batch.worker import JobRequest, ResultReply

SECONDS = 120.0
"""For one submission, with what works out known mistakes: 0.3 s when all is well."""
MOST_RESULT = 16 << 20
"""Bytes of one result; most have some 10 KB."""
_TOGETHER, _ALONE = 2, 2
"""Times that a submission whose process is lost is graded: first beside others, then alone, since
others may be to blame, or the memory that all need together."""
_AHEAD = 2
"""Jobs per process that are under way or wait to be written."""


class Stopped(Exception):
    """The worker was stopped meanwhile."""


class Turns:
    """Whose turn it is on one machine: several threads have something graded, or one alone.

    Submissions that need too much memory together may fit one at a time.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = self._alone = 0
        """How many have a turn; how many have or await one alone: nobody else begins first."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Have a turn beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._taken += 1
        try:
            yield
        finally:
            self._end()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have a turn that nobody else has."""
        with self._changed:
            self._alone += 1
            self._changed.wait_for(lambda: not self._taken)
            self._taken += 1
        try:
            yield
        finally:
            self._end(alone=1)

    def _end(self, alone: int = 0) -> None:
        with self._changed:
            self._taken -= 1
            self._alone -= alone
            self._changed.notify_all()


class Worker(ProcessOwner):
    """One process that grades, started when it is first needed and replaced when it is lost."""

    def __init__(self, seconds: float = SECONDS, turns: Turns | None = None) -> None:
        """Nothing is started yet.

        `seconds`: the most that one submission may take. `turns`: of those that grade beside this
        one; None: of nobody else.
        """
        super().__init__()
        self._seconds = seconds
        self._turns = turns or Turns()
        self._stopped = False

    @property
    def process_id(self) -> int:
        """Of the process; 0 if there is none."""
        return self._process.id if self._process is not None else 0

    def grade(self, job: Job) -> Result:
        """Grade a submission; again if a process is lost, at last while nothing else is graded.

        Raises Stopped: by `stop`.
        """
        turns = chain(repeat(self._turns.together, _TOGETHER), repeat(self._turns.alone, _ALONE))
        for turn in turns:
            with turn():
                result = self._try(job)
            if not is_lost(result):
                break
        return result

    def stop(self) -> None:
        """End the process, and what it grades; it grades nothing more. From any thread."""
        self._stopped = True
        self.cancel()

    def _try(self, job: Job) -> Result:
        try:
            return self._ask(job)
        except ProcessSlow:
            return ungraded(job, fact("batch.slow", seconds=self._seconds))
        except ProcessEnded as error:
            return ungraded(job, fact("batch.lost", tries=_TOGETHER + _ALONE, how=error.what))

    def _ask(self, job: Job) -> Result:
        with self._lock:
            self._go_on()
            if self._process is None or not self._process.alive:
                self._drop()
                self._process = self._start()
            self._go_on()  # `stop` may have met no process
            try:
                request = JobRequest(job=job)
                reply = self._process.ask(request, self._seconds, ResultReply, MOST_RESULT)
            except ProcessEnded:
                self._go_on()
                raise
        return reply.result

    def _start(self) -> Process:
        return Process(python("quizapp.batch.worker"))

    def _go_on(self) -> None:
        """End the thread here if `stop` was called."""
        if self._stopped:
            raise Stopped


class Pool:
    """Some processes that grade; `workers` are those of the present run."""

    def __init__(self, processes: int, seconds: float = SECONDS) -> None:
        """Nothing is started yet.

        `processes`: how many grade at the same time. `seconds`: the most that one submission may
        take.
        """
        self._processes = processes
        self._seconds = seconds
        self.workers: tuple[Worker, ...] = ()

    def grade(self, jobs: Iterator[Job]) -> Generator[Result, None, None]:
        """Yield a result for each job, as they are ready; ends the processes when it is closed."""
        self.workers = self._take_workers()
        outcomes = Outcomes()
        room = threading.Semaphore(_AHEAD * len(self.workers))
        feed = _Feed(jobs, room)
        threads = [
            outcomes.start(partial(_work, worker, feed, outcomes)) for worker in self.workers
        ]
        try:
            for result in outcomes.collect():
                room.release()
                yield result
        finally:
            feed.stop()
            for worker in self.workers:
                worker.stop()
            room.release(len(threads))
            for thread, worker in zip(threads, self.workers, strict=True):
                thread.join()
                worker.close()

    def _take_workers(self) -> tuple[Worker, ...]:
        turns = Turns()
        return tuple(Worker(self._seconds, turns) for _ in range(self._processes))


class _Feed:
    """Jobs for several threads, no more at a time than there is room for."""

    def __init__(self, jobs: Iterator[Job], room: threading.Semaphore) -> None:
        self._jobs = jobs
        self._room = room
        self._lock = threading.Lock()
        self._stopped = False

    def take(self) -> Job | None:
        """Return the next job, once there is room for its result; None after the last."""
        self._room.acquire()
        with self._lock:
            return None if self._stopped else next(self._jobs, None)

    def stop(self) -> None:
        """Give out no more."""
        self._stopped = True


def _work(worker: Worker, feed: _Feed, outcomes: Outcomes) -> None:
    """Grade until there are no more jobs."""
    with suppress(Stopped):
        while (job := feed.take()) is not None:
            outcomes.put(worker.grade(job))
