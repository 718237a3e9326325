"""`mbarrier`, bulk copies and barriers of some threads: right pipelines, and one fault each.

NVRTC compiled tests/data/ptx/pipelines/*.cu; faults are edits of its text. An H200 gave what the
right ones give here (`python -m bench.gpu.ptx.pipelines`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.gpu.ptx.pipelines import PIPELINES, compute, read
from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

Edit = tuple[str, str]


def _run(name: str, *edits: Edit) -> tuple[Launch, NDArray[Any], NDArray[Any]]:
    text = read(name)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    module, pipeline = read_ptx(text), PIPELINES[name]
    kernel = find_kernel(module, name)
    random = np.random.default_rng(11)
    given, out = random.random(pipeline.given, np.float32), np.zeros(pipeline.stored, np.float32)
    ready = lower_ptx(module, kernel, list_fields(kernel))
    arguments = (given, out, *map(np.int32, pipeline.numbers))
    done = launch(ready, *pipeline.sizes, arguments, budget=3_000_000_000)
    return done, given, out


_FULL = "L: mbarrier.try_wait.parity.shared::cta.b64 p, [%r36], %r37;"
_EMPTY = "L: mbarrier.try_wait.parity.shared::cta.b64 p, [%r52], %r53;"
_NO_WAIT = "L: setp.eq.u32 p, 0, 0;"
_ARRIVES = "\tmbarrier.arrive.shared::cta.b64 _, [%r45];\n"
_READS = "setp.gt.s32 \t%p4, %r1, 255;"
_EARLY = """{ .reg .pred q; .reg .b32 e; setp.ne.s32 q, %r2, 0; mov.u32 e, _ZZ4ringE5empty;
add.s32 e, e, %r39; @q bra N; mbarrier.arrive.shared::cta.b64 _, [e]; N: }"""
_COPIES = "[%r56], [%rd16], %r57, [%r58];"
_ALL_HERE = "bar.warp.sync \t-1;"
_FENCE = "\tfence.proxy.async.shared::cta;\n"
_ONE_LANE = "setp.ne.s32 q, %r2, 0; @q bra D; "
RIGHT: dict[str, tuple[str, tuple[Edit, ...]]] = {
    **{name: (name, ()) for name in PIPELINES},
    "one lane waits, and the warp for it": (
        "ring",
        (
            (_FULL, _FULL.replace("L: ", f".reg .pred q; {_ONE_LANE}L: ")),
            (_READS, f"{_ALL_HERE} {_READS}"),
        ),
    ),
    "the copier fences behind the barrier": (
        "outs",
        ((_FENCE, ""), ("\tcp.async.bulk.global", f"{_FENCE}\tcp.async.bulk.global")),
    ),
}
FAULTS: dict[str, tuple[str, tuple[Edit, ...], str]] = {
    "nobody waits for the copy": ("ring", ((_FULL, _NO_WAIT),), "uninitialised-read"),
    "nobody waits for the readers": ("ring", ((_EMPTY, _NO_WAIT),), "finding.arrivals"),
    "more bytes are expected": (
        "ring", (("mov.u32 \t%r57, 1024;", "mov.u32 \t%r57, 1040;"),
                 (_COPIES, "[%r56], [%rd16], 1024, [%r58];")), "finding.no-progress.bytes",
    ),
    "fewer bytes are expected": (
        "ring", (("mov.u32 \t%r57, 1024;", "mov.u32 \t%r57, 1008;"),
                 (_COPIES, "[%r56], [%rd16], 1024, [%r58];")), "finding.no-progress.bytes-over",
    ),
    "the readers' parity is wrong": (
        "ring", (("and.b32  \t%r37, %r6, 1;", "and.b32 %r37, %r6, 1; xor.b32 %r37, %r37, 1;"),),
        "finding.no-progress.phase",
    ),
    "the copier's parity is wrong": (
        "ring", (("and.b32  \t%r53, %r60, 1;", "and.b32 %r53, %r59, 1;"),),
        "finding.no-progress.phase",
    ),
    "readers arrive before they read": (
        "ring", ((_READS, f"{_EARLY} {_READS}"), (_ARRIVES, "")), "race",
    ),
    "one reader too many is awaited": (
        "ring", (("mov.u32 \t%r30, 3;", "mov.u32 \t%r30, 4;"),), "finding.no-progress.arrivals",
    ),
    "one lane waits for all": (
        "ring", ((_FULL, _FULL.replace("L: ", f".reg .pred q; {_ONE_LANE}L: ")),), "race",
    ),
    "no proxy fence": ("outs", ((_FENCE, ""),), "finding.no-proxy-fence"),
    "the proxy fence comes before the stores": (
        "outs", ((_FENCE, ""), ("\tmov.u32 \t%r3, %tid.x;", f"{_FENCE}\tmov.u32 \t%r3, %tid.x;")),
        "finding.no-proxy-fence",
    ),
    "no barrier behind the initialization": (
        "ring", (("\tbar.sync \t0;\n", ""),), "finding.barrier-early",
    ),
    "a barrier that no block has": (
        "named", (("add.s32 \t%r2, %r19, 1;", "add.s32 \t%r2, %r19, 16;"),),
        "finding.named-barrier",
    ),
    "no barrier before the copy": ("outs", (("\tbar.sync \t0;\n", ""),), "race"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "edits"), RIGHT.values(), ids=RIGHT)
def test_a_right_pipeline_gives_what_it_should_and_nobody_is_blamed(
    name: str, edits: tuple[Edit, ...]
) -> None:
    done, given, out = _run(name, *edits)
    assert not [(each.kind, each.line, each.what) for each in done.findings]
    assert np.array_equal(out, compute(name, given))


@pytest.mark.parametrize(("name", "edits", "wanted"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(name: str, edits: tuple[Edit, ...], wanted: str) -> None:
    done, _, _ = _run(name, *edits)
    assert wanted in {word for each in done.findings for word in (each.kind, each.what.code)}
