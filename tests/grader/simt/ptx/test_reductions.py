"""Bulk copies that reduce give an H200's bits: into global and shared memory, and into tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.gpu.ptx import hopper
from bench.gpu.ptx.reductions import CASES, THREADS, Reduction, given, read
from grader.simt.launches.launching import launch
from grader.simt.memory.allocations import Heap, HeapBlock, HeapPointer
from grader.simt.ptx.instructions.tensors import TensorMap, encode
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

RECORD, GIVEN, MODULE = hopper.load(), given(), read_ptx(read())
_START = (1 << 62) + (1 << 52)
_APART = 1 << 40


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_reduction_gives_an_h200s_bits(case: Reduction) -> None:
    copied, there = (each.copy() for each in GIVEN[f"{case.where}_{case.does}_{case.type}"])
    kernel, heap = find_kernel(MODULE, case.kernel), Heap()
    fields = list_fields(kernel)
    for number, array in enumerate((copied, there)):
        heap.add(HeapBlock(_START + number * _APART, array))
    pointers = [HeapPointer(at, at, array) for at, array in
                ((_START, copied), (_START + _APART, there))]  # fmt: skip
    arguments: list[Any] = [*pointers]
    if case.where == "tensor":
        box = case.tensor
        made = TensorMap(_START + _APART, box.type, 0, False, box.sizes, box.strides[:-1],
                         box.box, box.all_steps)  # fmt: skip
        words = np.frombuffer(encode(made), fields[0].dtype)
        arguments = [*words, *map(np.int32, box.place), pointers[0]]
    ready = lower_ptx(MODULE, kernel, fields)
    blocks = 2 if case.where == "shared" else 1
    done = launch(ready, blocks, THREADS, arguments, heap=heap, budget=3_000_000_000)
    assert not [(each.kind, each.line, each.what) for each in done.findings]
    assert hopper.digest(there) == RECORD[f"reductions/{case.where}_{case.does}_{case.type}"]
