"""The changed copy of a kernel question: its whole folder, laid over and taken back."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from quizapp.deck.deck import Deck, load
from quizapp.deck.index import Entry
from quizapp.deck.linting.lint import lint
from quizapp.deck.writing import overlay
from quizapp.domain.errors import DeckError, EnvironmentProblem, UsageError
from quizapp.system.paths import Paths
from tests.commands.program import ROOT
from tests.sentences import english, expect_error

SHIPPED = ROOT / "content/shared-memory/kernels/transpose-padded"
ID = "pack/kernel-transpose-padded"
FILES = {
    "question.yaml", "baseline.py", "reference.py", "solution.py", "starter.py",
    "baseline.cu", "solution.cu", "starter.cu",
    "wrong/one-guard.cu",
}  # fmt: skip


@pytest.fixture
def paths(tmp_path) -> Paths:
    return Paths(
        tmp_path / "data", tmp_path / "config.toml", tmp_path / "cache", tmp_path / "quiz.log"
    )


@pytest.fixture
def source(tmp_path, monkeypatch) -> Path:
    """The folder of a kernel question in an installed pack."""
    monkeypatch.setattr(overlay, "shipped_content", lambda: tmp_path / "shipped")
    folder = tmp_path / "shipped" / "pack" / "kernels" / "transpose"
    shutil.copytree(SHIPPED, folder)
    text = (folder / "question.yaml").read_text("utf-8")
    alone = re.sub(r"^requires: .*\n", "", text, flags=re.MULTILINE)  # the pack has no other
    (folder / "question.yaml").write_text(alone, "utf-8")
    return folder


@pytest.fixture
def deck(tmp_path, paths, source):
    """The deck as it is now."""

    def read() -> Deck:
        roots = [str(tmp_path / "shipped"), str(paths.own_content)]
        return load(roots, str(paths.compiled_deck))

    return read


@pytest.fixture
def entry(deck):
    def find() -> Entry:
        return deck().entries[ID]

    return find


@pytest.fixture
def copy(entry, paths) -> Path:
    """The folder of a copy that was just made."""
    return overlay.editable_copy(entry(), paths)[0].parent


def read_files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_copy_is_a_folder_with_every_file(entry, paths, source):
    before = read_files(source)
    path, line = overlay.editable_copy(entry(), paths)
    assert path == paths.own_content / ID / "question.yaml"
    assert path.read_text("utf-8").splitlines()[line - 1] == "id: kernel-transpose-padded"
    made = read_files(path.parent)
    assert set(made) == FILES
    assert {name: made[name] for name in FILES - {"question.yaml"}} == {
        name: before[name] for name in FILES - {"question.yaml"}
    }
    assert read_files(source) == before


def test_its_header_names_the_schema_and_the_files(copy, paths):
    lines = (copy / "question.yaml").read_text("utf-8").splitlines()
    header = [line for line in lines if line.startswith("#")]
    schema = header[0].partition("$schema=")[2]
    assert (copy / schema).resolve() == paths.own_content / "schema.json"
    assert (copy / schema).is_file()
    assert all(name in " ".join(header) for name in FILES - {"question.yaml"})
    assert f"quiz edit --revert {ID}" in header[2]
    assert max(map(len, header)) <= 100


def test_it_says_the_same_and_lints(entry, paths):
    before = entry()
    path, _ = overlay.editable_copy(before, paths)
    now = entry()
    assert (now.content_hash, now.changed, now.file) == (before.content_hash, True, str(path))
    assert lint([path], [str(paths.own_content)]).problems == ()


def test_a_change_of_a_python_file_is_the_question_from_then_on(copy, deck, entry, paths, source):
    starter = copy / "starter.py"
    starter.write_text(starter.read_text() + "    # mine\n")
    assert "# mine" in deck().question(ID).starter
    (source / "starter.py").write_text("def transpose(image, out):\n    return\n")
    assert "# mine" in deck().question(ID).starter
    assert overlay.editable_copy(entry(), paths)[0] == copy / "question.yaml"
    assert "# mine" in starter.read_text()


def test_left_as_it_was_it_is_removed_whole(entry, paths, source):
    before = entry()
    path, _ = overlay.editable_copy(before, paths)
    assert overlay.drop_unchanged(before, paths)
    assert list(path.parent.parent.iterdir()) == []
    assert not entry().changed


@pytest.mark.parametrize("name", ["question.yaml", "solution.py", "wrong/one-guard.cu"])
def test_changed_in_any_file_it_stays(name, entry, paths):
    before = entry()
    path, _ = overlay.editable_copy(before, paths)
    changed = path.parent / name
    changed.write_text(changed.read_text("utf-8") + "# a thought\n", "utf-8")
    assert not overlay.drop_unchanged(before, paths)
    assert set(read_files(path.parent)) == FILES


@pytest.mark.parametrize("name", ["notes.txt", "wrong/another.py", ".hidden", "deep/er/file"])
def test_with_a_file_more_it_stays(name, entry, paths):
    before = entry()
    path, _ = overlay.editable_copy(before, paths)
    more = path.parent / name
    more.parent.mkdir(parents=True, exist_ok=True)
    more.write_text("mine")
    assert not overlay.drop_unchanged(before, paths)
    assert more.read_text() == "mine"


def test_with_a_file_less_it_stays(entry, paths):
    before = entry()
    path, _ = overlay.editable_copy(before, paths)
    (path.parent / "baseline.py").unlink()
    assert not overlay.drop_unchanged(before, paths)
    assert set(read_files(path.parent)) == FILES - {"baseline.py"}


def test_reverting_keeps_the_whole_folder_aside_where_no_deck_reads_it(entry, paths):
    kept = []
    for text in ("# mine\n", "# mine again\n"):
        path, _ = overlay.editable_copy(entry(), paths)
        solution = path.parent / "solution.py"
        solution.write_text(solution.read_text() + text)
        kept.append(overlay.revert(entry(), paths))
    name = ID.split("/")[1]
    assert [folder.name for folder in kept] == [f"{name}.reverted", f"{name}.reverted-2"]
    assert [set(read_files(folder)) for folder in kept] == [FILES, FILES]
    assert (kept[0] / "solution.py").read_text().endswith("# mine\n")
    assert not entry().changed
    assert lint([paths.own_content], []).questions == 0
    with expect_error(UsageError, match="there is no copy of"):
        overlay.revert(entry(), paths)


def test_a_broken_copy_is_mended_not_replaced(copy, entry, paths, deck):
    (copy / "starter.py").unlink()
    (copy / "question.yaml").write_text("id: [")
    assert deck().left_out == 1
    assert overlay.editable_copy(entry(), paths) == (copy / "question.yaml", 1)
    aside = overlay.revert(entry(), paths)
    assert set(read_files(aside)) == FILES - {"starter.py"}
    assert (aside / "question.yaml").read_text() == "id: ["


def test_what_stands_in_the_place_of_a_copy_stays(entry, paths):
    folder = paths.own_content / ID
    folder.mkdir(parents=True)
    (folder / "starter.py").write_text("mine")
    with expect_error(DeckError, match=r"but holds starter\.py") as refused:
        overlay.editable_copy(entry(), paths)
    assert "another name" in english(refused.value)
    assert read_files(folder) == {"starter.py": b"mine"}
    (folder / "starter.py").unlink()
    assert overlay.editable_copy(entry(), paths)[0] == folder / "question.yaml"


def test_a_file_in_the_place_of_the_folder_stays(entry, paths):
    place = paths.own_content / ID
    place.parent.mkdir(parents=True)
    place.write_text("mine")
    with expect_error(EnvironmentProblem, match="cannot be written"):
        overlay.editable_copy(entry(), paths)
    assert [path.name for path in place.parent.iterdir()] == [place.name]
    assert place.read_text() == "mine"


@pytest.mark.parametrize("name", ["mine.yaml", "inner/question.yaml"])
def test_reverting_takes_no_other_question_along(name, copy, entry, paths):
    other = copy / name
    other.parent.mkdir(exist_ok=True)
    other.write_text("id: another\nkind: number\n")
    with expect_error(UsageError, match="also holds another"):
        overlay.revert(entry(), paths)
    assert other.exists()


def test_a_pack_is_never_taken_for_the_folder_of_a_question(entry, paths, source):
    pack = paths.own_content / "pack"
    shutil.copytree(source, pack)
    (pack / "notes.txt").write_text("mine")
    assert entry().changed
    assert overlay.revert(entry(), paths) == pack / "question.yaml.reverted"
    assert (pack / "notes.txt").exists()
    assert not entry().changed


def test_one_of_several_in_a_file_is_copied_alone(entry, paths, source):
    text = (source / "question.yaml").read_text("utf-8")
    body = "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))
    item = "-" + body.partition("\n")[2][1:]
    other = item.replace("kernel-transpose-padded", "kernel-other")
    (source / "question.yaml").write_text(f"# two\n{other}\n{item}", "utf-8")
    path, line = overlay.editable_copy(entry(), paths)
    assert path.read_text("utf-8").splitlines()[line - 1] == "- id: kernel-transpose-padded"
    assert "kernel-other" not in path.read_text("utf-8")
    assert lint([path], [str(paths.own_content)]).problems == ()


def test_a_file_that_just_went_away_is_said(entry, paths, source):
    found = entry()
    (source / "question.yaml").unlink()
    with expect_error(DeckError, match="is no longer in"):
        overlay.editable_copy(found, paths)
    assert not paths.own_content.exists()


def test_a_question_of_ones_own_is_edited_where_it_stands(deck, paths, source):
    own = paths.own_content / "mine" / "transpose"
    shutil.copytree(source, own)
    found = deck().entries["mine/kernel-transpose-padded"]
    before = read_files(own)
    assert overlay.editable_copy(found, paths) == (own / "question.yaml", 2)
    assert not overlay.drop_unchanged(found, paths)
    with expect_error(UsageError, match="your own question"):
        overlay.revert(found, paths)
    assert read_files(own) == before
