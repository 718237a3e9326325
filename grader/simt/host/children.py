"""Processes that a script starts: they have the stand-in too, and leave their launches.

A fork has it already. A new interpreter of the same Python (`multiprocessing` by spawn, a
`subprocess`) finds `site/sitecustomize.py` on its search path, which installs it as soon as Numba
is imported there. Each process writes its launches into a file beside the report when it ends,
also by `os._exit` or SIGTERM, with which `multiprocessing` ends its workers.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from grader.scripts import EMULATED
from grader.simt.host.allowed import AllowedLine
from grader.simt.host.library import install
from grader.simt.host.session import ScriptSession

_SITE = str(Path(__file__).resolve().parent / "site")
_end_at_once = os._exit


class Keeper:
    """Writes the launches of this process and of its forks.

    Attributes:
        owner: the process whose file is the report itself; None: another one.
    """

    def __init__(self, session: ScriptSession, report: Path, owner: int | None) -> None:
        self._session = session
        self._report = report
        self.owner = owner
        # Registered first, called last: threads have ended by then.
        atexit.register(self.save)
        os._exit = self._leave
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin_fork)
        self._save_when_ended()

    def save(self) -> None:
        """Write the launches; those of other processes too, if this is the script's own."""
        if os.getpid() == self.owner:
            parts = sorted(self._report.parent.glob(f"{self._report.name}.*"))
            self._session.save(self._report, [read_part(part) for part in parts])
        elif self._session.launches or self._session.refused:
            path = self._report.with_name(f"{self._report.name}.{os.getpid()}")
            with suppress(OSError):  # the script has ended before, and its report is closed
                self._session.save(path)

    def _begin_fork(self) -> None:
        self._session.begin_fork()
        self._save_when_ended()

    def _save_when_ended(self) -> None:
        default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        if default and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, self._end_by)

    def _end_by(self, number: int, _frame: object) -> None:
        self.save()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _leave(self, status: int) -> NoReturn:
        self.save()
        _end_at_once(status)


def read_part(part: Path) -> dict[str, Any]:
    """Read what a process left; nothing of one that was killed while it wrote."""
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(part.read_text(encoding="utf-8"))
        return found
    return {"launches": [], "refused": None}


def make_session(options: Any) -> ScriptSession:
    """Make the session that `grader.scripts.command` asks for."""
    allowed = [AllowedLine(file, line) for file, line in options["allowed"]]
    return ScriptSession(options["budget"], allowed, options["reads"])


def prepare(report: Path, options: str, first: str) -> None:
    """Have other processes of this Python be emulated as well.

    Args:
        report: where this process leaves its launches.
        options: of `make_session`, as JSON.
        first: a line of Python that prepares each process.
    """
    told = {"python": sys.executable, "report": str(report), "options": options, "first": first}
    os.environ[EMULATED] = json.dumps(told)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = _SITE if not before else _SITE + os.pathsep + before


def begin(told: Any) -> None:
    """Install the stand-in in such an interpreter, as `prepare` told it."""
    exec(told["first"] or "pass", {})  # noqa: S102 - our own line
    session = make_session(json.loads(told["options"]))
    install(session)
    Keeper(session, Path(told["report"]), None)
