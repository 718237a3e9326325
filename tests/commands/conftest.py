"""A home of its own for each test, and `quiz` to be called there, outside and inside."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.cli import run
from quizapp.system import logs
from tests.commands.program import OURS, Program, Said
from tests.compiled_content import compile_once
from tests.created_database import create_once


@pytest.fixture(autouse=True)
def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped content is compiled once, and a database created once, not for each test's home."""
    compile_once(monkeypatch)
    create_once(monkeypatch)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def quiz(tmp_path: Path) -> Program:
    """The real program, as a process."""
    return Program(tmp_path, {})


@pytest.fixture
def inside(tmp_path, home, monkeypatch, capsys) -> Callable[..., Said]:
    """The same command line in this process: `inside("due", "--json")`."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("QUIZ_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "80")  # whatever terminal the tests were started from
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path, typed: str = "", **variables: str) -> Said:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.StringIO(typed))
            for name, value in variables.items():
                patch.setenv(name, value)
            status = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Said(status, out, err)

    yield call
    logs.close()
