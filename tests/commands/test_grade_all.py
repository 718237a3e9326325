"""`quiz grade --all`: what a class gets, whatever the order of the work; bad input line by line."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.facts import fact
from quizapp import __version__
from quizapp.batch import pool
from quizapp.domain.errors import (
    ENVIRONMENT,
    FINDINGS,
    INTERRUPTED,
    OK,
    USAGE,
    EnvironmentProblem,
)
from tests.batch.classes import RIGHT, STATES, SUBMISSIONS, WRONG, write_files, write_pack
from tests.commands.program import Program, on_terminal
from tests.waiting import until


@pytest.fixture(autouse=True)
def content(home) -> Path:
    """Exercises of one's own; shipped ones change."""
    write_pack(home / "content")
    return home / "content"


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_files(tmp_path / "class", SUBMISSIONS)


class Whole(NamedTuple):
    """What one process makes of the class, with the seed 3: its results, and the facts of the run.

    Attributes:
        lines: a result each.
        plain: what `--json` prints.
    """

    lines: bytes
    plain: dict[str, Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Whole:
    """The class, graded once for all tests that compare with that."""
    quiz = Program(tmp_path_factory.mktemp("whole"), {})
    write_pack(quiz.home / "content")
    write_files(quiz.folder / "class", SUBMISSIONS)
    options = ("--jobs", "1", "--seed", "3", "--json")
    said = quiz("grade", "--all", "class", "--out", "r.jsonl", *options)
    assert said.returncode == OK, said.stderr
    return Whole((quiz.folder / "r.jsonl").read_bytes(), json.loads(said.stdout))


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


def test_a_missed_limit_has_the_code_of_its_reason(inside, tmp_path):
    loads_twice = RIGHT.replace("float32(2) * a[i]", "a[i] + a[i]")
    folder = write_files(tmp_path / "class", {"ann/double.py": loads_twice})
    inside("grade", "--all", folder, "--out", "r.csv")
    with (tmp_path / "r.csv").open(newline="") as lines:
        (row,) = csv.DictReader(lines)
    assert (row["gate"], row["code"]) == ("counts: global_sectors", "kernel.above-limit")


@pytest.mark.long
def test_the_output_is_the_same_whatever_the_number_of_processes(inside, folder, tmp_path, whole):
    inside("grade", "--all", folder, "--jobs", "3", "--out", "r.jsonl", "--seed", "3")
    assert (tmp_path / "r.jsonl").read_bytes() == whole.lines


def test_the_verdict_is_that_of_quiz_grade(inside, folder, whole):
    verdicts = {row["file"]: row["verdict"] for row in map(json.loads, whole.lines.splitlines())}
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
    assert "empty holds no submissions, but another file, readme.txt" in said.err
    assert "STUDENT/QUESTION.py" in said.err


def test_what_is_refused_says_why_and_costs_no_other_submission(inside, tmp_path):
    folder = write_files(
        tmp_path / "class",
        {
            "ann/double.py": RIGHT,
            "ann/.double.py": "hidden, as an archive of macOS has it",
            "ann/.git/double.py": RIGHT,
            "hal/=1+1.py": RIGHT,
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
    (folder / "ida").symlink_to(folder / "ann")
    (folder / "gus").mkdir()
    (folder / os.fsdecode(b"jo\xff")).mkdir()
    (folder / os.fsdecode(b"jo\xff/double.py")).write_text(RIGHT)
    with (folder / "gus/double.py").open("wb") as large:
        large.truncate(1 << 30)
    said = inside("grade", "--all", folder, "--out", "r.csv")
    assert said.status == FINDINGS
    with (tmp_path / "r.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    questions = {row["student"]: row["question"] for row in rows}
    reasons = {row["student"]: (row["status"], row["reason"]) for row in rows}
    assert reasons.pop("ann") == ("passed", "")
    assert {status for status, _ in reasons.values()} == {"refused"}
    assert "did you mean 'mine/double'?" in reasons["bob"][1]
    assert "several files for one question: cid/double.py, cid/late/double.cu" in reasons["cid"][1]
    assert "is not UTF-8 at byte 0" in reasons["eve"][1]
    assert "link" in reasons["fay"][1]
    assert "link" in reasons["ida"][1]
    assert "name is not UTF-8" in reasons[r"jo\xff"][1]
    assert questions["hal"] == "'=1+1"  # which a spreadsheet does not compute
    assert "is larger than 1,000,000 bytes" in reasons["gus"][1]
    listed = said.out.split("8 submissions have no verdict:\n")[1]
    assert "  bob/dubble.py     there is no question 'dubble'; did you mean" in listed
    plain = json.loads(inside("grade", "--all", folder, "--json").out)
    (bob,) = (row for row in plain["without_verdict"] if row["student"] == "bob")
    assert (bob["status"], bob["reason"]["code"]) == ("refused", "deck.unknown-id")


CLASS_WITH_OTHERS = {
    "ann/double.py": RIGHT,
    "ann/.double.py": "hidden, as an archive of macOS has it",
    "bob/double.PY": RIGHT,
    "cid/notes.txt": "I forgot",
    "bob/b\nc.md": "a name of two lines",
    "double.cu": "beside the folders",
    "readme.md": "beside the folders, too",
    ".git/config": "of whoever keeps the class in git",
}


def test_files_that_are_not_graded_and_students_without_a_submission_are_named(inside, tmp_path):
    write_files(tmp_path / "class", CLASS_WITH_OTHERS)
    said = inside("grade", "--all", "class")
    assert said.status == OK, said.err
    assert said.out.split("6 files are not submissions and were ignored:\n")[1].splitlines() == [
        "  bob/double.PY   its name must end in .py",
        "  double.cu       it is not in a student's folder",
        r"  bob/b\nc.md     its name ends in none of .py, .cu",
        "  cid/notes.txt   its name ends in none of .py, .cu",
        "  readme.md       its name ends in none of .py, .cu",
        "  ann/.double.py  its name begins with a dot",
        "",
        "2 students submitted nothing: bob, cid",
    ]
    plain = json.loads(inside("grade", "--all", "class", "--json").out)
    assert (plain["ignored"], plain["without_submission"]) == (6, ["bob", "cid"])
    assert plain["ignored_files"][0] == {
        "file": "bob/double.PY",
        "reason": {"code": "batch.ignored.capitals", "fields": {"ending": ".py"}},
    }


def test_of_many_such_files_and_students_the_first_ten_are_named(inside, tmp_path):
    files = {f"s{number:02}/notes.txt": "" for number in range(13)}
    write_files(tmp_path / "class", {"ann/double.py": RIGHT, **files})
    lines = inside("grade", "--all", "class").out.splitlines()
    at = lines.index("13 files are not submissions and were ignored:")
    assert lines[at + 11] == "  and 3 more"
    assert lines[at + 13].startswith("13 students submitted nothing: s00, s01, ")
    assert " ".join(lines[at + 13 :]).endswith(", s09, …")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("double", "--all", "class"), "--all excludes QUESTION"),
        (("--all", "class", "--watch"), "--all excludes --watch"),
        (("--seed", "3"), "--seed works only with --all, --serve"),
        (("--all", "class", "--resume"), "--resume needs --out or --html"),
        (("--all", "class", "--out", "r.txt"), "r.txt must end in one of: .csv, .jsonl"),
        (("--all", "nowhere"), "there is no folder nowhere"),
        (("--all", "nowhere.csv"), "there is no file nowhere.csv"),
        (("--all", "class", "--out", "r.csv", "--resume"), "no incomplete run to continue"),
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


def results(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def wait_for_lines(path: Path, count: int) -> None:
    """Wait until a journal has so many results."""
    until(lambda: path.exists() and path.read_bytes().count(b"\n") > count)


@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.long)]
)
def test_a_run_that_was_ended_goes_on_without_grading_twice(quiz, inside, folder, whole, how):
    tmp_path = quiz.folder
    journal = tmp_path / "r.jsonl.journal"
    arguments = ("grade", "--all", str(folder), "--jobs", "1", "--out", "r.jsonl")
    with quiz.start(*arguments, "--seed", "3") as program:
        wait_for_lines(journal, 3)
        program.send_signal(how)
        _, err = program.communicate(timeout=60)
    assert program.returncode == (INTERRUPTED if how == signal.SIGINT else -signal.SIGKILL)
    assert "Traceback" not in err
    if how == signal.SIGINT:
        assert "the same command with --resume continues" in err
    kept = [line for line in journal.read_bytes().splitlines(keepends=True) if line[-1:] == b"\n"]
    assert not (tmp_path / "r.jsonl").exists()
    again = inside(*arguments)
    assert (again.status, "hold" in again.err) == (USAGE, True)
    done = inside(*arguments, "--resume")
    assert done.status == OK, done.err
    assert f"{len(kept) - 1} results of the earlier run are kept" in done.err
    assert (tmp_path / "r.jsonl").read_bytes() == whole.lines
    assert not journal.exists()


def test_a_resumed_run_grades_what_has_changed_and_drops_what_is_gone(
    inside, folder, tmp_path, whole
):
    header = {"format": 1, "version": __version__, "seed": 3, "language": "en"}
    header["exercises"] = whole.plain["exercises"]
    lines = [json.dumps(header), *whole.lines.decode().splitlines()]
    (tmp_path / "s.jsonl.journal").write_text("".join(f"{line}\n" for line in lines))
    (folder / "dan/double.py").write_text(RIGHT)
    (folder / "cid/double.py").unlink()
    (folder / "kim").mkdir()
    (folder / "kim/double.py").write_text(WRONG)
    said = inside("grade", "--all", folder, "--out", "s.jsonl", "--resume")
    assert said.status == OK, said.err
    found = {row["student"]: row["status"] for row in results(tmp_path / "s.jsonl")}
    assert (found["dan"], found["kim"], "cid" in found) == ("passed", "failed", False)


def test_what_has_no_verdict_is_graded_again_by_resume(inside, folder, tmp_path, monkeypatch):
    call = ("grade", "--all", folder, "--out", "r.jsonl", "--html", "r.html", "--seed", "3")
    with monkeypatch.context() as patch:
        patch.setattr("quizapp.batch.pool.Pool", partial(pool.Pool, seconds=1e-3))
        said = inside(*call)
    assert said.status == FINDINGS
    assert {row["status"] for row in results(tmp_path / "r.jsonl")} == {"ungraded"}
    assert "12 submissions have no verdict; the same command with --resume grades" in said.err
    said = inside(*call, "--resume")
    assert said.status == OK, said.err
    assert "0 results of the earlier run are kept" in said.err
    assert "12 submissions without a verdict are graded again" in said.err
    assert states(results(tmp_path / "r.jsonl")) == STATES
    assert "not graded" not in (tmp_path / "r.html").read_text()
    assert "no incomplete run to continue" in inside(*call, "--resume").err


def test_another_seed_or_other_exercises_do_not_continue_a_run(
    inside, quiz, folder, home, tmp_path
):
    with quiz.start("grade", "--all", folder, "--out", "r.csv", "--seed", "3") as program:
        wait_for_lines(tmp_path / "r.csv.journal", 1)
        program.kill()
    said = inside("grade", "--all", folder, "--out", "r.csv", "--resume", "--seed", "4")
    assert said.status == USAGE
    assert "is of another run: its seed was 3, and is now 4" in said.err
    question = home / "content/mine/double/question.yaml"
    question.write_text(question.read_text().replace("One element", "Just one element"))
    said = inside("grade", "--all", folder, "--out", "r.csv", "--resume")
    assert said.status == USAGE
    assert "is of another run: its exercises was" in said.err


def test_a_disk_that_fills_up_is_a_clear_line_and_the_run_goes_on_later(
    inside, quiz, folder, tmp_path
):
    command = quiz.command("grade", "--all", folder, "--out", "r.csv", "--jobs", "1")
    full = subprocess.run(
        ["sh", "-c", 'ulimit -f 16; exec "$@"', "sh", *command],
        capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path,
        env=quiz.environment(),
    )  # fmt: skip
    assert full.returncode == ENVIRONMENT, full.stderr
    assert "a result cannot be written to r.csv.journal" in full.stderr
    assert "make room, then repeat the command with --resume" in full.stderr
    assert "Traceback" not in full.stderr
    said = inside("grade", "--all", folder, "--out", "r.csv", "--resume")
    assert said.status == OK, said.err
    with (tmp_path / "r.csv").open(newline="") as lines:
        assert states(csv.DictReader(lines)) == STATES


def test_a_folder_around_a_file_says_which_pack_is_meant(inside, home, tmp_path):
    write_pack(home / "content", "other")
    folder = write_files(
        tmp_path / "class",
        {"ann/week 1/other/double.py": RIGHT, "bob/mine/double.py": RIGHT, "cid/double.py": RIGHT},
    )
    said = inside("grade", "--all", folder, "--json")
    counts = {row["question"]: row["passed"] for row in json.loads(said.out)["questions"]}
    assert counts == {"double": 0, "mine/double": 1, "other/double": 1}


def test_on_a_terminal_progress_says_what_is_left_and_then_is_gone(quiz, folder):
    shown = on_terminal(quiz, "grade", "--all", folder, "--jobs", "2")
    assert re.search(r"7 of 12 submissions graded · \d+:\d\d left", shown)
    assert "12 of 12 submissions graded\r\x1b[K" in shown


def test_a_page_that_cannot_be_written_loses_nothing(inside, tmp_path, monkeypatch):
    folder = write_files(tmp_path / "class", {"ann/double.py": RIGHT})
    call = ("grade", "--all", folder, "--html", "class.html")

    def fail(path: Path, parts: object) -> None:
        raise EnvironmentProblem(fact("file.not-written", path=str(path), reason="full"))

    with monkeypatch.context() as patch:
        patch.setattr("quizapp.commands.common.grade_all.replace_file_by_parts", fail)
        said = inside(*call)
    assert said.status == ENVIRONMENT
    assert "make room, then repeat the command with --resume" in said.err
    said = inside(*call, "--resume")
    assert (said.status, "1 result of the earlier run is kept" in said.err) == (OK, True)
    assert "double" in (tmp_path / "class.html").read_text()
    assert [path.name for path in tmp_path.glob("class.html*")] == ["class.html"]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (b"", "is not a CSV with the columns student, question, file"),
        (b"student,file\nann,x.py\n", "is not a CSV with the columns student, question, file"),
        (b"student,question,file\nann,\xff,x.py\n", "is not UTF-8 at byte "),
        (b"student,question,file\n", "holds no submissions"),
        (b"student,question,file\n,,\n,double,x.py\n", "all.csv:3: the column student is empty"),
    ],
)
def test_a_csv_that_cannot_be_used_is_a_wrong_call(inside, tmp_path, table, says):
    (tmp_path / "all.csv").write_bytes(table)
    said = inside("grade", "--all", "all.csv")
    assert said.status == USAGE
    assert says in said.err


def test_a_row_that_cannot_be_used_is_refused_alone(inside, tmp_path):
    write_files(tmp_path, {"x.py": RIGHT})
    (tmp_path / "out").mkdir()
    write_files(tmp_path.parent, {"secret.py": RIGHT})
    (tmp_path / "linked.py").symlink_to("x.py")
    (tmp_path / "parent").symlink_to("..")
    rows = ["ann,double,x.py", "bob,double,y.py", "cid,double,.", "dan,,x.py", "eve,double", "eve"]
    rows += ["fay,double,../secret.py", "gus,double,parent/secret.py", "hal,double,/etc/passwd"]
    rows += ["kim,double,a\0b.py", "ida,double,linked.py", "jon,double,out/../x.py"]
    (tmp_path / "all.csv").write_text("\n".join(["student,question,file", *rows, ""]))
    said = inside("grade", "--all", "all.csv", "--out", "r.jsonl")
    assert said.status == FINDINGS
    found = {(row["student"], row["question"]): row for row in results(tmp_path / "r.jsonl")}
    assert len(found) == len(rows)
    passed = {key[0] for key, row in found.items() if row["status"] == "passed"}
    assert passed == {"ann", "jon"}
    assert "there is no such file or folder" in found["bob", "mine/double"]["said"]
    assert "is a folder, not a file" in found["cid", "mine/double"]["said"]
    assert "all.csv:5: the column question is empty" in found["dan", ""]["said"]
    assert "all.csv:6: the column file is empty" in found["eve", "mine/double"]["said"]
    assert "all.csv:7: the column question is empty" in found["eve", ""]["said"]
    assert "there is no such file" in found["kim", "mine/double"]["said"]
    for student in ("fay", "gus", "hal"):
        row = found[student, "mine/double"]
        assert (row["reason"]["code"], row["sha256"]) == ("batch.outside", "")
    assert found["ida", "mine/double"]["reason"]["code"] == "batch.link"


def test_code_in_a_language_that_its_question_does_not_have_is_refused(inside, home, tmp_path):
    pack = home / "content/mine"
    (pack / "double/starter.cu").unlink()
    (pack / "double/solution.cu").unlink()
    question = pack / "double/question.yaml"
    question.write_text(question.read_text().replace("cuda: {}\n", ""))
    folder = write_files(tmp_path / "class", {"bob/double.cu": SUBMISSIONS["bob/double.cu"]})
    inside("grade", "--all", folder, "--out", "r.jsonl")
    (row,) = results(tmp_path / "r.jsonl")
    assert (row["status"], row["reason"]["code"]) == ("refused", "grade.no-language")
