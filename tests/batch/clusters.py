"""A Dask cluster of processes on this machine's loopback interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.commands.program import ROOT, environment
from tests.waiting import until


class LocalDask:
    """A scheduler and workers without a nanny: who kills one kills what grades."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Start the scheduler, which writes its address to `file`; all get `variables`."""
        self._variables = variables
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("dask_scheduler", "--port", "0")
        until(self.file.exists, self._said)

    def add_worker(self, *options: str) -> subprocess.Popen[bytes]:
        """Start a worker with one thread; it is there once the scheduler has said so."""
        known = self._said().count("Register worker")
        worker = self._start(
            "dask_worker", "--no-nanny", "--nthreads", "1", "--local-directory",
            str(self.folder), *options,
        )  # fmt: skip
        self.workers.append(worker)
        until(lambda: self._said().count("Register worker") > known, self._said)
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
