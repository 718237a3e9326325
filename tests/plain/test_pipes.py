"""The program itself, through real pipes and a real terminal: `python -m quizapp start --plain`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

import pexpect
import pytest

from grader import process
from tests.compiled_content import fill_cache

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "quizapp", "start", "--plain"]
FORKED = [sys.executable, "-I", "-c", "from quizapp.cli import main; raise SystemExit(main())"]
"""A start of an interpreter less: see `tests.forked_workers`."""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    fill_cache(tmp_path)
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("QUIZ_")},
        "QUIZ_HOME": str(tmp_path),
        "QUIZ_CONFIDENCE": "false",
        "QUIZ_DAY_MINUTES": "0",
        "PYTHONPATH": str(ROOT),
    }


@pytest.fixture
def quiz(environment) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run it to its end; started where the variables are read as an interpreter starts."""

    def run(typed: bytes, *arguments: str, **variables: str):
        env = environment | variables
        command = [*(COMMAND if variables else [*FORKED, *COMMAND[3:]]), *arguments]
        with process.subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env) as it:
            said = it.communicate(typed, timeout=60)
        return subprocess.CompletedProcess(command, it.returncode, *said)

    return run


def talk(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    command = [*FORKED, *COMMAND[3:], *arguments]
    return process.subprocess.Popen(
        command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, text=True
    )


def read_until(program: subprocess.Popen[str], text: str) -> None:
    while text not in (line := program.stdout.readline()):
        assert line, f"ended before {text!r}"


def test_a_script_answers_and_the_next_run_knows(quiz):
    done = quiz(b"1\n\n:q\n", "--kind", "choice")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "1 question answered" in done.stdout.decode()
    assert b"\x1b" not in done.stdout
    again = quiz(b"", "--kind", "choice")
    assert again.returncode == 0
    assert "new 9 of " in again.stdout.decode()


def test_an_unknown_topic_is_a_usage_error(quiz):
    done = quiz(b"", "--topic", "xyzzy")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"`quiz pack topics` lists the topics" in done.stderr


def test_an_old_terminal_and_a_broken_byte_end_nothing(quiz):
    done = quiz(b"caf\xe9\n.\n1\n\n:q\n", "--kind", "recall", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"1 question answered" in done.stdout


def test_a_closed_pipe_ends_quietly_and_loses_nothing(environment, quiz):
    with talk(environment, "--kind", "number") as program:
        read_until(program, "Your answer")
        program.stdout.close()
        program.stdin.write("1\n")
        program.stdin.close()
        assert program.stderr.read() == ""
    assert program.returncode == 141
    assert "new 9 of " in quiz(b"").stdout.decode()


def test_control_c_says_where_we_stand(environment):
    with talk(environment, "--kind", "number") as program:
        read_until(program, "Your answer")
        program.send_signal(signal.SIGINT)
        said, errors = program.communicate(timeout=30)
    assert (program.returncode, errors) == (130, "")
    assert said.endswith("Interrupted after 0 answers; all of them are kept.\n")


def test_a_draft_survives_a_kill(environment, quiz):
    with talk(environment, "--kind", "recall") as program:
        read_until(program, "Type your answer")
        program.stdin.write("half an answer\n:z\n")
        program.stdin.flush()
        read_until(program, "There is no command")
        program.kill()
    said = quiz(b"", "--kind", "recall").stdout.decode()
    assert "Draft from last time" in said
    assert "\n    half an answer\n" in said


def test_an_answer_survives_a_kill(environment, quiz):
    with talk(environment, "--kind", "number") as program:
        read_until(program, "Your answer")
        program.stdin.write("1\n")
        program.stdin.flush()
        read_until(program, "The right answer")
        program.kill()
    assert "new 9 of " in quiz(b"").stdout.decode()


def test_a_dumb_terminal_gets_folded_lines(environment):
    program = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], "--kind", "recall"],
        env=environment | {"TERM": "dumb"},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=60,
    )
    program.expect("just press enter.")
    program.sendline("")
    program.expect("Which points")
    said = program.before
    program.sendline(":q")
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 0
    assert not re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f]", said)
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.long)])
def test_an_output_that_lacks_signs_gets_others(quiz, encoding):
    done = quiz(b":g\n:m\n\n:q\n", "--kind", "choice", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode(encoding)
    assert "x given up" in said
    assert "?" not in "".join(line for line in said.splitlines() if "given up" in line)
    assert not re.search(r"\\x[0-9a-f]|\\u[0-2]", said)  # Chinese in a source stays a number


def test_at_a_terminal_code_is_written_in_the_editor_and_type_ahead_answers_no_prompt(
    environment, tmp_path
):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "# mine" >> "$1"\n', "utf-8")
    editor.chmod(0o755)
    env = environment | {"EDITOR": str(editor), "QUIZ_CONFIDENCE": "true", "TERM": "dumb"}
    only = ("shared-memory/pick-pitch-for-odd-width", "shared-memory/kernel-transpose-padded")
    command = [*FORKED, *COMMAND[3:], *(part for name in only for part in ("--only", name))]
    program = pexpect.spawn(command[0], command[1:], env=env, encoding="utf-8", echo=False)
    program.expect("one number from 1 to 4")
    program.send("1\n3\n")
    program.expect("How sure")
    program.send("2\n4\n")
    program.expect("Enter accepts")
    program.send("\n")
    program.expect("Type all of your code")
    assert "instead" not in program.before, "no rating was typed at its prompt"
    program.send(":o\n")
    program.expect(r"\d+ lines from your editor")
    program.send(":q\n")
    program.expect(pexpect.EOF)
