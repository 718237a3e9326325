"""`quiz preview` without a terminal, and that it hands over where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, USAGE
from quizapp.domain.question import KINDS
from quizapp.report.words import Words
from quizapp.system.config import Settings
from tests.commands.program import BROKEN, ROOT


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_as_text(kind, inside):
    path = inside("new", kind).out.strip()
    said = inside("preview", path)
    assert said.status == OK
    say = Words("en")
    named = f"{say(f'kind.{kind}')} · banks"
    assert said.out.startswith(f"mine/new-{kind} · {named} · difficulty 1\n\n")
    right = {"recall": "- Within one warp instruction (1)", "choice": "right: 32",
             "number": "answer: 12\n", "trace": "`data[threadIdx.x * 1]`, 4-byte floats",
             "index": "wrong: row * 34 + col\n   fails at inside: ",
             "kernel": "wrong: no-barrier\n   fails at findings: race: ",
             "spot": "\nright: line 8, race\nright: line 9, race\n"}  # fmt: skip
    assert right[kind] in said.out
    assert "source: " in said.out


def test_a_kernel_comes_with_its_files_and_how_mistakes_differ(inside):
    said = inside("preview", inside("new", "kernel").out.strip())
    parts = [
        "starter:\nfrom numba import cuda", "# Load a part into shared memory",
        "solution:\n", "\n    cuda.syncthreads()\n",
        "wrong: no-barrier\n", "\n-    cuda.syncthreads()\n",
        "wrong: not-shared\n   fails at counts: shared_requests: ",
    ]  # fmt: skip
    places = [said.out.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_of_a_fault_the_lines_that_are_right_are_marked(inside):
    lines = inside("preview", inside("new", "spot").out.strip()).out.splitlines()
    assert [line for line in lines if line.startswith(" ✓")] == [
        " ✓ 8      part[t] = a[i]", " ✓ 9      out[i] = part[SIZE - 1 - t]",
    ]  # fmt: skip
    assert "   5      part = cuda.shared.array(SIZE, numba.float32)" in lines


def test_code_without_a_fault_is_shown_without_marks(inside):
    path = Path(inside("new", "spot").out.strip())
    text = path.read_text()
    path.write_text(text.replace("    out[i] =", "    cuda.syncthreads()\n        out[i] ="))
    said = inside("preview", path)
    assert said.status == FINDINGS
    assert "    8      part[t] = a[i]\n    9      cuda.syncthreads()\n" in said.out
    assert "right:" not in said.out
    assert "the emulator finds nothing" in said.out.splitlines()[-1]


def test_in_the_language_that_is_set(inside, monkeypatch):
    monkeypatch.setenv("QUIZ_LANGUAGE", "zh")
    said = inside("preview", ROOT / "content/shared-memory/interview/banks.yaml")
    assert "共享内存" in said.out


def test_errors_come_after_the_questions_that_have_none(inside, tmp_path):
    path = Path(inside("new", "choice").out.strip())
    path.write_text(path.read_text() + BROKEN)
    said = inside("preview", path)
    assert said.status == FINDINGS
    assert said.out.startswith("mine/new-choice · ")
    assert "there is no kind 'choise'" in said.out.splitlines()[-1]


def test_nothing_in_a_question_steers_the_terminal(inside):
    path = Path(inside("new", "choice").out.strip())
    path.write_text(path.read_text().replace('text: "16"', 'text: "\\e[2J16"'))
    said = inside("preview", path)
    assert said.status == FINDINGS
    assert "\x1b" not in said.out
    assert "\\x1b[2J16" in said.out


@pytest.mark.parametrize("path", ["missing.yaml", "."])
def test_no_file(path, inside):
    said = inside("preview", path)
    assert (said.status, said.out) == (USAGE, "")
    assert "there is no file" in said.err or f"{path} is not a file" in said.err


def test_watching_needs_a_terminal(inside):
    path = inside("new", "choice").out.strip()
    said = inside("preview", path, "--watch")
    assert (said.status, said.out) == (ENVIRONMENT, "")


def test_on_a_terminal_the_screen_takes_over(inside, monkeypatch, tmp_path):
    called = []
    monkeypatch.setattr(
        "quizapp.tui.preview.run",
        lambda file, settings, *, watch: called.append((file, settings, watch)) or 0,
    )
    monkeypatch.setattr("quizapp.commands.questions.preview.require_terminal", lambda *_: None)
    monkeypatch.setattr("quizapp.commands.questions.preview.can_draw", lambda: True)
    path = inside("new", "choice").out.strip()
    assert inside("preview", path, "--watch").status == OK
    [(file, settings, watch)] = called
    assert (str(file), settings, watch) == (path, Settings(), True)
