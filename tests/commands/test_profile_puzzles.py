"""Puzzles as they are published run on the base install: no Numba, and nothing that draws."""

from __future__ import annotations

from pathlib import Path

from quizapp.domain.errors import OK
from tests.commands.program import ROOT

PUZZLES = Path(__file__).parents[1] / "data" / "puzzles"


def test_solved_puzzles_pass_where_numba_is_absent(quiz, tmp_path):
    package = tmp_path / "absent" / "numba"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('no numba here')\n")
    path = f"{package.parent}:{PUZZLES}:{ROOT}"
    done = quiz("profile", str(PUZZLES / "solved.py"), PYTHONPATH=path)
    assert done.stdout.count("passed:") == 16, done.stderr
    assert done.returncode == OK, done.stdout
