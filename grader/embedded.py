"""The emulator within a program that goes on, such as a test runner; launches are taken bit by bit.

A script that begins and ends has a process of its own instead: `grader.scripts`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from grader.scripts import options_text
from grader.simt.host.children import Keeper, prepare, read_part
from grader.simt.host.library import install
from grader.simt.host.session import ScriptSession


class EmbeddedEmulator:
    """The launches of this process, and of those that it starts."""

    def __init__(self, folder: Path, budget: int | None, first: str = "") -> None:
        """Let this process find the emulator where it imports `numba.cuda`, until it ends.

        Args:
            folder: for what processes that this one starts leave.
            budget: operations of a launch; None for no end.
            first: a line of Python that prepares each of those processes.
        """
        self._session = ScriptSession(budget)
        self._report = folder / "launches.json"
        prepare(self._report, options_text(budget), first)
        install(self._session)
        Keeper(self._session, self._report, None)

    def take(self) -> dict[str, Any]:
        """Return the launches since the last call, for `grader.profiles.read_launches`.

        Launches that a device would refuse are left out: a test may expect the error they raise.
        """
        launches = self._session.take()
        for part in sorted(self._report.parent.glob(f"{self._report.name}.*")):
            launches += read_part(part)["launches"]
            with suppress(FileNotFoundError):  # of a process that ended just now
                part.unlink()
        ran = [launch for launch in launches if launch["finished"] or launch["operations"]]
        return {"launches": ran}
