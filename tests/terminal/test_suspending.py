"""Ctrl+z gives the terminal back to the shell, and `fg` the screen to the program."""

from __future__ import annotations

import shlex

from tests.terminal.program import HOME, Start
from tests.terminal.screen import program


def test_ctrl_z_suspends_and_fg_draws_all_again(start: Start):
    screen = start(command=["bash", "--norc", "-i"], PS1="prompt> ")
    screen.wait_for("prompt>")
    screen.type(f"{shlex.join(program())} start")
    screen.keys("Enter")
    screen.wait_for(HOME)
    screen.keys("Down")
    before = screen.wait_for("→ topics")
    screen.keys("C-z")
    screen.wait_for("Stopped", "prompt>", gone=HOME)
    assert not screen.alternate()
    screen.type("fg")
    screen.keys("Enter")
    assert screen.wait_for("→ topics") == before
    screen.keys("q")
    screen.wait_for("prompt>", gone=HOME)
    screen.type("exit")
    screen.keys("Enter")
    assert screen.exit_status() == 0


def test_ctrl_z_in_a_field_takes_back_what_was_typed(start: Start):
    screen = start.at_home()
    screen.keys(",")
    screen.wait_for("settings")
    screen.keys("j", "Enter")
    screen.wait_for("leaves it as it was")
    screen.type("73")
    screen.wait_for("73")
    screen.keys("C-z")
    screen.wait_for(" 7", gone="73")
    screen.keys("C-z", "C-z", "Escape", "Escape")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
