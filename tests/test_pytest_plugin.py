"""`pytest --quiz-cuda` on a project of its own, run as a person runs it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.commands.program import ROOT

SUMS = """
from numba import cuda, float32


@cuda.jit
def total(values, out):
    cell = cuda.shared.array(1, float32)
    cell[0] = cuda.threadIdx.x
    cuda.syncthreads()
    out[0] = cell[0]


@cuda.jit
def last(values, out):
    out[0] = cuda.blockIdx.x


@cuda.jit
def double(values, out):
    t = cuda.grid(1)
    if t < values.size:
        out[t] = 2 * values[t]
"""
TESTS = """
import multiprocessing

import numpy as np
import pytest
from sums import double, last, total

A = np.arange(64, dtype=np.float32)


def launch(kernel, blocks=1):
    out = np.zeros_like(A)
    kernel[blocks, 64](A, out)
    return out


def test_right():
    assert (launch(double) == 2 * A).all()


def test_race():
    launch(total)


@pytest.mark.quiz_allow("race")
def test_race_that_is_meant():
    launch(total)
    launch(last, 2)


@pytest.mark.quiz_allow
def test_anything_goes():
    launch(total)


def test_wrong_and_a_race():
    assert launch(total)[1] == 1


def test_without_cuda():
    assert True
"""
CHILD = """

def launch_there():
    launch(total)


def test_race_in_a_child():
    child = multiprocessing.get_context("spawn").Process(target=launch_there)
    child.start()
    child.join()
    assert child.exitcode == 0
"""
QUICK = tuple(f"-pno:{plugin}" for plugin in ("cacheprovider", "asyncio", "hypothesispytest"))
"""Plugins that are of no matter here take half of the time in which pytest starts."""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "sums.py").write_text(SUMS, "utf-8")
    (tmp_path / "test_sums.py").write_text(TESTS, "utf-8")
    return tmp_path


def run(project, *options, **environment):
    """Run pytest there; its status and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *QUICK, *options],
        cwd=project,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{project}"} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_fault_fails_the_test_with_both_lines(project):
    (project / "test_sums.py").write_text(TESTS + CHILD, "utf-8")
    status, shown = run(project, "--quiz-cuda")
    assert status == 1, shown
    assert "3 failed, 4 passed" in shown
    assert_both_lines(shown)
    assert "7 launches in 6 tests ran on the emulator" in shown


@pytest.mark.long
def test_with_workers_a_mark_of_an_unknown_kind_fails_its_own_test_only(project):
    (project / "test_sums.py").write_text(misspelled(TESTS + CHILD), "utf-8")
    status, shown = run(project, "--quiz-cuda", "-n", "2")
    assert "3 failed, 3 passed, 1 error" in shown
    assert_both_lines(shown)
    assert "5 launches in 5 tests ran on the emulator" in shown
    assert_unknown_kind(status, shown)


def test_a_wrong_result_keeps_its_own_error_among_tests_that_are_selected(project):
    (project / "test_sums.py").write_text(misspelled(TESTS), "utf-8")
    status, shown = run(project, "--quiz-cuda", "-k", "meant or wrong_and_a_race")
    assert_unknown_kind(status, shown)
    assert "assert launch(total)[1] == 1" in shown
    assert "1 launch in 1 test ran on the emulator" in shown
    assert "faults in the launches of this test: 1" in shown


def misspelled(tests):
    return tests.replace('quiz_allow("race")', 'quiz_allow("rase")')


def assert_both_lines(shown):
    assert "sums.py:8: race in shared memory [race]: " in shown
    assert "    sums.py:8: cell[0] = cuda.threadIdx.x" in shown
    for name in ("test_race", "test_wrong_and_a_race", "test_race_in_a_child"):
        assert f"FAILED test_sums.py::{name}" in shown
    assert "race in shared memory: 3" in shown


def assert_unknown_kind(status, shown):
    assert status == pytest.ExitCode.TESTS_FAILED, shown
    assert "INTERNALERROR" not in shown
    [error] = [line for line in shown.splitlines() if line.startswith("ERROR ")]
    assert error.startswith("ERROR test_sums.py::test_race_that_is_meant")
    assert "quiz_allow('rase'): there is no such kind of fault; did you mean race?" in shown


EXPECTED = """
import pytest
from test_sums import double, launch, total


@pytest.mark.xfail(strict=True)
def test_race_is_expected():
    launch(total)


@pytest.mark.xfail(strict=True)
def test_no_race_after_all():
    launch(double)


@pytest.fixture
def racing():
    launch(total)


@pytest.mark.xfail(strict=True)
def test_race_in_a_fixture(racing):
    pass
"""


def test_a_fault_is_a_failure_that_can_be_expected(project):
    (project / "test_expected.py").write_text(EXPECTED, "utf-8")
    status, shown = run(project, "--quiz-cuda", "test_expected.py")
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "1 failed, 2 xfailed" in shown
    assert "FAILED test_expected.py::test_no_race_after_all - [XPASS(strict)]" in shown


IMPOSSIBLE = """
import numpy as np
import pytest
from numba import cuda, float64
from numba.cuda.cudadrv.driver import CudaAPIError

A = np.zeros(64)


@cuda.jit
def plain(a):
    a[0] = 1


@cuda.jit
def much(a):
    s = cuda.shared.array(8192, float64)
    s[0] = a[0]


@pytest.mark.parametrize("config", [
    (1, 2048), (1, (32, 64)), (1, (1, 1, 65)), ((1, 70000), 32), (1, 32, 0, 300_000),
    (0, 32), (1, 0), (1, (32, 0)), (1, 1 << 20),
])
def test_sizes(config):
    with pytest.raises(CudaAPIError, match="CUDA_ERROR_INVALID_VALUE"):
        plain[config](A)
    assert A[0] == 0


def test_shared():
    with pytest.raises(CudaAPIError, match="65,536 bytes"):
        much[1, 32](A)


def test_not_expected():
    plain[1, 2048](A)
"""


def test_a_launch_that_a_device_refuses_raises_the_drivers_error(project):
    (project / "test_sums.py").write_text(IMPOSSIBLE, "utf-8")
    status, shown = run(project, "--quiz-cuda")
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "1 failed, 10 passed" in shown, shown
    assert "CudaAPIError: [1] CUDA_ERROR_INVALID_VALUE: a block of 2048 threads" in shown


def test_the_mark_is_known_where_nothing_is_emulated(tmp_path):
    marked = '@pytest.mark.quiz_allow("race")\ndef test_it(): pass\n'
    (tmp_path / "test_it.py").write_text(f"import pytest\n{marked}", "utf-8")
    status, shown = run(tmp_path, "--strict-markers")
    assert status == 0, shown


def test_in_chinese(project):
    _, shown = run(project, "--quiz-cuda", "-k", "wrong_and_a_race", QUIZ_LANGUAGE="zh")
    assert "这个测试的启动中的错误：1 个" in shown


def test_without_the_option_it_does_nothing(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import sys\ndef test_it(): assert not {'numpy', 'numba', 'grader'} & {*sys.modules}\n",
        "utf-8",
    )
    status, shown = run(tmp_path)
    assert status == 0, shown
    assert "quiz-cuda" not in shown
