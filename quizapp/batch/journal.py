"""The results of a run as they come: one line of JSON each, in a file that survives the run.

The first line says which run it is. Knows neither grading nor what is written at the end.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from grader.facts import fact
from quizapp.batch.values import Result, Status, SubmissionKey
from quizapp.domain.errors import EnvironmentProblem, UsageError
from quizapp.domain.question import Language
from quizapp.system import os_errors
from quizapp.system.files import open_plain

FORMAT = 1
"""Of the lines; higher once a field changes its meaning."""
SUFFIX = ".journal"


class RunHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What makes the results of a run comparable; those of another are not continued.

    Attributes:
        exercises: a hash of them.
        language: of the sentences.
    """

    format: int = FORMAT
    version: str
    seed: int
    exercises: str
    language: Language


class _Graded(msgspec.Struct, frozen=True):
    """What of a result says whether it still holds."""

    student: str
    question: str
    status: Status
    sha256: str = ""


class _Line(NamedTuple):
    start: int
    length: int
    status: Status
    sha256: str


def journal_of(out: Path) -> Path:
    """Return the path of the journal beside an output file."""
    return out.with_name(out.name + SUFFIX)


class Journal:
    """An open journal, which one run at a time has; a `with` closes it."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open the file and read what is in it; see `begin_journal` and `resume_journal`."""
        self.path = path
        self._file = open_plain(path, os.O_RDWR | (os.O_CREAT if create else 0))
        self._lines: dict[SubmissionKey, _Line] = {}
        self._end = 0
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.header = self._read()
        except BaseException as error:
            self.close()
            if isinstance(error, BlockingIOError):
                raise UsageError(fact("batch.running", file=str(path))) from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; another run may continue it."""
        os.close(self._file)

    def __len__(self) -> int:
        """Return how many submissions have a result."""
        return len(self._lines)

    def start(self, header: RunHeader) -> None:
        """Write the first line of a new run. Raises EnvironmentProblem: it cannot be written."""
        self.header = header
        os.ftruncate(self._file, 0)
        self._append(msgspec.json.encode(header))

    def add(self, result: Result) -> None:
        """Add a result; it replaces an earlier one of the same submission.

        Raises EnvironmentProblem: it cannot be written; those before it are kept.
        """
        start, length = self._append(msgspec.json.encode(result))
        self._lines[result.key] = _Line(start, length, result.status, result.sha256)

    def holds(self, key: SubmissionKey, sha256: str) -> bool:
        """Return True if there is a verdict on this source."""
        known = self._lines.get(key)
        return known is not None and known.sha256 == sha256 and known.status != "ungraded"

    @property
    def ungraded(self) -> int:
        """How many submissions have a result without a verdict."""
        return sum(line.status == "ungraded" for line in self._lines.values())

    def result(self, key: SubmissionKey) -> Result:
        """Read the result of a submission, which must be there."""
        line = self._lines[key]
        return msgspec.json.decode(os.pread(self._file, line.length, line.start), type=Result)

    def remove(self) -> None:
        """Remove the file: its results are elsewhere."""
        self.path.unlink(missing_ok=True)

    def _append(self, line: bytes) -> tuple[int, int]:
        """Write a line; return where it begins, and its length."""
        data = memoryview(line + b"\n")
        written = 0
        try:
            while written < len(data):
                written += os.pwrite(self._file, data[written:], self._end + written)
        except OSError as error:
            with suppress(OSError):  # the next run drops what is left of the line
                os.ftruncate(self._file, self._end)
            reason = os_errors.system_reason(error)
            what = fact("batch.not-kept", path=str(self.path), reason=reason)
            raise EnvironmentProblem(what) from None
        start = self._end
        self._end += len(data)
        return start, len(line)

    def _read(self) -> RunHeader | None:
        """Find every whole line, and cut the last one off if it is not; None without a first.

        Raises UsageError: another program wrote the file.
        """
        header: RunHeader | None = None
        with os.fdopen(os.dup(self._file), "rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                if header is None:
                    header = _decode_header(line, self.path)
                else:
                    self._note(line)
                self._end += len(line)
        if header is not None:
            os.ftruncate(self._file, self._end)
        return header

    def _note(self, line: bytes) -> None:
        with suppress(msgspec.DecodeError):  # graded again
            found = _GRADED.decode(line)
            key = SubmissionKey(found.student, found.question)
            self._lines[key] = _Line(self._end, len(line) - 1, found.status, found.sha256)


_GRADED = msgspec.json.Decoder(_Graded)


def _decode_header(line: bytes, path: Path) -> RunHeader:
    try:
        return msgspec.json.decode(line, type=RunHeader)
    except msgspec.DecodeError:
        raise UsageError(fact("batch.no-journal", file=str(path))) from None


def begin_journal(path: Path, header: RunHeader) -> Journal:
    """Begin the journal of a new run.

    Raises:
        UsageError: there is one of a run that has not ended, or another file.
        EnvironmentProblem: it cannot be written.
    """
    try:
        journal = Journal(path, create=True)
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise EnvironmentProblem(fact("file.not-written", path=str(path), reason=reason)) from None
    if journal.header is not None:
        journal.close()
        raise UsageError(fact("batch.unfinished", file=str(path), n=len(journal)))
    journal.start(header)
    return journal


def resume_journal(path: Path) -> Journal:
    """Open the journal of a run that has not ended.

    Raises:
        UsageError: there is none, or the file is not one.
        EnvironmentProblem: it cannot be read.
    """
    try:
        journal = Journal(path, create=False)
    except FileNotFoundError:
        raise UsageError(fact("batch.nothing-to-resume", file=str(path))) from None
    except OSError as error:
        raise EnvironmentProblem(os_errors.system_error(error)) from None
    if journal.header is None:
        journal.close()
        raise UsageError(fact("batch.nothing-to-resume", file=str(path)))
    return journal


def check_same_run(found: RunHeader, wanted: RunHeader, file: Path) -> None:
    """Check that a run can be continued by another.

    Raises UsageError: their results are not comparable.
    """
    for name in RunHeader.__struct_fields__:
        was, is_ = getattr(found, name), getattr(wanted, name)
        if was != is_:
            what = fact("batch.other-run", file=str(file), what=name, was=str(was), now=str(is_))
            raise UsageError(what)
