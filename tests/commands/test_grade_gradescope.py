"""`quiz grade --gradescope`: the scripts run in a folder that stands for Gradescope's image."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

import pytest

from quizapp.domain.errors import OK, USAGE
from tests.batch.classes import CUDA, DEEP, ENDLESS, EXITS, RIGHT, WRONG, write_files, write_pack
from tests.commands.program import OURS, ROOT

TEST_KEYS = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
    "tags", "visibility", "extra_data",
}  # fmt: skip
RESULT_KEYS = {
    "score", "execution_time", "output", "output_format", "test_output_format",
    "test_name_format", "stdout_visibility", "extra_data", "tests", "leaderboard", "visibility",
}  # fmt: skip
"""What Gradescope's documentation of results.json has."""
VISIBLE = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}


@pytest.fixture(autouse=True)
def content(home) -> Path:
    """Exercises of one's own; shipped ones change."""
    write_pack(home / "content")
    return home / "content"


def check_format(results: dict[str, Any]) -> None:
    """Check that Gradescope can read these results."""
    assert results.keys() <= RESULT_KEYS
    assert results["stdout_visibility"] in (
        "hidden",
        "after_due_date",
        "after_published",
        "visible",
    )
    assert results["output_format"] in FORMATS
    assert isinstance(results["output"], str)
    for test in results["tests"]:
        assert test.keys() <= TEST_KEYS
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] in ("passed", "failed")
        assert test["output_format"] in FORMATS
        assert isinstance(test["name"], str)
        assert isinstance(test["output"], str)


@pytest.fixture
def submit(inside, tmp_path):
    """Grade a student's files as run_autograder does; return the tests and the output."""

    def call(files: dict[str, str]) -> tuple[dict[str, Any], str]:
        write_files(tmp_path / "submission", files)
        for folder in ("submission", "results"):
            (tmp_path / folder).mkdir(exist_ok=True)
        said = inside(
            "grade", "--gradescope", "double", "transposed", "--seed", "5",
            "--all", "submission", "--out", "results/results.json",
        )  # fmt: skip
        assert (said.status, said.err) == (OK, "")
        results = json.loads((tmp_path / "results" / "results.json").read_text("ascii"))
        check_format(results)
        return {test["name"]: test for test in results["tests"]}, results["output"]

    return call


def test_each_question_has_a_point_and_its_verdict(submit):
    tests, output = submit({"double.cu": CUDA, "deep/er/transposed.py": "row * 34 + col"})
    assert list(tests) == ["mine/double", "mine/transposed"]
    assert (tests["mine/double"]["score"], tests["mine/double"]["status"]) == (1, "passed")
    assert tests["mine/transposed"]["score"] == 0
    assert tests["mine/transposed"]["output"].startswith("✗ column load")
    assert output == "1 of 2 questions passed."


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (WRONG, "✗ wrong values · line 8"),
        (EXITS, "✗ not accepted"),
        (DEEP, "too many nested parentheses"),
        (ENDLESS, "✗ "),
        ("", "✗ not accepted"),
    ],
)
def test_whatever_was_submitted_only_fails(submit, source, says):
    tests, _ = submit({"double.py": source, "transposed.py": "row * 33 + col"})
    assert [test["score"] for test in tests.values()] == [0, 1]
    assert says in tests["mine/double"]["output"]


def test_what_is_missing_says_which_file_is_expected(submit):
    tests, output = submit({"dubble.py": RIGHT, "notes.txt": "", "kernel-saxpy.py": RIGHT})
    assert [test["score"] for test in tests.values()] == [0, 0]
    assert "name the file double.py or double.cu" in tests["mine/double"]["output"]
    assert output.splitlines()[0] == "0 of 2 questions passed."
    assert "dubble.py: there is no question 'dubble'; did you mean 'mine/double'?" in output
    assert "notes.txt: its name ends in none of .py, .cu" in output
    assert "kernel-saxpy.py: this question is not a part of the assignment" in output


def test_nothing_at_all_is_a_result_too(submit):
    tests, output = submit({})
    assert [test["status"] for test in tests.values()] == ["failed", "failed"]
    assert output == "0 of 2 questions passed."


def test_a_file_that_cannot_be_graded_says_why(submit, tmp_path):
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "double.py").write_bytes(b"\xff\xfe")
    (tmp_path / "submission" / "transposed.py").symlink_to("/etc/passwd")
    tests, _ = submit({})
    assert "is not UTF-8 at byte 0" in tests["mine/double"]["output"]
    assert "it is a link" in tests["mine/transposed"]["output"]


def test_two_files_for_one_question_are_not_chosen_between(submit):
    tests, _ = submit({"double.py": RIGHT, "double.cu": CUDA})
    assert "several files for one question: " in tests["mine/double"]["output"]


@pytest.fixture
def wheel(tmp_path) -> Path:
    """The program as it is."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = tmp_path.glob("*.whl")
    return made


@pytest.mark.long  # 17 s: an environment, and what is installed in it
def test_the_scripts_install_and_grade_in_a_folder_like_gradescopes(inside, tmp_path, wheel):
    root = tmp_path / "autograder"
    names = ("double", "transposed", "kernel-transpose-padded")
    options = ("--out", "a.zip", "--wheel", wheel, "--seed", "7")
    said = inside("grade", "--gradescope", *names, *options)
    assert said.status == OK, said.err
    assert "an autograder for 3 questions; 3 points in Gradescope" in said.err
    assert "PyPI" not in said.err
    unzip(tmp_path / "a.zip", root / "source")
    write_files(root / "submission", {"double.py": RIGHT, "transposed.py": "row"})
    (root / "results").mkdir()
    ours = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    environment = ours | {
        "AUTOGRADER": str(root),
        "PYTHON": str(write_python(tmp_path)),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
    }
    for script in ("setup.sh", "run_autograder"):
        ran = subprocess.run(
            [root / "source" / script],
            cwd="/",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    results = json.loads((root / "results" / "results.json").read_text("ascii"))
    check_format(results)
    assert [test["score"] for test in results["tests"]] == [1, 0, 0]
    assert "--seed 7 " in (root / "source" / "run_autograder").read_text()
    installed = root / "quiz" / "lib"
    assert list(installed.glob("python*/site-packages/quizapp/content"))


def write_python(folder: Path) -> Path:
    """Write a Python whose environments have what quiz needs, which needs no network then."""
    path = folder / "python"
    site = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    needed = sysconfig.get_path("purelib")
    path.write_text(
        f'#!/bin/sh\n"{sys.executable}" "$@" && echo "{needed}" > "$3/{site}/needed.pth"\n'
    )
    path.chmod(0o755)
    return path


def unzip(file: Path, folder: Path) -> None:
    """Unpack as Gradescope does, with the modes of the files."""
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            path = Path(archive.extract(member, folder))
            path.chmod(member.external_attr >> 16 & 0o777)


def test_a_folder_holds_what_the_zip_does_and_only_the_packs_that_are_needed(inside, tmp_path):
    for out in ("a.zip", "b.zip", "folder"):
        call = ("--gradescope", "kernel-transpose-padded", "--out", out, "--seed", "1")
        assert "while it is not there, add --wheel FILE" in inside("grade", *call).err
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    unzip(tmp_path / "a.zip", tmp_path / "unpacked")
    made = {path.name: path for path in (tmp_path / "folder").rglob("*") if path.is_file()}
    assert made.keys() == {"setup.sh", "run_autograder"}
    for name, path in made.items():
        assert path.read_bytes() == (tmp_path / "unpacked" / name).read_bytes()
        assert os.access(path, os.X_OK)
        assert os.access(tmp_path / "unpacked" / name, os.X_OK)
    assert 'pip" install gpu-quiz==' in made["setup.sh"].read_text()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--out", "a.zip"), "--gradescope needs the ids of questions"),
        (("double",), "--gradescope needs --out"),
        (("dubble", "--out", "a.zip"), "did you mean 'mine/double'?"),
        (("double", "--out", "full"), "full is a folder with files in it"),
        (("double", "--out", "a.zip", "--wheel", "no.whl"), "there is no file no.whl"),
        (("double", "--out", "a.zip", "--wheel", "full/x.py"), "x.py is not a wheel of gpu-quiz"),
        (("double", "--out", "a.zip", "--watch"), "--gradescope excludes --watch"),
        (("double", "--out", "r.json", "--all", "nowhere"), "there is no folder nowhere"),
    ],
)
def test_what_makes_no_sense_is_refused(inside, tmp_path, options, says):
    write_files(tmp_path / "full", {"x.py": "precious"})
    said = inside("grade", "--gradescope", *options)
    assert said.status == USAGE
    assert says in said.err
    assert not (tmp_path / "a.zip").exists()


def test_more_arguments_than_a_question_and_a_file_need_the_option(inside):
    said = inside("grade", "double", "mine.py", "transposed")
    assert said.status == USAGE
    assert "transposed" in said.err
