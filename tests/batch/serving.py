"""A `quiz grade --serve` of the tests, and clients of it."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from tests.batch.classes import write_pack
from tests.commands.program import Program

SECONDS = 100.0
"""Until a reply must be there, on a machine that does much else."""


class Client:
    """A connection to a server; a `with` closes it."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.settimeout(SECONDS)
        self._lines = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._lines.close()
        self.socket.close()

    def send(self, *requests: dict[str, Any] | bytes) -> None:
        """Send requests, or lines as they are."""
        for request in requests:
            line = request if isinstance(request, bytes) else json.dumps(request).encode()
            self.socket.sendall(line + b"\n")

    def receive(self, count: int = 1) -> list[dict[str, Any]]:
        """Receive that many replies."""
        return [json.loads(self._lines.readline()) for _ in range(count)]

    def receive_all(self) -> list[dict[str, Any]]:
        """Receive replies until the server closes the connection."""
        replies: list[dict[str, Any]] = []
        with suppress(ConnectionResetError):  # it was closed with requests that were not read
            for line in self._lines:
                replies.append(json.loads(line))  # noqa: PERF401 - keeps what came before the error
        return replies

    def ask(self, *requests: dict[str, Any] | bytes) -> dict[Any, dict[str, Any]]:
        """Send requests; return their replies by id."""
        self.send(*requests)
        return {reply["id"]: reply for reply in self.receive(len(requests))}

    def is_closed(self) -> bool:
        """Return True if the server has closed it and there are no more replies."""
        return self._lines.readline() == b""


class Running(NamedTuple):
    """A server that runs."""

    path: Path
    process: subprocess.Popen[str]

    def connect(self) -> Client:
        """Connect to it."""
        return Client(self.path)


@contextmanager
def serve(folder: Path, *options: str) -> Iterator[Running]:
    """Start a server whose home has the pack of `classes`, and wait until it listens."""
    quiz = Program(folder, {})
    write_pack(quiz.home / "content")
    path = folder / "quiz.sock"
    with quiz.start("grade", "--serve", path, *options) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert "listening on" in said, said + process.stderr.read()
        try:
            yield Running(path, process)
        finally:
            process.kill()


def request(id_: int | str, source: str, **others: Any) -> dict[str, Any]:
    """Make a request for the kernel of the pack."""
    return {"v": 1, "id": id_, "question": "double", "source": source, **others}


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
