"""A worker's process whose end is waited for before it is ended: so its own status is told.

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
