"""The recipes of docs/classes.md, each run once in the published format of what it is for."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.batch.classes import CUDA, RIGHT, WRONG, write_pack
from tests.commands.program import ROOT, environment

GUIDE = (ROOT / "docs" / "classes.md").read_text("utf-8")
NBGRADER_KEYS = {
    "schema_version", "grade_id", "cell_type", "points", "grade", "solution", "locked", "task"
}  # fmt: skip
"""Of a cell's metadata, by version 3 of nbgrader's schema."""


def blocks(section: str) -> list[str]:
    """Return the blocks of code of a section, without their indent."""
    text = GUIDE.split(f"## {section}\n")[1].split("\n## ")[0]
    found = re.findall(r"(?m)(?:^(?:    .*)?\n)+", text)
    lines = (block.strip("\n").splitlines() for block in found if block.strip())
    return ["\n".join(line.removeprefix("    ") for line in block) for block in lines]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of a student, in which `quiz` is installed and has an exercise of ours."""
    write_pack(tmp_path / "home" / "content")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "quiz").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m quizapp "$@"\n')
    (programs / "quiz").chmod(0o755)
    ours = environment(tmp_path / "home", PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    for name in os.environ.keys() - ours.keys():
        monkeypatch.delenv(name)
    for name, value in ours.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_the_cells_of_nbgrader_give_the_points_to_what_passes(folder):
    solution, test, metadata = blocks("nbgrader")
    assert solution.startswith("%%writefile transpose.py\n")
    assert "### BEGIN SOLUTION" in solution
    assert "### END SOLUTION" in solution
    graded = json.loads(metadata)
    assert graded["nbgrader"].keys() == NBGRADER_KEYS
    assert graded["nbgrader"]["schema_version"] == 3
    cell = test.replace("kernel-transpose-padded", "double")
    grade_notebook(folder, RIGHT, cell, graded)
    with pytest.raises(CellExecutionError, match="wrong values · line 8"):
        grade_notebook(folder, WRONG, cell, graded)


def grade_notebook(folder: Path, source: str, cell: str, metadata: dict[str, object]) -> None:
    """Run a notebook as `nbgrader autograde` does: an error in a cell with points costs them."""
    book = nbformat.v4.new_notebook()
    book.cells = [
        nbformat.v4.new_code_cell(f"%%writefile transpose.py\n{source}"),
        nbformat.v4.new_code_cell(cell, metadata=metadata),
    ]
    nbformat.validate(book)
    NotebookClient(book, timeout=100, resources={"metadata": {"path": str(folder)}}).execute()


@pytest.mark.long
def test_the_step_of_github_classroom_passes_what_passes(folder):
    (text,) = blocks("GitHub Classroom")
    workflow = yaml.safe_load(text)
    (job,) = workflow["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == [
        "pip install ./gpu_quiz-*.whl"
    ]
    steps = {step["uses"].partition("@")[0]: step for step in job["steps"] if "uses" in step}
    grader = steps["classroom-resources/autograding-command-grader"]
    reporter = steps["classroom-resources/autograding-grading-reporter"]
    assert grader["with"].keys() <= {
        "test-name", "setup-command", "command", "timeout", "max-score"
    }  # fmt: skip
    runner = reporter["with"]["runners"]
    assert runner == grader["id"]
    assert reporter["env"] == {
        f"{runner.upper()}_RESULTS": f"${{{{steps.{runner}.outputs.result}}}}"
    }
    command = grader["with"]["command"].replace("kernel-transpose-padded", "double")
    for source, passes in ((CUDA, True), (CUDA.replace("2.0f", "3.0f"), False)):
        (folder / "transpose.cu").write_text(source)
        ran = subprocess.run(
            command, shell=True, capture_output=True, text=True, check=False, cwd=folder
        )
        assert (ran.returncode == 0) is passes, ran.stdout + ran.stderr


def test_the_questions_that_the_recipes_name_exist(folder):
    ran = subprocess.run(["quiz", "grade", "--json"], capture_output=True, check=True)
    known = {each["id"].partition("/")[2] for each in json.loads(ran.stdout)["exercises"]}
    named = set(re.findall(r"\b(?:kernel|place)-[a-z-]*[a-z]", GUIDE))
    assert {"kernel-transpose-padded"} < named <= known
