"""`e`: the terminal is the editor's for a while, and the program's again however that ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.program import HOME, PROMPTS, TOPIC, Start
from tests.terminal.screen import Screen
from tests.waiting import until


def editor(folder: Path, command: str) -> str:
    """An editor that does one thing to the file."""
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\nfor file; do :; done\n{command}\n")
    path.chmod(0o755)
    return str(path)


def at_question(start: Start, command: str) -> Screen:
    screen = start.at_home(*TOPIC, EDITOR=command)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    return screen


def test_an_edited_question_is_shown_at_once(start: Start, tmp_path: Path):
    change = editor(tmp_path, 'sed -i "s/do beside/mean with/" "$file"')
    screen = at_question(start, change)
    screen.keys("e")
    screen.wait_for("What does a[tid] mean with [/x]", "h hint")
    assert screen.wants_mouse()
    screen.keys("q")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0


def test_ctrl_c_in_the_editor_is_the_editors(start: Start, tmp_path: Path):
    begun = tmp_path / "begun"
    change = editor(tmp_path, f"trap : INT; touch {begun}; read line; read line; exit 0")
    screen = at_question(start, change)
    screen.keys("e")
    until(begun.exists, screen.text)
    screen.keys("C-c", "Enter", "Enter")
    screen.wait_for(PROMPTS[0], "h hint", "reloaded")
    screen.keys("q")
    screen.wait_for(HOME)


@pytest.mark.parametrize("command", ["kill -9 $$", 'echo "- [" >"$file"'])
def test_an_editor_that_fails_or_spoils_the_file(start: Start, tmp_path: Path, command: str):
    screen = at_question(start, editor(tmp_path, command))
    screen.keys("e")
    said = "errors" if "echo" in command else "editor"
    screen.wait_for(said, "help")
    screen.keys("C-c")
    assert screen.exit_status() == 130
