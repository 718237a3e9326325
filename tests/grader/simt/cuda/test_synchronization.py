"""libcu++'s barriers, pipelines and atomics from headers of ours: who is blamed for what.

That they compute what an H200 does is tested in `tests.commands.test_profile_programs`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

_SOURCE = (Path(__file__).parents[3] / "data" / "cuda_synchronization.cu").read_text("utf-8")


def _run(name, grid, block, old="", new=""):
    before, body = _SOURCE.split(f"__global__ void {name}(")
    source = f"{before}__global__ void {name}({body.replace(old, new, 1) if old else body}"
    assert (source != _SOURCE) == bool(old)
    lowered, types = lower_kernel(read_cuda(source), name)
    kind = np.float32 if name == "halves" else np.int32
    given = [np.arange(1, 2049, dtype=kind) for _ in types]
    done = launch(lowered, grid, block, given)
    return {(each.kind, source.splitlines()[each.line - 1].strip()) for each in done.findings}


@pytest.mark.parametrize(
    ("name", "grid", "block"),
    [("message", 2, 128), ("halves", 2, 128), ("staged", 1, 128), ("specialized", 1, 96)],
)
def test_nobody_is_blamed_who_waits(name, grid, block):
    assert _run(name, grid, block) == set()


_COPY = (
    "cuda::memcpy_async(&tile[k % STAGES][i], in + k * 64 + i, cuda::aligned_size_t<4>(4), pipe);"
)


@pytest.mark.parametrize(
    ("kernel", "old", "new", "kind", "line"),
    [
        (("message", 2, 128), "release", "relaxed", "global-race",
         "out[threadIdx.x] = data[THREADS - 1 - threadIdx.x];"),
        (("halves", 2, 128), "block.size()", "block.size() + 1", "no-progress",
         "ready.wait(std::move(token));"),
        (("halves", 2, 128), "ready.wait(std::move(token));", "", "race",
         "value += tile[THREADS - 1 - threadIdx.x];"),
        (("specialized", 1, 96), "pipe.consumer_release();", "", "no-progress",
         "pipe.producer_acquire();"),
        (("specialized", 1, 96), "pipe.producer_acquire();", "", "race", _COPY),
        (("own", 1, 128), "wait_prior<1>", "wait_prior<2>", "race",
         "total = total * 7 + tile[(k - 1) & 1][threadIdx.x];"),
        (("groups", 1, 128), "cg::wait(block);", "block.sync();", "race",
         "out[threadIdx.x] = tile[TILE - 1 - threadIdx.x];"),
    ],
)  # fmt: skip
def test_what_does_not_wait_is_blamed_where_it_shows(kernel, old, new, kind, line):
    assert (kind, line) in _run(*kernel, old, new)
