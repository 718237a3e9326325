"""Calls of a program that failed, of which it took no result and asked for no error afterwards.

A launch ends with the error that a device would have, by what the emulator found in it. Most
indices out of bounds end without one: they fall into memory that another array has, or into the
rest of a page (`faulty` in docs/measured.md), and only a checker finds them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.host.session import ScriptSession
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import Heap
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.messages import Explained, Failed
from grader.simt.native.rewriting import INCLUDE

_MISALIGNED, _TIMEOUT = 716, 702
_PAGE = 2 << 20
"""Bytes that a device maps at once: an access that is farther from its array is in none of it."""
_ILLEGAL_ADDRESS, _INVALID_PC = 700, 718
_ENDLESS = ("budget", "no-progress")
"""Kinds of the findings of a launch that was ended."""
_BY_TOPIC = {
    "finding.null-pointer": _ILLEGAL_ADDRESS,
    "finding.host-pointer": _ILLEGAL_ADDRESS,
    "finding.wild-pointer": _ILLEGAL_ADDRESS,
    "finding.freed-pointer": _ILLEGAL_ADDRESS,
    "call": _INVALID_PC,
}


class LaunchError(NamedTuple):
    """The number of an error, which is sticky, and the finding that brings it."""

    number: int
    finding: Finding


def find_launch_error(done: Launch, sizes: Mapping[str, int]) -> LaunchError | None:
    """Return the error that a launch ends with; None for one that a device completes.

    Args:
        sizes: by name, the bytes of the arrays in global memory that it was given.
    """
    if not done.finished:  # a device without a limit on time would never return
        ended = [finding for finding in done.faults if finding.kind in _ENDLESS]
        return LaunchError(_TIMEOUT, (ended or done.findings)[0])
    errors = (LaunchError(_error_of(finding, sizes), finding) for finding in done.faults)
    return next((error for error in errors if error.number), None)


def _error_of(finding: Finding, sizes: Mapping[str, int]) -> int:
    if finding.kind == "misaligned":
        return _MISALIGNED
    if finding.kind != "out-of-bounds":
        return 0
    size, address = sizes.get(finding.array), finding.address
    if finding.space == "global" and size is not None and address is not None:
        return 0 if -_PAGE <= address < size + _PAGE else _ILLEGAL_ADDRESS
    return _BY_TOPIC.get(finding.topic, 0)


class Failures:
    """The calls that failed since the program last asked for an error."""

    def __init__(self, session: ScriptSession, lines: CodeLines, heap: Heap) -> None:
        self._session = session
        self._lines = lines
        self._heap = heap
        self._calls: Counter[Failed] = Counter()
        self._launches: dict[Failed, int] = {}
        self._reasons: dict[Failed, Explained] = {}
        self._reason: Explained | None = None

    def add(self, call: Failed) -> None:
        """Note a call."""
        self._calls[call] += 1
        self._launches.setdefault(call, len(self._session.launches))
        if self._reason is not None:
            self._reasons[call] = self._reason
        self._reason = None

    def explain(self, reason: Explained) -> None:
        """Note why the call fails that the program makes now."""
        self._reason = reason

    def say_reason(self) -> None:
        """Print why the last call failed whose result the program took."""
        if self._reason is not None:
            at = self._lines.place(self._reason.frames)
            print(f"{at.file}:{at.line}: {self._word(self._reason)}", file=sys.stderr, flush=True)

    def forget(self) -> None:
        """Forget all of them: the program has learned that something failed."""
        self._calls.clear()

    def report(self) -> None:
        """Add a warning for each to the launch that follows, or to the last."""
        for call, count in self._calls.items():
            what = _describe(call)
            launch = min(self._launches[call], len(self._session.launches) - 1)
            reason = self._reasons.get(call)
            hint = None if reason is None else self._word(reason)
            found = Finding(
                "warning", call.line, 1, what, "failed call", file=call.file, count=count, hint=hint
            )
            self._session.add_finding(found, launch)

    def _word(self, why: Explained) -> Fact:
        line = self._heap.find_freed_line(why.pointer)
        match why.reason:  # `Reason` in `include/quiz_runtime.h`
            case 0:
                return fact("failure.target-of-host")
            case 1:
                return fact("failure.source-of-host")
            case 3 if line:
                return fact("failure.freed", line=line)
            case 4:
                return fact("failure.beyond", asked=why.asked, left=why.left)
            case 5:
                return fact("failure.inside")
            case 6:
                return fact("failure.freed-otherwise")
            case 7:
                return fact("failure.beyond-shared", asked=why.asked, left=why.left)
            case _:
                return fact("failure.no-allocation")


def describe_sticky(error: LaunchError) -> Fact:
    """Say what makes all calls fail from here on."""
    name, text = _errors().get(error.number, ("", ""))
    return fact("program.sticky", what=error.finding.what, error=name, text=text)


def _describe(call: Failed) -> Fact:
    name, text = _errors().get(call.error, ("", ""))
    return fact("finding.failed-call", call=call.call, error=name, text=text)


@cache
def _errors() -> dict[int, tuple[str, str]]:
    """Return the name and the text of each error of the runtime, by its number."""
    found = re.findall(
        r'QUIZ_ERROR\((\w+), (\d+), "(.*)"\)',
        (INCLUDE / "quiz_errors.h").read_text(encoding="utf-8"),
    )
    return {int(number): (name, text) for name, number, text in found}
