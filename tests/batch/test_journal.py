"""What a run has graded survives it: cut lines, other runs, a full disk, two runs at a time."""

from __future__ import annotations

import json
import resource
import signal
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from quizapp.batch.journal import RunHeader, begin_journal, check_same_run, resume_journal
from quizapp.batch.values import Result, SubmissionKey
from quizapp.domain.errors import EnvironmentProblem, UsageError

HEADER = RunHeader(version="1", seed=5, exercises="e", language="en")


def result(student: str, sha256: str = "s", said: str = "") -> Result:
    return Result(
        student=student, question="q", file="f", status="failed", sha256=sha256, said=said
    )


def test_what_was_added_is_read_back_and_the_last_of_a_submission_counts(tmp_path):
    path = tmp_path / "j"
    with begin_journal(path, HEADER) as journal:
        for one in (result("ann"), result("bob"), result("ann", "new")):
            journal.add(one)
    with resume_journal(path) as journal:
        assert (journal.header, len(journal)) == (HEADER, 2)
        assert journal.result(SubmissionKey("ann", "q")) == result("ann", "new")
        assert journal.holds(SubmissionKey("ann", "q"), "new")
        assert not journal.holds(SubmissionKey("ann", "q"), "s")
        assert not journal.holds(SubmissionKey("cid", "q"), "s")


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_last_line_that_was_cut_is_dropped_and_the_next_stands_alone(tmp_path, cut):
    path = tmp_path / "j"
    with begin_journal(path, HEADER) as journal:
        journal.add(result("ann"))
        journal.add(result("bob"))
    path.write_bytes(path.read_bytes()[:-cut])
    with resume_journal(path) as journal:
        assert len(journal) == 1
        journal.add(result("cid"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["student"] for line in lines[1:]] == ["ann", "cid"]


def test_a_line_that_is_damaged_is_graded_again(tmp_path):
    path = tmp_path / "j"
    with begin_journal(path, HEADER) as journal:
        journal.add(result("ann"))
        journal.add(result("bob"))
    path.write_bytes(path.read_bytes().replace(b'"ann"', b'"an\x00n'))
    with resume_journal(path) as journal:
        assert not journal.holds(SubmissionKey("ann", "q"), "s")
        assert journal.result(SubmissionKey("bob", "q")) == result("bob")


def test_a_run_that_has_not_ended_is_not_begun_again(tmp_path):
    path = tmp_path / "j"
    with begin_journal(path, HEADER) as journal:
        journal.add(result("ann"))
    with pytest.raises(UsageError, match=r"batch.unfinished"):
        begin_journal(path, HEADER)
    with resume_journal(path) as journal:
        assert len(journal) == 1


@pytest.mark.parametrize("content", ["no json\n", '{"seed": 1}\n', "\0" * 50 + "\n"])
def test_a_file_of_another_program_stays_as_it_is(tmp_path, content):
    path = tmp_path / "j"
    path.write_text(content)
    for use in (resume_journal, lambda file: begin_journal(file, HEADER)):
        with pytest.raises(UsageError, match=r"batch.no-journal"):
            use(path)
    assert path.read_text() == content


@pytest.mark.parametrize("content", ["", '{"format":1,"vers'])
def test_a_file_without_a_first_line_is_not_a_run(tmp_path, content):
    path = tmp_path / "j"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"batch.nothing-to-resume"):
        resume_journal(path)
    with begin_journal(path, HEADER) as journal:
        assert (journal.header, len(journal)) == (HEADER, 0)


def test_two_runs_do_not_write_into_one_file(tmp_path):
    path = tmp_path / "j"
    with begin_journal(path, HEADER), pytest.raises(UsageError, match=r"batch.running"):
        resume_journal(path)


@pytest.mark.parametrize(
    "other", [{"seed": 6}, {"version": "2"}, {"exercises": "f"}, {"language": "zh"}]
)
def test_another_run_is_not_continued(tmp_path, other):
    check_same_run(HEADER, HEADER, tmp_path)
    with pytest.raises(UsageError, match=f"batch.other-run.*what={next(iter(other))}"):
        check_same_run(HEADER, replace(HEADER, **other), tmp_path)


@contextmanager
def full_disk(most: int):
    """Let no file grow beyond so many bytes, as on a disk that fills up."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_disk_that_fills_up_loses_nothing_that_was_kept(tmp_path):
    path = tmp_path / "j"
    with begin_journal(path, HEADER) as journal:
        journal.add(result("ann"))
        size = path.stat().st_size
        with full_disk(size + 40), pytest.raises(EnvironmentProblem, match=r"batch.not-kept"):
            journal.add(result("bob"))
        assert path.stat().st_size == size  # not half a line
        assert not journal.holds(SubmissionKey("bob", "q"), "s")
    with resume_journal(path) as journal:
        journal.add(result("bob"))
        assert [journal.result(SubmissionKey(name, "q")).student for name in ("ann", "bob")] == [
            "ann",
            "bob",
        ]
