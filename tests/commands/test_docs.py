"""`quiz docs`, in a checkout and installed; every page that the program names is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pexpect
import pytest

from quizapp.domain.errors import USAGE
from tests.commands.program import ROOT, Program, install

PAGES = {path.stem: path for path in (ROOT / "docs").glob("*.md")}


def test_the_list_names_every_page_with_its_title(inside):
    said = inside("docs")
    assert [line.split()[0] for line in said.out.splitlines()] == sorted(PAGES)
    assert "claims        Checked claims" in said.out
    listed = json.loads(inside("docs", "--json").out)["pages"]
    assert {"page": "gpu", "title": "How a kernel is judged on a GPU"} in listed


@pytest.mark.parametrize("page", PAGES)
def test_a_page_in_a_pipe_is_its_file(page, inside):
    assert inside("docs", page).out == PAGES[page].read_text(encoding="utf-8")


def test_an_unknown_page_is_refused_with_those_there_are(inside):
    said = inside("docs", "author")
    assert said.status == USAGE
    assert said.err.startswith(
        "quiz: there is no document 'author'\n  documents: api, architecture, "
    )


def test_an_installed_program_has_the_pages(tmp_path):
    quiz = Program(tmp_path, {"PYTHONPATH": str(install(tmp_path))})
    shown = quiz("docs", "claims", "--path")
    assert shown.returncode == 0, shown.stderr
    path = Path(shown.stdout.strip())
    assert path.is_relative_to(tmp_path)
    assert path.read_text(encoding="utf-8") == PAGES["claims"].read_text(encoding="utf-8")


def test_a_terminal_gets_a_folded_page_in_its_pager(tmp_path):
    quiz = Program(tmp_path, {"PAGER": "cat"})
    environment = quiz.environment(TERM="xterm", COLUMNS="60")
    command, *arguments = quiz.command("docs", "layouts")
    child = pexpect.spawn(
        command, arguments, env=environment, dimensions=(24, 60), encoding="utf-8"
    )
    said = child.read()
    assert "How a layout is graded" in said
    assert "| --- |" not in said
    assert "\x1b[" not in said
    assert max(map(len, said.splitlines())) <= 60


def test_every_link_of_a_page_leads_to_a_page():
    for name, path in PAGES.items():
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))
        assert [
            link for link in links if not (link.endswith(".md") and link[:-3] in PAGES)
        ] == [], name


def test_no_message_names_a_file_that_an_installation_lacks():
    """Docstrings and comments are read in a checkout; what a person is told must hold anywhere."""
    for folder in ("quizapp", "grader"):
        for path in (ROOT / folder).rglob("*.py"):
            code = re.sub(
                r'""".*?"""|#[^\n]*', "", path.read_text(encoding="utf-8"), flags=re.DOTALL
            )
            assert (
                re.findall(r"[^\s\"'`(]*(?:docs/[\w-]+\.md|tests/data)[^\s\"'`)]*", code) == []
            ), path


def test_no_question_names_a_source_by_a_number():
    for path in (ROOT / "content").rglob("*.yaml"):
        assert re.findall(r"source 00\d", path.read_text(encoding="utf-8")) == [], path
