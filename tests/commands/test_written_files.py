"""What a command is told to write replaces no file that exists, unless `--overwrite` says so."""

from __future__ import annotations

import pytest

from quizapp.domain.errors import OK, USAGE
from tests.batch.classes import RIGHT, write_files, write_pack
from tests.commands.program import answer
from tests.commands.test_profile import UNPADDED

WRITING = (
    ("stats", "--html", "file.html"),
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


@pytest.mark.parametrize("call", WRITING, ids=" ".join)
def test_a_file_that_exists_is_replaced_only_if_that_is_said(inside, home, tmp_path, call):
    write_pack(home / "content")
    write_files(tmp_path, {"class/ann/double.py": RIGHT, "script.py": UNPADDED})
    answer()
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
