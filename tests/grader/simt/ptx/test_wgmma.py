"""`wgmma`: types, descriptors, swizzles, and what is turned; and what goes wrong with it.

`nvcc` compiled tests/data/ptx/wgmma/products.cu; faults are edits of its text.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.gpu.ptx import hopper
from bench.gpu.ptx.wgmma import CASES, THREADS, Given, WgmmaCase, compute, given, read
from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.program.kernel import CompiledKernel
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx
from tests.sampling import every

GIVEN, RECORD = given(), hopper.load()
_DTYPES = {"f32": np.float32, "s32": np.int32, "f16": np.float16}


@cache
def _ready(text: str, kernel: str) -> CompiledKernel:
    module = read_ptx(text)
    found = find_kernel(module, kernel)
    return lower_ptx(module, found, list_fields(found))


def _run(
    case: WgmmaCase, data: Given, text: str, threads: int = THREADS
) -> tuple[Launch, NDArray[np.uint8]]:
    ready, out = _ready(text, case.kernel), np.zeros(data.sums.nbytes, np.uint8)
    left, right = np.array([case.left, case.right], np.uint64).view(np.int64)
    words = {0: left, 8: right, 16: np.int32(case.adds)}
    arrays = [data.memory, data.sums.view(np.uint8), data.registers]
    arguments = [
        *arrays,
        *(
            words.get(int(name.rpartition("+")[2]), np.int32(0))
            for name in ready.function.parameters
            if "+" in name
        ),
        out,
    ]
    return launch(ready, 1, threads, arguments, budget=3_000_000_000), out


@pytest.mark.parametrize("name", every(3, CASES, str))
def test_a_product_is_an_h200s(name: str) -> None:
    case, data = CASES[name], GIVEN[name]
    done, out = _run(case, data, read())
    assert not [(each.kind, each.line, each.what) for each in done.findings]
    found = out.view(_DTYPES[case.sums])
    assert hopper.digest(found) == RECORD[f"wgmma/{name}"]
    if case.exact:
        assert np.array_equal(found.reshape(THREADS, -1), compute(case, data).astype(found.dtype))


_KERNEL = "ss_f16_00"
_WAIT = "wgmma.wait_group.sync.aligned 0;"
_EARLY = "st.global.u32 \t[%rd24], %r74;"
_REFILL = f"bar.sync 0; st.shared.u32 [%r108], 0; {_WAIT}"
FAULTS: dict[str, tuple[str, str, str, str]] = {
    "nobody waits": (_WAIT, "", "finding.wgmma-early", _EARLY),
    "the wait is one group too lax": (
        _WAIT, _WAIT.replace("0;", "1;"), "finding.wgmma-early", _EARLY,
    ),
    "nobody commits": ("wgmma.commit_group.sync.aligned;", "", "finding.wgmma-early", _EARLY),
    "no fence of the registers": (
        "wgmma.fence.sync.aligned;", "", "finding.wgmma-no-fence", "wgmma.mma_async",
    ),
    "no proxy fence behind the stores": (
        "fence.proxy.async.shared::cta;", "", "finding.wgmma-no-proxy-fence", "wgmma.mma_async",
    ),
    "no barrier behind the stores": ("\tbar.sync \t0;", "", "race", "wgmma.mma_async"),
    "shared memory is refilled before the wait": (_WAIT, _REFILL, "race", "st.shared.u32"),
    "one warp is elsewhere": (
        "wgmma.fence.sync.aligned;",
        "wgmma.fence.sync.aligned; setp.gt.u32 %p1, %r23, 95; @%p1 ret;",
        "finding.wgmma-group", "wgmma.mma_async",
    ),
    "the descriptor is beyond the array": (
        "add.s64 \t%rd18, %rd10, %rd22;", "add.s64 \t%rd18, %rd10, 4096;",
        "finding.wgmma-nowhere", "wgmma.mma_async",
    ),
    "a matrix goes on beyond the array": (
        "add.s64 \t%rd18, %rd10, %rd22;", "add.s64 \t%rd18, %rd10, 960;",
        "out-of-bounds", "wgmma.mma_async",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "wanted", "where"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_at_its_line(old: str, new: str, wanted: str, where: str) -> None:
    case = CASES[f"{_KERNEL}_m1"]
    head, sign, rest = read().partition(f".entry {_KERNEL}(")
    own, end, others = rest.partition("\n}\n")
    assert old in own
    text = f"{head}{sign}{own.replace(old, new, 1)}{end}{others}"
    done, _ = _run(case, GIVEN[f"{_KERNEL}_m1"], text)
    lines = {each.line for each in done.findings if wanted in (each.kind, each.what.code)}
    there = {
        at for at, line in enumerate(text.splitlines(), 1) if re.search(re.escape(where), line)
    }
    assert lines & there, [(each.kind, each.line, str(each.what)) for each in done.findings]


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        (None, None),
        ("cp.async.wait_all; ", "uninitialised-read"),
        ("fence.proxy.async.shared::cta;", "finding.wgmma-no-proxy-fence"),
        ("\tbar.sync \t0;", "race"),
    ],
)
def test_matrices_that_cp_async_brings_need_a_wait_a_proxy_fence_and_a_barrier(
    missing: str | None, wanted: str | None
) -> None:
    name = f"{_KERNEL}_m1"
    head, sign, rest = read().partition(f".entry {_KERNEL}(")
    own, end, others = rest.partition("\n}\n")
    copied = re.sub(
        r"ld\.global\.v4\.u32 [^;]*(\[.*\]);\s*st\.shared\.v4\.u32 \s*(\[.*?\])[^;]*;",
        r"cp.async.cg.shared.global \2, \1, 16;", own,
    ).replace("fence.proxy", "cp.async.wait_all; fence.proxy")  # fmt: skip
    copied = copied.replace(missing or "", "") if missing else copied
    done, out = _run(CASES[name], GIVEN[name], f"{head}{sign}{copied}{end}{others}")
    words = {word for each in done.findings for word in (each.kind, each.what.code)}
    if wanted is None:
        assert not words
        assert hopper.digest(out.view(_DTYPES[CASES[name].sums])) == RECORD[f"wgmma/{name}"]
    else:
        assert wanted in words
