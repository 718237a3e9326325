"""Calls of a program that failed, of which it took no result and asked for no error afterwards."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache

from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.host.session import ScriptSession
from grader.simt.memory.allocations import Heap
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.launch_errors import LaunchError
from grader.simt.native.messages import Explained, Failed
from grader.simt.native.rewriting import INCLUDE


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
