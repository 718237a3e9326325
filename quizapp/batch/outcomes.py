"""What threads that grade hand to the one that waits for them: results, errors, and their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from quizapp.batch.values import Result


class _Failed(NamedTuple):
    """A thread ended by an error, which is the caller's."""

    error: BaseException


class Outcomes:
    """The results of some threads, in the order in which they come."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Result | _Failed | None] = SimpleQueue()
        self._running = 0

    def put(self, result: Result) -> None:
        """Hand over a result; from any thread."""
        self._queue.put(result)

    def start(self, work: Callable[[], None]) -> Thread:
        """Run something in a thread of its own."""
        self._running += 1
        thread = Thread(target=self._run, args=(work,), daemon=True)
        thread.start()
        return thread

    def collect(self) -> Iterator[Result]:
        """Yield the results until all threads have ended; raise the error of one."""
        while self._running:
            match self._queue.get():
                case None:
                    self._running -= 1
                case _Failed(error):
                    raise error
                case result:
                    yield result

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._queue.put(_Failed(error))
        finally:
            self._queue.put(None)
