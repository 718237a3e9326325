"""One connection of the server: its lines in, its replies out, and how many may be under way.

A client that does not read its replies is not read from, so it holds up nobody but itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from quizapp.batch.serving.protocol import MOST_LINE

READ_AHEAD = 64 << 10
"""Bytes that are read before they are needed, per connection; asyncio reads up to twice as many."""

Take = Callable[[bytes | None], Awaitable[None]]
"""Takes a line, None for one that is too long; `Client.reply` is called in the end, also if
`take` is cancelled."""


class Client:
    """A connection.

    Attributes:
        gone: true if it gets no more replies, so that none needs to be worked out.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int
    ) -> None:
        """Nothing is read yet.

        `most`: how many of its requests may have no reply that it has read.
        """
        self.gone = False
        self._reader = reader
        self._writer = writer
        self._most = most
        self._room = asyncio.Semaphore(most)
        self._replies: asyncio.Queue[bytes] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def converse(self, take: Take) -> None:
        """Read lines until the last, send a reply to each, and close the connection."""
        self._reading = asyncio.create_task(self._read(take))
        tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._finish())]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            self.gone = True
            for task in (self._reading, *tasks):
                task.cancel()
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()

    def reply(self, line: bytes) -> None:
        """Send the reply to a line, once the client has read those before it."""
        self._replies.put_nowait(line)

    def stop_reading(self) -> None:
        """Read no more lines; those that were read are still answered."""
        if self._reading is not None:
            self._reading.cancel()

    def abort(self) -> None:
        """Close the connection without waiting for the client."""
        self._writer.transport.abort()

    async def _read(self, take: Take) -> None:
        """Take each line once there is room for its reply."""
        while True:
            await self._room.acquire()
            line: bytes | None = b""
            try:
                line = await self._read_line()
            finally:
                if line == b"":  # nothing needs a reply
                    self._room.release()
            if line == b"":
                return
            await take(line)

    async def _read_line(self) -> bytes | None:
        """Read a line with its end; nothing at the end of all, None if it is too long."""
        line = bytearray()
        too_long = ended = False
        while not ended:
            try:
                line += await self._reader.readuntil(b"\n")
                ended = True
            except asyncio.LimitOverrunError as error:  # its first part
                line += await self._reader.readexactly(error.consumed)
            except asyncio.IncompleteReadError as error:
                line += error.partial
                ended = True
            except OSError:
                return b""
            if len(line) > MOST_LINE:
                too_long = True
                line.clear()
        return None if too_long else bytes(line)

    async def _send(self) -> None:
        """Send replies as they come, until the client is gone."""
        with suppress(OSError):
            while True:
                self._writer.write(await self._replies.get())
                await self._writer.drain()
                self._room.release()

    async def _finish(self) -> None:
        """Wait until there are no more lines, and each has its reply."""
        assert self._reading is not None
        with suppress(asyncio.CancelledError):
            await asyncio.wait([self._reading])
        if not self._reading.cancelled():
            self._reading.result()
        for _ in range(self._most):
            await self._room.acquire()
