"""Takes requests from many connections, and has them graded by warm processes, one each at a time.

Requests wait in one short line, in which each connection has at most one that is not yet taken
up, so none is served at the cost of another; nobody is read from while it is full.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from grader.facts import fact
from quizapp.batch.exercises import Exercises
from quizapp.batch.gpu_pool import is_for_gpu
from quizapp.batch.grading import ungraded
from quizapp.batch.pool import Stopped, Worker
from quizapp.batch.serving import protocol
from quizapp.batch.serving.client import READ_AHEAD, Client
from quizapp.batch.serving.protocol import RefusedRequest, ServeRequest
from quizapp.batch.values import Job
from quizapp.domain.question import Language
from quizapp.system import logs

MOST_CLIENTS = 256
"""Connections at the same time."""
_LEAST_UNREAD = 32
_UNREAD_PER_WORKER = 4
"""Requests of a connection that have no reply that it has read."""
_WAITING_PER_WORKER = 2
"""Requests of all connections that wait for a process."""
_LINGER = 5.0
"""Seconds at the end for clients to read their last replies."""
_STOPPING = fact("serve.stopping")


class _Task(NamedTuple):
    """A request that can be graded, and whose it is."""

    client: Client
    request: ServeRequest
    job: Job


class _Stage:
    """Processes that grade the same way, and the requests that wait for one of them."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = workers
        self.free = list(workers)
        self.waiting: asyncio.Queue[_Task | None] = asyncio.Queue(
            _WAITING_PER_WORKER * len(workers)
        )

    async def close(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Wait until what is taken up is graded; `tasks` take it up."""
        for _ in tasks:
            await self.waiting.put(None)
        await asyncio.gather(*tasks)


class Server:
    """Grades for its connections until it is stopped."""

    def __init__(
        self,
        exercises: Exercises,
        workers: Sequence[Worker],
        gpus: Sequence[Worker],
        seed: int,
        said_in: Language,
    ) -> None:
        """Nothing is started yet.

        `gpus`: they grade what has passed and has a part for a GPU, once more; may be none. `seed`:
        of the inputs that no submission knows, where a request names none.
        """
        self.served = 0
        self._exercises = exercises
        self._seed = seed
        self._said_in = said_in
        self._emulators = _Stage(workers)
        self._gpus = _Stage(gpus)
        self._most_unread = max(_LEAST_UNREAD, _UNREAD_PER_WORKER * len(workers))
        self._stopping = asyncio.Event()
        self._clients: dict[asyncio.Task[None], Client] = {}

    async def serve(self, listening: socket.socket) -> None:
        """Serve whoever connects until `stop` is called, then answer what was read."""
        emulating, measuring = (
            [asyncio.create_task(self._grade_requests(stage)) for _ in stage.workers]
            for stage in (self._emulators, self._gpus)
        )
        server = await asyncio.start_unix_server(self._meet, sock=listening, limit=READ_AHEAD)
        await self._stopping.wait()
        server.close()
        for client in self._clients.values():
            client.stop_reading()
        while not self._emulators.waiting.empty():
            task = self._emulators.waiting.get_nowait()
            assert task is not None
            self._refuse(task.client, RefusedRequest(task.request.id, _STOPPING))
        await self._emulators.close(emulating)
        await self._gpus.close(measuring)
        if self._clients:
            await asyncio.wait(list(self._clients), timeout=_LINGER)
        for client in self._clients.values():
            client.abort()

    def stop(self) -> None:
        """Finish what is being graded, and end; called again, do not wait for that."""
        if self._stopping.is_set():
            for worker in (*self._emulators.workers, *self._gpus.workers):
                worker.stop()
        self._stopping.set()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        client = Client(reader, writer, self._most_unread)
        if self._stopping.is_set() or len(self._clients) >= MOST_CLIENTS:
            what = fact("serve.too-many", most=MOST_CLIENTS)
            why = _STOPPING if self._stopping.is_set() else what
            writer.write(self._encode_refusal(RefusedRequest(None, why)))
            writer.close()
            return
        this = asyncio.current_task()
        assert this is not None
        self._clients[this] = client

        async def take(line: bytes | None) -> None:
            await self._take(client, line)

        try:
            await client.converse(take)
        finally:
            del self._clients[this]

    async def _take(self, client: Client, line: bytes | None) -> None:
        """Have a line graded, once there is room, or refuse it."""
        try:
            request = protocol.read_request(line)
            task = _Task(client, request, self._make_job(request))
        except RefusedRequest as refused:
            self._refuse(client, refused)
            return
        try:
            await self._emulators.waiting.put(task)
        except asyncio.CancelledError:
            self._refuse(client, RefusedRequest(request.id, _STOPPING))
            raise

    def _make_job(self, request: ServeRequest) -> Job:
        """Make a request's job. Raises Refused: there is no such exercise."""
        found = self._exercises.find(request.question, request.language)
        if found.exercise is None:
            assert found.fault is not None
            raise RefusedRequest(request.id, found.fault, found.hint)
        return Job(
            student="",
            question=found.id,
            file="",
            exercise=found.exercise,
            author=found.author,
            language=request.language,
            source=request.source,
            seed=self._seed if request.seed is None else request.seed,
            said_in=self._said_in,
        )

    def _refuse(self, client: Client, refused: RefusedRequest) -> None:
        client.reply(self._encode_refusal(refused))

    def _encode_refusal(self, refused: RefusedRequest) -> bytes:
        return protocol.encode(protocol.refuse(refused, self._said_in))

    async def _grade_requests(self, stage: _Stage) -> None:
        """Have requests graded, one after the other, by the process that was used last."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:
            while (task := await stage.waiting.get()) is not None:
                if task.client.gone:
                    continue
                worker = stage.free.pop()
                line = await loop.run_in_executor(thread, self._answer, worker, task, stage)
                stage.free.append(worker)
                if line is None:
                    await self._gpus.waiting.put(task)
                    continue
                self.served += 1
                task.client.reply(line)

    def _answer(self, worker: Worker, task: _Task, stage: _Stage) -> bytes | None:
        """Grade a request, in a thread; return its reply, or None if it is a GPU's turn."""
        try:
            result = worker.grade(task.job)
        except Stopped:
            return self._encode_refusal(RefusedRequest(task.request.id, _STOPPING))
        except Exception as error:  # such as no memory for another process: the next may do better
            logs.failure(error)
            result = ungraded(task.job, fact("serve.failed", kind=type(error).__name__))
        if stage is self._emulators and self._gpus.workers and is_for_gpu(task.job, result):
            return None
        return protocol.encode(protocol.reply_to(task.request, result, task.job.seed))


def serve_until_stopped(server: Server, listening: socket.socket) -> None:
    """Serve until SIGTERM or Ctrl-C; a second one ends what is being graded."""

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, server.stop)
        await server.serve(listening)

    asyncio.run(serve())
