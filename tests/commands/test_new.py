"""`quiz new`: what it writes lints as it stands, and nothing that exists is touched."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from quizapp.deck.writing import templates
from quizapp.deck.writing.schema import schema
from quizapp.domain.errors import ENVIRONMENT, OK, USAGE
from quizapp.domain.question import KINDS
from tests.commands.program import ROOT, Said


def test_there_is_a_template_for_every_kind():
    assert list(templates.KINDS) == list(KINDS)


def below(kind: str, name: str) -> str:
    """Where a question of that kind and name stands in its place."""
    return f"{name}/question.yaml" if kind == "kernel" else f"{name}.yaml"


@pytest.mark.parametrize("kind", KINDS)
def test_it_lints(kind, inside, home):
    said = inside("new", kind)
    path = Path(said.out.strip())
    assert said.status == OK
    assert path == home / "content" / "mine" / below(kind, f"new-{kind}")
    assert f"quiz preview {path} --watch" in said.err
    linted = inside("lint", path)
    assert (linted.status, linted.out) == (OK, "")
    assert "1 question" in linted.err


def test_they_lint_in_a_pack_of_two_languages(inside, tmp_path):
    pack = tmp_path / "packs" / "frameworks"  # of few files
    shutil.copytree(ROOT / "content" / "frameworks", pack)
    folder = pack / "interview"
    before = count_linted(inside("lint", folder))
    for kind in KINDS:
        said = inside("new", kind, "--to", folder, "--id", f"warp-{kind}")
        path = Path(said.out.strip())
        assert path == folder / below(kind, f"warp-{kind}")
        assert "zh:" in path.read_text(encoding="utf-8")
    assert count_linted(inside("lint", folder)) == before + len(KINDS)


def count_linted(linted: Said) -> int:
    """How many questions have no problem."""
    assert (linted.status, linted.out) == (OK, "")
    return int(re.findall(r"No problems\. (\d+) questions", linted.err)[0])


def test_each_is_in_the_deck_at_once(inside):
    count = json.loads(inside("due", "--json").out)["questions"]
    for kind in KINDS:
        inside("new", kind)
        count += 1
        assert json.loads(inside("due", "--json").out)["questions"] == count


@pytest.mark.parametrize("kind", ["choice", "kernel"])
@pytest.mark.parametrize("where", [[], ["--to", "here"], ["--pack", "other"]])
def test_the_first_line_leads_to_the_schema(where, kind, inside):
    path = Path(inside("new", kind, *where).out.strip())
    first = path.read_text(encoding="utf-8").splitlines()[0]
    [reference] = re.findall(r"^# yaml-language-server: \$schema=(\S+)$", first)
    assert json.loads((path.parent / reference).read_bytes()) == json.loads(json.dumps(schema()))


def test_a_second_one_has_another_name(inside):
    names = [Path(inside("new", "choice").out.strip()).name for _ in range(3)]
    assert names == ["new-choice.yaml", "new-choice-2.yaml", "new-choice-3.yaml"]


def test_a_kernel_has_a_folder_with_every_file(inside, home):
    folders = [Path(inside("new", "kernel").out.strip()).parent for _ in range(2)]
    assert [folder.name for folder in folders] == ["new-kernel", "new-kernel-2"]
    for folder in folders:
        found = {file.relative_to(folder).as_posix() for file in folder.rglob("*.*")}
        assert found == {
            "question.yaml", "reference.py",
            "starter.py", "solution.py", "wrong/no-barrier.py", "wrong/not-shared.py",
            "starter.cu", "solution.cu", "wrong/no-barrier.cu", "wrong/not-shared.cu",
        }  # fmt: skip
    assert inside("lint", home / "content").err.startswith("No problems. 2 questions")


@pytest.mark.parametrize("there", ["a file in a folder", "an empty folder", "a file"])
def test_what_stands_in_the_place_of_a_kernel_stays(there, inside, home):
    place = home / "content" / "mine" / "pitch"
    place.parent.mkdir(parents=True)
    if there == "a file":
        place.write_text("mine")
    else:
        place.mkdir()
    if there == "a file in a folder":
        (place / "starter.py").write_text("mine")
    said = inside("new", "kernel", "--id", "pitch")
    assert (said.status, said.out) == (USAGE, "")
    assert f"{place} exists already" in said.err
    left = [path for path in place.parent.rglob("*") if path.is_file()]
    assert [path.read_text() for path in left] == ["mine"] * (there != "an empty folder")


def test_a_file_that_exists_stays(inside, home):
    path = Path(inside("new", "choice", "--id", "pitch").out.strip())
    path.write_text("- mine\n")
    said = inside("new", "choice", "--id", "pitch")
    assert (said.status, said.out) == (USAGE, "")
    assert f"{path} exists already" in said.err
    assert path.read_text() == "- mine\n"


def test_an_id_that_exists_is_not_overlaid(inside, home):
    said = inside("new", "recall", "--pack", "shared-memory", "--id", "interview-broadcast")
    assert said.status == USAGE
    assert "quiz edit shared-memory/interview-broadcast" in said.err
    assert not (home / "content").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["essay"], "choose one of: recall, choice, number"),
        (["choice", "--id", "Two Words"], "lower-case words joined by hyphens"),
        (["choice", "--pack", "../elsewhere"], "lower-case words joined by hyphens"),
        (["choice", "--pack", "a", "--to", "b"], "give one of them"),
    ],
)
def test_a_wrong_call_writes_nothing(arguments, what, inside, home):
    said = inside("new", *arguments)
    assert (said.status, said.out) == (USAGE, "")
    assert what in said.err
    assert not (home / "content").exists()


def test_a_schema_of_somebody_else_stays(inside, tmp_path):
    (tmp_path / "schema.json").write_text('{"title": "mine"}')
    assert inside("new", "choice", "--to", tmp_path, "--id", "a").status == OK
    assert (tmp_path / "schema.json").read_text() == '{"title": "mine"}'


def test_a_folder_that_cannot_be_written_is_said(inside, tmp_path):
    (tmp_path / "file").write_text("")
    said = inside("new", "choice", "--to", tmp_path / "file" / "folder")
    assert said.status == ENVIRONMENT
    assert "cannot be written" in said.err
