"""`quiz grade --serve`: requests a second over one connection, and memory after thousands of them.

`python -m bench.serving N` sends N requests to two processes: solutions, starters and known
mistakes of the shipped questions in both languages, some of them endless, some that are no code.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from bench.batch import draw_jobs, make_class
from bench.data import Data
from bench.figures import Figure, note
from quizapp.batch.values import Job

REQUESTS = 300
PROCESSES = 2
_FIRST = 0.2
"""The part of the requests after which memory is measured first: caches are full by then."""
_MORE_LIMIT = 4.0
"""MB that the server itself may take more at the end than then."""


def measure(data: Data | None, repeat: int = 1, requests: int = REQUESTS) -> list[Figure]:
    """Requests a second, and how much more memory the processes take at the end."""
    del data, repeat
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        jobs = draw_jobs(make_class(Path(folder)).jobs(), requests)
        with _serve(Path(folder) / "s") as (server, connection):
            early, late, seconds = _ask(connection, jobs, server)
    rate = f"{requests:,} requests, {PROCESSES} processes, one connection"
    grew = [f"{first:.0f} → {last:.0f} MB" for first, last in zip(early, late, strict=True)]
    more = f"server after {requests:,} requests, beyond after {int(_FIRST * requests):,}"
    whole = "all processes then, beyond"
    return [
        Figure("serving", rate, requests / seconds, None, "/s", f"{seconds:.0f} s"),
        Figure("serving", more, late[0] - early[0], _MORE_LIMIT, "MB", grew[0]),
        Figure("serving", whole, sum(late) - sum(early), None, "MB", "; ".join(grew[1:])),
    ]


@contextmanager
def _serve(path: Path) -> Iterator[tuple[int, socket.socket]]:
    """Start a server, connect to it, and end it."""
    command = [sys.executable, "-m", "quizapp", "grade", "--serve", str(path)]
    with (
        subprocess.Popen(
            [*command, "--jobs", str(PROCESSES)], stderr=subprocess.PIPE, env=os.environ
        ) as server,
        socket.socket(socket.AF_UNIX) as connection,
    ):
        assert server.stderr is not None
        server.stderr.readline()  # it listens
        connection.connect(str(path))
        try:
            yield server.pid, connection
        finally:
            server.terminate()


def _ask(
    connection: socket.socket, jobs: Sequence[Job], server: int
) -> tuple[list[float], list[float], float]:
    """Send all as requests; return memory by process, early and at the end, and the seconds."""
    threading.Thread(target=_send, args=(connection, jobs), daemon=True).start()
    early: list[float] = []
    began = perf_counter()
    with connection.makefile("rb") as replies:
        for done in range(1, len(jobs) + 1):
            status = json.loads(replies.readline())["status"]
            assert status in ("passed", "failed", "ungraded"), status
            note(f"  {done} of {len(jobs)}")
            if done == int(_FIRST * len(jobs)):
                early = _memory(server)
    took = perf_counter() - began
    return early, _memory(server), took


def _send(connection: socket.socket, jobs: Sequence[Job]) -> None:
    for number, job in enumerate(jobs):
        request = {
            "v": 1,
            "id": number,
            "question": job.question,
            "source": job.source,
            "language": job.language,
        }
        connection.sendall(json.dumps(request).encode() + b"\n")


def _memory(process: int) -> list[float]:
    """Return the MB that a process and those below it have, it first."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    own = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    tasks = sorted(Path(f"/proc/{process}/task").iterdir())
    below = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [int(own.split()[1]) / 1024, *(mb for child in sorted(below) for mb in _memory(child))]


if __name__ == "__main__":
    from bench.__main__ import table

    print(table([(figure, 0.0) for figure in measure(None, requests=int(sys.argv[1]))]))
