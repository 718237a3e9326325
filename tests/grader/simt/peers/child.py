"""Runs one test file of a peer in this process, and leaves each test's outcome in a file.

    python -m tests.grader.simt.peers.child PEER FOLDER REPORT FILE [PYTEST ARGUMENTS …]

Under `NUMBA_ENABLE_CUDASIM=1` Numba's simulator runs them instead of the stand-in.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.simt.host.decorators import kernels
from grader.simt.host.numba_names.numba_errors import as_numbas
from tests.grader.simt.peers import innards
from tests.grader.simt.peers.judging import Verdict, judge, shown
from tests.grader.simt.peers.suites import PEERS, Peer

BUDGET = 12_000_000_000
"""Operations of a launch; one of Numba's tests starts five thousand million threads."""
_SECONDS = 600
"""Of one test."""
_NUMBA = ("numba", "cuda", "tests")


class NumbaModule(pytest.Module):
    """A test module of Numba's, under its full name: `cuda` alone would be another package."""

    def _getobj(self) -> Any:
        parts = self.path.with_suffix("").parts
        start = _start_of(parts)
        return importlib.import_module(".".join(parts[start:]))


def _start_of(parts: tuple[str, ...]) -> int:
    """Where the package `numba` starts in a path; -1 if its tests are not there."""
    ends = range(len(parts) - len(_NUMBA), -1, -1)
    return next((at for at in ends if parts[at : at + len(_NUMBA)] == _NUMBA), -1)


class Outcomes:
    """A pytest plugin that keeps the outcome of each test; the first that is not "passed" counts.

    Attributes:
        found: verdict, launches, kinds of faults and seconds, by test.
    """

    def __init__(self, session: Any, place: Path) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self._session = session
        self._place = place

    @pytest.fixture(scope="class")
    def initialize_from_pytest_config(self, request: Any) -> None:
        """Stand for numba-cuda's fixture, which its configuration brings."""
        request.cls._dump_failed_filechecks = False

    def pytest_collect_directory(self, path: Path, parent: Any) -> Any:
        """Import no package because a test is in it."""
        if _start_of(path.parts) < 0:
            return None
        return pytest.Dir.from_parent(parent, path=path)

    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> Any:
        """Import Numba's tests by their full names."""
        if _start_of(module_path.parts) < 0:
            return None
        return NumbaModule.from_parent(parent, path=module_path)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Iterator[Any]:
        """Let the tests of a module that cannot be imported share its outcome."""
        report = yield
        if isinstance(collector, pytest.Module) and not report.passed:
            error = report.call.excinfo.value
            if isinstance(error, collector.CollectError) and error.__cause__:
                error = error.__cause__
            verdict = Verdict("skipped", "", shown(str(error))) if report.skipped else judge(error)
            for name in _tests_in(collector.path):
                self._keep(f"{collector.nodeid}::{name}", verdict, 0.0)
        return report

    def pytest_collection_finish(self) -> None:
        """From here on a test uses what it names."""
        innards.refuse_from_now_on()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[Any]:
        """Keep what became of a test, or of a part of it, and forget its launches."""
        report = yield
        error = None if call.excinfo is None else call.excinfo.value
        if isinstance(error, pytest.FixtureLookupError):
            return report  # a kernel that is called test_…: no test of unittest's
        if call.when == "call" or (call.when == "setup" and not report.passed):
            if report.skipped or hasattr(report, "wasxfail"):
                verdict = Verdict("skipped", "", shown(str(error)))
            else:
                early = EARLY.pop() if EARLY else ""
                verdict = judge(error, self._launches(), getattr(item, "obj", None), early)
            EARLY.clear()
            self._keep(item.nodeid, verdict, report.duration)
        return report

    def _launches(self) -> list[dict[str, Any]]:
        return self._session.launches if self._session else []

    def _keep(self, node: str, verdict: Verdict, seconds: float) -> None:
        name = ".".join([*self._place.parts, *node.split("::")[1:]])
        launches = self._launches()
        found = [one for launch in launches for one in launch["findings"]]
        before = self.found.get(name)
        if before is None or before["outcome"] == "passed":
            self.found[name] = {
                **verdict._asdict(),
                "seconds": round(seconds, 2),
                "launches": len(launches),
                "faults": sorted({one["kind"] for one in found if one["kind"] != "warning"}),
            }
        launches.clear()


def _tests_in(path: Path) -> Iterator[str]:
    """Name the tests that a file defines: `TestClass::test_one`."""
    for one in ast.parse(path.read_text(encoding="utf-8")).body:
        inner = one.body if isinstance(one, ast.ClassDef) else [one]
        before = f"{one.name}::" if isinstance(one, ast.ClassDef) else ""
        for function in inner:
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test"):
                yield before + function.name


EARLY: list[str] = []
"""Codes of what is not run of kernels with signatures, which say nothing before a launch."""


def note_early(error: Any) -> Any:
    """See `as_numbas`."""
    seen = as_numbas(error)
    if seen is error:
        EARLY.append(error.what.code)
    return seen


def stand_in(peer: Peer, folder: Path) -> Any:
    """The session of a stand-in, now in the place of `numba.cuda`, also in further processes."""
    from grader.simt.host.library import install  # noqa: PLC0415 - not under the simulator
    from grader.simt.host.session import ScriptSession  # noqa: PLC0415

    session = ScriptSession(budget=BUDGET)
    install(session)
    kernels.as_numbas = note_early  # type: ignore[attr-defined]
    if peer.innards:
        innards.provide({name: folder / path for name, path in peer.innards.items()})
    site = str(Path(__file__).parent / "site")
    before = os.environ.get("PYTHONPATH", "")
    if site not in before:
        os.environ["PYTHONPATH"] = before + os.pathsep + site
        os.environ["QUIZ_PEER"] = json.dumps([peer.name, str(folder)])
    return session


def main(name: str, folder: str, report: str, file: str, *arguments: str) -> None:
    """Run what the command line names."""
    # The table is not to depend on what Numba, NumPy or we deprecate.
    warnings.simplefilter("ignore")
    peer = PEERS[name]
    simulated = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
    session = None if simulated else stand_in(peer, Path(folder))
    os.chdir(folder)
    outcomes = Outcomes(session, Path(file).relative_to(Path(folder) / peer.tests).with_suffix(""))
    options = [
        *("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"),
        *("-p", "no:asyncio", "-p", "no:quiz-cuda", "-W", "ignore", "-o", "addopts="),
        *("--timeout", str(_SECONDS), f"--rootdir={folder}"),
    ]
    if _start_of(Path(file).parts) >= 0:
        options += ["-c", str(Path(__file__).parent / "plain.ini")]
        options += [f"--confcutdir={Path(file).parent}"]
    pytest.main([*options, file, *arguments], plugins=[outcomes])
    Path(report).write_text(json.dumps(outcomes.found), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # threads of tests that were refused half-way may still wait


if __name__ == "__main__":
    main(*sys.argv[1:])
