"""Traces and layout exercises in a real terminal: the editor inside, the editors outside."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from quizapp.domain.log.events import Tried
from quizapp.store.store import Store
from quizapp.system.width import columns
from tests.terminal.program import HOME, NEXT, SURE, Start, drafts
from tests.terminal.screen import SIZE, Screen

QUESTIONS = """
- id: column
  kind: trace
  topic: traces
  concept: column
  difficulty: 1
  basis: as-written
  ask: wavefronts
  draw: {pitch: [32, 34, 36, 40, 48, 64, 72, 80]}
  access: {index: "tile[threadIdx.x][5]", pitch: pitch}
  prompt: "A column of `float tile[32][{{pitch}}]`: how many wavefronts?"
  explanation: "Reason: {{pitch}} gives {{answer}}."
  sources: ["computed: grader.banks"]
- id: swizzle
  kind: index
  topic: layouts
  concept: swizzle
  difficulty: 1
  basis: as-written
  prompt: |
    A 32×32 tile of floats, for a transpose.

    - a warp stores a row
    - a warp loads a column

    1,024 elements may be used, and one wavefront each.
  tile: {rows: 32, columns: 32, storage: 1024}
  accesses:
    - {name: row store, op: store, along: rows}
    - {name: column load, op: load, along: columns}
  starter: |
    def index(row, col):
        return row * 32 + col
  solution: |
    def index(row, col):
        return row * 32 + (col ^ row)
  wrong:
    - source: row * 32 + (col ^ (row & 7))
      fails: "wavefronts: column load"
      why: "Eight values do not suffice."
  explanation: "Reason: the bank is the column."
  sources: ["computed: grader.layouts"]
"""
MISTAKE = "row * 32 + (col ^ (row & 7))"
RIGHT = "row * 32 + (col ^ row)"


@pytest.fixture(autouse=True)
def questions(home: Path) -> None:
    folder = home / "content" / "exercises"
    folder.mkdir()
    (folder / "questions.yaml").write_text(QUESTIONS, "utf-8")


def program(folder: Path, name: str, command: str) -> str:
    """A program that does one thing with the file named last."""
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\nfor file; do :; done\n{command}\n")
    path.chmod(0o755)
    return str(path)


def at_exercise(start: Start, *, editor: str = "true", path: str = "") -> Screen:
    env = {"EDITOR": editor} | ({"PATH": path} if path else {})
    screen = start.at_home("--topic", "layouts", size=SIZE, **env)
    screen.keys("Enter")
    screen.wait_for("f3 give up", "return row * 32 + col")
    return screen


def submission(home: Path) -> Path:
    """The file that is edited outside."""
    return home / "cache" / "submissions" / "exercises" / "swizzle.py"


def failed_submissions(home: Path) -> list[str]:
    """Submissions in the log that failed."""
    with Store.open(home / "progress.db") as store:
        found = [event.body for event in store.events("exercises/swizzle")]
    return [body.source for body in found if isinstance(body, Tried)]


@pytest.mark.long
def test_a_wrong_trace_draws_a_map_that_fills_80_columns_and_no_more(start: Start) -> None:
    screen = start.at_home("--topic", "traces")
    screen.keys("Enter")
    screen.wait_for("how many wavefronts?")
    screen.keys("7", "7", "Enter")
    screen.wait_for(SURE)
    screen.keys("1")
    lines = screen.wait_for(NEXT, "bank  ").splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("   bank "))
    first = lines[head + 1]
    assert lines[head][:78].rstrip().endswith("²4²5²6²7²8²9³0³1")
    assert first.startswith("   wave 1")
    assert columns(lines[head][:78].rstrip()) == columns(first[:78].rstrip()) == 78
    assert lines[head + 2].startswith("  !wave 2")


@pytest.mark.long
def test_the_verdict_follows_ctrl_s_and_typing_goes_on(start: Start, home: Path) -> None:
    screen = at_exercise(start)
    screen.keys("C-s")
    screen.wait_for("This is the starter, unchanged")
    screen.type("# mine")
    screen.wait_for("# mine")
    screen.keys("C-s")
    text = screen.wait_for("✗ column load: 32 wavefronts, 1 allowed", "1 submission failed")
    assert re.search(r"\n\D*2 +# mine\n\D*3 +return row \* 32 \+ col\n", text), text
    screen.type(" more")
    screen.wait_for("# mine more")
    screen.keys("C-s")
    screen.wait_for("2 submissions failed")
    written = [re.findall("#(.*)", source) for source in failed_submissions(home)]
    assert written == [[" mine"], [" mine more"]]


def test_a_killed_program_has_kept_the_draft(start: Start, home: Path) -> None:
    screen = at_exercise(start)
    screen.type("# kept")
    screen.wait_for("# kept")
    screen.signal(signal.SIGTERM)
    screen.exit_status()
    assert "    # kept\n    return" in drafts(home)["swizzle"]
    again = start.at_home("--topic", "layouts")
    again.keys("Enter")
    again.wait_for("# kept", "From last time")


@pytest.mark.parametrize("key", ["C-o", pytest.param("o", marks=pytest.mark.long)])
def test_an_editor_in_the_terminal_hands_in_what_it_saved(
    start: Start, tmp_path: Path, home: Path, key: str
) -> None:
    change = program(tmp_path, "change", f'echo "{MISTAKE}" >"$file"')
    screen = at_exercise(start, editor=change)
    if key == "o":
        screen.keys("Escape")
        screen.wait_for("enter submit")
    screen.keys(key)
    screen.wait_for("✗ column load: 4 wavefronts, 1 allowed", "1 submission failed")
    assert screen.wants_mouse()
    assert failed_submissions(home) == [f"{MISTAKE}\n"]


@pytest.mark.parametrize("command", ["/no/such/editor", "exit 3"])
def test_an_editor_that_fails_is_told_and_nothing_is_lost(
    start: Start, tmp_path: Path, home: Path, command: str
) -> None:
    chosen = command if command.startswith("/") else program(tmp_path, "fails", command)
    screen = at_exercise(start, editor=chosen)
    screen.type("# mine")
    screen.keys("C-o")
    screen.wait_for("EDITOR", "# mine")  # one word, so that no line ends within it
    screen.type(" more")
    screen.wait_for("# mine more")
    assert failed_submissions(home) == []


def test_an_editor_with_a_window_leaves_the_terminal_and_each_save_is_checked(
    start: Start, tmp_path: Path, home: Path
) -> None:
    seen = tmp_path / "seen"
    code = program(tmp_path, "code", f'echo "$@" >>{seen}')
    path = f"{Path(code).parent}:{os.environ['PATH']}"
    screen = at_exercise(start, editor="code --wait", path=path)
    screen.keys("C-o")
    screen.wait_for("each save is submitted", "return row * 32 + col")
    assert seen.read_text() == f"--goto {submission(home)}:1\n"
    submission(home).write_text(MISTAKE)
    screen.wait_for("✗ column load: 4 wavefronts, 1 allowed")
    submission(home).write_text(RIGHT)
    screen.wait_for("✓ right", "Reason: the bank is the column.", NEXT)
    assert failed_submissions(home) == [MISTAKE]


def test_an_editor_with_a_window_that_starts_slowly_and_talks_spoils_nothing(
    start: Start, tmp_path: Path
) -> None:
    code = program(tmp_path, "code", "echo NOISE; echo NOISE >&2; sleep 6")
    path = f"{Path(code).parent}:{os.environ['PATH']}"
    screen = at_exercise(start, editor="code", path=path)
    screen.keys("C-o")
    screen.type("# typed")
    text = screen.wait_for("# typed")
    assert "NOISE" not in text


def test_a_cache_that_cannot_be_written_is_told(start: Start, home: Path) -> None:
    screen = at_exercise(start)
    (home / "cache").mkdir(exist_ok=True)
    (home / "cache" / "submissions").write_text("in the way")
    screen.type("# mine")
    screen.keys("C-o")
    screen.wait_for("submissions", "# mine", "f3 give up")
    screen.keys("Escape")
    screen.wait_for("enter submit")
    screen.keys("q")
    screen.wait_for(HOME)
