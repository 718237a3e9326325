"""A worker's process, of which its own status is told: it is waited for before it is ended.

ssh closes its answers some milliseconds before it exits, and its status is what tells a connection
that was lost from a kernel that crashed.
"""

from __future__ import annotations

import contextlib
import subprocess

from grader.process import Process, ProcessEnded

_EXITING_SECONDS = 0.5
_PRINTED_SECONDS = 0.2


class PatientProcess(Process):
    """See `grader.process.Process`."""

    def _ended(self) -> ProcessEnded:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_EXITING_SECONDS)
        self._drain.join(_PRINTED_SECONDS)
        return super()._ended()

    def close(self) -> None:
        """As `Process.close`; what may run on another host is told first, and not waited for."""
        self.end()
        assert self._child.stdin is not None  # noqa: S101 - a pipe
        with contextlib.suppress(BrokenPipeError):
            self._child.stdin.close()
        super().close()
