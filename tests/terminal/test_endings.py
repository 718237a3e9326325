"""However it ends: the terminal is as it was, the status tells why, and nothing written is lost."""

from __future__ import annotations

import os
import signal
import sys
import termios
from pathlib import Path
from textwrap import dedent

import pytest

from tests.terminal.forking import QUIZ
from tests.terminal.program import (
    HOME,
    NEXT,
    PROMPTS,
    SURE,
    TOPIC,
    Start,
    StartPty,
    answers,
    drafts,
)
from tests.terminal.screen import Pty, Screen, program
from tests.terminal.steps import answer_verbatim
from tests.waiting import alive, until

ESSAY = ("--topic", "terminal", "--kind", "recall")


def check_restored(screen: Screen) -> None:
    """What is typed now is echoed, on the normal screen, and the mouse is the terminal's again."""
    assert not screen.alternate()
    assert not screen.wants_mouse()
    screen.type("typed afterwards")
    screen.wait_for("typed afterwards")
    screen.keys("Enter")
    until(lambda: screen.text().count("typed afterwards") == 2, screen.text)


def write_essay(screen: Screen, text: str) -> None:
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2], "enter answer")
    screen.keys("i")
    screen.wait_for("esc other keys")
    screen.type(text)
    screen.wait_for(text)


def wait_for_offer(screen: Screen, text: str) -> None:
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2], text, "From last time")


LONG = pytest.mark.long


@pytest.mark.parametrize(
    "where",
    ["field", *(pytest.param(where, marks=LONG) for where in ("graded", "home", "browser"))],
)
def test_ctrl_c_quits_from_everywhere(start: Start, where: str):
    screen = start.at_home(*TOPIC)
    if where == "browser":
        screen.keys("/")
        screen.wait_for("/ words, ")
    elif where != "home":
        screen.keys("Enter")
        screen.wait_for(PROMPTS[0], "h hint")
    if where == "field":
        screen.keys("-")
        screen.wait_for(PROMPTS[1], "esc other keys")
        screen.type("31")
        screen.wait_for("31")
        screen.keys("C-c")
        screen.wait_for("^c again quits", "31")
    elif where == "graded":
        screen.keys("1", "Enter")
        screen.wait_for(SURE)
        screen.keys("2")
        screen.wait_for(NEXT)
    screen.keys("C-c")
    assert screen.exit_status() == 130
    check_restored(screen)
    assert "Traceback" not in screen.text()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), pytest.param(signal.SIGHUP, 129, marks=LONG)]
)
def test_a_signal_ends_it_and_keeps_what_was_written(
    start: Start, home: Path, number: signal.Signals, status: int
):
    screen = start.at_home(*ESSAY)
    write_essay(screen, "two words of")
    screen.signal(number)
    assert screen.exit_status() == status
    check_restored(screen)
    assert "Traceback" not in screen.text()
    assert drafts(home) == {"recall": "two words of"}
    wait_for_offer(start.at_home(*ESSAY), "two words of")


def test_a_signal_right_after_an_answer_keeps_it(start: Start, home: Path):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    answer_verbatim(screen)
    screen.signal(signal.SIGTERM)
    assert screen.exit_status() == 143
    assert answers(home) == ["verbatim"]


def test_the_bytes_after_sigterm_give_the_terminal_back(start_pty: StartPty):
    pty = start_pty.at_home()
    os.kill(pty.pid, signal.SIGTERM)
    last = pty.rest()
    for mode in (b"?1049l", b"?1000l", b"?1003l", b"?1006l", b"?2004l", b"?25h"):
        assert b"\x1b[" + mode in last
    assert pty.exit_status() == 143


def test_a_burst_of_sizes_settles_and_a_signal_ends_it(start_pty: StartPty):
    pty = start_pty.at_home()
    for n in range(300):
        pty.child.setwinsize(10 if n % 3 else 40, 50 + n % 90)
    pty.child.setwinsize(40, 121)
    pty.wait_for("quit")
    until(lambda: not pty.come(0.3), lambda: "it draws on")
    os.kill(pty.pid, signal.SIGINT)
    assert pty.exit_status() == 130


BUSY = """
    import sys
    from quizapp.system.config import Settings
    from quizapp.tui.shell import Shell, run_to_end

    class Busy(Shell):
        CSS_PATH = None
        def on_mount(self):
            super().on_mount()
            self.set_timer(0.1, self.work)
        def work(self):
            self._driver.write("busy")
            while True:
                pass

    sys.exit(run_to_end(Busy(Settings(welcomed=True))))
"""


def test_a_signal_ends_a_program_that_does_not_listen(start_pty: StartPty, tmp_path: Path):
    busy = tmp_path / "busy.py"  # Textual looks for the file of an application
    busy.write_text(dedent(BUSY), "utf-8")
    pty = start_pty(command=[sys.executable, str(busy)])
    pty.wait_for("busy")
    os.kill(pty.pid, signal.SIGTERM)
    assert b"\x1b[?1049l" in pty.rest()
    assert pty.exit_status() == 143


def modes(pty: Pty) -> int:
    """What the terminal does with a line: echo, edit, turn keys into signals."""
    flags: int = termios.tcgetattr(pty.child.child_fd)[3]
    return flags & (termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=LONG)])
def test_a_signal_during_the_start_leaves_the_terminal_whole(
    start_pty: StartPty, number: signal.Signals
):
    """The moments are those between the program's own bytes: alternate screen, mouse, home."""
    for sign in ("", "\x1b[?1049h", "\x1b[?1006h", "\x1b[?2004h", "quiz"):
        pty = start_pty(
            command=["sh", "-c", 'echo ready; "$@"; echo "ended $?"', "sh", *program(), "start"]
        )
        pty.wait_for("ready")
        before = modes(pty)
        pty.wait_for(sign)
        children = Path(f"/proc/{pty.pid}/task/{pty.pid}/children")
        until(children.read_text, lambda: "it did not start")
        os.kill(int(children.read_text()), number)
        last = pty.rest()
        assert f"ended {128 + number}".encode() in last, sign
        assert modes(pty) == before, sign
        if b"\x1b[?1049h" in pty.written:
            assert b"\x1b[?1049l" in pty.written, sign
            assert b"\x1b[?1003l" in pty.written, sign


@pytest.mark.parametrize("attempt", [0, *(pytest.param(n, marks=LONG) for n in range(1, 20))])
def test_a_closed_terminal_ends_it(start_pty: StartPty, home: Path, attempt: int):
    """More than once: the thread that writes may meet the closed terminal first, or not."""
    pty = start_pty.at_home(*ESSAY)
    pty.type("\r")
    pty.wait_for("conflict")
    pty.type("i")
    pty.wait_for("other keys")
    pty.type("half")
    pty.wait_for("half")
    pty.hang_up()
    assert pty.exit_status() == 129
    assert drafts(home) == {"recall": "half"}


def test_a_terminal_closed_behind_an_editor_ends_it(start_pty: StartPty, tmp_path: Path):
    begun = tmp_path / "begun"
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\ntouch {begun}\nexec cat\n")
    editor.chmod(0o755)
    pty = start_pty.at_home(*TOPIC, EDITOR=str(editor))
    pty.type("\r")
    pty.wait_for("hint")
    pty.type("e")
    pty.wait_for("\x1b[?1049l")
    until(begun.exists, lambda: "no editor")
    pty.hang_up()
    assert pty.exit_status() == 129


def test_a_continue_without_a_stop_changes_nothing(start: Start):
    """The kernel also sends one when a terminal is closed."""
    screen = start.at_home(*TOPIC)
    screen.signal(signal.SIGCONT)
    screen.keys("Enter")
    answer_verbatim(screen)
    screen.keys("C-c")
    assert screen.exit_status() == 130
    check_restored(screen)


def test_a_closed_pane_ends_it(start: Start):
    screen = start.at_home()
    pid = screen.pid
    screen.close_pane()
    until(lambda: not alive(pid), lambda: "it runs on")


def test_stop_and_continue(start_pty: StartPty):
    pty = start_pty.at_home(*TOPIC)
    os.kill(pty.pid, signal.SIGTSTP)
    pty.wait_for("\x1b[?1049l")
    state = Path(f"/proc/{pty.pid}/stat")
    until(lambda: " T " in state.read_text(), lambda: "it was not stopped")
    os.kill(pty.pid, signal.SIGCONT)
    pty.wait_for("\x1b[?1049h", "study", "quit")
    pty.type("q")
    assert pty.exit_status() == 0


FAULTS = {
    "a key": """
        from quizapp.tui.screens.question import QuestionScreen
        def fault(self): raise ValueError("a secret answer")
        QuestionScreen.action_hint = fault
    """,
    "grading": """
        from quizapp.study.sessions.session import Session
        def fault(self, asked, given): raise ValueError("a secret answer")
        Session.grade = fault
    """,
    "storing": """
        from quizapp.study.sessions.session import Session
        def fault(self, graded): raise ValueError("a secret answer")
        Session.commit = fault
    """,
    "drawing": """
        from quizapp.tui.screens.question import QuestionScreen
        from quizapp.tui.widgets.bars import KeyLine
        def fault(self): raise ValueError("a secret answer")
        def redraw(self):
            KeyLine.render = fault
            self.query_one(KeyLine).refresh()
        QuestionScreen.action_hint = redraw
    """,
    "a timer": """
        from quizapp.tui.screens.question import QuestionScreen
        async def fault(self): raise ValueError("a secret answer")
        QuestionScreen._keep_draft = fault
    """,
}


def with_fault(fault: str) -> str:
    """The program's code, with one method of it replaced."""
    return dedent(FAULTS[fault]) + QUIZ


@pytest.mark.parametrize(
    "fault",
    [
        *("a key", "drawing"),
        pytest.param("storing", marks=LONG),
        pytest.param("grading", marks=LONG),
        pytest.param("a timer", marks=LONG),
    ],
)
def test_an_exception_gives_the_terminal_back_and_names_the_log(
    start: Start, home: Path, fault: str
):
    screen = start(*TOPIC, code=with_fault(fault), size=(160, 24))
    screen.wait_for(HOME)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0])
    screen.keys("h", "1", "Enter")
    if fault in ("storing", "grading"):
        screen.wait_for("How sure")
    screen.keys("2", "Enter")
    assert screen.exit_status(10) not in (0, 130)
    shown = screen.text()
    assert str(home / "quiz.log") in "".join(shown.split())
    assert "Traceback" not in shown
    assert "a secret answer" not in shown
    check_restored(screen)
    log = (home / "quiz.log").read_text()
    assert "ValueError" in log
    assert "in fault" in log
    assert "a secret answer" not in log


def test_an_exception_is_shown_where_that_was_asked_for(start: Start):
    screen = start(*TOPIC, code=with_fault("grading"), size=(160, 150), QUIZ_DEBUG="1")
    screen.wait_for(HOME)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0])
    screen.keys("h", "1", "Enter")
    screen.wait_for("How sure")
    screen.keys("2")
    assert screen.exit_status(10) not in (0, 130)
    screen.wait_for("Traceback", "ValueError: a secret answer")
    check_restored(screen)
