"""Servers that all processes of a test run share: what they fork is loaded once, not in each.

A server is a module that is given a path, says `ready` once it listens there, and forks for each
request. It ends with the last process of the run, whose end closes its standard input.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from tests.compiled_content import RUN, locked

ROOT = Path(__file__).parents[1]
_READING, _WRITING = os.pipe()  # forks of this process have both ends, and a server the first
_OWNER = os.getpid()
_started: list[subprocess.Popen[bytes]] = []


def find_server(module: str) -> str:
    """The path at which a module listens; who asks first starts it."""
    path = Path(os.environ[RUN], f"{module}-{_OWNER}")
    with locked(path.with_name(f"{path.name}.lock")):
        if not path.exists():
            process = subprocess.Popen(
                [sys.executable, "-m", module, str(path)],
                cwd=ROOT, stdin=_READING, stdout=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
            _started.append(process)
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
    return str(path)


def listen(path: str, serve: Callable[[socket.socket], NoReturn]) -> None:
    """Fork for each that asks, until standard input is closed; `serve` is called in the fork."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        asked.bind(path)
        asked.listen(64)
        print("ready", flush=True)
        while asked in select.select([asked, 0], [], [])[0]:
            asking, _ = asked.accept()
            with asking:
                if os.fork() == 0:
                    asked.close()
                    serve(asking)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    with suppress(ChildProcessError):
        while True:
            os.wait()
