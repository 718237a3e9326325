"""Tests in processes forked from one that has collected them: that takes 10 s, and each took them.

A process more then costs nothing, so there can be more than cores: many tests wait for a terminal
or for another process. A file's tests stay in one, since several files prepare something dear once.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import struct
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import NoReturn

import pytest

_NUMBER = struct.Struct("H")
_LOOK_EVERY_MS = 500
"""How often it is looked whether a process has ended without a word."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the number of processes be said."""
    parser.addoption("--forks", type=int, default=0, metavar="N", help="call tests in N forks")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Call all tests, if that was asked for.

    Raises:
        session.Failed: as many tests failed as may fail.
    """
    count = session.config.option.forks
    if not count or session.testsfailed or session.config.option.collectonly:
        return None
    files = [[*items] for _, items in groupby(session.items, lambda item: item.path)]
    asked = _number(len(files))
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    forks: list[_Fork] = []
    for _ in range(min(count, len(files))):
        forks.append(_Fork(session, files, asked, forks))
    os.close(asked)
    try:
        _listen(session, forks)
    finally:
        for fork in forks:
            fork.end()
    return True


def _number(files: int) -> int:
    """A pipe from which each process takes the number of the file that it calls next."""
    reading, writing = os.pipe()
    os.write(writing, b"".join(map(_NUMBER.pack, range(files))))
    os.close(writing)
    return reading


class _Fork:
    """A process that calls tests, and the pipe on which it tells what came of them."""

    def __init__(
        self,
        session: pytest.Session,
        files: list[list[pytest.Item]],
        asked: int,
        others: Sequence[_Fork],
    ) -> None:
        self.done = False
        self._config = session.config
        self._running = ""
        self._told, telling = Pipe(duplex=False)
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            for fork in (*others, self):
                fork._told.close()  # so that whoever tells notices if nobody listens any more
            _work(session, files, asked, telling, len(others))
        telling.close()

    def fileno(self) -> int:
        """Of the pipe, for `select`."""
        return self._told.fileno()

    def reports(self) -> Iterator[pytest.TestReport]:
        """Read what it has told; if it has ended without its last word, a failure."""
        ended = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        with suppress(EOFError):
            while self._told.poll():
                kind, said = self._told.recv()
                if kind == "running":
                    self._running = said
                elif kind == "done":
                    self.done = True
                else:
                    restore = self._config.hook.pytest_report_from_serializable
                    yield restore(config=self._config, data=said)
        if ended is not None and not self.done:
            self.done = True
            name = self._running
            why = f"Its process ended ({ended.si_status}). What follows in the file was not called."
            place = name.partition("::")[0], None, name
            yield pytest.TestReport(name, place, {}, "failed", why, "call")

    def end(self) -> None:
        """End it, if it runs."""
        if not self.done:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGTERM)
        os.waitpid(self._pid, 0)
        self._told.close()


def _listen(session: pytest.Session, forks: list[_Fork]) -> None:
    """Report what the processes tell, until all have called their tests."""
    config = session.config
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        terminal.showfspath = False  # the files of several processes alternate
    while running := [fork for fork in forks if not fork.done]:
        ready, _, _ = select.select(running, [], [], _LOOK_EVERY_MS / 1000)
        for fork in ready or running:
            for report in fork.reports():
                config.hook.pytest_runtest_logreport(report=report)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)


def _work(
    session: pytest.Session,
    files: list[list[pytest.Item]],
    asked: int,
    pipe: Connection,
    number: int,
) -> NoReturn:
    """Be a process that calls tests, and end."""
    status = 1
    try:
        atexit._clear()  # what is registered is the other process's
        _be_one_of_many(session.config, number)
        session.config.pluginmanager.register(_Telling(session.config, pipe))
        _call(session, _take(files, asked))
        pipe.send(("done", ""))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _be_one_of_many(config: pytest.Config, number: int) -> None:
    """Have what processes cannot share: a folder, and the files of what tests print."""
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = factory.getbasetemp() / f"fork-{number}"
    factory._basetemp.mkdir()
    capturing = config.pluginmanager.get_plugin("capturemanager")
    capturing.stop_global_capturing()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # pytest's own lines: what they say is told to the other process
    os.close(nowhere)
    capturing.start_global_capturing()
    capturing.suspend_global_capture()


class _Telling:
    """The plugin that tells what comes of each test to the process that reports it."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self._config = config
        self._pipe = pipe

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._pipe.send(("running", nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        serialize = self._config.hook.pytest_report_to_serializable
        self._pipe.send(("report", serialize(config=self._config, report=report)))


def _take(files: list[list[pytest.Item]], asked: int) -> Iterator[pytest.Item]:
    """The tests of each file that nobody else has taken."""
    while number := os.read(asked, _NUMBER.size):
        yield from files[_NUMBER.unpack(number)[0]]


def _call(session: pytest.Session, items: Iterator[pytest.Item]) -> None:
    item = next(items, None)
    while item is not None and not session.shouldfail:
        following = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        item = following
