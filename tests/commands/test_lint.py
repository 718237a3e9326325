"""`quiz lint`: whatever is given, positions or a sentence, and never a traceback."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from quizapp.errors import FINDINGS, OK, USAGE
from tests.commands.program import BROKEN, ROOT

SHIPPED = ROOT / "content" / "shared-memory"


def test_all_content_is_clean(inside):
    said = inside("lint")
    assert (said.status, said.out) == (OK, "")
    assert said.err.startswith("No problems. ")


def test_a_problem_is_a_line_with_its_position(inside, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "broken.yaml").write_text(BROKEN)
    said = inside("lint", "mine")
    assert said.status == FINDINGS
    assert said.out == ("mine/broken.yaml:2:9: there is no kind 'choise'; did you mean 'choice'?\n")
    assert said.err == "1 problem in 1 file. 0 questions in 1 file.\n"


def test_all_problems_come_in_one_run(inside, tmp_path):
    (tmp_path / "a.yaml").write_text(BROKEN)
    (tmp_path / "b.yaml").write_text("- id: twice\n  id: twice\n")
    said = inside("lint", "a.yaml", "b.yaml")
    assert [line.split(":")[0] for line in said.out.splitlines()] == ["a.yaml", "b.yaml"]


def test_json(inside, tmp_path):
    (tmp_path / "broken.yaml").write_text(BROKEN)
    said = inside("lint", "broken.yaml", "--json")
    assert (said.status, said.err) == (FINDINGS, "")
    assert json.loads(said.out) == {
        "problems": [
            {
                "file": "broken.yaml",
                "line": 2,
                "column": 9,
                "what": "there is no kind 'choise'",
                "todo": "did you mean 'choice'?",
                "question": f"{tmp_path.name}/broken",
            }
        ],
        "questions": 0,
        "files": 1,
    }


@pytest.mark.parametrize(
    ("content", "position", "what"),
    [
        (b"- id: a\n  kind: \xff\n", "2:9", "byte 0xff is not UTF-8"),
        (b"- id: a\0b\n", "1:1", "control characters are not allowed"),
        (b"- id: [\n", "2:1", "did not find expected node content"),
        (b"a: &x 1\nb: *x\n", "2:4", "an alias"),
        (b"- id: \x1b[31m\n", "1:1", "control characters are not allowed"),
        (b'- id: "\\e[31m"\n  kind: "\\e[31m"\n', "2:9", "there is no kind '\\x1b[31m'"),
    ],
)
def test_what_is_no_yaml_of_ours_has_a_position(content, position, what, inside, tmp_path):
    (tmp_path / "bad.yaml").write_bytes(content)
    said = inside("lint", "bad.yaml")
    assert said.status == FINDINGS
    assert said.out.startswith(f"bad.yaml:{position}: ")
    assert what in said.out
    assert "\x1b" not in said.out


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("missing.yaml", "there is no file"),
        ("missing\udcff.yaml", "there is no file"),
        ("text.md", "is no YAML file"),
    ],
)
def test_a_path_that_is_no_question_file(path, what, inside, tmp_path):
    (tmp_path / "text.md").write_text("# Title")
    said = inside("lint", path)
    assert (said.status, said.out) == (USAGE, "")
    assert what in said.err


def test_an_empty_folder_and_an_empty_file_hold_no_problem(inside, tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "empty.yaml").write_text("")
    assert inside("lint", "none").status == OK
    assert inside("lint", "empty.yaml").status == OK


def test_a_name_that_is_no_text_can_be_printed(quiz, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.yaml")
    path.write_text(BROKEN)
    done = quiz("lint", path, "--json")
    assert done.returncode == FINDINGS
    [problem] = json.loads(done.stdout)["problems"]
    assert problem["file"] == "caf\udce9.yaml"
    assert quiz("lint", path).stdout.startswith("caf\\udce9.yaml:2:9: ")


def test_a_part_is_linted_as_part_of_the_whole(inside, tmp_path, monkeypatch):
    """What it refers to is known, from wherever it is named."""
    shutil.copytree(SHIPPED, tmp_path / "packs" / "shared-memory")
    for folder in ("packs", "packs/shared-memory", "packs/shared-memory/interview"):
        monkeypatch.chdir(tmp_path / folder)
        said = inside("lint", ".")
        assert (said.status, said.out) == (OK, "")


def test_colour_only_on_a_terminal(quiz, tmp_path):
    (tmp_path / "broken.yaml").write_text(BROKEN)
    assert "\x1b" not in quiz("lint", "broken.yaml", FORCE_COLOR="1").stdout
