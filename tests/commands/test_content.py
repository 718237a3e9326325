"""The setting `content`: a folder of packs, a folder of questions, a file; and special files."""

from __future__ import annotations

import json
import os

import pytest

from quizapp.domain.errors import FINDINGS, OK, USAGE
from tests.deck.tools import CHOICE, write
from tests.foreign import foreign_pack


def question_file(number: int) -> str:
    """A valid file of one question."""
    return CHOICE.replace("id: ", f"id: n{number}-", 1)


@pytest.fixture
def folder(tmp_path):
    """Six questions in a folder, and one in a folder of it."""
    for number in range(6):
        write(tmp_path, f"mine/{number}.yaml", question_file(number))
    write(tmp_path, "mine/more/6.yaml", question_file(6))
    return tmp_path / "mine"


def counts(inside) -> dict[str, int]:
    """How many questions doctor finds in each configured place."""
    findings = json.loads(inside("doctor", "--json").out)["findings"]
    return {
        found["what"]["fields"]["folder"]: found["what"]["fields"]["n"]
        for found in findings
        if (found["section"], found["name"]) == ("deck", "configured")
    }


def test_a_folder_of_questions_is_a_pack(folder, inside):
    assert inside("config", "content", "mine").out == f"content = {folder}\n"
    assert counts(inside) == {str(folder): 7}
    assert inside("edit", "mine/nobody").err.startswith("quiz: there is no question")
    linted = json.loads(inside("lint", "mine/more/6.yaml", "--json").out)
    assert (linted["questions"], linted["problems"]) == (1, [])


def test_a_file_counts_alone(folder, inside):
    inside("config", "content", folder / "3.yaml")
    assert counts(inside) == {str(folder / "3.yaml"): 1}


def test_a_folder_of_packs_and_a_kernel_s_folder(tmp_path, folder, inside):
    packs = foreign_pack(tmp_path / "packs").parent
    kernel = packs / "strange" / "saxpy"
    inside("config", "content", f"{packs}{os.pathsep}{folder}")
    assert counts(inside) == {str(packs): 2, str(folder): 7}
    inside("config", "content", kernel)
    assert counts(inside) == {str(kernel): 1}
    inside("config", "content", kernel / "question.yaml")
    assert counts(inside) == {str(kernel / "question.yaml"): 1}
    # The same file in two places counts once
    inside("config", "content", f"{kernel}{os.pathsep}{packs}")
    assert json.loads(inside("lint", packs, "--json").out)["problems"] == []


def test_a_part_of_a_pack_keeps_its_name(tmp_path, inside):
    write(tmp_path, "big/pack.yaml", "topics: [banks]\n")
    write(tmp_path, "big/part/q.yaml", question_file(1).replace("topic: banks", "topic: bnaks"))
    inside("config", "content", tmp_path / "big" / "part")
    found = inside("lint", tmp_path / "big" / "part")
    assert (found.status, "the pack has no topic 'bnaks'" in found.out) == (FINDINGS, True)


@pytest.mark.parametrize("name", ["nothing", "text.txt", "x" * 5000])
def test_what_holds_no_questions_is_refused(tmp_path, name, inside):
    (tmp_path / "text.txt").write_text("x")
    said = inside("config", "content", name)
    assert said.status == USAGE
    assert "neither a folder nor a YAML file" in said.err or "no folder" in said.err
    assert inside("config", "content").out == "\n"


def test_a_yaml_file_beside_packs_is_not_lost_silently(tmp_path, inside):
    own = tmp_path / "home" / "content"
    write(own, "stray.yaml", CHOICE)
    write(own, "pack/q.yaml", CHOICE)
    said = inside("lint", own)
    assert "stray.yaml is in no pack" in said.out


@pytest.mark.parametrize("kind", ["fifo", "device", "huge"])
def test_a_submission_is_a_plain_file(tmp_path, kind, inside):
    path = tmp_path / "submission.py"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)
    said = inside("grade", "place-column-with-padding", path)
    assert said.status == USAGE
    what = "the submission is larger than 1,000,000 bytes" if kind == "huge" else f"{path} is "
    assert said.err.startswith(f"quiz: {what}")
    preview = inside("preview", path)
    assert preview.status == USAGE
    assert inside("config").status == OK
