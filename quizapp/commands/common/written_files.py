"""Files that a person names: one to read is there, none is replaced unasked, no folder made."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import Fact, fact
from quizapp.commands.common.output import note
from quizapp.domain.errors import UsageError
from quizapp.system.files import replace_file

if TYPE_CHECKING:
    from quizapp.report.words import Words

overwrite_option = click.option("--overwrite", is_flag=True)


def check_free(*files: Path | None, overwrite: bool) -> None:
    """Check that no file is in the place of one that will be written; None stands for no file.

    Raises UsageError: one is, and it is not to be replaced.
    """
    for file in files:
        if file is not None and not overwrite and os.path.lexists(file):
            raise UsageError(fact("file.exists", file=str(file)))


def check_readable(file: Path, hint: Fact) -> None:
    """Check that a file can be read, before anything starts; a `hint` says what to name.

    Raises:
        UsageError: it is not there, or a folder.
        OSError: it cannot be read.
    """
    if not file.exists():
        raise UsageError(fact("file.missing", file=str(file)), hint)
    if file.is_dir():
        raise UsageError(fact("file.folder", file=str(file)), hint)
    with file.open("rb"):
        pass


def check_folder(file: Path) -> Path:
    """Check that the folder of a file to be written exists: a misspelled one must not be made.

    Raises UsageError: it does not.
    """
    if not file.parent.is_dir():
        what = fact("file.no-folder", file=str(file), folder=str(file.parent.absolute()))
        raise UsageError(what)
    return file


def write_file(file: Path, content: bytes, say: Words) -> None:
    """Write a file, and say so beside the output.

    Raises EnvironmentProblem: nothing was written.
    """
    replace_file(file, content)
    note(say("file.written", path=file))


class OutputFile(click.Path):
    """A file that a person names for a command to write; its folder must be there."""

    def __init__(self, *endings: str, dir_okay: bool = True) -> None:
        """Take a file whose name ends in one of `endings`; without any, every file."""
        super().__init__(dir_okay=dir_okay, path_type=Path)
        self._endings = endings

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path.

        Raises UsageError: its folder is missing, or its name promises another form.
        """
        file = check_folder(Path(os.fsdecode(super().convert(value, param, ctx))))
        if self._endings and file.suffix.lower() not in self._endings:
            raise UsageError(fact("file.ending", file=str(file), endings=self._endings))
        return file
