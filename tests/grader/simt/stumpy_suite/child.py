"""Runs a project's tests under the stand-in, and leaves each test's outcome in a file.

    python -m tests.grader.simt.stumpy_suite.child REPORT [PYTEST ARGUMENTS …]

Outcomes are those of `tests.grader.simt.numba_suite.child`; beside them, how many launches a test
made, and the kinds of faults that were found in them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.simt.host.library import install
from grader.simt.host.session import ScriptSession
from tests.grader.simt.numba_suite.child import judged

_RELEVANT = ("call", "setup")


class Outcomes:
    """The outcome of each test."""

    def __init__(self, session: ScriptSession) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self._session = session

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[Any]:
        """Keep what became of a test, and forget its launches."""
        report = yield
        if call.when in _RELEVANT and (call.when == "call" or report.outcome != "passed"):
            error = None if call.excinfo is None else call.excinfo.value
            outcome, message = judged(error) if report.failed and error else (report.outcome, "")
            launches = self._session.launches
            faults = [one for launch in launches for one in launch["findings"]]
            self.found[item.nodeid] = {
                "outcome": outcome,
                "message": message,
                "seconds": round(report.duration, 2),
                "launches": len(launches),
                "faults": sorted({one["kind"] for one in faults if one["kind"] != "warning"}),
            }
            launches.clear()
        return report


def main(report: str, *arguments: str) -> int:
    """Run pytest, and write the report."""
    session = ScriptSession()
    install(session)
    outcomes = Outcomes(session)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
    status = int(pytest.main(options, plugins=[outcomes]))
    Path(report).write_text(json.dumps(outcomes.found), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
