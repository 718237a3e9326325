"""`quiz grade --gradescope`: makes the autograder, or grades a submission inside of it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from grader.facts import fact
from quizapp.batch import autograder, gradescope, pool, reading
from quizapp.batch import exercises as catalogue
from quizapp.commands.common.grade_all import draw_seed
from quizapp.commands.common.output import note
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.commands.common.written_files import check_free
from quizapp.deck.installing import pack_files
from quizapp.domain.errors import OK, UsageError
from quizapp.report.words import Words
from quizapp.system.files import replace_file, write_folder

_ZIP = ".zip"


class AutograderOptions(NamedTuple):
    """What the command line says.

    Attributes:
        questions: their names.
        submission: a student's folder to grade; None to make the autograder.
        out: a zip file or a folder; of a submission, results.json.
        wheel: the program that the autograder installs; None for the published package.
        seed: of the inputs that no submission knows; None: drawn.
    """

    questions: Sequence[str]
    submission: Path | None
    out: Path | None
    wheel: Path | None
    seed: int | None
    overwrite: bool


def run(options: AutograderOptions) -> int:
    """Make the autograder, or grade a submission as it does.

    Raises:
        UsageError: no such questions, or no place to write to.
        BadPack: a pack of the questions holds what it must not.
        EnvironmentProblem: the files cannot be written.
    """
    where = surroundings()
    say = Words(where.settings.language)
    if not options.questions:
        raise UsageError(fact("autograder.no-questions"))
    if options.out is None:
        raise UsageError(fact("autograder.no-out"))
    deck = read_deck(where)
    exercises = catalogue.Exercises(deck, where.paths)
    names = tuple(dict.fromkeys(_find(name, exercises) for name in options.questions))
    seed = draw_seed() if options.seed is None else options.seed
    _check_out(options.out, overwrite=options.overwrite)
    if options.submission is not None:
        processes = pool.Pool(min(len(names), os.cpu_count() or 1))
        reader = reading.Reader(options.submission, exercises, seed, say.language)
        results = gradescope.grade_student(names, reader, processes)
        replace_file(options.out, json.dumps(results, indent=1).encode())
        return OK
    files = autograder.make_autograder(names, deck, where.paths, seed, options.wheel)
    if options.out.suffix == _ZIP:
        replace_file(options.out, pack_files.make_zip(files, autograder.PROGRAMS))
    else:
        write_folder(options.out, files)
        for program in autograder.PROGRAMS:
            (options.out / program).chmod(0o755)
    note(say("autograder.made", path=options.out, n=len(names), points=len(names)))
    if options.wheel is None:
        note(say("autograder.from-pypi", package=autograder.PACKAGE))
    return OK


def _check_out(out: Path, *, overwrite: bool) -> None:
    """Check that the output is in nothing's place; an empty folder is nothing.

    Raises UsageError: a file is there and not to be replaced, or a folder with something in it.
    """
    if not out.is_dir():
        check_free(out, overwrite=overwrite)
    elif any(out.iterdir()):
        raise UsageError(fact("autograder.out-exists", path=str(out)))


def _find(name: str, exercises: catalogue.Exercises) -> str:
    """Return the id of a question. Raises UsageError: it cannot be asked."""
    found = exercises.find(name, None)
    if found.fault is not None:
        raise UsageError(found.fault, found.hint)
    return found.id
