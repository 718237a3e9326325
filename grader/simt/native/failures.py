"""Calls of a program that failed, of which it took no result and asked for no error afterwards."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.host.session import ScriptSession
from grader.simt.native.messages import Failed
from grader.simt.native.rewriting import INCLUDE


class Failures:
    """The calls that failed since the program last asked for an error."""

    def __init__(self, session: ScriptSession) -> None:
        self._session = session
        self._calls: Counter[Failed] = Counter()
        self._launches: dict[Failed, int] = {}

    def add(self, call: Failed) -> None:
        """Note a call."""
        self._calls[call] += 1
        self._launches.setdefault(call, len(self._session.launches))

    def forget(self) -> None:
        """Forget all of them: the program has learned that something failed."""
        self._calls.clear()

    def report(self) -> None:
        """Add a warning for each to the launch that follows, or to the last."""
        for call, count in self._calls.items():
            what = _describe(call)
            launch = min(self._launches[call], len(self._session.launches) - 1)
            found = Finding(
                "warning", call.line, 1, what, "failed call", file=call.file, count=count
            )
            self._session.add_finding(found, launch)


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
