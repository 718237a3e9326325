"""A Dask cluster of processes on this machine's loopback interface."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.commands.program import ROOT, environment

_START_SECONDS = 60.0


class LocalDask:
    """A scheduler and workers without a nanny: who kills one kills what grades."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Start the scheduler, which writes its address to `file`; all get `variables`."""
        self._variables = variables
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("dask_scheduler", "--port", "0")
        until = time.monotonic() + _START_SECONDS
        while not self.file.exists():
            assert time.monotonic() < until, self._said()
            time.sleep(0.05)

    def add_worker(self, *options: str) -> subprocess.Popen[bytes]:
        """Start a worker with one thread; it is there once the scheduler has said so."""
        known = self._said().count("Register worker")
        worker = self._start(
            "dask_worker", "--no-nanny", "--nthreads", "1", "--local-directory",
            str(self.folder), *options,
        )  # fmt: skip
        self.workers.append(worker)
        until = time.monotonic() + _START_SECONDS
        while self._said().count("Register worker") == known:
            assert time.monotonic() < until, self._said()
            time.sleep(0.05)
        return worker

    def close(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _said(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable, "-m", f"distributed.cli.{module}", "--host", "127.0.0.1",
            "--no-dashboard", "--scheduler-file", str(self.file), *options,
        ]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT,
                env=environment(self.folder / "home", **self._variables),
            )  # fmt: skip
