"""Fences, atomics and flags that order threads from source: what is legal, and one fault each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from tests.sampling import first_with_each

_SOURCE = (Path(__file__).parents[3] / "data" / "cuda_orderings.cu").read_text("utf-8")
_LEGAL = {
    "flag": (1, 64, [42]),
    "warps": (1, 64, [62 - 2 * lane for lane in range(32)]),
    "ticket": (1, 128, [8128]),
    "fenced": (1, 128, [8128]),
    "message": (2, 32, [7]),
    "scoped": (2, 32, [42]),
    "apart": (2, 32, [42]),
    "locked": (2, 128, [192]),
    "locked_grid": (3, 64, [6]),
    "every": (2, 32, [64]),
    "buckets": (2, 32, [224 + 8 * k for k in range(8)]),
    "polled": (2, 32, [9]),
    "chain": (1, 96, [5]),
    "ring": (1, 64, [0, 1, 4, 9, 16, 25]),
    "spelled": (1, 64, [1, 2, 3]),
    "gated": (2, 64, [4, 3, 3]),
    "scopes": (2, 64, [6]),
}
"""Blocks, threads, and what is computed."""
_FIRST, _SECOND = "__threadfence(); /*first*/", "__threadfence(); /*second*/"
_BLOCK_FIRST = "__threadfence_block(); /*first*/"
_BLOCK_SECOND = "__threadfence_block(); /*second*/"
_FAULTS = [
    ("flag", "memory_order_release", "memory_order_relaxed", "race", "order"),
    ("flag", "memory_order_acquire", "memory_order_relaxed", "race", "order"),
    ("flag", "thread_scope_block", "thread_scope_thread", "race", "order"),
    ("warps", "__syncwarp(); /*first*/", "", "global-race", ""),
    ("warps", "__syncwarp(); /*second*/", "", "global-race", ""),
    ("warps", "memory_order_release", "memory_order_relaxed", "global-race", "order"),
    ("ticket", "memory_order_acq_rel", "memory_order_relaxed", "race", "order"),
    ("ticket", "memory_order_acq_rel", "memory_order_acquire", "race", "order"),
    ("ticket", "memory_order_acq_rel", "memory_order_release", "race", "order"),
    ("fenced", _BLOCK_FIRST, "", "race", "order"),
    ("message", _FIRST, "", "global-race", "order"),
    ("message", _FIRST, _BLOCK_FIRST, "global-race", "scope"),
    ("scoped", "memory_order_release", "memory_order_relaxed", "global-race", "order"),
    ("scoped", "memory_order_acquire", "memory_order_relaxed", "global-race", "order"),
    ("scoped", "thread_scope_device", "thread_scope_block", "global-race", "scope"),
    ("apart", "release, cuda::thread_scope_device", "release, cuda::thread_scope_block",
     "global-race", "scope"),
    ("apart", "memory_order_acquire", "memory_order_relaxed", "global-race", "order"),
    ("locked", _BLOCK_SECOND, "", "race", "order"),
    ("locked", "give(&lock);", "", "no-progress", ""),
    ("locked_grid", _SECOND, "", "global-race", "order"),
    ("locked_grid", _SECOND, _BLOCK_SECOND, "global-race", "scope"),
    ("locked_grid", "atomicExch(&a[0], 0);", "", "no-progress", ""),
    ("every", "memory_order_acquire", "memory_order_relaxed", "global-race", "order"),
    ("every", "memory_order_release", "memory_order_relaxed", "global-race", "order"),
    ("buckets", "a[k]", "a[i >> 3 & 7]", "global-race", ""),
    ("buckets", _SECOND, "", "global-race", "order"),
    ("polled", _FIRST, "", "global-race", "order"),
    ("polled", "volatile int*", "int*", "global-race", ""),
    ("chain", "second.store(1, cuda::memory_order_release)",
     "second.store(1, cuda::memory_order_relaxed)", "race", "order"),
    ("chain", "first.load(cuda::memory_order_acquire)",
     "first.load(cuda::memory_order_relaxed)", "race", "order"),
    ("ring", "memory_order_release", "memory_order_relaxed", "race", "order"),
    ("ring", "memory_order_acquire", "memory_order_relaxed", "race", "order"),
    ("spelled", _FIRST, "", "global-race", "order"),
    ("gated", "gate.release();", "", "no-progress", ""),
    ("gated", "items.acquire();", "", "global-race", ""),
    ("scopes", "near.fetch_add(1, cuda::memory_order_acq_rel)", "atomicAdd_block(&drawn, 1)",
     "global-race", "order"),
    ("scopes", "thread_scope_device", "thread_scope_block", "global-race", "scope"),
]  # fmt: skip
"""Kernel, what is replaced by what, the finding, and what its hint names."""

_NAMES = {
    "order": ("advice.not-released", "advice.not-acquired", "advice.not-ordered"),
    "scope": ("advice.narrow-scope", "advice.narrow-scopes"),
}


def _run(name, old="", new=""):
    before, body = _SOURCE.split(f"__global__ void {name}(")
    body, end, after = body.partition("\n}\n")
    assert not old or old in body
    source = f"{before}__global__ void {name}({body.replace(old, new) if old else body}{end}{after}"
    lowered, _ = lower_kernel(read_cuda(source), name)
    given = [np.zeros(256, np.int32), np.zeros(256, np.int32)]
    blocks, threads, _ = _LEGAL[name]
    return launch(lowered, blocks, threads, given, budget=3_000_000_000), given[1]


@pytest.mark.parametrize("name", _LEGAL)
def test_who_hands_over_in_order_is_not_blamed(name):
    done, out = _run(name)
    wanted = _LEGAL[name][2]
    assert done.findings == ()
    assert out[: len(wanted)].tolist() == wanted


@pytest.mark.parametrize(
    ("name", "old", "new", "kind", "named"),
    first_with_each(lambda row: {row[0], row[3:]}, _FAULTS, "-".join),
)
def test_a_missing_order_is_found_and_named(name, old, new, kind, named):
    done, _ = _run(name, old, new)
    found = [each for each in done.findings if each.kind == kind]
    assert found
    if named:
        hint = found[0].hint
        assert hint is not None
        assert hint.code in _NAMES[named]
