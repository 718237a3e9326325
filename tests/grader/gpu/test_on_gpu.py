"""On a real GPU: `make test-gpu`. Prints the tables that docs/gpu.md is to show."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.gpu import Benchmark, Gpu, GpuFailed, SelfTest, WorkerSetup
from grader.gpu.cheats import gpu_cheats
from grader.kernels import ReferenceOutputs, grade
from quizapp.exercises.gpu_proofs import UNDEFINED
from tests.competent_kernels import COMPETENT, SLOW, Competent
from tests.grader.gpu.tools import DOUBLE, GOOD, ROOT, Shipped, shipped
from tests.sentences import english

pytestmark = pytest.mark.gpu
LIMIT = 20.0
"""Seconds for a submission that takes for ever: more than a launch may (`right.LAUNCH_SECONDS`)."""
QUESTIONS = pytest.mark.parametrize("one", shipped(), ids=lambda one: one.id)
ILLEGAL = GOOD.replace("a[i] + a[i]", "a[i + (1 << 40)]")
ENDLESS = GOOD.replace(
    "    if i <", "    while a[0] == a[0]:\n        out[0] = a[i % 2]\n    if i <"
)
SHARED = (
    GOOD.replace(
        "    i = cuda.grid(1)",
        "    tile = cuda.shared.array(102400, float32)\n    i = cuda.grid(1)\n    tile[i] = a[0]",
    )
    .replace("a[i] + a[i]", "tile[(i * 7) % 1000]")
    .replace("import cuda", "import cuda, float32")
)


@pytest.fixture(scope="module")
def gpu() -> Iterator[Gpu]:
    with Gpu(seconds=600) as one:
        started(one)
        yield one


@pytest.fixture
def ungated() -> Iterator[Gpu]:
    with Gpu(seconds=LIMIT, setup=WorkerSetup(gated=False)) as one:
        started(one)
        yield one


def started(gpu: Gpu) -> None:
    try:
        facts = gpu.describe()
    except GpuFailed as error:
        if error.kind not in ("no-device", "no-package"):
            raise
        pytest.skip(f"no GPU to test on: {english(error.what)}")
    print(f"\n{facts}")


def timed(one: Shipped) -> Benchmark:
    part = one.question.gpu
    assert part is not None
    return Benchmark(part.shape, part.baseline or "", part.speedup)


@pytest.mark.parametrize("competent", COMPETENT, ids=lambda competent: competent.id)
def test_a_competent_kernel_is_right_and_fast_enough(gpu: Gpu, competent: Competent) -> None:
    (one,) = (one for one in shipped() if one.id.endswith(f"kernel-{competent.question}"))
    found = gpu.grade(one.problem, competent.source, timed(one))
    speed = found.speed
    print(f"\n{competent.id} | {found.standing} | {speed and speed.ratio} | {speed and speed.gate}")
    if competent.id in SLOW:
        assert found.verdict.failed_at == "speedup"
    else:
        assert found.verdict.failure is None
        assert found.standing in ("passed", "right, speed not judged")


@QUESTIONS
def test_a_solution_is_right_and_as_fast_as_is_asked(gpu, one):
    began = time.monotonic()
    found = gpu.grade(one.problem, one.question.solution or "", timed(one))
    assert found.verdict.failure is None
    assert found.standing in ("passed", "right, speed not judged")
    speed = found.speed
    print(
        f"\n{one.id} | {found.standing} | {speed.ratio} | gate {speed.gate} | "
        f"{speed.seconds * 1e6:,.1f} µs | {speed.gigabytes:,.0f} GB/s, copy "
        f"{speed.copy_gigabytes:,.0f} | {found.resources} | "
        f"error {found.error:.2g} of {found.allowed:.2g} | {time.monotonic() - began:.1f} s"
    )


@QUESTIONS
def test_mistakes_of_values_are_wrong(gpu, one):
    expected = ReferenceOutputs(one.problem)
    for wrong in one.question.wrong:
        emulated = grade(one.problem, wrong.source or "", expected)
        assert emulated.verdict.fails_at(wrong.fails)
        if wrong.fails == "result" and not {found.kind for found in emulated.findings} & UNDEFINED:
            found = gpu.grade(one.problem, wrong.source or "")
            assert (wrong.file, found.standing) == (wrong.file, "failed")


@QUESTIONS
def test_no_cheat_is_right(gpu, one):
    right = ReferenceOutputs(one.problem).for_run(0)
    cheats = [*gpu_cheats(one.problem, one.question.solution or "", right)]
    found = {cheat.name: gpu.grade(one.problem, cheat.source) for cheat in cheats}
    assert len(found) >= 15
    assert {name: graded.verdict.failed_at for name, graded in found.items()} == dict.fromkeys(
        found, "result"
    )


@pytest.mark.parametrize(
    ("source", "key"),
    [
        pytest.param(ENDLESS, "runs: timed-out", id="infinite loop"),
        pytest.param(ILLEGAL, "runs: illegal-access", id="illegal access"),
        pytest.param(SHARED, "runs: shared-memory", id="400 KB of shared memory"),
        pytest.param("import os\nos._exit(3)\n", "runs: crashed", id="os._exit"),
        pytest.param("import ctypes\nctypes.string_at(0)\n", "runs: crashed", id="segfault"),
        pytest.param("while True: pass\n", "runs: timed-out", id="loop on the host"),
        pytest.param("print('x' * 1_000_000)\n" + GOOD, "", id="a megabyte"),
    ],
)
def test_what_the_source_gate_keeps_away(ungated, source, key):
    began = time.monotonic()
    found = ungated.grade(DOUBLE, source)
    took = time.monotonic() - began
    assert found.verdict.failed_at == key
    began = time.monotonic()
    assert ungated.grade(DOUBLE, GOOD).right
    print(f"\n{found.verdict.failure} after {took:.1f} s, next {time.monotonic() - began:.1f} s")


def test_the_worker_tests_itself(gpu):
    assert gpu.selftest() == SelfTest(compiles=True, runs=True, right=True)


def test_the_model_is_what_the_clock_says(gpu):
    found = gpu.calibrate()
    for group in found.groups:
        print(f"\n{group.shown}: {group.absent or group.cycles_a_pass}")
        for one in group.answers:
            clock = f"clock {one.low}–{one.high}, {one.cycles} alone, {one.behind} behind"
            print(f"  {one.state} {one.name}: model {one.model}–{one.at_most}, {clock}")
    assert found.count("differ") == 0
    assert found.count("agree") > found.count("open")


def test_a_kernel_beside_itself_is_as_fast(gpu):
    gpu.close()  # alone on the device
    program = [sys.executable, "-m", "tests.grader.gpu.a_to_a"]
    found = subprocess.run(program, capture_output=True, text=True, check=True, cwd=ROOT)
    for line in found.stdout.splitlines():
        told = json.loads(line)
        low, high = (0.99, 1.01) if told["seconds"] >= 50e-6 else (0.97, 1.03)
        ratios = told["ratios"]
        print(f"\n{told['seconds'] * 1e6:.1f} µs: {min(ratios):.3f} to {max(ratios):.3f}")
        assert sum(low <= one <= high for one in ratios) >= 0.95 * len(ratios)


def test_warm_and_cold(gpu):
    gpu.close()
    told = {}
    for name in ("cold", "warm"):
        began = time.monotonic()
        assert gpu.grade(DOUBLE, GOOD, replace(Benchmark({"n": 1 << 22}, GOOD), seconds=1.0)).right
        told[name] = time.monotonic() - began
    print(f"\nfrom submission to verdict, seconds: {told}")
