"""Runs one of Numba's test modules in this process, and leaves each test's outcome in a file.

    python -m tests.grader.simt.numba_suite.child simulator|ours MODULE REPORT [TEST …]

Outcomes: `passed`; `skipped`, by Numba or by a decorator; `refused`, by the stand-in or by the
emulator, which say what is missing; `wrong`, a value is not as expected; `error`, anything else.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any

PACKAGE = "numba.cuda.tests"
BUDGET = 12_000_000_000
"""Operations of a launch; one of Numba's tests starts five thousand million threads."""
_LONGEST = 160


class Outcomes(unittest.TestResult):
    """The outcome of each test, with the first line of what it said."""

    def __init__(self, session: Any) -> None:
        super().__init__()
        self.found: dict[str, tuple[str, str]] = {}
        self._session = session
        self._before = 0

    def startTest(self, test: Any) -> None:  # noqa: N802 - unittest's name
        super().startTest(test)
        self._before = len(self._session.launches) if self._session else 0

    def note(self, test: Any, outcome: str, message: str = "") -> None:
        """Keep an outcome; the first one of a test counts."""
        name = test.id().removeprefix(f"{PACKAGE}.")
        self.found.setdefault(name, (outcome, message))

    def note_unless_ended(self, test: Any, outcome: str, message: str) -> None:
        """Keep an outcome, which is "refused" where a launch of the test ran out of operations."""
        launches = self._session.launches[self._before :] if self._session else []
        found = {
            f"{one['kind']} in {launch['kernel']}"
            for launch in launches
            for one in launch["findings"]
            if one["kind"] != "warning"
        }
        if any(one.startswith("budget") for one in found):
            outcome, message = "refused", ""
        self.note(test, outcome, message or "; ".join(sorted(found)))

    def addSuccess(self, test: Any) -> None:  # noqa: N802
        self.note_unless_ended(test, "passed", "")

    addUnexpectedSuccess = addSuccess  # noqa: N815

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        self.note(test, "skipped", shown(reason))

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self.note(test, "skipped", shown(f"expected to fail: {err[1]}"))

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        self.note_unless_ended(test, *judged(err[1]))

    addFailure = addError  # noqa: N815

    def addSubTest(self, test: Any, _subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            self.note(test, *judged(err[1]))


def judged(error: BaseException) -> tuple[str, str]:
    """What became of a test that ended with an error."""
    said = f"{type(error).__name__}: {error}"
    for one in _chain(error):
        if type(one).__module__.startswith("grader.") or re.search("not.emulated", str(one)):
            return "refused", shown(str(one)) or said
    if isinstance(error, AssertionError) and re.search(r"\d+:\d+: ", said):
        return "refused", shown(f"as expected, in other words than Numba's: {error}")
    if isinstance(error, AssertionError):
        return "wrong", shown(said)
    return "error", shown(said)


def _chain(error: BaseException | None) -> Any:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def shown(message: str) -> str:
    """One line, without what differs from run to run."""
    line = " ".join(message.split())
    line = re.sub(r"(/[^\s/:'\"]+)+/", "", line)
    return re.sub(r"0x[0-9a-f]+", "0x…", line)[:_LONGEST]


def main() -> None:
    """Run what the command line names."""
    side, module, report, *names = sys.argv[1:]
    # The table is not to depend on what Numba, NumPy or we deprecate.
    warnings.simplefilter("ignore")
    session = stand_in() if side == "ours" else None
    outcomes = Outcomes(session)
    try:
        loaded = importlib.import_module(f"{PACKAGE}.{module}")
    except unittest.SkipTest as error:
        found = {module: ("skipped", shown(str(error)))}
    except Exception as error:
        found = {module: judged(error)}
    else:
        _suite(loaded, names).run(outcomes)
        found = outcomes.found
    Path(report).write_text(json.dumps(found), encoding="utf-8")
    os._exit(0)  # threads of tests that were refused half-way may still wait


def _suite(loaded: Any, names: list[str]) -> unittest.TestSuite:
    loader = unittest.TestLoader()
    if names:
        return loader.loadTestsFromNames(names, loaded)
    suites = [
        loader.loadTestsFromTestCase(one)
        for one in vars(loaded).values()
        if isinstance(one, type) and issubclass(one, unittest.TestCase)
    ]
    return unittest.TestSuite(suites)


def stand_in() -> Any:
    """The session of a stand-in, now in the place of `numba.cuda`, also in further processes."""
    from grader.simt.host.library import install  # noqa: PLC0415 - not under the simulator
    from grader.simt.host.session import ScriptSession  # noqa: PLC0415
    from tests.grader.simt.numba_suite.shim import provide  # noqa: PLC0415

    session = ScriptSession(budget=BUDGET)
    install(session)
    provide(sys.modules["numba.cuda"])
    site = str(Path(__file__).parent / "site")
    if site not in os.environ["PYTHONPATH"]:
        os.environ["PYTHONPATH"] += os.pathsep + site
    return session


if __name__ == "__main__":
    main()
