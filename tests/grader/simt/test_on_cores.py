"""A launch on several cores leaves what it leaves on one."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from grader.simt.launches.helpers import count_cores
from grader.simt.launches.tracked_memory import OtherMemory
from tests.commands.program import ROOT
from tests.grader.simt.on_cores import ALONE, KERNELS
from tests.waiting import PATIENCE_S, until_ended

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="helpers are forks that are read through /proc"
)
LAUNCH = """
import numpy as np, sys
from grader.simt.launches import helpers
from grader.simt.launches.api import launch
helpers.BEGIN = helpers.WORTH = 0.0
def say(progress):
    print(progress.done, progress.under_way, flush=True)
code = "def k(a):\\n    i = cuda.grid(1)\\n    while a[i] < 1e9:\\n        a[i] += 1"
launch(code, 2000, 256, [np.zeros(512000)], cores=3, progress=say)
"""


def _compare(seeds):
    done = subprocess.run(
        [sys.executable, "-m", "tests.grader.simt.on_cores", str(seeds)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_two_cores_leave_what_one_leaves():
    found = _compare(8)
    differ = {name: case["differ"] for name, case in found["two"].items() if case["differ"]}
    assert not differ
    helped = {name for name in KERNELS if found["two"][name]["helped"]}
    assert helped == KERNELS.keys() - ALONE
    four = {name: (case["differ"], case["helped"]) for name, case in found["four"].items()}
    assert four == {"strided": ([], True), "uneven": ([], True), "an atomic": ([], False)}


@pytest.mark.long
def test_two_cores_leave_what_one_leaves_of_any_kernel():
    found = _compare(100)["two"]
    assert not {name: case["differ"] for name, case in found.items() if case["differ"]}
    assert 10 < sum(case["helped"] for case in found.values()) < 100


def _find_children(process):
    told = Path(f"/proc/{process}/task/{process}/children").read_text("ascii")
    return list(map(int, told.split()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_helpers_end_with_what_they_help(number):
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCH], cwd=ROOT, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as started:  # fmt: skip
        while len(children := _find_children(started.pid)) < 2:
            assert started.poll() is None
            time.sleep(0.05)
        started.send_signal(number)
        try:
            started.wait(PATIENCE_S)
        finally:
            started.kill()
        until_ended(*children)


def test_blocks_that_helpers_have_only_begun_are_under_way_and_not_done():
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCH], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as started:
        while started.stdout.readline() != "0 768\n":  # a busy machine begins them late
            assert started.poll() is None
        said = {started.stdout.readline() for _ in range(50)}
        started.kill()
    assert said == {"0 768\n"}


def test_what_is_bound_to_one_core_has_no_helpers(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {3}, raising=False)
    assert count_cores() == 1
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 1}, raising=False)
    assert count_cores() == 1


@pytest.mark.parametrize("copies", [True, False])
def test_a_process_is_read_also_where_the_system_has_no_call_for_that(copies, monkeypatch):
    values, into = np.arange(300_000), np.zeros(300_000, np.int64)
    other = OtherMemory(os.getpid())
    if not copies:
        monkeypatch.setattr(other, "_copy", lambda *_: -1)
    other.take(values.ctypes.data, into, None)
    other.close()
    assert (into == values).all()
