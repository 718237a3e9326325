"""The file in which a submission is edited outside the application: written, opened, looked at.

Lies in the cache: what counts is the draft in the store.
"""

from __future__ import annotations

from pathlib import Path

from grader.facts import fact
from quizapp.domain.errors import EnvironmentProblem
from quizapp.system import os_errors

_LONGEST = 1_000_000
"""Bytes: a larger file is not a submission, and is not read."""


class SubmissionFile:
    """A submission outside; `changed` says what it became since it was last looked at."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / name
        self._seen = ""

    def write(self, text: str) -> None:
        """Write the text to the file, to be edited.

        Raises EnvironmentProblem: it cannot be written.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(text, "utf-8")
        except OSError as error:
            reason = os_errors.system_reason(error)
            what = fact("file.not-written", path=str(self.path), reason=reason)
            raise EnvironmentProblem(what, fact("file.write-here")) from None
        self._seen = text

    def read_change(self) -> str | None:
        """Return the file's new text; None if unchanged, also while an editor replaces it.

        A byte-order mark, as some editors save, is left out.
        """
        try:
            if self.path.stat().st_size > _LONGEST:
                return None
            text = self.path.read_text("utf-8-sig", errors="replace")
        except OSError:
            return None
        if text == self._seen or not text.strip():  # some editors empty a file before they write it
            return None
        self._seen = text
        return text
