"""Commands in texts are what the person can type."""

from __future__ import annotations

import pytest

from quizapp.report import commands_as_typed
from quizapp.report.commands_as_typed import as_typed, called
from quizapp.report.words import Words

LOCAL = ".venv/bin/quiz"


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands_as_typed._Typed, "name", "quiz")
    monkeypatch.setattr(commands_as_typed._Typed, "command", None)


@pytest.mark.parametrize("program", ["quiz", "/usr/bin/quiz", "python/__main__.py"])
def test_a_program_that_the_shell_finds_is_called_by_its_name(program: str) -> None:
    called(program, ["due"])
    assert as_typed("see `quiz due`") == "see `quiz due`"


def test_a_program_in_a_folder_is_called_as_it_was() -> None:
    called(LOCAL, ["due", "doctor"])
    assert as_typed("see `quiz due` and `quiz --help`") == (
        f"see `{LOCAL} due` and `{LOCAL} --help`"
    )
    assert as_typed("an error in quiz itself, quiz duels") == "an error in quiz itself, quiz duels"
    assert f"`{LOCAL} doctor`" in Words("en")("store.set-aside", n=2)
