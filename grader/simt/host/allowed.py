"""Races that a person allows: by a comment at one of a race's two lines, or by naming the line.

    count[0] = 1  # quiz: allow race
    count[0] = 1;  // quiz: allow race

An allowed race stays in the report, as a warning. Only `quiz profile` asks: a grader does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from grader.facts import fact
from grader.simt.checks.findings import RACES, Finding

ALLOWED = "allowed race"
"""The topic of the warning."""
_COMMENT = re.compile(r"(#|//).*\bquiz: *allow race\b")


class AllowedLine(NamedTuple):
    """A line whose races are allowed; `file` is the end of its path, "" for any file."""

    file: str
    line: int

    def names(self, path: str, line: int) -> bool:
        """Return True if it is that line of a file."""
        return line == self.line and (not self.file or PurePath(path).match(self.file))


def allow(
    finding: Finding, sources: Mapping[str, Sequence[str]], lines: Sequence[AllowedLine]
) -> Finding:
    """Return a finding, as a warning if it is a race that is allowed.

    Args:
        finding: with the paths of its files.
        lines: those that are allowed by name.
    """
    if finding.kind not in RACES:
        return finding
    for path, line in (
        (finding.file, finding.line),
        (finding.other_file or finding.file, finding.other_line),
    ):
        source = sources.get(path, ())
        text = source[line - 1] if 0 < line <= len(source) else ""
        if _COMMENT.search(text) or any(allowed.names(path, line) for allowed in lines):
            what = fact("finding.allowed-race", race=finding.what)
            return replace(finding, kind="warning", topic=ALLOWED, what=what)
    return finding
