"""Graded in real processes that are killed, too slow, or stopped: each once, with its verdict."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import replace

from grader import process
from grader.facts import fact
from quizapp.batch import pool as pools
from quizapp.batch.grading import ungraded
from quizapp.batch.pool import Pool, Worker
from quizapp.batch.submissions import find_submissions
from quizapp.batch.values import Job, Result
from tests.batch.classes import RIGHT, STATES, write_files
from tests.batch.conftest import Class
from tests.batch.serving import children
from tests.waiting import until, until_ended


def test_every_kind_of_submission_gets_its_own_verdict(right):
    found = {file: (result.status, result.gate) for file, result in right.items()}
    assert found == STATES


def test_the_order_and_the_number_of_processes_change_nothing(class_, right):
    jobs = class_.jobs()
    Random(3).shuffle(jobs)
    results = list(Pool(3).grade(iter(jobs)))
    assert sorted(result.file for result in results) == sorted(right)
    assert all(result == right[result.file] for result in results)


def kill_one(pool: Pool, seed: int, over: threading.Event, killed: list[int]) -> None:
    """Kill a process that grades, or one that it has started, at a random moment."""
    random = Random(seed)
    over.wait(random.uniform(0, 3))
    while not over.is_set():
        ours = [worker.process_id for worker in pool.workers if worker.process_id]
        with suppress(OSError):
            candidates = [child for one in ours for child in (one, *children(one))]
            if candidates:
                doomed = random.choice(candidates)
                os.kill(doomed, signal.SIGKILL)
                killed.append(doomed)
                return


def check_with_a_kill(class_: Class, right: dict[str, Result], seed: int) -> int:
    """Grade a class while a process is killed: the same results, none twice, none missing."""
    jobs = class_.jobs(times=3)
    pool, over, killed = Pool(2), threading.Event(), list[int]()
    thread = threading.Thread(target=kill_one, args=(pool, seed, over, killed))
    thread.start()
    results = list(pool.grade(iter(jobs)))
    over.set()
    thread.join()
    assert sorted(result.key for result in results) == sorted(
        (job.student, job.question) for job in jobs
    )
    for result in results:
        assert result == replace(right[result.file], student=result.student)
    return len(killed)


def test_a_process_that_is_killed_costs_no_submission_its_verdict(class_, right):
    check_with_a_kill(class_, right, seed=1)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_processes_that_are_killed_ten_times_change_nothing(class_, right):
    assert sum(check_with_a_kill(class_, right, seed) for seed in range(2, 12)) == 10


def test_a_submission_whose_process_is_lost_four_times_has_no_verdict_and_the_next_has_one(
    class_, right, monkeypatch
):
    first, second = class_.jobs()[:2]
    dies = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    commands = [*[dies] * (4 + 3), process.python("quizapp.batch.worker")]
    monkeypatch.setattr(pools, "python", lambda _: commands.pop(0))
    lost, graded = Pool(1).grade(iter([first, second]))
    assert (lost.student, lost.status) == (first.student, "ungraded")
    assert lost.said == (
        "the process that graded it was lost 4 times, at last with nothing else beside it: "
        "it was ended by SIGKILL"
    )
    assert graded.verdict == right[second.file].verdict


def test_what_is_lost_beside_others_is_graded_alone(class_, monkeypatch):
    asking: set[Worker] = set()

    def ask(worker: Worker, job: Job) -> Result:
        """Grade on a machine with memory for one grading."""
        asking.add(worker)
        crowded = False
        for _ in range(10):
            crowded |= len(asking) > 1
            time.sleep(0.001)
        asking.remove(worker)
        lost = fact("referee.ended", how=fact("process.signal", signal="SIGKILL"))
        return ungraded(job, lost if crowded else fact("grading.cancelled"))

    monkeypatch.setattr(Worker, "_ask", ask)
    reasons = [result.reason for result in Pool(3).grade(iter(class_.jobs()))]
    assert reasons == [fact("grading.cancelled")] * len(STATES)


def test_a_submission_that_takes_too_long_is_ended_and_the_next_has_a_verdict(class_):
    (endless,) = (job for job in class_.jobs() if job.file.startswith("eve/"))
    slow = Pool(1, seconds=0.01)
    (found,) = slow.grade(iter([endless]))
    assert (found.status, found.said) == ("ungraded", "not graded within 0.01 seconds")


def test_a_pool_that_is_closed_ends_its_processes_at_once(class_):
    pool, before = Pool(2), {*threading.enumerate()}
    results = pool.grade(iter(class_.jobs(times=50)))
    next(results)
    processes = [worker.process_id for worker in pool.workers if worker.process_id]
    assert processes
    results.close()
    until_ended(*processes)
    until(lambda: {*threading.enumerate()} - before <= process._STARTER._threads)


def test_jobs_are_taken_as_they_are_needed(class_):
    taken = 0

    def jobs() -> Iterator[Job]:
        nonlocal taken
        for job in class_.jobs(times=20):
            taken += 1
            yield job

    results = Pool(2).grade(jobs())
    for graded, _ in zip(range(1, 6), results, strict=False):
        assert taken <= graded + 4
    results.close()


def test_what_makes_the_jobs_may_fail_and_says_why(class_):
    def jobs() -> Iterator[Job]:
        yield class_.jobs()[0]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(Pool(2).grade(jobs()))


def test_nothing_of_one_submission_is_visible_to_another(class_, right):
    """Each is graded between others of the same question, in one process, and nothing changes."""
    jobs = [job for job in class_.jobs() if job.question == "mine/double"]
    assert any(job.source == RIGHT for job in jobs)
    turned = [*reversed(jobs), *jobs]
    results = list(Pool(1).grade(iter(turned)))
    assert [result.file for result in results] == [job.file for job in turned]
    for result in results:
        assert result == replace(right[result.file], student=result.student)


def test_what_came_with_the_program_has_one_author_and_any_other_pack_its_own(class_):
    exercises = class_.reader.exercises
    shipped = {exercises.find(name, None).author for name in ("kernel-saxpy", "kernel-nms-mask")}
    assert len(shipped) == 1
    assert {job.author for job in class_.jobs()}.isdisjoint(shipped)


def test_what_takes_longest_begins_first(class_, tmp_path):
    names = ("kernel-activations", "kernel-gemm-ring", "kernel-scan-grid", "unknown")
    write_files(tmp_path, {f"ann/{name}.py": RIGHT for name in names})
    found = find_submissions(tmp_path, class_.reader.exercises).all
    assert [one.question.rpartition("kernel-")[2] for one in found] == [
        "gemm-ring", "scan-grid", "activations", "unknown",
    ]  # fmt: skip
