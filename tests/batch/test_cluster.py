"""`quiz grade --all --dask`: what a class gets on a cluster, and what may be wrong with one."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from grader.facts import fact
from quizapp.batch.grading import ungraded
from quizapp.batch.pool import Worker
from quizapp.batch.values import Job, Result
from quizapp.domain.errors import ENVIRONMENT, OK, EnvironmentProblem
from quizapp.report.words import Words
from tests.batch.classes import SUBMISSIONS, write_files, write_pack
from tests.batch.clusters import LocalDask
from tests.commands.program import Program, on_terminal
from tests.exercises.tools import kernel

cluster = pytest.importorskip("quizapp.batch.cluster", reason="needs the extra `cluster`")
from distributed import KilledWorker  # noqa: E402 - only with the extra

CLASSES = 4
"""Times all kinds of submissions, less the endless ones, which take seconds."""


POISON = """
import os
import time

from quizapp.batch import cluster_worker


def grade_or_die(job, *, gpu, grade=cluster_worker._grade):
    if job.file == "3-ann/double.py" and os.path.exists({marker!r}):
        os._exit(9)
    while job.file.startswith("3-") and not os.path.exists({marker!r}):
        time.sleep(0.02)
    return grade(job, gpu=gpu)


cluster_worker._grade = grade_or_die
"""
"""Makes a worker of Dask die by a submission, once a file is there; till then it and some wait."""


@pytest.fixture
def dask(tmp_path):
    """A cluster that gives up what a single lost worker had."""
    (tmp_path / "dask").mkdir()
    cluster = LocalDask(tmp_path / "dask", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
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


def test_a_run_that_is_interrupted_and_loses_workers_gives_the_results_of_one_machine(
    quiz, dask, here, tmp_path
):
    marker = tmp_path / "poisonous"
    (tmp_path / "poison.py").write_text(POISON.format(marker=str(marker)))
    for _ in range(3):
        dask.add_worker("--preload", str(tmp_path / "poison.py"))
    arguments = ("grade", "--all", "class", "--out", "there.jsonl", "--dask", dask.file)
    journal = quiz.folder / "there.jsonl.journal"
    with quiz.start(*arguments, "--seed", "7") as run:
        wait_for_results(run, journal, 5)
        run.send_signal(2)
        run.communicate(timeout=60)
    assert run.returncode == 130
    kept = len(journal.read_bytes().splitlines()) - 1
    marker.touch()
    said = quiz(*arguments, "--resume")
    assert said.returncode == OK, said.stderr
    assert f"{kept} results of the earlier run are kept" in said.stderr
    lost = [worker for worker in dask.workers if worker.poll() is not None]
    assert len(lost) == 2, "by a task of several, and alone; then graded here"
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
    ("difficulties", "slots", "sizes"),
    [
        ([1] * 20, 2, [4, 4, 4, 4, 2, 1, 1]),
        ([5, 4, 3, 3, 2, 2, 2] + [1] * 9, 2, [1, 1, 2, 3, 4, 3, 1, 1]),
        ([1] * 5, 8, [1] * 5),
        ([], 3, []),
    ],
)
def test_a_task_has_several_easy_jobs_and_toward_the_end_one(difficulties, slots, sizes):
    jobs = [SimpleNamespace(exercise=SimpleNamespace(difficulty=each)) for each in difficulties]
    portions = cluster.Portions(iter(jobs))
    found = list(iter(lambda: portions.take(slots), []))
    assert [each for portion in found for each in portion] == jobs
    assert [*map(len, found)] == sizes


class _Client:
    """Stands in for Dask's client, with a worker that has a GPU."""

    status = "running"

    def __init__(self) -> None:
        self.tasks: list[tuple[str, ...]] = []
        """Whose submissions, each with `gpu` before it if it was on a GPU."""

    def scheduler_info(self, **_: object) -> dict[str, Any]:
        return {"workers": {"tcp://worker": {"nthreads": 1, "resources": {"GPU": 1}}}}

    def run_on_scheduler(self, function: Callable[[], object]) -> object:
        return function()

    def run(self, function: Callable[[], object], *to_open: object, **_: object) -> object:
        return {"tcp://worker": None if to_open else function()}

    def submit(
        self, _: object, encoded: list[bytes], __: str, gpu: bool, *, key: str, **___: object
    ) -> _Future:
        jobs = [msgspec.json.decode(each, type=Job) for each in encoded]
        self.tasks.append(tuple(f"{'gpu ' * gpu}{job.student}" for job in jobs))
        return _Future(key, jobs, gpu)

    def close(self) -> None:
        """Nothing is open."""


class _Future:
    """A task that loses two workers, and its results once, by what its students are called."""

    def __init__(self, key: str, jobs: list[Job], gpu: bool) -> None:
        self.key = key
        self.status = "finished"
        self._jobs = jobs
        self._kills = any(job.student == ("bad gpu" if gpu else "bad") for job in jobs)
        self._lost = any(job.student == "late" for job in jobs)

    def add_done_callback(self, done: Callable[[_Future], None]) -> None:
        done(self)

    def result(self, _: float) -> list[bytes]:
        if self._kills:
            raise KilledWorker(self.key, None, 1)
        if self._lost:
            self._lost = False
            raise TimeoutError
        return [msgspec.json.encode(_pass(job)) for job in self._jobs]


def _pass(job: Job) -> Result:
    return msgspec.structs.replace(ungraded(job, fact("gpu.off")), status="passed", reason=None)


def test_only_what_loses_workers_while_it_is_alone_has_no_verdict(monkeypatch):
    client, here = _Client(), []
    monkeypatch.setattr(cluster, "_connect", lambda _: client)
    monkeypatch.setattr(cluster, "is_for_gpu", lambda job, _: job.student.endswith("gpu"))
    monkeypatch.setattr(Worker, "grade", lambda _, job: here.append(job.student) or _pass(job))
    names = ("ann", "bad", "late", "bob", "bad gpu", "dan", "gpu")
    job = Job(
        student="", question="", file="", exercise=kernel(), author="", language=None, source="",
        seed=0, said_in="en",
    )  # fmt: skip
    jobs = (msgspec.structs.replace(job, student=name) for name in names)
    with cluster.Cluster("tcp://scheduler", gpu=True) as connected:
        found = {result.student: result for result in connected.grade(jobs)}
    assert {name for name in names if found[name].status == "passed"} == {*names} - {"bad gpu"}
    assert found["bad gpu"].said == (
        "4 Dask workers were lost while they graded it, and nothing else was under way"
    )
    assert here == ["bad"]
    assert client.tasks[0] == ("ann", "bad", "late")
    assert client.tasks.count(("bad",)) == 1
    assert client.tasks.count(("gpu bad gpu",)) == 3
    assert client.tasks[-2:] == [("gpu bad gpu",)] * 2


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
