"""What goes through JSON comes back as it was."""

from __future__ import annotations

import pytest

from grader.gpu import (
    GATES,
    Benchmark,
    DeviceFacts,
    GpuGrade,
    Ratio,
    Resources,
    Speed,
)
from grader.gpu.client import check_graded
from grader.gpu.messages import GpuGradeReply, GpuGradeRequest, HelloRequest
from grader.verdict import Gate, verdict
from grader.wire import decode_reply, decode_request, encode_reply, encode_request
from tests.grader.gpu.tools import DOUBLE

FACTS = DeviceFacts("NVIDIA H200", "9.0", "580.65", "13.0", "13.0", {"numba": "0.61"}, 132, 1 << 37)
SPEED = Speed(Ratio(1.84, 1.8, 1.88), 1.3, 3e-5, 2e-5, 30, 1 << 20, 52.4, None, 4100.0)
RESOURCES = Resources(32, 4224, 0, 8, 1.0, "threads")


@pytest.mark.parametrize(
    "graded",
    [
        GpuGrade("x", verdict([Gate("compiles", "failed", line=3)], GATES), "failed"),
        GpuGrade(
            "x", verdict([Gate(name, "passed") for name in GATES], GATES), "passed", FACTS,
            RESOURCES, SPEED, 1e-6, 2e-6, 99, replaced=True,
        ),
    ],
)  # fmt: skip
def test_a_verdict_comes_back(graded):
    again = decode_reply(encode_reply(GpuGradeReply(id=7, graded=graded)), GpuGradeReply, 7)
    assert again.graded == graded
    check_graded(graded)


def test_a_benchmark_comes_back():
    asked = Benchmark({"n": 4096}, "def k(a): pass", {"NVIDIA H200": 1.3}, "2 * n", 1.0)
    request = GpuGradeRequest(problem=DOUBLE, source="\udce4", benchmark=asked, seed=1)
    assert decode_request(encode_request(request), [HelloRequest, GpuGradeRequest]) == request


@pytest.mark.parametrize(
    ("standing", "right", "passed"),
    [
        ("passed", True, True),
        ("failed", False, False),
        ("not decided", True, False),
        ("right, speed not judged", True, False),
        ("right, not measured", True, False),
    ],
)
def test_what_a_standing_means(standing, right, passed):
    graded = GpuGrade("x", verdict([], GATES), standing)
    assert (graded.right, graded.passed) == (right, passed)


def test_a_ratio_is_shown_with_its_interval():
    assert str(Ratio(1.839, 1.8, 1.88)) == "1.84 (1.80–1.88)"
