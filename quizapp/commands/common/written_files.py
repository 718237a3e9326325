"""Files that a command writes where it is told to: none that exists is replaced unasked."""

from __future__ import annotations

from pathlib import Path

import click

from grader.facts import fact
from quizapp.domain.errors import UsageError

overwrite_option = click.option("--overwrite", is_flag=True)


def check_free(*files: Path | None, overwrite: bool) -> None:
    """Check that no file is in the place of one that will be written; None stands for no file.

    Raises:
        UsageError: one is, and it is not to be replaced.
    """
    for file in files:
        if file is not None and not overwrite and file.exists():
            raise UsageError(fact("file.exists", file=str(file)))
