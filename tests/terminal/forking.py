"""`quiz start` forked in a terminal by a process that has loaded it: a second less for each start.

It is a process of its own, leads the session of its terminal, and gets the signals of that, as one
that is started there. What an interpreter decides as it starts needs a start, as does what a test
says of what is loaded when: see `tests.terminal.program`.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from quizapp.commands.common.screens import TICKS
from quizapp.report.words import texts
from quizapp.tui.preloading import PRELOADED
from tests.commands.forking import end, open_stream
from tests.forked_workers import interpret
from tests.shared_servers import find_server, listen
from tests.terminal import handing_over

LOADED = (
    "alembic.command",
    "numpy",
    "sqlalchemy.dialects.sqlite",
    "textual.drivers.linux_driver",
    "tree_sitter",
    "yaml",
    "quizapp.commands.study.start",
    "quizapp.store.store",
    "quizapp.study.kept_home",
    "quizapp.study.service",
    "quizapp.tui.starting",
    "quizapp.tui.attempts.attempt",
)
"""What the server loads before it forks; what is not here is loaded in each program."""

QUIZ = "import sys; from quizapp.cli import main; sys.exit(main())"
"""The code of the console script."""


def command(code: str, arguments: Sequence[str], folder: Path, *, keep: bool = False) -> list[str]:
    """What a terminal is to start, so that Python code is run there with these arguments.

    In the file `pid` of `folder` is the program's number then; `keep`: as `_keep_terminal` says.
    """
    told = json.dumps({"keep": keep, "code": code, "arguments": ["quiz", *arguments]})
    server = find_server(__name__)
    return [sys.executable, "-I", "-S", handing_over.__file__, server, str(folder), told]


def main(path: str) -> None:
    """Fork for each request, until standard input is closed."""
    os.environ["TEXTUAL_FPS"] = TICKS  # which Textual reads as it is loaded
    for name in LOADED:
        import_module(name).__doc__  # noqa: B018 - loads a deferred module
    for preload in PRELOADED:
        preload()
    texts("en"), texts("zh")
    listen(path, _serve)


def _serve(asking: socket.socket) -> NoReturn:
    """Fork what leads the terminal's session, and tell how it ended."""
    data, (terminal, *_), *_ = socket.recv_fds(asking, handing_over.MOST_BYTES, 1)
    leader = os.fork()
    if leader == 0:
        asking.close()
        _lead(json.loads(data), terminal)
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1])
    with suppress(OSError):  # nobody may be left to be told
        asking.send(b"%d" % status)
    os._exit(0)


def _lead(request: Any, terminal: int) -> NoReturn:
    """Be what a terminal would have started."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for number in range(3):
        os.dup2(terminal, number)
    os.close(terminal)
    folder, told = request["told"]
    if json.loads(told)["keep"]:
        _keep_terminal(Path(folder))
    _tell(Path(folder, "pid"), os.getpid())
    os.chdir(request["folder"])
    _be(request["environment"], **json.loads(told))


def _keep_terminal(folder: Path) -> None:
    """Return in a child; write its status when it ends, and be `cat`, as `screen._AROUND`."""
    signal.signal(signal.SIGINT, lambda *_: None)
    program = os.fork()
    if program == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    _tell(folder / "status", status if status >= 0 else 128 - status)
    os.execvp("cat", ["cat"])


def _tell(path: Path, number: int) -> None:
    """Write a file that is never seen half-written."""
    new = path.with_suffix(".new")
    new.write_text(f"{number}\n")
    new.replace(path)


def _be(environment: Mapping[str, str], code: str, arguments: list[str], keep: bool) -> NoReturn:
    """Be the program."""
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        open_stream(number)
        setattr(sys, f"__{name}__", getattr(sys, name))
    sys.argv = arguments
    end(interpret(code))


if __name__ == "__main__":
    main(*sys.argv[1:])
