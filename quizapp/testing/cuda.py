"""`pytest --quiz-cuda`: a project's CUDA tests without a GPU, on the emulator.

A test whose launches have a fault fails, with the source of both lines. A test that means it is
marked: `@pytest.mark.quiz_allow("race")`.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

import pytest

from grader import profiles
from grader.did_you_mean import find_nearest
from grader.embedded import EmbeddedEmulator
from grader.simt import FINDINGS, RACES
from quizapp.report.profile.remarks import Remark, list_remarks, relative
from quizapp.report.verdicts import refusals
from quizapp.report.words import Words
from quizapp.system.language import person_language
from quizapp.testing import MARK

_COUNTS = "quiz_cuda"
"""The attribute of a test's report; pytest-xdist brings it from its workers."""


class _Counts(TypedDict):
    """What was launched, and how often each kind of fault was found."""

    launches: int
    seconds: float
    faults: dict[str, int]


_COUNTED = pytest.StashKey[_Counts]()
_SECTION = pytest.StashKey[tuple[str, str]]()


class CudaTests:
    """Judges what each test launches."""

    def __init__(self, budget: int | None) -> None:
        """Install the emulator; `budget` is of operations per launch."""
        self._say = Words(person_language())
        refusals.install(self._say.language)
        self._folder = TemporaryDirectory(prefix="quiz-")
        first = refusals.preparation(self._say.language)
        self._emulator = EmbeddedEmulator(Path(self._folder.name), budget, first)
        self._tests: set[str] = set()
        self._counts: _Counts = {"launches": 0, "seconds": 0.0, "faults": {}}

    def pytest_unconfigure(self) -> None:
        """Remove what other processes left."""
        self._folder.cleanup()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Judge the test's fixtures; a mark that names no kind of fault fails its own test."""
        for kind in sorted(_allowed(item) - {*FINDINGS}):
            near = ", ".join(find_nearest(kind, FINDINGS, 1) or FINDINGS)
            pytest.fail(self._say("pytest.unknown-kind", kind=kind, known=near), pytrace=False)
        return (yield from self._judge(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        """Judge the test; before pytest asks whether a failure is expected (`xfail`)."""
        return (yield from self._judge(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None]:
        """Judge what its fixtures launch at their end."""
        return (yield from self._judge(item))

    def _judge(self, item: pytest.Item) -> Generator[None]:
        """Run a phase of a test, and fail it if its launches have a fault.

        What the test itself raises stays its error: the faults are a section below it.
        """
        try:
            yield
        except BaseException:
            if said := self._find_faults(item):
                item.stash[_SECTION] = said
            raise
        if said := self._find_faults(item):
            pytest.fail("\n".join(said), pytrace=False)

    def _find_faults(self, item: pytest.Item) -> tuple[str, str] | None:
        """Count what was launched; return title and text of its faults, None if there is none."""
        launches = profiles.read_launches(self._emulator.take())
        if not launches:
            return None
        allowed = _allowed(item)
        remarks = list_remarks(profiles.make_report(launches), self._say)
        faults = [
            remark for remark in remarks if remark.level == "error" and remark.rule not in allowed
        ]
        counts: _Counts = {
            "launches": len(launches),
            "seconds": sum(launch.seconds for launch in launches),
            "faults": dict(Counter(fault.title for fault in faults)),
        }
        item.stash[_COUNTED] = counts
        if not faults:
            return None
        return self._say("pytest.faults", n=len(faults)), "\n".join(_lines(faults))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add to a phase's report what was found in it."""
        report = yield
        if _COUNTED in item.stash:
            setattr(report, _COUNTS, item.stash[_COUNTED])
            del item.stash[_COUNTED]
        if _SECTION in item.stash:
            report.sections.append(item.stash[_SECTION])
            del item.stash[_SECTION]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up; with pytest-xdist in the process that reports."""
        counts: _Counts | None = getattr(report, _COUNTS, None)
        if counts is None:
            return
        self._tests.add(report.nodeid)
        self._counts["launches"] += counts["launches"]
        self._counts["seconds"] += counts["seconds"]
        self._counts["faults"] = dict(Counter(self._counts["faults"]) + Counter(counts["faults"]))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was launched and what was found."""
        n, seconds = self._counts["launches"], self._counts["seconds"]
        launches = self._say("pytest.launches", n=n)
        tests = self._say("pytest.tests", n=len(self._tests))
        ran = self._say("pytest.ran", launches=launches, tests=tests, seconds=seconds)
        terminalreporter.section("quiz-cuda")
        terminalreporter.line(ran)
        for kind, times in sorted(self._counts["faults"].items()):
            terminalreporter.line(self._say("pytest.kind", kind=kind, n=times))


def _allowed(item: pytest.Item) -> set[str]:
    """Return the kinds of faults that a test may have; `race` covers what a comment does."""
    marks = [*item.iter_markers(MARK)]
    kinds = {str(kind) for mark in marks for kind in mark.args or FINDINGS}
    return kinds | set(RACES) if "race" in kinds else kinds


def _lines(faults: Sequence[Remark]) -> Iterator[str]:
    """Say each fault, with the source of its lines."""
    for fault in faults:
        yield f"{relative(fault.file)}:{fault.line}: {fault.title} [{fault.rule}]: {fault.text}"
        other = fault.other or (fault.file, fault.line, 0)
        for file, line in dict.fromkeys([(fault.file, fault.line), other[:2]]):
            if source := linecache.getline(file, line).strip():
                yield f"    {Path(file).name}:{line}: {source}"
