"""The grader's processes forked from one that has loaded them: 10 ms each instead of 250.

The tests start some 600 of them. A forked one has its own pipes, environment and session, limits
and confines itself as one that was started, and is a child of the process that asked for it. What
the start of an interpreter decides is not tested this way: see `tests.grader.test_process`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import shlex
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import grader.process
from grader.confine.kernel_calls import prctl

ROOT = Path(__file__).parents[1]
FORKED = ("grader.kernels.worker", "grader.gpu.worker", "quizapp.batch.worker")
"""The modules that are run in forks; others are started."""

LOADED = (
    *FORKED,
    "quizapp.batch.grading",
    "quizapp.exercises.kernels",
    "quizapp.exercises.layouts",
    "quizapp.plain.markdown",
    "quizapp.report.submissions",
    "quizapp.report.verdicts.kernel_views",
    "tests.grader.gpu.emulated_device",
)
"""What the server loads before it forks; what is not here is loaded in each worker."""

PROGRAM = "quizapp.cli"
LOADED_BY_PROGRAM = (PROGRAM, "quizapp.plain.session", "quizapp.store.upgrading", "alembic.command")
"""What a server of its own loads for `quiz start --plain`."""

FORKED_HOST = "# forked: "
"""Begins the last line of a stand-in for ssh to a host whose worker is forked: what is known."""

_ONE_THREAD = grader.process._ONE_THREAD  # read here, since the module may be a deferred one

_CHILD_SUBREAPER = 36
"""An option of `prctl`, from linux/prctl.h."""
_MOST_BYTES = 1 << 20
_ADOPTED_WITHIN_S = 20.0


def fork_workers(*, loaded: bool = False) -> None:
    """Have `grader.process` fork what it would start, until this process ends.

    `loaded`: this process, which has one thread, has loaded what workers need: fork the server too.
    """
    if not sys.platform.startswith("linux"):
        return
    server = _fork_server() if loaded else None
    asked = staticmethod(lambda name: server or _start_server(program=name == PROGRAM))
    forking = type("Popen", (_Popen,), {"server": asked})
    grader.process.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": forking})


class _Popen(subprocess.Popen[bytes]):
    """A `Popen` that has a server fork the Python that would be given its code."""

    server: Callable[[str], socket.socket]

    def _execute_child(self, args: Any, *rest: Any) -> None:
        environment, pipes = rest[5], rest[9:15]  # of each pipe both ends, the one that reads first
        command, more = args[3:], {}
        if args[0] == "ssh":
            command, more = _on_the_host(args, environment)
        elif args[:3] != [sys.executable, "-I", "-c"]:
            command = []
        code = command[0] if command else ""
        name = next((each for each in (*FORKED, PROGRAM) if f"from {each} import" in code), "")
        if not name:
            super()._execute_child(args, *rest)
            return
        asked = {"command": command, "environment": {**environment, **more}}
        request = {**asked, "parent": os.getpid()}
        with _adopting():
            server = self.server(name)
            socket.send_fds(server, [json.dumps(request).encode()], [*pipes[::3], pipes[5]])
            self.pid = int(server.recv(_MOST_BYTES))
        self._child_created = True
        self._close_pipe_fds(*pipes)


def _on_the_host(
    command: list[str], environment: Mapping[str, str]
) -> tuple[list[str], Mapping[str, str]]:
    """What a stand-in for ssh that says so would run, and with which variables besides."""
    program = Path(environment.get("PATH", "").partition(os.pathsep)[0], "ssh")
    *_, last = program.read_text("utf-8").splitlines() if program.exists() else [""]
    if not last.startswith(FORKED_HOST):
        return [], {}
    host = json.loads(last.removeprefix(FORKED_HOST))
    if command[command.index("--") + 1] != host["name"]:
        return [], {}
    with Path(host["log"]).open("a", encoding="utf-8") as log:
        log.write(f"{' '.join(command[1:])}\n")
    worker = shlex.split(command[-1].replace(host["numba"], host["device"]))
    _, _, module, *arguments = worker
    return [f"from {module} import main; main()", *arguments], host["environment"]


@cache
def _start_server(*, program: bool) -> socket.socket:
    """Start a server of this process; it ends when its socket is closed."""
    ours, its = socket.socketpair()
    path = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    code = f"{path}; from {__name__} import main; main(program={program})"
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", code], stdin=its, cwd=ROOT, start_new_session=True,
        env={**os.environ, **_ONE_THREAD},
    )  # fmt: skip
    its.close()
    atexit.register(lambda: (ours.close(), process.wait()))
    return ours


def _fork_server() -> socket.socket:
    """Fork the server from this process."""
    ours, its = socket.socketpair()
    if os.fork():
        its.close()
        return ours
    try:
        ours.close()
        os.setsid()
        _serve(its)
    finally:
        os._exit(0)


@contextmanager
def _adopting() -> Iterator[None]:
    """Become the parent of what loses its own below this process, for now."""
    prctl(_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        prctl(_CHILD_SUBREAPER, 0)


def main(*, program: bool) -> None:
    """Serve at standard input."""
    for name in LOADED_BY_PROGRAM if program else LOADED:
        import_module(name).__doc__  # noqa: B018 - loads a deferred module
    gc.freeze()
    _serve(socket.socket(fileno=0))


def _serve(asked: socket.socket) -> None:
    """Fork for each request until there are no more."""
    while True:
        data, pipes, *_ = socket.recv_fds(asked, _MOST_BYTES, 3)
        if not data:
            return
        asked.send(str(_fork_orphan(json.loads(data), pipes)).encode())
        for pipe in pipes:
            os.close(pipe)


def _fork_orphan(request: Any, pipes: list[int]) -> int:
    """Fork twice, so that the worker loses its parent, and who asked adopts it; its process id.

    It leads its session before that is told, as one that `Popen` starts: who asked may end it.
    """
    reading, writing = os.pipe()
    between = os.fork()
    if between == 0:
        if os.fork():
            os._exit(0)
        os.setsid()
        os.write(writing, str(os.getpid()).encode())
        until = time.monotonic() + _ADOPTED_WITHIN_S
        while os.getppid() != request["parent"] and time.monotonic() < until:
            time.sleep(0.0005)
        become(request["command"], request["environment"], pipes)
    os.waitpid(between, 0)
    worker = int(os.read(reading, 20))
    os.close(reading)
    os.close(writing)
    return worker


def become(command: Sequence[str], env: Mapping[str, str], pipes: Sequence[int]) -> NoReturn:
    """Be the process that `python -I -c` would be, and end."""
    status = 1
    try:
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)  # which are above 2: the server has those
        os.closerange(3, 1 << 20)
        for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
        os.environ.clear()
        os.environ.update(env)
        sys.argv = ["-c", *command[1:]]
        if "quizapp." in command[0]:  # it starts others
            fork_workers(loaded=True)
        status = interpret(command[0])
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def interpret(code: str) -> int:
    """Run code as `python -c` would; the status with which that would end."""
    try:
        exec(code, {"__name__": "__main__"})
    except SystemExit as left:
        if isinstance(left.code, str):
            print(left.code, file=sys.stderr)
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
