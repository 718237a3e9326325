"""A class whose submissions are found and graded once for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from quizapp.batch.exercises import Exercises
from quizapp.batch.pool import Pool
from quizapp.batch.reading import Reader
from quizapp.batch.submissions import Submissions, find_submissions
from quizapp.batch.values import Job, Result
from quizapp.deck import content
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from tests.batch.classes import SUBMISSIONS, write_files, write_pack


class Class(NamedTuple):
    """The submissions of a class, and what reads them."""

    found: Submissions
    reader: Reader

    def jobs(self, times: int = 1) -> list[Job]:
        """All that can be graded, by so many students."""
        read = map(self.reader.read, self.found.all)
        jobs = [one for one in read if isinstance(one, Job)]
        return [
            Job(**{**{name: getattr(job, name) for name in job.__struct_fields__},
                   "student": f"{job.student}-{number}"})
            for number in range(times)
            for job in jobs
        ]  # fmt: skip


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    folder = tmp_path_factory.mktemp("class")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIZ_HOME", str(folder / "home"))
        paths = find_paths()
        write_pack(paths.own_content)
        exercises = Exercises(content.load_deck(paths, Settings()), paths)
        source = write_files(folder / "class", SUBMISSIONS)
        found = find_submissions(source, exercises)
        yield Class(found, Reader(Path(found.root), exercises, seed=7, said_in="en"))


@pytest.fixture(scope="module")
def right(class_: Class) -> dict[str, Result]:
    """The result of each submission, graded in one process without any trouble."""
    return {result.file: result for result in Pool(1).grade(iter(class_.jobs()))}
