"""Questions with a folder of their own: what of it is read, and which pack it belongs to."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from quizapp.deck import index
from quizapp.deck.deck import load
from quizapp.deck.linting.lint import LintReport, lint
from tests.deck.tools import ROOT

SHIPPED = ROOT / "content/shared-memory/kernels/transpose-padded"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A kernel question's folder, in the pack `pack` of the root `content`."""
    path = tmp_path / "content" / "pack" / "kernels" / "transpose"
    shutil.copytree(SHIPPED, path)
    text = (path / "question.yaml").read_text("utf-8")
    alone = re.sub(r"^requires: .*\n", "", text, flags=re.MULTILINE)  # the pack has no other
    (path / "question.yaml").write_text(alone, "utf-8")
    return path


def load_ids(tmp_path: Path) -> list[str]:
    """The ids of the deck."""
    return [*load([str(tmp_path / "content")], str(tmp_path / "deck")).entries]


def lint_path(path: Path, *roots: Path) -> LintReport:
    return lint([path], [str(root) for root in roots])


@pytest.mark.parametrize("name", ["transpose.reverted", "transpose.reverted-2", ".transpose"])
def test_what_is_set_aside_or_hidden_is_read_by_no_deck_and_no_lint(name, folder, tmp_path):
    assert load_ids(tmp_path) == ["pack/kernel-transpose-padded"]
    aside = folder.rename(folder.with_name(name))
    assert load_ids(tmp_path) == []
    assert lint_path(tmp_path / "content").files == 0
    assert lint_path(aside / "question.yaml").questions == 1


@pytest.mark.parametrize("name", [".#starter.py", "wrong/.#unpadded.py", "gone.py"])
def test_a_link_that_leads_nowhere_stops_nothing(name, folder, tmp_path):
    """Some editors leave one beside a file for as long as it is open."""
    (folder / name).symlink_to("somebody@somewhere.1234")
    assert load_ids(tmp_path) == ["pack/kernel-transpose-padded"]
    assert lint_path(folder).problems == ()


def test_a_python_file_that_is_hidden_does_not_count(folder, tmp_path):
    root = str(tmp_path / "content")
    path = "pack/kernels/transpose/question.yaml"
    before = index.stamp(root, path)
    (folder / "wrong" / ".unpadded.py.swp.py").write_text("")
    assert index.stamp(root, path) == before
    assert lint_path(folder).problems == ()


def test_its_pack_is_the_one_of_the_deck(folder, tmp_path):
    """Named by itself it has the id that it has in the whole."""
    (folder / "starter.py").write_text("")
    whole = lint_path(tmp_path / "content", tmp_path / "content")
    assert [problem.question for problem in whole.problems] == ["pack/kernel-transpose-padded"]
    assert lint_path(folder, tmp_path / "content").problems == whole.problems


def test_its_pack_is_the_folder_above_it_where_nothing_says_more(folder):
    (folder / "starter.py").write_text("")
    [problem] = lint_path(folder).problems
    assert problem.question == "kernels/kernel-transpose-padded"
