"""Reads from a unified diff which lines of a program are new: what a reviewer is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from grader.facts import fact
from quizapp.domain.errors import UsageError

_FILE = re.compile(r"\+\+\+ (?:b/)?([^\t\n]+)")
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")


class _Line(NamedTuple):
    """A line of the new text: with its text if the diff adds it, else next to one it deletes."""

    path: PurePosixPath
    number: int
    text: str | None


def read_changed(diff: Path, file: Path) -> frozenset[int]:
    """Return the lines of a file that a diff added, and those around what it deleted.

    Raises:
        UsageError: it is not a diff of that file as it is now.
        OSError: one of them cannot be read.
    """
    found = [each for each in _parse(diff) if _is_of(each.path, file)]
    if not found:
        raise UsageError(fact("ask.not-in-diff", diff=str(diff), file=str(file)))
    lines = file.read_text("utf-8", "replace").split("\n")
    for each in found:
        there = lines[each.number - 1] if each.number <= len(lines) else ""
        if each.text is not None and each.text.rstrip("\r") != there.rstrip("\r"):
            raise UsageError(
                fact("ask.other-diff", diff=str(diff), file=str(file), line=each.number)
            )
    return frozenset(each.number for each in found)


def _parse(diff: Path) -> Iterator[_Line]:
    path, number = PurePosixPath(), 0
    for line in diff.read_text("utf-8", "replace").split("\n"):
        if named := _FILE.match(line):
            path, number = PurePosixPath(named[1]), 0
        elif hunk := _HUNK.match(line):
            number = int(hunk[1])
        elif not number or line.startswith(("diff ", "index ", "--- ")):
            number = 0 if line.startswith("diff ") else number
        elif line.startswith("+"):
            yield _Line(path, number, line[1:])
            number += 1
        elif line.startswith("-"):
            yield from (_Line(path, each, None) for each in (number - 1, number) if each)
        elif line.startswith(" ") or not line:
            number += 1


def _is_of(path: PurePosixPath, file: Path) -> bool:
    """Return True if a path of a diff, from the root of a repository, is that of the file."""
    parts = file.absolute().parts
    return len(path.parts) > 0 and parts[-len(path.parts) :] == path.parts
