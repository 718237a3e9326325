"""`quiz grade --all`: what a class gets, whatever the order of the work; bad input line by line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from quizapp.domain.errors import FINDINGS, OK, USAGE
from tests.batch.classes import RIGHT, STATES, SUBMISSIONS, WRONG, write_files, write_pack


@pytest.fixture(autouse=True)
def content(home) -> Path:
    """Exercises of one's own; shipped ones change."""
    write_pack(home / "content")
    return home / "content"


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_files(tmp_path / "class", SUBMISSIONS)


def states(rows) -> dict[str, tuple[str, str]]:
    return {row["file"]: (row["status"], row["gate"]) for row in rows}


def test_every_submission_gets_its_verdict_whatever_the_others_do(inside, folder, tmp_path):
    said = inside("grade", "--all", folder, "--jobs", "2", "--out", "r.csv", "--json")
    assert said.status == OK, said.err
    with (tmp_path / "r.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert states(rows) == STATES
    assert [row["student"] for row in rows] == sorted(row["student"] for row in rows)
    plain = json.loads(said.out)
    assert (plain["submitted"], plain["passed"], plain["failed"]) == (12, 3, 9)
    assert [row["question"] for row in plain["questions"]] == ["mine/double", "mine/transposed"]
    assert plain["gates"][0] == {"gate": "source", "count": 3}
    assert not (tmp_path / "r.csv.journal").exists()


def test_the_output_is_the_same_whatever_the_number_of_processes(inside, folder, tmp_path):
    for jobs in ("1", "3"):
        out = f"r{jobs}.jsonl"
        inside("grade", "--all", folder, "--jobs", jobs, "--out", out, "--seed", "7")
    assert (tmp_path / "r1.jsonl").read_bytes() == (tmp_path / "r3.jsonl").read_bytes()


def test_the_verdict_is_that_of_quiz_grade(inside, folder, tmp_path):
    inside("grade", "--all", folder, "--out", "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    verdicts = {row["file"]: row["verdict"] for row in map(json.loads, lines)}
    for name in ("cid/double.py", "bob/transposed.cu", "bob/double.cu"):
        one = json.loads(inside("grade", Path(name).stem, folder / name, "--json", "--no-gpu").out)
        del one["format"]
        if "gpu" in one:
            assert verdicts[name].pop("gpu") is None
            del one["gpu"], one["compiled"], verdicts[name]["compiled"]
        assert one == verdicts[name]


def test_a_csv_names_files_relative_to_itself(inside, tmp_path):
    write_files(tmp_path / "c", {"x.py": RIGHT, "deep/y.py": WRONG})
    table = "student,question,file\nann,double,x.py\nbob,mine/double,deep/y.py\n"
    write_files(tmp_path / "c", {"all.csv": table})
    said = inside("grade", "--all", "c/all.csv", "--json")
    assert said.status == OK, said.err
    assert json.loads(said.out)["students"] == [
        {"student": "ann", "submitted": 1, "passed": 1},
        {"student": "bob", "submitted": 1, "passed": 0},
    ]


def test_an_empty_folder_is_a_wrong_call_and_says_what_belongs_there(inside, tmp_path):
    write_files(tmp_path / "empty", {"readme.txt": "nothing"})
    said = inside("grade", "--all", "empty")
    assert said.status == USAGE
    assert "empty holds no submissions" in said.err
    assert "STUDENT/QUESTION.py" in said.err


def test_what_is_refused_says_why_and_costs_no_other_submission(inside, tmp_path):
    folder = write_files(
        tmp_path / "class",
        {
            "ann/double.py": RIGHT,
            "bob/dubble.py": RIGHT,
            "cid/double.py": RIGHT,
            "cid/late/double.cu": RIGHT,
            "dan/notes.txt": "ignored",
        },
    )
    (folder / "eve").mkdir()
    (folder / "eve/double.py").write_bytes(b"\xff\xfe not text")
    (folder / "fay").mkdir()
    (folder / "fay/double.py").symlink_to(folder / "ann/double.py")
    (folder / "gus").mkdir()
    with (folder / "gus/double.py").open("wb") as large:
        large.truncate(1 << 30)
    said = inside("grade", "--all", folder, "--out", "r.csv")
    assert said.status == FINDINGS
    with (tmp_path / "r.csv").open(newline="") as lines:
        reasons = {row["student"]: (row["status"], row["reason"]) for row in csv.DictReader(lines)}
    assert reasons.pop("ann") == ("passed", "")
    assert {status for status, _ in reasons.values()} == {"refused"}
    assert "did you mean 'mine/double'?" in reasons["bob"][1]
    assert "several files for one question: cid/double.py, cid/late/double.cu" in reasons["cid"][1]
    assert "is not UTF-8 at byte 0" in reasons["eve"][1]
    assert "link" in reasons["fay"][1]
    assert "is larger than 1,000,000 bytes" in reasons["gus"][1]
    assert "1 file is not a submission" in said.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("double", "--all", "class"), "--all excludes QUESTION"),
        (("--all", "class", "--watch"), "--all excludes --watch"),
        (("--seed", "3"), "--seed are for --all"),
        (("--all", "class", "--resume"), "--resume needs --out"),
        (("--all", "class", "--out", "r.txt"), "r.txt must end in one of: .csv, .jsonl"),
        (("--all", "nowhere"), "there is no file nowhere"),
        (("--all", "class", "--out", "r.csv", "--resume"), "no interrupted run to continue"),
    ],
)
def test_options_that_make_no_sense_are_refused(inside, folder, options, says):
    said = inside("grade", *options)
    assert said.status == USAGE
    assert says in said.err


def test_an_output_that_exists_is_not_overwritten(inside, folder, tmp_path):
    (tmp_path / "r.csv").write_text("precious")
    said = inside("grade", "--all", folder, "--out", "r.csv")
    assert said.status == USAGE
    assert "r.csv exists already" in said.err
    assert (tmp_path / "r.csv").read_text() == "precious"
