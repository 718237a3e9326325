"""A GEMM as Hopper wants it: a cluster, multicast tensor copies, a ring, `wgmma`; and its faults.

`nvcc` compiled the kernel of tests/data/ptx/wgmma/cluster_program.cu, whose loop over K it was told
not to unroll; faults are edits of its text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import Heap, HeapBlock, HeapPointer
from grader.simt.ptx.instructions.tensors import TensorMap, encode
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_TEXT = (Path(__file__).parents[3] / "data" / "ptx" / "wgmma" / "cluster_gemm.ptx").read_text()
_DEPTH, _ROWS, _COLUMNS, _PITCH = 320, 256, 64, 128
_SHARED = 1024 + 3 * (128 + 64) * 64 * 2
_START, _APART = (1 << 62) + (1 << 52), 1 << 40


def _run(text: str) -> tuple[Launch, bool]:
    """Run two blocks, a cluster; return what they did, and whether the product is right."""
    random = np.random.default_rng(5)
    left, right = (
        random.integers(-4, 5, (rows, _DEPTH)).astype(np.float16) for rows in (_ROWS, _PITCH)
    )
    out, heap = np.zeros((_ROWS, _PITCH), np.float32), Heap()
    for number, array in enumerate((left, right, out)):
        heap.add(HeapBlock(_START + number * _APART, array.reshape(-1).view(np.uint8)))
    maps = [
        encode(TensorMap(start, 6, 3, False, (_DEPTH, rows), (2 * _DEPTH,), (64, box), (1, 1)))
        for start, rows, box in ((_START, _ROWS, 128), (_START + _APART, _PITCH, 32))
    ]
    parameters = (*maps, np.int64(_START + 2 * _APART).tobytes())
    module = read_ptx(text)
    kernel = find_kernel(module, "gemm")
    fields, arguments = list_fields(kernel), list[Any]()
    for each in fields:
        value = np.frombuffer(parameters[each.parameter][each.offset :], each.dtype, 1)[0]
        block = heap.find(int(value))
        arguments.append(value if block is None else HeapPointer(value, block.start, block.data))
    ready = lower_ptx(module, kernel, fields)
    done = launch(ready, (1, 2), 384, arguments, shared_bytes=_SHARED, heap=heap, budget=10**10)
    wanted = left.astype(np.float32) @ right[:_COLUMNS].astype(np.float32).T
    return done, bool(np.array_equal(out[:, :_COLUMNS], wanted))


def test_it_is_right_and_nobody_is_blamed() -> None:
    done, is_right = _run(_TEXT)
    assert not [(each.kind, each.line, each.what) for each in done.findings]
    assert is_right


_WAIT = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
_LAST = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;"
FAULTS: dict[str, tuple[str, str, str]] = {
    "the multicast leaves the other block out": (
        "mov.u16 \t%rs16, 3;", "shl.b16 %rs16, 1, 0;", "finding.no-progress.bytes",
    ),
    "more bytes are expected": (
        "mov.u32 \t%r109, 24576;", "mov.u32 \t%r109, 24592;", "finding.no-progress.bytes",
    ),
    "nobody waits for the tiles": (
        f"{_WAIT}[%r22], %r23;", "setp.eq.u32 p, 0, 0;", "uninitialised-read",
    ),
    "nobody waits for the readers": (
        f"{_WAIT}[%r102], %r103;", "setp.eq.u32 p, 0, 0;", "finding.no-progress.phase",
    ),
    "the wait before a stage is released is too lax": (
        "wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 3;", "race",
    ),
    "the last wait leaves a group": (
        "wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 1;",
        "finding.wgmma-early",
    ),
    "initialized barriers are not published": (
        "\tfence.mbarrier_init.release.cluster;\n", "", "finding.barrier-early",
    ),
    "nobody stays until the other block is done": (_LAST, "", "finding.cluster-exit"),
    "one group of readers is not expected": (
        "mbarrier.init.shared::cta.b64 [%r16], 4;", "mbarrier.init.shared::cta.b64 [%r16], 3;",
        "finding.arrivals",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "wanted"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(old: str, new: str, wanted: str) -> None:
    assert _TEXT.count(old) == 1
    done, _ = _run(_TEXT.replace(old, new))
    assert wanted in {word for each in done.findings for word in (each.kind, each.what.code)}
