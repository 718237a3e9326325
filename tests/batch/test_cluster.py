"""`quiz grade --all --dask`: what a class gets on a cluster, and what may be wrong with one."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, EnvironmentProblem
from quizapp.report.words import Words
from tests.batch.classes import SUBMISSIONS, write_files, write_pack
from tests.batch.clusters import LocalDask
from tests.commands.program import Program, on_terminal

cluster = pytest.importorskip("quizapp.batch.cluster", reason="needs the extra `cluster`")

CLASSES = 4
"""Times all kinds of submissions, less the endless ones, which take seconds."""


@pytest.fixture
def dask(tmp_path):
    (tmp_path / "dask").mkdir()
    cluster = LocalDask(tmp_path / "dask")
    yield cluster
    cluster.close()


@pytest.fixture
def quiz(tmp_path) -> Program:
    return prepare(tmp_path)


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> bytes:
    """The results of one machine."""
    quiz = prepare(tmp_path_factory.mktemp("here"))
    said = quiz("grade", "--all", "class", "--out", "here.jsonl", "--seed", "7")
    assert said.returncode == OK, said.stderr
    return (quiz.folder / "here.jsonl").read_bytes()


def prepare(tmp_path: Path) -> Program:
    """Write the class, and the pack with its questions."""
    write_pack(tmp_path / "home/content")
    files = {
        f"{copy}-{name}": text
        for copy in range(CLASSES)
        for name, text in SUBMISSIONS.items()
        if not name.startswith("eve/")
    }
    write_files(tmp_path / "class", files)
    return Program(tmp_path, {})


def wait_for_results(run: subprocess.Popen[str], journal: Path, count: int) -> None:
    """Wait until so many results are there, and others are not."""
    while not journal.exists() or journal.read_bytes().count(b"\n") < count:
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)


def test_a_run_that_is_interrupted_and_loses_a_worker_gives_the_results_of_one_machine(
    quiz, dask, here
):
    first, _ = dask.add_worker(), dask.add_worker()
    arguments = ("grade", "--all", "class", "--out", "there.jsonl", "--dask", dask.file)
    journal = quiz.folder / "there.jsonl.journal"
    with quiz.start(*arguments, "--seed", "7") as run:
        wait_for_results(run, journal, 5)
        run.send_signal(2)
        run.communicate(timeout=60)
    assert run.returncode == 130
    kept = len(journal.read_bytes().splitlines()) - 1
    with quiz.start(*arguments, "--resume") as run:
        wait_for_results(run, journal, kept + 5)
        first.kill()
        _, errors = run.communicate(timeout=120)
    assert run.returncode == OK, errors
    assert f"{kept} results of the earlier run are kept" in errors
    assert (quiz.folder / "there.jsonl").read_bytes() == here
    rows = [json.loads(line) for line in here.splitlines()]
    assert len({(row["student"], row["question"]) for row in rows}) == len(rows) == CLASSES * 11
    again = ("grade", "--all", "class", "--out", "again.jsonl", "--dask", dask.file)
    with quiz.start(*again) as run:
        wait_for_results(run, quiz.folder / "again.jsonl.journal", 5)
        dask.scheduler.kill()
        _, errors = run.communicate(timeout=60)
    assert run.returncode == ENVIRONMENT, errors
    assert "the connection to the Dask scheduler" in errors
    assert "--resume" in errors


@pytest.mark.parametrize(
    ("jobs", "slots", "sizes"),
    [(20, 2, [4, 4, 4, 4, 2, 1, 1]), (5, 8, [1] * 5), (0, 3, [])],
)
def test_a_task_has_several_jobs_and_toward_the_end_one(jobs, slots, sizes):
    portions = cluster.Portions(iter(range(jobs)))
    found = list(iter(lambda: portions.take(slots), []))
    assert [each for portion in found for each in portion] == [*range(jobs)]
    assert [*map(len, found)] == sizes


@pytest.fixture
def strict_dask(tmp_path):
    """A cluster that gives up on what a single lost worker had."""
    (tmp_path / "strict").mkdir()
    cluster = LocalDask(tmp_path / "strict", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    yield cluster
    cluster.close()


@pytest.mark.long
def test_what_dask_gives_up_on_is_not_graded_and_is_tried_again(quiz, strict_dask, here):
    first, _ = strict_dask.add_worker(), strict_dask.add_worker()
    arguments = ("grade", "--all", "class", "--out", "there.jsonl", "--dask", str(strict_dask.file))
    with quiz.start(*arguments, "--seed", "7") as run:
        wait_for_results(run, quiz.folder / "there.jsonl.journal", 5)
        first.kill()
        _, errors = run.communicate(timeout=120)
    assert run.returncode == FINDINGS, errors
    rows = [json.loads(line) for line in (quiz.folder / "there.jsonl").read_bytes().splitlines()]
    lost = [row for row in rows if row["status"] == "ungraded"]
    assert {row["reason"]["code"] for row in lost} == {"batch.workers-lost"}
    assert quiz(*arguments, "--resume").returncode == OK
    assert (quiz.folder / "there.jsonl").read_bytes() == here


def refused(quiz: Program, scheduler: Path) -> str:
    """What is said of a cluster on which nothing is graded."""
    said = quiz("grade", "--all", "class", "--out", "r.csv", "--dask", scheduler)
    assert said.returncode == ENVIRONMENT, said.stderr
    assert not list(quiz.folder.glob("r.csv*"))
    assert "Traceback" not in said.stderr
    return said.stderr


def test_a_cluster_that_cannot_grade_says_why_before_anything_is_graded(quiz, dask, tmp_path):
    assert "has no workers" in refused(quiz, dask.file)
    (tmp_path / "old.py").write_text("import quizapp\n\nquizapp.__version__ = '0.0.1'\n")
    dask.add_worker("--preload", str(tmp_path / "old.py"))
    said = refused(quiz, dask.file)
    assert "one process of the cluster has another quiz: tcp://127.0.0.1:" in said
    assert "(0.0.1, protocol 3; here " in said
    (tmp_path / "bare.py").write_text("import sys\n\nsys.modules['quizapp'] = None\n")
    dask.add_worker("--preload", str(tmp_path / "bare.py"))
    said = refused(quiz, dask.file)
    assert "one process of the cluster cannot load this version of quiz: tcp://127" in said


@pytest.mark.parametrize(
    ("scheduler", "reason"),
    [
        ("tcp://127.0.0.1:9", "connection refused"),
        ("tls://127.0.0.1:9", "check your TLS configuration"),
        ("carrier-pigeon://roof", "unknown address scheme"),
        ("broken.json", "it is not a file that a Dask scheduler wrote"),
        ("absent.json", "there is no such file"),
    ],
)
def test_a_scheduler_that_does_not_answer_is_named_with_the_reason(
    scheduler, reason, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text("{")
    with pytest.raises(EnvironmentProblem) as problem:
        cluster.Cluster(scheduler)
    said = Words("en").error(problem.value)
    assert f"no Dask scheduler answers at {scheduler}: " in said
    assert reason in said


def test_on_a_terminal_a_line_says_what_is_waited_for_and_how_long(quiz):
    shown = on_terminal(quiz, "grade", "--all", "class", "--dask", "tcp://127.0.0.1:9")
    assert "connecting to the Dask scheduler at tcp://127.0.0.1:9, for at most 10 s" in shown
    assert "no Dask scheduler answers at tcp://127.0.0.1:9: connection refused" in shown
    assert "Traceback" not in shown
