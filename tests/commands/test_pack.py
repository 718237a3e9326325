"""`quiz pack`: a pack from elsewhere, from its arrival to its removal."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from quizapp.deck.deck import load
from quizapp.deck.installing import pack_repository
from quizapp.deck.linting.lint import lint
from quizapp.domain.errors import DATA, OK, USAGE
from quizapp.domain.question import Kernel
from quizapp.system.paths import find_paths
from tests.deck.tools import CUDA_FILES, KERNEL, NUMBER, kernel_folder, write
from tests.foreign import foreign_pack
from tests.shipped_packs import ASKED

ANSWERED = "32\n3\n\nq\n"
"""A right answer, and how sure, as plain mode asks."""
ABOUT = 'title: Tiny\nversion: "1.2"\nlicense: MIT\n'


def write_pack(folder: Path, about: str = ABOUT, questions: str = NUMBER) -> Path:
    """A pack of one question."""
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(about)
    (folder / "questions.yaml").write_text(questions)
    return folder


@pytest.fixture
def source(tmp_path) -> Path:
    return write_pack(tmp_path / "elsewhere" / "tiny")


@pytest.fixture
def listed(inside):
    """The packs of `quiz pack list`, by name."""

    def look() -> dict[str, dict[str, object]]:
        packs = json.loads(inside("pack", "list", "--json").out)["packs"]
        return {pack["pack"]: pack for pack in packs}

    return look


def installed() -> list[str]:
    """What is in the folder of installed packs, hidden things too."""
    folder = find_paths().installed_packs
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def as_folder(source: Path, tmp_path: Path) -> str:
    return str(source)


def as_zip(source: Path, tmp_path: Path) -> str:
    return shutil.make_archive(str(tmp_path / "tiny"), "zip", source.parent, source.name)


def as_flat_zip(source: Path, tmp_path: Path) -> str:
    return shutil.make_archive(str(tmp_path / "tiny"), "zip", source)


def as_repository(source: Path, tmp_path: Path) -> str:
    call = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*call, *words], cwd=source, check=True)
    bare = tmp_path / "bare" / "tiny.git"
    subprocess.run([*call, "clone", "-q", "--bare", source, bare], check=True)
    return f"file://{bare}"


@pytest.fixture(params=[as_folder, as_zip, as_flat_zip, as_repository])
def given(request, source, tmp_path, monkeypatch, needs_program) -> str:
    """The pack in each of the forms in which it can come."""
    if request.param is as_repository:
        needs_program("git")
        monkeypatch.setattr(pack_repository, "PROTOCOLS", ("file",))
    return request.param(source, tmp_path)


def test_a_pack_is_added_listed_removed_and_brought_back(given, inside, listed):
    said = inside("pack", "add", given)
    folder = find_paths().installed_packs / "tiny"
    assert (said.status, said.out) == (OK, f"{folder}\n"), said.err
    assert "tiny is installed, with 1 question" in said.err
    assert installed() == ["tiny"]
    assert listed()["tiny"] == {
        "pack": "tiny", "title": "Tiny", "version": "1.2", "license": "MIT", "questions": 1,
        "on": True, "new_per_day": None, "held_back": 0, "extras_missing": {},
        "source": "installed", "folder": str(folder),
    }  # fmt: skip
    said = inside("pack", "remove", "tiny")
    aside = Path(said.out.strip())
    assert (said.status, aside.parent.parent) == (OK, find_paths().removed_packs)
    assert (installed(), "tiny" in listed()) == ([], False)
    assert inside("pack", "add", aside).status == OK
    assert installed() == ["tiny"]


def test_answers_stay_when_a_pack_goes_and_count_when_it_is_back(source, inside):
    inside("pack", "add", source)
    inside("config", "packs.shared-memory", "false")
    inside("config", "packs.fundamentals", "false")
    done = inside("start", "--plain", "--pack", "tiny", typed=ANSWERED)
    assert done.status == OK, done.err
    events = find_paths().data / "before.jsonl"
    inside("export", events)
    assert '"tiny/a-number"' in events.read_text()
    aside = inside("pack", "remove", "tiny").out.strip()
    inside("export", find_paths().data / "after.jsonl")
    assert '"tiny/a-number"' in (find_paths().data / "after.jsonl").read_text()
    inside("pack", "add", aside)
    rows = json.loads(inside("due", "--json").out)["packs"]
    assert {row["pack"]: row["seen"] for row in rows}["tiny"] == 1


def test_version_license_and_count_are_in_the_list_and_in_doctor(source, inside):
    inside("pack", "add", source)
    rows = inside("pack").out.splitlines()
    assert rows[0].split() == ["pack", "title", "version", "license", "questions", "state", "from"]
    [row] = [row.split() for row in rows if row.startswith("tiny")]
    assert row == ["tiny", "Tiny", "1.2", "MIT", "1", "on", "installed"]
    head, topic = inside("pack", "topics", "tiny").out.splitlines()
    assert (head.split(), topic.split()) == (
        ["topic", "pack", "title", "questions"],
        ["banks", "tiny", "banks", "1"],
    )
    topics = json.loads(inside("pack", "topics", "--json").out)["topics"]
    assert {each["topic"] for each in topics} >= {"banks", "tensor-peaks"}
    for option, name in (("--topic", "tensor-cores"), ("--pack", "banks")):
        other = {"--topic": "--pack", "--pack": "--topic"}[option]
        said = inside("start", "--plain", option, name).err
        assert f"quiz start {other} {name}" in " ".join(said.split())
    assert "tiny: 1 question, version 1.2, license MIT" in inside("doctor").out
    chinese = inside("pack", "list", QUIZ_LANGUAGE="zh").out
    assert chinese.split()[:7] == ["题包", "标题", "版本", "许可证", "题数", "状态", "来源"]


def test_python_of_an_added_pack_does_not_run_until_it_is_trusted_and_not_after_its_removal(
    tmp_path, inside, listed
):
    """Wherever it comes from: also from an export of the person's own pack."""
    foreign_pack(find_paths().own_content, "mine")
    assert inside("pack", "export", "mine", "mine.zip").status == OK
    said = inside("pack", "add", "mine.zip", "--name", "theirs")
    assert said.status == OK, said.err
    assert "2 kernels run Python, and are skipped until you agree: `quiz trust theirs`" in said.err
    assert {name: pack["held_back"] for name, pack in listed().items() if pack["held_back"]} == {
        "theirs": 2
    }
    solution = find_paths().installed_packs / "theirs" / "saxpy" / "solution.py"
    said = inside("grade", "theirs/kernel-saxpy", solution, "--no-gpu")
    assert (said.status, "runs Python from a pack that is not yours" in said.err) == (DATA, True)
    assert inside("trust", "theirs", "--yes").status == OK
    assert inside("grade", "theirs/kernel-saxpy", solution, "--no-gpu").status == OK
    assert listed()["theirs"]["held_back"] == 0
    aside = inside("pack", "remove", "theirs").out.strip()
    inside("pack", "add", aside)
    assert listed()["theirs"]["held_back"] == 2


def test_an_export_is_the_same_bytes_and_can_be_added(source, inside, listed):
    inside("pack", "add", source)
    assert inside("pack", "export", "tiny", "a.zip").out == f"{Path('a.zip').absolute()}\n"
    printed = json.loads(inside("pack", "export", "tiny", "b.zip", "--json").out)
    assert printed["bytes"] == Path("b.zip").stat().st_size
    assert printed["questions"] == 1
    assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()
    assert zipfile.ZipFile("a.zip").namelist() == ["tiny/pack.yaml", "tiny/questions.yaml"]
    again = inside("pack", "export", "tiny", "a.zip")
    assert (again.status, "a.zip" in again.err) == (USAGE, True)
    assert inside("pack", "add", "a.zip", "--name", "other").status == OK
    assert listed()["other"]["questions"] == 1


def test_a_person_s_changed_copies_are_neither_exported_nor_in_the_way(source, inside, listed):
    inside("pack", "add", source)
    write_pack(find_paths().own_content / "tiny").joinpath("pack.yaml").unlink()
    said = inside("pack", "export", "tiny", "a.zip")
    assert "Your changed copy of 1 question is not in it." in said.err
    aside = inside("pack", "remove", "tiny").out.strip()
    assert listed()["tiny"]["source"] == "own"
    assert inside("pack", "add", aside).status == OK
    assert listed()["tiny"]["source"] == "installed"


def test_one_pack_of_several_is_chosen(tmp_path, inside, listed):
    for name in ("one", "two"):
        write_pack(tmp_path / "all" / "packs" / name)
    said = inside("pack", "add", "all")
    assert (said.status, installed()) == (DATA, [])
    assert "it holds several packs: packs/one, packs/two" in said.err
    assert inside("pack", "add", "all", "--folder", "packs/two").status == OK
    assert listed()["two"]["source"] == "installed"
    assert inside("pack", "add", "all", "--folder", "packs/three").status == USAGE


WRONG = {
    "number": ABOUT.replace('"1.2"', "1.2"),
    "unknown field": f"{ABOUT}autor: x\n",
    "two lines": 'version: "1\\n2"\n',
    "empty": 'license: ""\n',
    "not YAML": "title: [\n",
    "a list": "- x\n",
}


@pytest.mark.parametrize("about", WRONG.values(), ids=WRONG)
def test_a_wrong_description_is_refused_with_its_line_and_reported_by_lint(about, tmp_path, inside):
    folder = write_pack(tmp_path / "bad", about)
    said = inside("pack", "add", folder)
    assert (said.status, said.out, installed()) == (DATA, "", [])
    assert "of its pack.yaml: " in said.err
    assert inside("lint", folder).status == 1


def test_names_that_others_have_are_refused(source, tmp_path, inside, monkeypatch):
    inside("pack", "add", source)
    write_pack(find_paths().own_content / "mine", questions=NUMBER.replace("a-number", "my-own"))
    write_pack(tmp_path / "configured" / "there")
    monkeypatch.setenv("QUIZ_CONTENT", str(tmp_path / "configured"))
    for name in ("tiny", "mine", "there", "fundamentals", "Tiny", "a/b", "..", "x" * 61, "-x"):
        said = inside("pack", "add", source, f"--name={name}")
        assert said.status == DATA, name
        assert "nothing was" in said.err or "cannot be the name" in said.err, said.err
        assert installed() == ["tiny"]


def test_what_was_not_installed_is_not_removed(source, tmp_path, inside, monkeypatch):
    own = write_pack(find_paths().own_content / "mine")
    configured = write_pack(tmp_path / "configured" / "there")
    monkeypatch.setenv("QUIZ_CONTENT", str(configured.parent))
    for name in ("fundamentals", "mine", "there", "minee"):
        said = inside("pack", "remove", name)
        assert (said.status, said.out) == (USAGE, ""), name
        assert len(said.err.splitlines()) == 2
    assert own.exists()
    assert configured.exists()


@pytest.mark.parametrize(
    ("text", "status"),
    [("", DATA), ("- id: x\n", DATA), ("nothing: {", DATA)],
    ids=["none", "one wrong", "no YAML"],
)
def test_a_pack_without_a_valid_question_is_refused(text, status, tmp_path, inside):
    said = inside("pack", "add", write_pack(tmp_path / "bad", questions=text))
    assert (said.status, installed()) == (status, [])
    assert len(said.err.splitlines()) == 2


def test_questions_with_errors_are_counted_and_the_others_are_asked(tmp_path, inside):
    folder = write_pack(tmp_path / "half", questions=f"{NUMBER}- id: x\n")
    said = inside("pack", "add", folder)
    assert said.status == OK
    assert "1 question has errors and is not asked" in said.err


def test_a_pack_that_cannot_be_written_leaves_nothing(source, inside, monkeypatch):
    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    said = inside("pack", "add", source)
    assert said.status == 4
    assert "disk is full" in said.err or "space" in said.err
    assert installed() == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["add"], ["add", ""], ["remove"], ["export"], ["export", "x"], ["list", "x"],
        ["add", "a", "b"],
        ["remove", "x", "--name", "y"], ["lst"], ["add", "nowhere.zip"], ["export", "nowhere", "x"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_wrong_call_is_answered_with_what_is_right(arguments, inside):
    said = inside("pack", *arguments)
    assert (said.status, said.out) == (USAGE, "")
    assert len(said.err.splitlines()) == 2
    chinese = inside("pack", *arguments, QUIZ_LANGUAGE="zh").err
    assert all(any(sign >= "\u4e00" for sign in line) for line in chinese.splitlines()), chinese


def test_a_limit_of_its_own_holds_for_the_new_questions_of_a_pack(inside, tmp_path):
    questions = "".join(
        NUMBER.replace("a-number", f"n-{n}").replace("strides", f"concept-{n}") for n in range(5)
    )
    inside("pack", "add", write_pack(tmp_path / "five", questions=questions))
    for name in ASKED:
        inside("config", f"packs.{name}", "false")

    def new() -> int:
        return json.loads(inside("due", "--json").out)["new"]

    assert new() == 5
    inside("config", "new_per_pack.five", "2")
    assert new() == 2
    assert "at most 2 new per day" in inside("pack").out
    inside("start", "--plain", "--limit", "1", typed=ANSWERED)
    rows = json.loads(inside("due", "--json").out)["packs"]
    assert {row["pack"]: row["seen"] for row in rows}["five"] == 1
    assert new() == 1


# Mistakes as edits


def test_files_are_folded_into_the_question_which_stays_as_it_was(inside, tmp_path):
    folder = kernel_folder(tmp_path / "content")
    for name, text in CUDA_FILES.items():
        write(folder, name, text)

    def read() -> Kernel:
        found = load([str(tmp_path / "content")], str(tmp_path / "deck")).question("pack/a-kernel")
        assert isinstance(found, Kernel)
        return found

    before = read()
    said = inside("pack", "fold", tmp_path / "content", "--json")
    counts = {"edits": 3, "files": 0, "lines": 7}
    assert (said.status, json.loads(said.out)) == (OK, {"format": 1, **counts})
    assert read() == before
    assert not (folder / "wrong").exists()
    assert KERNEL.splitlines()[0] in (folder / "question.yaml").read_text("utf-8")
    assert "0 known mistakes" in inside("pack", "fold", tmp_path / "content").err


def test_lines_that_windows_ended_stay_files_and_stay_so(inside, tmp_path):
    folder = kernel_folder(tmp_path / "content")
    question = folder / "question.yaml"
    question.write_bytes(question.read_bytes().replace(b"\n", b"\r\n"))
    wrong = folder / "wrong" / "no-guard.py"
    wrong.write_bytes(wrong.read_bytes().replace(b"\n", b"\r\n"))
    said = inside("pack", "fold", tmp_path / "content")
    assert "1 known mistake is now an edit, " in said.err
    assert wrong.is_file()
    text = question.read_bytes()
    assert text.count(b"\r\n") == text.count(b"\n")
    assert lint([], [str(tmp_path / "content")]).problems == ()


def test_a_folder_that_is_none_or_holds_no_yaml_is_named(inside, tmp_path):
    assert inside("pack", "fold", tmp_path / "nowhere").status == USAGE
    kernel_folder(tmp_path / "content", "- [")
    said = inside("pack", "fold", tmp_path / "content")
    assert said.status == DATA
    assert "question.yaml cannot be changed" in said.err
