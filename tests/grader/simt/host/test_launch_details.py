"""What a launch got, as a report has it."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.host.launch_details import describe_arguments

POINT = [("x", "f4"), ("at", "i4", (2, 3))]


@pytest.mark.parametrize(
    ("dtype", "written"),
    [
        ("f4", "float32"),
        ([("s0", "u8"), ("s1", "u8")], "record(s0: uint64, s1: uint64)"),
        (np.dtype(POINT, align=True), "record(x: float32, at: int32[2, 3])"),
        ([("point", POINT)], "record(point: record(x: float32, at: int32[2, 3]))"),
    ],
)
def test_a_record_is_written_by_its_fields(dtype, written):
    [described] = describe_arguments(["a"], [np.zeros(256, dtype)])
    assert described == {"name": "a", "type": written, "shape": [256]}


def test_a_long_type_is_cut_with_a_sign():
    dtype = [(f"field{n}", "f8") for n in range(9)]
    [described] = describe_arguments(["a"], [np.zeros(1, dtype)])
    assert described["type"].endswith("…")
    assert len(described["type"]) == 60
