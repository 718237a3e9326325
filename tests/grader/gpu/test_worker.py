"""The worker and its client for real, over pipes; only the device is the emulator."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.gpu import Benchmark, Gpu, GpuFailed, SelfTest, WorkerSetup
from grader.gpu.command import local_command
from grader.gpu.messages import PROTOCOL, GpuGradeRequest, HelloReply, HelloRequest
from grader.kernels import InvalidProblem, ReferenceFailed
from grader.process import MOST_PRINTED, Process, ProcessEnded
from grader.wire import Reply, to_plain
from tests.grader.gpu.emulated_device import FACTS, NAME
from tests.grader.gpu.tools import DEVICE, DOUBLE, GOOD, SETUP, SLOW, UNGATED, ZEROS, shipped
from tests.sampling import every
from tests.sentences import english, expect_error
from tests.waiting import BEGUN, PATIENCE_S, WatchedLock, until, until_begun, until_ended

LIMIT = 0.5
"""Seconds for a submission that would take for ever."""


@pytest.fixture(scope="module")
def gpu() -> Iterator[Gpu]:
    with Gpu(setup=SETUP) as one:
        yield one


@pytest.fixture
def ungated() -> Iterator[Gpu]:
    """What the source gate refuses reaches the device."""
    with Gpu(seconds=PATIENCE_S, setup=UNGATED) as one:
        one.describe()
        yield one


def benchmark(gate: float = 1.0) -> Benchmark:
    return Benchmark({"n": 4096}, SLOW, {NAME: gate}, seconds=0)


def test_the_device_is_described(gpu):
    assert gpu.describe() == FACTS


@pytest.mark.parametrize(
    ("source", "gate", "standing", "at"),
    [
        (GOOD, 1.02, "passed", ""),
        (GOOD, 5.0, "failed", "speedup"),
        (SLOW, 1.02, "failed", "speedup"),
        (ZEROS, 1.0, "failed", "result"),
        ("import os\n" + GOOD, 1.0, "failed", "compiles: source"),
    ],
)
def test_a_verdict(gpu, source, gate, standing, at):
    found = gpu.grade(DOUBLE, source, benchmark(gate))
    assert (found.standing, found.verdict.failed_at) == (standing, at)
    assert (found.source, found.facts) == (source, FACTS)


def test_a_worker_stays_warm_and_every_submission_has_other_inputs(gpu):
    seeds = {gpu.grade(DOUBLE, GOOD).seed for _ in range(3)}
    assert len(seeds) == 3
    before = gpu.worker_id
    gpu.grade(DOUBLE, GOOD)
    assert gpu.worker_id == before != 0


def test_submissions_that_are_compared_have_a_seed_in_common(gpu):
    one, same, other = (gpu.grade(replace(DOUBLE, hidden=seed), GOOD).seed for seed in (1, 1, 2))
    assert one == same
    assert one != other


DEAR = "tensor-cores/kernel-gemm-fp8-blockwise"
"""What takes 3 s."""


@pytest.mark.parametrize("one", every(4, shipped(), lambda one: one.id, dear=[DEAR]))
def test_every_shipped_solution_is_right(gpu, one):
    found = gpu.grade(one.problem, one.question.solution or "", one.small)
    assert found.verdict.failure is None
    assert found.standing == "right, speed not judged"
    assert found.error <= found.allowed
    assert found.speed.refused is None


BY_CHANCE = {
    "fundamentals/kernel-append-aggregated: no-guard",
    "algorithms/kernel-scan-grid: goes-on-past-a-prefix",
}
"""Right on a device where what lies past the end of an array is not kept, or where all blocks have
their sums before any has its prefix."""
VALUES = [
    (one, wrong)
    for one in shipped()
    for wrong in one.question.wrong
    if wrong.fails == "result" and f"{one.id}: {wrong.file}" not in BY_CHANCE
]


@pytest.mark.parametrize(
    ("one", "wrong"), every(8, VALUES, lambda row: f"{row[0].id}: {row[1].file}")
)
def test_every_shipped_mistake_of_values_is_wrong(gpu, one, wrong):
    assert gpu.grade(one.problem, wrong.source or "").verdict.failed_at == "result"


def test_the_problems_own_faults_are_told_and_the_worker_stays(gpu):
    before = gpu.describe(), gpu.worker_id
    broken = replace(DOUBLE, reference="def reference(a): return a.nothing")
    with expect_error(ReferenceFailed, "nothing"):
        gpu.grade(broken, GOOD)
    with pytest.raises(InvalidProblem) as raised:
        gpu.grade(DOUBLE, GOOD, Benchmark({"n": 512}, ZEROS))
    assert raised.value.path == ("gpu", "baseline")
    with expect_error(InvalidProblem, "rows"):
        gpu.grade(DOUBLE, GOOD, Benchmark({"rows": 512}))
    assert (gpu.describe(), gpu.worker_id) == before


def test_the_self_test(gpu):
    assert gpu.selftest() == SelfTest(compiles=True, runs=True, right=True)


EXECUTED = """\
import ctypes
import os
import sys
import time
from grader.gpu.devices.device import DeviceError


def double(a, out):
    {body}
"""
SEGFAULT = "ctypes.string_at(0)"
FOREVER = "while True: time.sleep(0.01)"
BUSY = "while True: pass"
BEGUN_FOREVER = f"{BEGUN}; time.sleep(600)"


def executed(body: str) -> str:
    return EXECUTED.format(body=body)


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        ("os._exit(3)", "runs: crashed", "ended with status 3"),
        (SEGFAULT, "runs: crashed", "ended by SIGSEGV"),
        (FOREVER, "runs: timed-out", "timed out"),
        (BUSY, "runs: timed-out", "timed out"),
        ("raise DeviceError('illegal-access', 'x')", "runs: illegal-access", "illegal access"),
        ("raise DeviceError('misaligned', 'x')", "runs: misaligned", "misaligned address"),
        ("sys.exit('gone')", "runs: crashed", "gone"),
        ("raise ValueError('what')", "runs: crashed", "ValueError: what"),
        ("os.kill(os.getppid(), 0); os.abort()", "runs: crashed", "SIGABRT"),
    ],
)
def test_a_kernel_that_ends_its_worker_has_a_verdict_and_the_next_a_fresh_worker(
    ungated, body, key, words
):
    before = ungated.worker_id
    ungated._seconds = LIMIT if key == "runs: timed-out" else PATIENCE_S
    found = ungated.grade(DOUBLE, executed(body), benchmark())
    ungated._seconds = PATIENCE_S
    assert found.verdict.failed_at == key
    assert words in english(found.verdict.failure.reason)
    assert found.replaced
    until_ended(before)
    assert ungated.grade(DOUBLE, GOOD).right
    assert ungated.worker_id not in (0, before)


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("import os\nos._exit(4)\n", "runs: crashed"),
        ("import ctypes\nctypes.string_at(0)\n", "runs: crashed"),
        ("while True: pass\n", "runs: timed-out"),
    ],
)
def test_a_text_that_ends_its_worker_when_it_is_read(ungated, source, key):
    ungated._seconds = LIMIT if key == "runs: timed-out" else PATIENCE_S
    found = ungated.grade(DOUBLE, source + GOOD)
    ungated._seconds = PATIENCE_S
    assert found.verdict.failed_at == key
    assert ungated.grade(DOUBLE, GOOD).right


def test_too_much_shared_memory_leaves_the_worker(ungated):
    source = GOOD.replace(
        "    i = cuda.grid(1)",
        "    tile = cuda.shared.array(102400, 'float32')\n    tile[0] = 1\n    i = cuda.grid(1)",
    )
    before = ungated.worker_id
    found = ungated.grade(DOUBLE, source)
    assert found.verdict.failed_at == "runs: shared-memory"
    assert "409,600 bytes" in english(found.verdict.failure.reason)
    assert ungated.worker_id == before


def test_a_loop_that_never_ends_is_ended_by_the_device(ungated):
    source = GOOD.replace("    i = cuda.grid(1)", "    i = cuda.grid(1)\n    while i >= 0: i += 0")
    # The emulator has a budget; the limit of a submission need not be waited for.
    with Gpu(setup=SETUP) as patient:
        found = patient.grade(DOUBLE, source)
    assert found.verdict.failed_at == "runs: timed-out"
    assert "timed out: a kernel is still running" in english(found.verdict.failure.reason)


def test_what_is_printed_reaches_no_answer_and_is_cut(ungated):
    printing = "print('x' * 1_000_000); os.write(1, b'{}\\n' * 99); os.write(2, b'y' * 99_999)"
    source = executed(f"{printing}; out[:] = 2 * a")
    before = ungated.worker_id
    assert ungated.grade(DOUBLE, source).right
    assert ungated.worker_id == before
    assert len(ungated._process._printed) <= MOST_PRINTED


class TestGarbage:
    """Workers that answer what is no answer: a client must neither hang nor believe it."""

    @pytest.mark.parametrize(
        "answer",
        [
            "no JSON",
            "[]",
            "7",
            '{"id": 1}',
            '{"id": 1, "protocol": "one", "package": ""}',
            '{"id": 1, "protocol": 1, "package": 7}',
            '{"id": 1, "device": 3}',
        ],
    )
    def test_of_a_hello(self, answer, monkeypatch):
        self.answering(monkeypatch, [answer])
        with Gpu() as gpu, pytest.raises(GpuFailed) as raised:
            gpu.describe()
        assert raised.value.kind == "garbled"
        assert gpu.worker_id == 0

    @pytest.mark.parametrize(
        "answer",
        ['{"id": 2}', '{"id": 2, "describe": {"name": "x"}}', '{"id": 2, "describe": []}', "x"],
    )
    def test_of_a_description(self, answer, monkeypatch):
        self.answering(monkeypatch, [self.hello(), answer])
        with Gpu() as gpu, pytest.raises(GpuFailed) as raised:
            gpu.describe()
        assert raised.value.kind == "garbled"

    @pytest.mark.parametrize(
        "answer", ['{"id": 3}', '{"id": 3, "graded": {}}', '{"id": 3, "graded": 1}', "\x00"]
    )
    def test_of_a_verdict(self, answer, monkeypatch):
        facts = json.dumps({"id": 2, "describe": to_plain(FACTS)})
        self.answering(monkeypatch, [self.hello(), facts, answer])
        with Gpu() as gpu, pytest.raises(GpuFailed) as raised:
            gpu.grade(DOUBLE, GOOD)
        assert raised.value.kind == "garbled"

    def test_another_version(self, monkeypatch):
        self.answering(monkeypatch, ['{"id": 1, "protocol": 99, "package": "7.7"}'])
        with (
            Gpu() as gpu,
            expect_error(GpuFailed, r"a different version, 7\.7 \(protocol 99\)"),
        ):
            gpu.describe()

    def test_no_answer(self, monkeypatch):
        self.answering(monkeypatch, ["", "", ""])
        setup = WorkerSetup(start_seconds=0.5)
        with Gpu(setup=setup) as gpu, pytest.raises(GpuFailed) as raised:
            gpu.describe()
        assert raised.value.kind in ("slow", "garbled")

    @staticmethod
    def hello() -> str:
        return f'{{"id": 1, "protocol": {PROTOCOL}, "package": ""}}'

    @staticmethod
    def answering(monkeypatch, answers: list[str]) -> None:
        program = (
            "import sys\nfor answer in sys.argv[1:]:\n    sys.stdin.readline()\n"
            "    print(answer, flush=True)\nsys.stdin.read()\n"
        )
        program = program if any(answers) else "import time; time.sleep(60)"
        # A NUL cannot be an argument.
        answers = [answer.replace("\x00", "\\u0000") for answer in answers]
        command = [sys.executable, "-c", program, *answers]
        monkeypatch.setattr("grader.gpu.client.local_command", lambda *_, **__: command)


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        ("DeviceError('no-device', quote('none'))", "no-device", "no GPU on this machine: none"),
        (
            "DeviceError('no-package', quote('numba'))",
            "no-package",
            "CUDA target is missing",
        ),
        ("ValueError('odd')", "crashed", "ValueError: odd"),
    ],
)
def test_a_device_that_does_not_open(tmp_path, monkeypatch, raised, kind, words):
    text = "from grader.facts import quote\nfrom grader.gpu.devices.device import DeviceError\n"
    text += "def open_device():\n    raise "
    (tmp_path / "odd_device.py").write_text(text + raised, encoding="utf-8")
    command = local_command("odd_device", gated=True)
    command[3] = command[3].replace(
        "import sys;", f"import sys; sys.path.append({str(tmp_path)!r});"
    )
    monkeypatch.setattr("grader.gpu.client.local_command", lambda *_, **__: command)
    with Gpu() as gpu:
        for _ in range(2):
            with expect_error(GpuFailed, words) as found:
                gpu.grade(DOUBLE, GOOD)
            assert found.value.kind == kind


@pytest.mark.parametrize("count", [1, 3])
def test_cancel_ends_what_is_going_on_and_what_waits_for_its_turn(ungated, monkeypatch, count):
    told: list[str] = []
    before, lock = ungated.worker_id, WatchedLock()
    monkeypatch.setattr(ungated, "_lock", lock)

    def ask():
        try:
            ungated.grade(DOUBLE, executed(BEGUN_FOREVER))
        except GpuFailed as error:
            told.append(error.kind)

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for one in threads:
        one.start()
    until_begun(ungated)
    until(lambda: len(lock.asked) == count)
    ungated.cancel()
    for one in threads:
        one.join(PATIENCE_S)
    assert told == ["cancelled"] * count
    until_ended(before)
    assert ungated.grade(DOUBLE, GOOD).right


def test_a_worker_killed_between_two_submissions_is_replaced(ungated):
    os.kill(ungated.worker_id, 9)
    assert ungated.grade(DOUBLE, GOOD).right


def test_closing_leaves_no_process_and_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gpu = Gpu(setup=SETUP)
    gpu.describe()
    process = gpu.worker_id
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("quiz-gpu-")
    gpu.close()
    until_ended(process)
    assert [*tmp_path.iterdir()] == []
    gpu.close()


def test_a_worker_ends_when_its_client_is_gone():
    process = Process(local_command(DEVICE, gated=False))
    assert process.ask(HelloRequest(), PATIENCE_S, HelloReply).protocol == PROTOCOL
    ended: list[str] = []

    def wait():
        source = executed(BEGUN_FOREVER)
        request = GpuGradeRequest(problem=DOUBLE, source=source, benchmark=None, seed=1)
        try:
            process.ask(request, PATIENCE_S, Reply)
        except ProcessEnded as error:
            ended.append(english(error))

    waiting = threading.Thread(target=wait)
    waiting.start()
    until(lambda: b"begun" in process._printed)
    assert process._child.stdin is not None
    process._child.stdin.close()  # as ssh does when the connection is lost
    waiting.join()
    assert ended == ["was ended by SIGKILL"]
    process.close()


def test_the_worker_imports_no_numba_and_has_limits():
    program = (
        "import sys, resource; import grader.gpu.worker as w; w.limit();"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('numba', 'cuda', 'llvmlite')),"
        "resource.getrlimit(resource.RLIMIT_CORE)[0],"
        "resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY)"
    )
    root = Path(__file__).parents[3]
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                           cwd=root, check=True)  # fmt: skip
    assert found.stdout.strip() == "[] 0 True"


def test_a_worker_that_cannot_be_started_is_told(monkeypatch):
    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with Gpu(setup=SETUP) as gpu, pytest.raises(GpuFailed) as raised:
        gpu.describe()
    assert raised.value.kind == "crashed"
    assert english(raised.value.what).startswith(
        "the GPU worker on this machine could not be started: No space left on device"
    )
