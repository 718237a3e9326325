"""Finds submissions: a folder per student, or a CSV that names files. Reads none of them.

What cannot be graded is found all the same, with the reason; it never ends the run.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grader.facts import Fact, as_plain, fact
from quizapp.batch.exercises import Exercises
from quizapp.batch.table import TableRow, read_rows
from quizapp.batch.values import BatchSubmission, SubmissionKey
from quizapp.domain.errors import UsageError
from quizapp.domain.languages import ENDINGS
from quizapp.domain.question import CodeLanguage

_HIDDEN = "."
"""Begins names that are no submissions, such as those that an archive of macOS brings."""
_LANGUAGES: dict[str, CodeLanguage] = {ending: name for name, ending in ENDINGS.items()}
_TABLE = ".csv"
_REASONS = (
    "batch.ignored.capitals",
    "batch.ignored.no-student",
    "batch.ignored.not-code",
    "batch.ignored.hidden",
)
"""Why a file is not a submission; first what a student may have meant as one."""


class IgnoredFile(NamedTuple):
    """A file that is not a submission, and why it is none."""

    file: str
    why: Fact


class Submissions(NamedTuple):
    """What was found.

    Attributes:
        root: what the files of `all` are relative to.
        all: by question, so that a worker that is warm for one grades it often; then by student.
        ignored: the other files; first those that look like a submission.
        without: the students whose folder has no submission.
    """

    root: Path
    all: tuple[BatchSubmission, ...]
    ignored: tuple[IgnoredFile, ...] = ()
    without: tuple[str, ...] = ()

    def others_as_plain(self) -> dict[str, Any]:
        """Return what was not graded for `--json`."""
        files = [{"file": file, "reason": as_plain(why)} for file, why in self.ignored]
        return {
            "ignored": len(files),
            "ignored_files": files,
            "without_submission": list(self.without),
        }


def find_submissions(source: Path, exercises: Exercises) -> Submissions:
    """Find the submissions of a class.

    `source`: a folder with a folder per student, or a CSV.

    Raises UsageError: there is no such file or folder, or nothing is submitted in it.
    """
    if source.is_dir():
        found = _walk(source, exercises)
    elif source.exists():
        rows = [_from_row(row, exercises) for row in read_rows(source)]
        found = Submissions(source.parent, tuple(rows))
    else:
        raise UsageError(_missing(source), fact("batch.layout"))
    if not found.all:
        raise UsageError(_nothing(source, found.ignored), fact("batch.layout"))

    def hardest_first(one: BatchSubmission) -> tuple[int, str, str, str]:
        """Return the place of a submission: what is hard takes long, and is not to begin last."""
        return -exercises.difficulty(one.question), *_by_question(one)

    return found._replace(all=tuple(sorted(_refuse_doubles(found.all), key=hardest_first)))


def _missing(source: Path) -> Fact:
    """Say that there is no such folder, or no such CSV."""
    if source.suffix.lower() == _TABLE:
        return fact("file.missing", file=str(source))
    return fact("folder.missing", folder=str(source))


def _nothing(source: Path, ignored: Sequence[IgnoredFile]) -> Fact:
    """Say that nothing is submitted, and why the first of the files is no submission."""
    if not ignored:
        return fact("batch.empty", folder=str(source))
    file, why = ignored[0]
    return fact("batch.only-ignored", folder=str(source), n=len(ignored), file=file, why=why)


def find_of_student(folder: Path, exercises: Exercises) -> Submissions:
    """Find what one student submitted, in a folder and those below it; there may be nothing.

    Raises UsageError: there is no such folder.
    """
    if not folder.is_dir():
        missing = fact("folder.missing", folder=str(folder))
        raise UsageError(missing, fact("autograder.submission"))
    files = sorted(_files(folder))
    submitted = [_find(path, folder, "", exercises) for path in files if _is_submission(path)]
    ignored = [_ignore(path, folder) for path in files if not _is_submission(path)]
    found = sorted(_refuse_doubles(submitted), key=_by_question)
    return Submissions(folder, tuple(found), tuple(sorted(ignored, key=_by_reason)))


def _by_question(one: BatchSubmission) -> tuple[str, str, str]:
    return one.question, one.language or "", one.student


def _walk(folder: Path, exercises: Exercises) -> Submissions:
    """Find the submissions below the students' folders, and what else is there."""
    found: list[BatchSubmission] = []
    ignored: list[IgnoredFile] = []
    without: list[str] = []
    for place in sorted(folder.iterdir()):
        if place.is_symlink():
            found.append(_refuse(place.name, "", place.name, fact("batch.link")))
        elif not place.is_dir():
            ignored.append(_ignore(place, folder, beside_students=True))
        elif not place.name.startswith(_HIDDEN):
            files = sorted(_files(place))
            submitted = [path for path in files if _is_submission(path)]
            found += (_find(path, folder, place.name, exercises) for path in submitted)
            ignored += (_ignore(path, folder) for path in files if not _is_submission(path))
            if not submitted:
                without.append(_as_text(place.name))
    ignored.sort(key=_by_reason)
    return Submissions(folder, tuple(found), tuple(ignored), tuple(without))


def _ignore(path: Path, folder: Path, *, beside_students: bool = False) -> IgnoredFile:
    """Say why a file is not a submission; `folder` is what its path is shown relative to."""
    ending = path.suffix.lower()
    if path.name.startswith(_HIDDEN):
        why = fact("batch.ignored.hidden")
    elif ending not in _LANGUAGES:
        why = fact("batch.ignored.not-code", endings=tuple(_LANGUAGES))
    elif beside_students:
        why = fact("batch.ignored.no-student")
    else:
        why = fact("batch.ignored.capitals", ending=ending)
    return IgnoredFile(_as_text(str(path.relative_to(folder))), why)


def _by_reason(ignored: IgnoredFile) -> tuple[int, str]:
    return _REASONS.index(ignored.why.code), ignored.file


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, and the links to folders, which are not followed."""
    for name, folders, files in os.walk(folder):
        above = Path(name)
        links = [each for each in folders if (above / each).is_symlink()]
        folders[:] = [each for each in folders if not each.startswith(_HIDDEN)]
        yield from (above / each for each in (*files, *links))


def _is_submission(path: Path) -> bool:
    """Return True for code, and for a link, which may stand for code; not for a hidden file."""
    code = path.is_symlink() or path.suffix in _LANGUAGES
    return code and not path.name.startswith(_HIDDEN)


def _find(path: Path, folder: Path, student: str, exercises: Exercises) -> BatchSubmission:
    """Make the submission of a file; `folder` is what its path is shown relative to."""
    file = path.relative_to(folder)
    named = f"{path.parent.name}/{path.stem}"
    question = named if exercises.knows(named) else path.stem
    if path.is_symlink():
        return _refuse(student, exercises.find(question, None).id, str(file), fact("batch.link"))
    if _as_text(str(file)) != str(file):
        return _refuse(student, question, str(file), fact("batch.no-name"))
    return _submit(student, question, str(file), exercises)


def _from_row(row: TableRow, exercises: Exercises) -> BatchSubmission:
    found = _submit(row.student, row.question, row.file, exercises)
    return found if row.fault is None else found._replace(fault=row.fault, hint=None)


def _submit(student: str, question: str, file: str, exercises: Exercises) -> BatchSubmission:
    language = _LANGUAGES.get(Path(file).suffix)
    found = exercises.find(question, language)
    return BatchSubmission(student, found.id, file, language, found.fault, found.hint)


def _refuse(student: str, question: str, file: str, fault: Fact) -> BatchSubmission:
    return BatchSubmission(_as_text(student), _as_text(question), _as_text(file), fault=fault)


def _as_text(name: str) -> str:
    """Show the bytes of a name that is not UTF-8 by their numbers."""
    return os.fsencode(name).decode(errors="backslashreplace")


def _refuse_doubles(found: Iterable[BatchSubmission]) -> Iterator[BatchSubmission]:
    """Make one refused submission of several for one question: which one counts is not known."""
    files: dict[SubmissionKey, list[BatchSubmission]] = {}
    for one in found:
        files.setdefault(one.key, []).append(one)
    for several in files.values():
        if len(several) == 1 or all(one.fault is not None for one in several):
            yield several[0]
        else:
            names = tuple(sorted(one.file for one in several))
            yield _refuse(*several[0].key, names[0], fact("batch.twice", files=names))
