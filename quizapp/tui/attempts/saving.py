"""`Saving`: an answer that is stored while its feedback is read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from quizapp.domain.errors import StoreError
from quizapp.study.values import GradedResponse


class Saving:
    """Stores one answer after the other; whoever goes on waits for it.

    Attributes:
        graded: the answer; None before there is one.
        failed: why it could not be stored; None if it was, or is not yet.
    """

    def __init__(
        self,
        store: Callable[[GradedResponse], Awaitable[None]],
        done: Callable[[StoreError | None, StoreError | None], None],
    ) -> None:
        """Nothing is stored yet.

        `store`: stores an answer, once, however often it is called. `done`: gets why the answer is
        not stored, and why it was not the time before.
        """
        self._store = store
        self._done = done
        self._task: asyncio.Task[None] | None = None
        self.graded: GradedResponse | None = None
        self.failed: StoreError | None = None

    def begin(self, graded: GradedResponse) -> None:
        """Store an answer meanwhile."""
        self.graded = graded
        self._task = asyncio.create_task(self._run(graded))

    async def wait(self) -> bool:
        """Wait until it is known whether the answer is stored; return True unless it is not."""
        if self._task is not None:
            await self._task
        return self.failed is None

    async def retry(self) -> None:
        """Try again to store what could not be stored."""
        if self.failed is not None and self.graded is not None:
            self.begin(self.graded)
            await self.wait()

    def forget(self) -> None:
        """Turn to the next question."""
        self._task = self.graded = self.failed = None

    async def _run(self, graded: GradedResponse) -> None:
        before = self.failed
        try:
            await self._store(graded)
        except StoreError as error:
            self.failed = error
        else:
            self.failed = None
        self._done(self.failed, before)
