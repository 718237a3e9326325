"""Commands in texts are what the person can type."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest

from quizapp.report import commands_as_typed
from quizapp.report.commands_as_typed import as_typed, called
from quizapp.report.words import Words
from quizapp.system import installing

LOCAL = ".venv/bin/quiz"


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands_as_typed._Typed, "name", "quiz")
    monkeypatch.setattr(commands_as_typed._Typed, "command", None)


@pytest.mark.parametrize("program", ["quiz", "/usr/bin/quiz", "python/__main__.py"])
def test_a_program_that_the_shell_finds_is_called_by_its_name(program: str) -> None:
    called(program, ["due"])
    assert as_typed("see `quiz due`") == "see `quiz due`"


@pytest.mark.parametrize(
    ("noted", "there", "typed"),
    [
        ("folder", ".", ".venv/bin/pip install -e '.[triton]'"),
        ("folder", "..", "{folder}/.venv/bin/pip install -e '{folder}[triton]'"),
        ("wheel", "/", "{folder}/.venv/bin/pip install '{folder}/a b.whl[triton]'"),
        ("", "/", "{folder}/.venv/bin/pip install 'gpu-quiz[triton]'"),
    ],
)
def test_an_extra_is_installed_where_the_program_is(tmp_path, monkeypatch, noted, there, typed):
    folder = tmp_path / "quiz"
    folder.mkdir()
    found = {
        "folder": {"url": folder.as_uri(), "dir_info": {"editable": True}},
        "wheel": {"url": (folder / "a b.whl").as_uri(), "archive_info": {}},
        "": {},
    }
    told = SimpleNamespace(read_text=lambda _: json.dumps(found[noted]))
    monkeypatch.setattr(installing.Distribution, "from_name", lambda _: told)
    monkeypatch.setattr(sys, "prefix", str(folder / ".venv"))
    monkeypatch.chdir(folder / there)
    installing.install_command.cache_clear()
    text = Words("en")("extra.missing.hint", extra="triton")
    installing.install_command.cache_clear()
    assert text == f"on Linux: {typed.format(folder=folder)}"


def test_a_program_in_a_folder_is_called_as_it_was() -> None:
    called(LOCAL, ["due", "doctor"])
    assert as_typed("see `quiz due` and `quiz --help`") == (
        f"see `{LOCAL} due` and `{LOCAL} --help`"
    )
    assert as_typed("an error in quiz itself, quiz duels") == "an error in quiz itself, quiz duels"
    assert f"`{LOCAL} doctor`" in Words("en")("store.set-aside", n=2)
