"""`quiz edit` as a person uses it: installed, with an editor that is a script."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, USAGE
from tests.commands.program import ROOT, Program, in_terminal, install

ID = "frameworks/interview-custom-operator"
"""In a pack of few files: the whole pack is read with a change of it."""


@pytest.fixture
def editor(tmp_path):
    """An editor that is called `vi`, notes what it is asked, and runs a `sed` command."""
    path = tmp_path / "vi"
    path.write_text('#!/bin/sh\necho "$@" > "$(dirname "$0")/asked"\nsed -i "$SED" "$2"\n')
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Program:
    """The installed program, whose content is no checkout and is compiled; nothing changes it."""
    folder = tmp_path_factory.mktemp("installed")
    quiz = Program(folder, {"PYTHONPATH": str(install(folder))})
    assert quiz("due").returncode == OK
    return quiz


@pytest.fixture
def quiz(tmp_path, editor, installed) -> Program:
    """The installed program with a home of its own."""
    shutil.copytree(installed.home / "cache", tmp_path / "home" / "cache")
    return Program(tmp_path, {**installed.variables, "EDITOR": str(editor), "SED": ""})


@pytest.fixture
def upgraded(quiz) -> Program:
    """The same, installed once more, where an upgrade may change it."""
    return replace(quiz, variables={**quiz.variables, "PYTHONPATH": str(install(quiz.folder))})


HARDER = "s/^  difficulty: ./  difficulty: 5/"


def test_from_change_to_upgrade_to_revert(upgraded, tmp_path):
    quiz = upgraded
    shipped = tmp_path / "site" / "quizapp" / "content" / "frameworks"
    before = {path: path.read_bytes() for path in shipped.rglob("*.yaml")}
    copy = quiz.home / "content" / f"{ID}.yaml"

    changed = in_terminal(quiz, "edit", ID, SED=HARDER)
    assert (changed.returncode, changed.stdout) == (OK, f"{copy}\n")
    assert f"quiz edit --revert {ID}" in changed.stderr
    options, path = (tmp_path / "asked").read_text().split()
    assert path == str(copy)
    assert copy.read_text().splitlines()[int(options[1:]) - 1] == "- id: interview-custom-operator"
    assert {path: path.read_bytes() for path in shipped.rglob("*.yaml")} == before
    assert "1 changed by you" in quiz("doctor").stdout
    assert quiz("lint", copy.parent).returncode == OK

    for path, text in before.items():
        path.write_bytes(text.replace(b"difficulty: 3", b"difficulty: 4"))
    assert "difficulty 5" in quiz("preview", copy).stdout
    assert "1 changed by you" in quiz("doctor").stdout

    reverted = quiz("edit", "--revert", "interview-custom-operator")
    assert (reverted.returncode, reverted.stdout) == (OK, f"{copy}.reverted\n")
    assert not copy.exists()
    assert "changed by you" not in quiz("doctor").stdout
    assert quiz("edit", "--revert", ID).returncode == USAGE


def test_left_as_it_was(quiz):
    done = in_terminal(quiz, "edit", ID)
    assert (done.returncode, done.stdout) == (OK, "")
    assert f"{ID} is unchanged." in done.stderr
    assert not (quiz.home / "content" / f"{ID}.yaml").exists()


def test_an_error_made_in_the_editor_is_said_at_once(quiz):
    done = in_terminal(quiz, "edit", ID, SED="s/^  kind: .*/  kind: choise/")
    assert done.returncode == FINDINGS
    assert "there is no kind 'choise'; did you mean 'choice'?" in done.stdout
    mended = in_terminal(quiz, "edit", ID, SED="s/choise/recall/")
    assert mended.returncode == OK


def test_the_source_is_for_authors(quiz):
    done = in_terminal(quiz, "edit", "--source", ID)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "the next upgrade replaces it" in done.stderr
    assert "cannot be combined" in in_terminal(quiz, "edit", "--source", "--revert", ID).stderr


def test_an_author_edits_a_question_of_their_own_checkout_itself(tmp_path, editor):
    checkout = tmp_path / "checkout"
    for folder in ("quizapp", "grader", "content"):
        shutil.copytree(ROOT / folder, checkout / folder)
    source = checkout / "content" / "frameworks" / "interview" / "custom-operators.yaml"
    before = source.read_text()
    inside = Program(tmp_path, {"PYTHONPATH": str(checkout), "EDITOR": str(editor), "SED": ""})
    copied = in_terminal(inside, "edit", ID, SED=HARDER)
    assert copied.returncode == OK
    assert source.read_text() == before
    inside("edit", "--revert", ID)
    changed = in_terminal(inside, "edit", "--source", ID, SED=HARDER)
    assert (changed.returncode, changed.stdout) == (OK, f"{source}\n")
    assert source.read_text() != before


def test_no_editor(quiz):
    done = in_terminal(quiz, "edit", ID, EDITOR="no-such-editor")
    assert (done.returncode, done.stdout) == (ENVIRONMENT, "")
    assert "`quiz config editor nano`" in done.stderr
    assert not (quiz.home / "content" / f"{ID}.yaml").exists()


def test_no_such_question(quiz):
    done = quiz("edit", "interview-custom-oprator")
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert ID in done.stderr


def test_progress_is_not_needed(quiz):
    (quiz.home / "progress.db").write_bytes(b"no database")
    assert in_terminal(quiz, "edit", ID, SED=HARDER).returncode == OK


@pytest.mark.long
def test_a_kernel_is_edited_in_a_folder_of_ones_own(quiz, tmp_path):
    name = "algorithms/kernel-reverse-in-place"
    folder = quiz.home / "content" / name
    changed = in_terminal(quiz, "edit", name, SED="s/^difficulty: ./difficulty: 5/")
    assert (changed.returncode, changed.stdout) == (OK, f"{folder / 'question.yaml'}\n")
    assert (folder / "wrong" / "run-per-thread.cu").is_file()
    assert "1 changed by you" in quiz("doctor").stdout
    (folder / "starter.py").write_text("def reverse(\n")
    broken = in_terminal(quiz, "edit", name)
    assert broken.returncode == FINDINGS
    assert "starter.py:1:" in broken.stdout
    reverted = quiz("edit", "--revert", name)
    assert (reverted.returncode, reverted.stdout) == (OK, f"{folder}.reverted\n")
    assert "changed by you" not in quiz("doctor").stdout
    assert quiz("lint", quiz.home / "content").returncode == OK


@pytest.mark.parametrize("variables", [{}, {"EDITOR": "vi"}, {"EDITOR": "true", "VISUAL": ""}])
def test_without_a_terminal_nothing_is_opened(quiz, tmp_path, variables):
    done = quiz("edit", ID, SED=HARDER, **variables)
    assert (done.returncode, done.stdout) == (ENVIRONMENT, "")
    assert "needs a terminal" in done.stderr
    assert "custom-operators.yaml, line" in done.stderr
    assert not (tmp_path / "asked").exists()
    assert not (quiz.home / "content").exists()


def test_an_editor_with_a_window_of_its_own_needs_no_terminal(quiz, editor):
    code = editor.with_name("code")
    code.write_text("#!/bin/sh\n")
    code.chmod(0o755)
    assert quiz("edit", ID, EDITOR=str(code)).returncode == OK
