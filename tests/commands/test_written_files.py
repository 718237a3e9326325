"""What a command is told to write replaces no file that exists, unless `--overwrite` says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quizapp.batch.journal import SUFFIX
from quizapp.domain.errors import OK, USAGE
from quizapp.store.store import Store
from tests.batch.classes import RIGHT, write_files, write_pack
from tests.commands.program import answer
from tests.commands.test_profile import UNPADDED
from tests.compiled_content import compile_once
from tests.sampling import every

WRITING = (
    ("stats", "--html", "file.html"),
    ("card", "--svg", "file.svg"),
    ("banks", "threadIdx.x", "--html", "file.html"),
    ("profile", "script.py", "--html", "file.html"),
    ("profile", "script.py", "--sarif", "file.sarif"),
    ("grade", "double", "class/ann/double.py", "--no-gpu", "--html", "file.html"),
    ("grade", "--all", "class", "--html", "file.html"),
    ("grade", "--all", "class", "--out", "file.csv"),
    ("grade", "--gradescope", "double", "--out", "file.zip"),
    ("grade", "--gradescope", "double", "--all", "class/ann", "--out", "file.json"),
    ("export", "file.jsonl"),
    ("pack", "export", "mine", "file.zip"),
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    """A home with a pack, its compiled deck, and an answer."""
    home = tmp_path_factory.mktemp("prepared") / "home"
    write_pack(home / "content")
    with pytest.MonkeyPatch.context() as patch:
        compile_once(patch)
        patch.setenv("QUIZ_HOME", str(home))
        answer()
    return home


@pytest.fixture(autouse=True)
def files(tmp_path, home, prepared) -> None:
    """What the calls read."""
    shutil.copytree(prepared, home)
    write_files(tmp_path, {"class/ann/double.py": RIGHT, "script.py": UNPADDED})


@pytest.mark.parametrize("call", WRITING, ids=" ".join)
def test_a_file_that_exists_is_replaced_only_if_that_is_said(inside, tmp_path, call):
    file = tmp_path / call[-1]
    file.write_text("precious")
    said = inside(*call)
    assert said.status == USAGE
    assert f"{call[-1]} exists already" in said.err
    assert "add --overwrite to replace it" in said.err
    assert file.read_text() == "precious"
    said = inside(*call, "--overwrite")
    assert said.status == OK, said.err
    assert file.read_bytes()[:8] != b"precious"
    if call[-1] != "file.json":  # which a container writes for Gradescope
        assert call[-1] in said.err + said.out, "where it is"


@pytest.mark.parametrize(
    "call", [call for call in WRITING if call[-2] in ("--html", "--svg", "--sarif")], ids=" ".join
)
def test_a_name_that_promises_another_form_is_refused(inside, tmp_path, call):
    said = inside(*call[:-1], "file.png")
    assert said.status == USAGE
    assert f"file.png must end in one of: {Path(call[-1]).suffix}" in said.err
    assert not (tmp_path / "file.png").exists()


LINKED = (
    *((*call, "--overwrite") for call in WRITING),
    ("backup", "file.db"),
    ("sync", "shared", "--yes"),
)
"""Every call that writes where a person says; the file that it writes is a link here."""


@pytest.mark.parametrize(
    ("call", "kind"),
    every(
        2,
        [(call, kind) for kind in ("symbolic", "hard", "dangling") for call in LINKED],
        lambda row: f"{' '.join(row[0])}-{row[1]}",
    ),
)
def test_what_is_written_follows_no_link(inside, home, tmp_path, call, kind):
    (tmp_path / "shared").mkdir()
    victim = tmp_path / "victim" / "precious"
    victim.parent.mkdir()
    if kind != "dangling":
        victim.write_text("precious")
    with Store.open(home / "progress.db") as store:
        names = [name for name in call if name.startswith("file.")]
        files = [tmp_path / name for name in names] or [
            tmp_path / "shared" / f"quiz-{store.machine}.jsonl"
        ]
    files += [file.with_name(f"{file.name}{SUFFIX}") for file in files if file.suffix == ".csv"]
    for file in files:
        (file.hardlink_to if kind == "hard" else file.symlink_to)(victim)
    said = inside(*call)
    assert (said.status == OK) or any(str(file.name) in said.err for file in files), said.err
    if kind == "dangling":
        assert not victim.exists()
    else:
        assert victim.read_text() == "precious"
