"""Clusters from source: kernels that an H200 ran, and faults where a barrier is gone."""

from __future__ import annotations

import numpy as np
import pytest

from bench.gpu.ptx.clusters import FOLDER, KERNELS, compute
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from grader.simt.launches.launching import launch

_SYNC = "cluster.sync();"


def _run(name: str, text: str) -> tuple[list[str], np.ndarray]:
    own = KERNELS[name]
    kernel, _ = lower_kernel(read_cuda(text), name)
    out, given = own.stored.copy(), [] if own.given is None else [own.given.copy()]
    cluster = None if own.cluster is None else (own.cluster,)
    arguments = (*given, out, *map(np.int32, own.numbers))
    done = launch(kernel, own.grid, own.threads, arguments, cluster=cluster, budget=3_000_000_000)
    return [finding.kind for finding in done.findings], out


@pytest.mark.parametrize("name", ["ranks", "histogram", "stencil", "flag"])
def test_kernels_store_what_an_h200_does(name):
    found, out = _run(name, (FOLDER / f"{name}.cu").read_text("utf-8"))
    assert found == []
    assert np.array_equal(out, compute(name))


@pytest.mark.parametrize("which", [0, pytest.param(-1, marks=pytest.mark.long)])
def test_a_barrier_of_the_cluster_that_is_gone_is_missed(which):
    text = (FOLDER / "histogram.cu").read_text("utf-8")
    at = text.find(_SYNC) if which == 0 else text.rfind(_SYNC)
    found, _ = _run("histogram", text[:at] + text[at + len(_SYNC) :])
    assert set(found) & {"race", "out-of-bounds"}


def test_what_a_cluster_does_not_have_is_refused_by_name():
    text = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void "
        "__cluster_dims__(2) k(int* a) { a[0] = cg::this_cluster().query_shared_rank(a); }"
    )
    with pytest.raises(Refused) as found:
        lower_kernel(read_cuda(text), "k")
    assert found.value.what.code == "cpp.no-group-function"
