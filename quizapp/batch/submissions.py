"""Finds submissions: a folder per student, or a CSV that names files. Reads none of them.

What cannot be graded is found all the same, with the reason; it never ends the run.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from grader.facts import Fact, fact
from quizapp.batch.exercises import Exercises
from quizapp.batch.values import Key, Submission
from quizapp.domain.errors import UsageError
from quizapp.domain.languages import ENDINGS
from quizapp.domain.question import CodeLanguage

COLUMNS = ("student", "question", "file")
"""Of a CSV."""
_HIDDEN = "."
"""Begins names that are no submissions, such as those that an archive of macOS brings."""
_LANGUAGES: dict[str, CodeLanguage] = {ending: name for name, ending in ENDINGS.items()}


class Submissions(NamedTuple):
    """What was found.

    Attributes:
        root: what the files of `all` are relative to.
        all: by question, so that a worker that is warm for one grades it often; then by student.
        ignored: how many other files there are.
    """

    root: Path
    all: tuple[Submission, ...]
    ignored: int = 0


def find_submissions(source: Path, exercises: Exercises) -> Submissions:
    """Find the submissions of a class.

    Args:
        source: a folder with a folder per student, or a CSV.
        exercises: what the names of files stand for.

    Raises:
        UsageError: there is no such file or folder, or nothing is submitted in it.
    """
    if source.is_dir():
        root, found, ignored = source, *_walk(source, exercises)
    elif source.exists():
        root, found, ignored = source.parent, list(_read_table(source, exercises)), 0
    else:
        raise UsageError(fact("file.missing", file=str(source)), fact("batch.layout"))
    if not found:
        raise UsageError(fact("batch.empty", folder=str(source)), fact("batch.layout"))
    ordered = sorted(_refuse_doubles(found), key=_by_question)
    return Submissions(root, tuple(ordered), ignored)


def find_of_student(folder: Path, exercises: Exercises) -> Submissions:
    """Find what one student submitted, in a folder and those below it; there may be nothing.

    Raises:
        UsageError: there is no such folder.
    """
    if not folder.is_dir():
        raise UsageError(fact("file.missing", file=str(folder)), fact("autograder.submission"))
    files = filter(_is_submission, _files(folder))
    found = _refuse_doubles([_find(path, folder, "", exercises) for path in files])
    return Submissions(folder, tuple(sorted(found, key=_by_question)))


def _by_question(one: Submission) -> tuple[str, str, str]:
    return one.question, one.language or "", one.student


def _walk(folder: Path, exercises: Exercises) -> tuple[list[Submission], int]:
    """Find the submissions below the students' folders, and count the other files."""
    found: list[Submission] = []
    ignored = 0
    for place in sorted(folder.iterdir()):
        if place.is_symlink():
            found.append(_refuse(place.name, "", place.name, fact("batch.link")))
        elif not place.is_dir():
            ignored += 1
        else:
            for path in _files(place):
                if _is_submission(path):
                    found.append(_find(path, folder, place.name, exercises))
                else:
                    ignored += 1
    return found, ignored


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


def _find(path: Path, folder: Path, student: str, exercises: Exercises) -> Submission:
    """Make the submission of a file; `folder` is what its path is shown relative to."""
    file = path.relative_to(folder)
    named = f"{path.parent.name}/{path.stem}"
    question = named if exercises.knows(named) else path.stem
    if path.is_symlink():
        return _refuse(student, exercises.find(question, None).id, str(file), fact("batch.link"))
    if _as_text(str(file)) != str(file):
        return _refuse(student, question, str(file), fact("batch.no-name"))
    return _submit(student, question, str(file), exercises)


def _read_table(file: Path, exercises: Exercises) -> Iterator[Submission]:
    """Read the rows of a CSV.

    Raises:
        UsageError: it is not a CSV with these columns.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if not set(COLUMNS) <= set(rows.fieldnames or ()):
                what = fact("batch.columns", file=str(file), columns=COLUMNS)
                raise UsageError(what)
            for row in rows:
                student, question, name = (row[column] or "" for column in COLUMNS)
                yield _submit(student, question, name, exercises)
    except UnicodeDecodeError as error:
        raise UsageError(fact("code-file.not-utf8", file=str(file), byte=error.start)) from None
    except csv.Error:
        raise UsageError(fact("batch.columns", file=str(file), columns=COLUMNS)) from None


def _submit(student: str, question: str, file: str, exercises: Exercises) -> Submission:
    language = _LANGUAGES.get(Path(file).suffix)
    found = exercises.find(question, language)
    return Submission(student, found.id, file, language, found.fault, found.hint)


def _refuse(student: str, question: str, file: str, fault: Fact) -> Submission:
    return Submission(_as_text(student), _as_text(question), _as_text(file), fault=fault)


def _as_text(name: str) -> str:
    """Show the bytes of a name that is not UTF-8 by their numbers."""
    return os.fsencode(name).decode(errors="backslashreplace")


def _refuse_doubles(found: list[Submission]) -> Iterator[Submission]:
    """Make one refused submission of several for one question: which one counts is not known."""
    files: dict[Key, list[Submission]] = {}
    for one in found:
        files.setdefault(one.key, []).append(one)
    for several in files.values():
        if len(several) == 1:
            yield several[0]
        else:
            names = tuple(sorted(one.file for one in several))
            yield _refuse(*several[0].key, names[0], fact("batch.twice", files=names))
