"""Which editor, and how each is told the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.domain.errors import BadSetting, EnvironmentProblem
from quizapp.system import editor
from tests.sentences import english, expect_error

FILE = Path("/some/where/a file.yaml")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vi", ["vi", "+7", str(FILE)]),
        ("/usr/bin/nvim -p", ["/usr/bin/nvim", "-p", "+7", str(FILE)]),
        ("nano", ["nano", "+7", str(FILE)]),
        ("emacsclient -t", ["emacsclient", "-t", "+7", str(FILE)]),
        ("code", ["code", "--wait", "--goto", f"{FILE}:7"]),
        ("code -w", ["code", "-w", "--goto", f"{FILE}:7"]),
        ("hx", ["hx", f"{FILE}:7"]),
        ("'/my editors/subl' --wait", ["/my editors/subl", "--wait", f"{FILE}:7"]),
        ("ed", ["ed", str(FILE)]),
    ],
)
def test_the_line(command, expected):
    assert editor.arguments(command, FILE, 7, {}) == expected


def test_setting_then_visual_then_editor_then_vi():
    environment = {"VISUAL": "nano", "EDITOR": "ed"}
    assert editor.arguments("hx", FILE, 1, environment)[0] == "hx"
    assert editor.arguments("", FILE, 1, environment)[0] == "nano"
    assert editor.arguments(" ", FILE, 1, {"VISUAL": "", "EDITOR": "ed"})[0] == "ed"
    assert editor.arguments("", FILE, 1, {})[0] == "vi"


def test_an_open_quotation_mark_is_said_with_where_it_stands():
    with expect_error(BadSetting, match=r"\$EDITOR is not a command: 'ed"):
        editor.arguments("", FILE, 1, {"EDITOR": "'ed"})


def test_an_editor_that_is_not_there():
    with expect_error(EnvironmentProblem, match="'no-such-editor' cannot be run"):
        editor.edit("no-such-editor", FILE, 1)


def test_an_editor_that_fails_names_the_file():
    with pytest.raises(EnvironmentProblem) as failed:
        editor.edit("false", FILE, 1)
    assert english(failed.value).startswith("the editor 'false' ended with status 1")
    assert str(FILE) in english(failed.value)


def test_it_waits_for_the_editor(tmp_path):
    path = tmp_path / "file"
    editor.edit("touch", path, 1)
    assert path.exists()
