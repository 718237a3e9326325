"""Clusters of several blocks: right kernels, and one fault each, at its line.

`nvcc` compiled tests/data/ptx/clusters/*.cu; faults are edits of its text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.gpu.ptx import hopper
from bench.gpu.ptx.clusters import KERNELS, compute, read
from grader.simt.errors import DeviceRefusal
from grader.simt.geometry import order_by_cluster
from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

Edit = tuple[str, str]


def _edit(name: str, *edits: Edit) -> str:
    text = read(name)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def _run(name: str, text: str, **asked: Any) -> tuple[Launch, NDArray[Any]]:
    module, own = read_ptx(text), KERNELS[name]
    kernel, out = find_kernel(module, name), own.stored.copy()
    given = [] if own.given is None else [own.given.copy()]
    arguments = (*given, out, *map(np.int32, own.numbers))
    cluster = None if own.cluster is None else (own.cluster,)
    ready = lower_ptx(module, kernel, list_fields(kernel))
    asked = {"cluster": cluster, "budget": 3_000_000_000, **asked}
    return launch(ready, own.grid, own.threads, arguments, **asked), out


_MEET = "\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;\n"
_INLINE = "barrier.cluster.arrive;\nbarrier.cluster.wait;"
_FILLED = f"\tst.shared.f32 \t[%r4], %f7;\n{_MEET}"
_LEFT = f"\tst.global.f32 \t[%rd13], %f12;\n{_MEET}"
_READ = "ld.f32 \t%f13, [%rd8+508];"
_CLEARED = f"\tst.shared.u32 \t[_ZZ4flagE5ready], %r4;\n$L__BB0_2:\n{_MEET}"
_DONE = f"\tst.global.f32 \t[%rd17], %f5;\n{_MEET}"
_INIT = "\tfence.mbarrier_init.release.cluster;\n"
_WAIT_FULL = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%r55], %r56;"
_WAIT_EMPTY = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%r25], %r26;"
_NO_WAIT = "setp.eq.u32 p, 0, 0;"
_TELLS = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r43];"
_FENCED = "\tfence.acq_rel.cluster;\n"
_STARTS = "mapa.u64 \t%rd8, %rd7, %r11;"
_ZEROED = f"\tmov.u32 \t%r5, %ntid.x;\n{_MEET}"
_BRANCHES = "\tsetp.eq.s32 \t%p1, %r3, 0;"
_ADDS = "\tfma.rn.f32 \t%f9, %f7, %f6, %f9;"
_LAST_READ = f"{_ADDS}\n\t// begin inline asm\n\t{_INLINE}"

RIGHT: dict[str, tuple[str, tuple[Edit, ...]]] = {
    **{name: (name, ()) for name in KERNELS},
    "arrival and wait apart": (
        "stencil", ((_FILLED, _FILLED.replace("\tbarrier.cluster.wait;\n", "")),
                    (_BRANCHES, f"\tbarrier.cluster.wait;\n{_BRANCHES}")),
    ),
    "a fence before a relaxed arrival": (
        "stencil", ((_FILLED, _FILLED.replace("barrier.cluster.arrive;",
                     "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;")),),
    ),
    "no barrier at the end: each block waits for the other's flag": (
        "flag", ((_DONE, _DONE.replace(_MEET, "")),),
    ),
    "an arrival that nobody waits for": (
        "ranks", (("\tret;", "\tbarrier.cluster.arrive;\n\tret;"),),
    ),
}  # fmt: skip
FAULTS: dict[str, tuple[str, tuple[Edit, ...], str, str]] = {
    "no barrier before others read": (
        "stencil", ((_FILLED, _FILLED.replace(_MEET, "\tbar.sync \t0;\n")),), "race", _READ,
    ),
    "others may not have started": (
        "histogram", ((_ZEROED, _ZEROED.replace(_MEET, "\tbar.sync \t0;\n")),),
        "finding.cluster-start", "atom.add.u32",
    ),
    "the first arrival is relaxed": (
        "stencil", ((_FILLED, _FILLED.replace("arrive;", "arrive.relaxed;")),), "race", _READ,
    ),
    "no barrier before the end": (
        "stencil", ((_LEFT, _LEFT.replace(_MEET, "")),), "finding.cluster-exit", _READ,
    ),
    "the last barrier is relaxed on one side": (
        "stencil", ((_LEFT, _LEFT.replace("arrive;", "arrive.relaxed;")),),
        "finding.cluster-exit", _READ,
    ),
    "a block that is not there": (
        "stencil", ((_STARTS, "add.s32 %r11, %r11, 4; " + _STARTS),), "finding.no-rank", _STARTS,
    ),
    "two arrivals": (
        "stencil", ((_FILLED, _FILLED.replace("arrive;", "arrive;\n\tbarrier.cluster.arrive ;")),),
        "finding.cluster-twice", "barrier.cluster.arrive ;",
    ),
    "a wait without arrival": (
        "stencil", ((_LEFT, _LEFT.replace("arrive;\n\tbarrier.cluster.wait;",
                                          "arrive; barrier.cluster.wait;\n"
                                          "\tbarrier.cluster.wait ;")),),
        "finding.cluster-never", "barrier.cluster.wait ;",
    ),
    "nobody clears the flag first": (
        "flag", ((_CLEARED, _CLEARED.replace(_MEET, "")),), "finding.cluster-start", "st.f32",
    ),
    "no fence before the flag": (
        "flag", ((_FENCED, ""), ("st.release.cluster", "st.relaxed.cluster")), "race",
        "ld.shared.f32 \t%f4",
    ),
    "initialized barriers are not published": (
        "handoff", ((_INIT, ""),), "finding.barrier-early", "",
    ),
    "a remote arrival goes to the own block": (
        "handoff", ((_TELLS, _TELLS.replace("%r43", "%r44")),), "finding.no-progress.phase",
        "mbarrier.try_wait",
    ),
    "the other block is not told": (
        "handoff", ((_TELLS, ""),), "finding.no-progress.phase", "mbarrier.try_wait",
    ),
    "a stage is refilled too early": (
        "handoff", ((_WAIT_EMPTY, _NO_WAIT),), "finding.no-progress.phase", "mbarrier.try_wait",
    ),
    "no barrier behind the last remote arrival": (
        "handoff", ((f"\t{_INLINE}\n\t// end inline asm\n\tret;", "\tret;"),),
        "finding.cluster-exit", "",
    ),
    "the multicast leaves one block out": (
        "multicast", (("mov.u16 \t%rs1, 15;", "mov.u16 \t%rs1, 7;"),),
        "finding.no-progress.bytes", "mbarrier.try_wait",
    ),
    "the multicast names a fifth block": (
        "multicast", (("mov.u16 \t%rs1, 15;", "mov.u16 \t%rs1, 31;"),), "finding.no-rank",
        "cp.async.bulk",
    ),
    "the tile is refilled while others read": (
        "multicast", ((_LAST_READ, f"{_ADDS}\n\tbar.sync \t0;"),), "race", "",
    ),
    "fewer bytes are expected": (
        "stores", (("[%r11], 1536;", "[%r11], 1024;"),), "finding.no-progress.bytes-over", "",
    ),
    "no proxy fence before the copy between blocks": (
        "stores", (("\tfence.proxy.async.shared::cta;\n", ""),), "finding.no-proxy-fence",
        "cp.async.bulk",
    ),
    "nobody waits for the copy between blocks": (
        "stores", (("p, [%r54], %r32;", "p, [%r16], %r32;"),), "uninitialised-read",
        "ld.shared.u32 \t%r59",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "edits"), RIGHT.values(), ids=RIGHT)
def test_a_right_kernel_stores_what_it_should_and_nobody_is_blamed(
    name: str, edits: tuple[Edit, ...]
) -> None:
    done, out = _run(name, _edit(name, *edits))
    assert not [(each.kind, each.line, each.what) for each in done.findings]
    assert np.array_equal(out, compute(name))
    assert hopper.digest(out) == hopper.load()[f"clusters/{name}"]


@pytest.mark.parametrize(("name", "edits", "wanted", "where"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_at_its_line(
    name: str, edits: tuple[Edit, ...], wanted: str, where: str
) -> None:
    text = _edit(name, *edits)
    done, _ = _run(name, text)
    lines = {each.line for each in done.findings if wanted in (each.kind, each.what.code)}
    assert lines, [(each.kind, each.line, each.what) for each in done.findings]
    there = {at for at, line in enumerate(text.splitlines(), 1) if where in line}
    assert lines & there


@pytest.mark.parametrize("order", [3, -3])
@pytest.mark.parametrize("name", ["ranks", "stencil", "multicast"])
def test_clusters_run_in_any_order_and_stay_together(name: str, order: int) -> None:
    done, out = _run(name, read(name), order=order)
    assert not done.findings
    assert np.array_equal(out, compute(name))


def test_blocks_of_a_cluster_follow_each_other_by_rank() -> None:
    assert order_by_cluster((8, 1, 1), (4, 1, 1), None) is None
    found = order_by_cluster((4, 2, 2), (2, 2, 1), None)
    assert found == (0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15)
    drawn = order_by_cluster((4, 1, 1), (2, 1, 1), (3, 2, 1, 0))
    assert drawn == (2, 3, 0, 1)


@pytest.mark.parametrize(
    ("name", "cluster", "wanted"),
    [
        ("stencil", (2,), "launch.cluster-differs"),
        ("reduce", (32,), "launch.cluster-large"),
        ("reduce", (3,), "launch.cluster-grid"),
        ("reduce", (0, 1), "launch.cluster-sizes"),
    ],
)
def test_clusters_that_cannot_be_are_refused(
    name: str, cluster: tuple[int, ...], wanted: str
) -> None:
    with pytest.raises(DeviceRefusal) as refused:
        _run(name, read(name), cluster=cluster)
    assert refused.value.what.code == wanted
