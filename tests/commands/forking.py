"""`quiz` in a process forked from one that has loaded it: real, without the 0.3 s of a start.

One server forks for every call. The script that `quiz profile` runs is forked too,
where the program would start a second interpreter. What a start itself decides (`PYTHONPATH`, the
encoding of the streams) needs a start: see `tests.commands.program`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest

from quizapp import cli
from quizapp.report.words import texts
from quizapp.store.store import Store
from tests.compiled_content import compile_once, fill_cache, shipped_deck
from tests.created_database import create_once
from tests.forked_workers import fork_workers, interpret
from tests.precompiled_headers import precompile
from tests.shared_servers import find_server, listen

_MOST_BYTES = 1 << 17
LOADED = (
    "numba",
    "yaml",
    "quizapp.commands.model.profile",
    "quizapp.study.opening",
    "quizapp.deck.compiler",
    "quizapp.commands.questions.grade",
    "quizapp.commands.questions.lint",
    "quizapp.deck.linting.lint",
    "quizapp.report.content.problems",
    "quizapp.report.profile.plain",
    "quizapp.report.profile.text",
    "quizapp.report.verdicts.excerpt",
    "quizapp.report.verdicts.refusals",
    "quizapp.study.overview",
    "quizapp.study.profiling",
    "grader.profiles",
    "grader.simt.host.runner",
    "grader.kernels.worker",
)
"""What the server loads before it forks; what is not here is loaded in each call."""


def call(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], typed: str
) -> subprocess.CompletedProcess[str]:
    """Run `quiz` to its end, as `subprocess.run` would."""
    with tempfile.TemporaryDirectory(prefix="quiz-call-") as files:
        streams = [Path(files, name) for name in ("in", "out", "err")]
        streams[0].write_text(typed, "utf-8")
        status = call_with([*map(str, streams)], arguments, folder, environment)
        out, err = (path.read_text("utf-8") for path in streams[1:])
    return subprocess.CompletedProcess([*arguments], status, out, err)


def call_with(
    streams: Sequence[str], arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> int:
    """Run `quiz` to its end with these files as its standard streams; its status."""
    request = {
        "arguments": [*arguments],
        "folder": str(folder),
        "environment": dict(environment),
        "streams": [*streams],
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        asked.connect(find_server(__name__))
        asked.send(json.dumps(request).encode())
        return int(asked.recv(_MOST_BYTES))


def main(path: str) -> None:
    """Answer requests until there are no more; in each fork, the status of its call."""
    for name in LOADED:
        import_module(name).__doc__  # noqa: B018 - loads a deferred module
    prepare()
    gc.set_threshold(cli.MOST_GARBAGE)
    gc.freeze()
    listen(path, _answer)


def _answer(asking: socket.socket) -> NoReturn:
    """Fork the program, and tell how it ended."""
    request = json.loads(asking.recv(_MOST_BYTES))
    program = os.fork()
    if program == 0:
        asking.close()
        end(serve(request))
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    with suppress(OSError):  # nobody may be left to be told
        asking.send(b"%d" % status)
    os._exit(0)


def prepare() -> None:
    """Compile the shipped deck and headers, and create a database, which each call then repeats."""
    patch = pytest.MonkeyPatch()  # never undone: this process is for nothing else
    compile_once(patch)
    create_once(patch)
    precompile(patch)
    texts("en"), texts("zh")
    with tempfile.TemporaryDirectory(prefix="quiz-prepared-") as folder:
        fill_cache(Path(folder))
        shipped_deck()
        Store.open(Path(folder, "progress.db")).close()


def serve(request: Any) -> int:
    """Be the process that `request` describes."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    files = request["streams"]
    _connect(0, os.open(files[0], os.O_RDONLY | os.O_NOCTTY))
    for number in (1, 2):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOCTTY
        _connect(number, os.open(files[number], flags, 0o600))
    fork_workers(loaded=True)
    subprocess.Popen = _Forking  # type: ignore[misc,assignment]
    return cli.run(request["arguments"])


def _connect(number: int, opened: int) -> None:
    """Make a file one of the three standard streams."""
    os.dup2(opened, number)
    os.close(opened)
    open_stream(number)


def open_stream(number: int) -> None:
    """Make a new `sys.stdin`, `sys.stdout` or `sys.stderr`."""
    name, mode, errors = [
        ("stdin", "r", "strict"), ("stdout", "w", "strict"), ("stderr", "w", "backslashreplace"),
    ][number]  # fmt: skip
    stream = open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
    setattr(sys, name, stream)


_Popen = subprocess.Popen


class _Forking:
    """`Popen`, with a fork for `python -c` of the script's runner; all else is started."""

    def __new__(cls, command: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(command, list) and any("simt.host.runner" in part for part in command):
            return super().__new__(cls)
        return _Popen(command, *arguments, **options)

    def __init__(
        self,
        command: list[str],
        stdout: int | None = None,
        *,
        env: dict[str, str],
        pass_fds: tuple[int, ...],
    ) -> None:
        assert pass_fds  # a fork has them
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            if stdout is not None:
                os.dup2(stdout, 1)
            os.environ.clear()
            os.environ.update(env)
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            _interpret(command[command.index("-c") + 1 :])
        self.returncode: int | None = None

    def __enter__(self) -> _Forking:
        return self

    def __exit__(self, *error: object) -> None:
        self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """The status with which the fork ended."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            found, ended = os.waitpid(self.pid, 0 if end is None else os.WNOHANG)
            if found:
                self.returncode = os.waitstatus_to_exitcode(ended)
            elif end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired("a fork", timeout or 0)
            else:
                time.sleep(0.01)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to the fork."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End the fork."""
        self.send_signal(signal.SIGKILL)


def _interpret(command: list[str]) -> NoReturn:
    """Run code as `python -c` would, and end."""
    subprocess.Popen = _Popen  # type: ignore[misc]
    atexit._clear()  # what the program registered: it would remove its folder
    for number in (0, 1, 2):
        open_stream(number)
    sys.argv = ["-c", *command[1:]]
    sys.path.insert(0, "")
    end(interpret(command[0]))


def end(status: int) -> NoReturn:
    """End as an interpreter does, but for taking apart all that the server has loaded: 0.5 s."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
