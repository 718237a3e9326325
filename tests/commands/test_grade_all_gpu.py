"""A class graded with GPUs: the emulator's verdict first, then that of a device without others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizapp.batch import devices
from quizapp.batch.devices import claim_devices, list_devices
from quizapp.batch.exercises import Exercises
from quizapp.batch.gpu_pool import GpuPool, GpuWorker, TwoStages, open_all
from quizapp.batch.grading import Grader
from quizapp.batch.pool import Pool
from quizapp.batch.reading import Reader
from quizapp.batch.submissions import find_submissions
from quizapp.batch.values import Job
from quizapp.deck.content import load_deck
from quizapp.domain.errors import ENVIRONMENT, OK
from quizapp.system.config import GpuSettings, Settings
from quizapp.system.paths import find_paths
from tests.batch.classes import write_files
from tests.batch.clusters import LocalDask
from tests.batch.emulated_gpu_worker import MODULE
from tests.commands.test_grade_gpu import SCATTERED, SOLUTION, UNGUARDED, make
from tests.remote_gpu import far_gpu

FILES = {
    "ann/a-kernel.py": SOLUTION,
    "bob/a-kernel.py": SCATTERED,
    "cid/a-kernel.py": UNGUARDED,
    "dan/a-kernel.py": SOLUTION + "# as Ann's",
}
STATES = {
    "ann": ("passed", "", "passed"),
    "bob": ("failed", "gpu speedup", "failed"),
    "cid": ("failed", "findings: out-of-bounds", None),
    "dan": ("passed", "", "passed"),
}
"""The status of each, the check that fails, and what the GPU says."""


def states(rows):
    return {
        row["student"]: (row["status"], row["gate"], (row["verdict"]["gpu"] or {}).get("standing"))
        for row in rows
    }


def read_rows(file: Path):
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_files(tmp_path / "class", FILES)


@pytest.fixture
def jobs(tmp_path, folder, monkeypatch) -> list[Job]:
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "home"))
    paths = find_paths()
    make(tmp_path / "home")
    exercises = Exercises(load_deck(paths, Settings()), paths)
    found = find_submissions(folder, exercises)
    read = map(Reader(found.root, exercises, seed=7, said_in="en").read, found.all)
    return [job for job in read if isinstance(job, Job)]


def test_what_the_emulator_passes_is_measured_on_every_device(jobs):
    workers = [GpuWorker(device, module=MODULE) for device in ("3", "GPU-5f")]
    assert open_all(workers) is None
    for worker, device in zip(workers, (b"3", b"GPU-5f"), strict=True):
        environment = Path(f"/proc/{worker.process_id}/environ").read_bytes().split(b"\0")
        assert b"CUDA_VISIBLE_DEVICES=" + device in environment
    results = list(TwoStages(Pool(2), GpuPool(workers)).grade(iter(jobs)))
    assert sorted(result.student for result in results) == sorted(STATES)
    rows = [{"student": r.student, "status": r.status, "gate": r.gate, "verdict": r.verdict}
            for r in results]  # fmt: skip
    assert states(rows) == STATES
    said = {result.student: result for result in results}
    assert said["bob"].said.startswith("too slow on Emulated")
    assert said["bob"].reason.code == "gpu.slow"
    seeds = {student: said[student].verdict["gpu"]["seed"] for student in ("ann", "bob", "dan")}
    assert len(set(seeds.values())) == 1, "the same inputs for all"
    assert not any(worker.process_id for worker in workers)


def test_a_run_that_is_closed_ends_both_stages(jobs):
    many = [job for _ in range(20) for job in jobs if job.student == "ann"]
    numbered = (
        Job(**{**{n: getattr(job, n) for n in job.__struct_fields__}, "student": f"s{number}"})
        for number, job in enumerate(many)
    )
    workers = [GpuWorker("0", module=MODULE)]
    emulators = Pool(1)
    results = TwoStages(emulators, GpuPool(workers)).grade(numbered)
    assert next(results).status == "passed"
    results.close()
    assert not any(worker.process_id for worker in (*emulators.workers, *workers))


def test_a_device_that_cannot_be_opened_is_named(jobs):
    worker = GpuWorker("0", module="tests.batch.no_such_module")
    fault = open_all([worker])
    assert fault is not None
    assert fault.code == "batch.gpu-unusable"
    worker.close()


def test_each_device_has_one_holder(monkeypatch, tmp_path):
    monkeypatch.setattr(devices.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1, GPU-5f")
    assert list_devices() == ["1", "GPU-5f"]
    first = next(claim_devices())
    others = list(claim_devices())
    assert (first.name, [other.name for other in others]) == ("1", ["GPU-5f"])
    assert list(claim_devices()) == []
    first.close()
    again = next(claim_devices())
    assert again.name == "1"
    for held in (again, *others):
        held.close()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert list_devices() == []
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    monkeypatch.setattr(devices, "device_nodes", lambda: ["/dev/nvidia0", "/dev/nvidia1"])
    assert list_devices() == ["0", "1"]


@pytest.fixture
def content(tmp_path) -> None:
    make(tmp_path / "home")


def test_the_command_measures_on_the_gpu_of_a_host(inside, content, folder, tmp_path, monkeypatch):
    far = far_gpu(tmp_path, monkeypatch)
    said = inside("grade", "--all", "class", "--gpu-host", far, "--out", "r.jsonl", "--jobs", "1")
    assert said.status == OK, said.err
    assert states(read_rows(tmp_path / "r.jsonl")) == STATES


def test_without_a_gpu_nothing_is_graded(inside, content, folder, tmp_path, monkeypatch):
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", list)
    said = inside("grade", "--all", "class", "--gpu", "--out", "r.csv")
    assert said.status == ENVIRONMENT
    assert "no GPU on this machine" in said.err
    assert not list(tmp_path.glob("r.csv*"))


def test_no_submission_passes_once_the_gpu_is_gone(jobs, monkeypatch):
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", list)
    with Grader(GpuSettings(use=True)) as grader:
        assert [grader.grade(jobs[0]).status for _ in range(3)] == ["ungraded"] * 3


PRELOAD = f"""
from functools import partial

from quizapp.batch import cluster_worker

cluster_worker.GpuWorker = partial(cluster_worker.GpuWorker, module={MODULE!r})
"""


def test_on_a_cluster_workers_with_the_resource_measure(quiz, content, folder, tmp_path):
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    (tmp_path / "dask").mkdir()
    (tmp_path / "emulated.py").write_text(PRELOAD)
    cluster = LocalDask(tmp_path / "dask", CUDA_VISIBLE_DEVICES="0", TMPDIR=str(tmp_path / "dask"))
    options = ("--all", "class", "--dask", cluster.file, "--gpu", "--out", "r.jsonl")
    try:
        cluster.add_worker()
        said = quiz("grade", *options)
        assert said.returncode == ENVIRONMENT
        assert "no worker of the cluster at" in said.stderr
        resource = ("--resources", "GPU=1", "--preload", str(tmp_path / "emulated.py"))
        cluster.add_worker(*resource)
        said = quiz("grade", *options)
        assert said.returncode == OK, said.stderr
        assert states(read_rows(tmp_path / "r.jsonl")) == STATES
        cluster.add_worker(*resource)
        (tmp_path / "r.jsonl").unlink()
        said = quiz("grade", *options)
        assert said.returncode == ENVIRONMENT
        assert "cannot use its GPU: no GPU of the machine is free" in said.stderr
    finally:
        cluster.close()
