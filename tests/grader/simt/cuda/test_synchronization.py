"""libcu++'s barriers, pipelines and atomics from headers of ours: who is blamed for what.

That they compute what an H200 does is tested in `tests.commands.test_profile_programs`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

_SOURCE = (Path(__file__).parents[3] / "data" / "cuda_synchronization.cu").read_text("utf-8")


def _run(name, grid, block, old="", new=""):
    before, body = _SOURCE.split(f"__global__ void {name}(")
    source = f"{before}__global__ void {name}({body.replace(old, new, 1) if old else body}"
    assert (source != _SOURCE) == bool(old)
    lowered, types = lower_kernel(read_cuda(source), name)
    kind = np.float32 if name == "halves" else np.int32
    given = [np.arange(1, 2049, dtype=kind) for _ in types]
    done = launch(lowered, grid, block, given)
    lines = source.splitlines()
    return {(each.kind, lines[each.line - 1].strip()): each.hint for each in done.findings}


@pytest.mark.parametrize(
    ("name", "grid", "block"),
    [("message", 2, 128), ("halves", 2, 128), ("staged", 1, 128), ("specialized", 1, 96)],
)
def test_nobody_is_blamed_who_waits(name, grid, block):
    assert not _run(name, grid, block)


_COPY = (
    "cuda::memcpy_async(&tile[k % STAGES][i], in + k * 64 + i, cuda::aligned_size_t<4>(4), pipe);"
)


@pytest.mark.parametrize(
    ("kernel", "old", "new", "kind", "line"),
    [
        (("message", 2, 128), "release", "relaxed", "global-race",
         "out[threadIdx.x] = data[THREADS - 1 - threadIdx.x];"),
        (("message", 2, 128), "acquire", "relaxed", "global-race",
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
    hint = _run(*kernel, old, new)[kind, line]
    of_pipeline = hint is not None and hint.code == "finding.no-progress.pipeline"
    assert of_pipeline == (kind == "no-progress" and line.startswith("pipe."))


_FILLS, _FREES = "(void)full.arrive();", "(void)empty.arrive();"
_BOTH = f"""
#include <cuda/barrier>
__global__ void k(int *a) {{
    __shared__ int slot[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    if (threadIdx.x == 0) {{
        init(&full, 64);
        init(&empty, 64);
    }}
    __syncthreads();
    if (threadIdx.x < 32) {{
        for (int t = 0; t < 4; ++t) {{
            empty.arrive_and_wait();
            slot[threadIdx.x] = t;
            {_FILLS}
        }}
    }} else {{
        (void)empty.arrive();
        for (int t = 0; t < 4; ++t) {{
            full.arrive_and_wait();
            a[threadIdx.x] = slot[threadIdx.x - 32];
            {_FREES}
        }}
    }}
}}
"""


@pytest.mark.parametrize(("missing", "filled"), [(_FILLS, 0), (_FREES, 1)])
def test_all_that_wait_are_named_with_what_their_barrier_misses(missing, filled):
    """Both barriers miss 32 arrivals; the phases tell which one nobody arrives at."""
    lowered, _ = lower_kernel(read_cuda("".join(_BOTH.rsplit(missing, 1))), "k")
    lines = _BOTH.splitlines()
    found = [
        (
            lines[each.line - 1].strip(),
            each.what.fields["barrier"].fields["name"],
            each.what.fields["thread"],
            *(each.what.fields[name] for name in ("pending", "ended")),
            each.count,
        )
        for each in launch(lowered, 2, 64, [np.zeros(64, np.int32)]).findings
    ]
    assert found == [
        ("empty.arrive_and_wait();", "empty", "(0, 0, 0)", 32, 1, 64),
        ("full.arrive_and_wait();", "full", "(32, 0, 0)", 32, filled, 64),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{} while (!b.try_wait(b.arrive())) {{}}", "cpp.no-member"),
        ("{} b.arrive(); while (!b.try_wait_parity(false)) {{}}", "cpp.no-member"),
        ("{} auto token = b.arrive(); b.wait(token);", "cpp.not-moved"),
        ("__shared__ cuda::barrier<> b;", "cpp.template-arguments"),
        ("__shared__ cuda::barrier<cuda::thread_scope_block> b(32);", "cpp.shared-initializer"),
        ("__shared__ cuda::latch<cuda::thread_scope_block> b;", "cpp.no-library-name"),
        ("__shared__ Own b;", "cpp.no-overload"),
        ("__shared__ Own b[4];", "cpp.no-overload"),
        ("__shared__ int b; (void)new (&b) int(3);", "cpp.no-new"),
    ],
)
def test_what_cuda_13_rejects_of_barriers_is_not_taken(text, code):
    """Asked of NVRTC 13.0 with CUDA's own headers, but for the last one, which is not emulated."""
    ready = "__shared__ cuda::barrier<cuda::thread_scope_block> b; init(&b, blockDim.x);"
    source = (
        "#include <cuda/barrier>\n#include <cuda/latch>\n"
        "struct Own { int n; __device__ Own(int n) : n(n) {} };\n"
        f"__global__ void k(int* out) {{ {text.format(ready)} }}\n"
    )
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(source), "k")
    assert (error.value.what.code, error.value.line) == (code, 4)


_LOCK = """
#include <cuda/atomic>
__device__ int word;
__global__ void k(int* sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(word);
  if (threadIdx.x == 0) {
    while (lock.exchange(1, cuda::memory_order_acquire) != 0) {}
    *sum += 1;
    lock.store(0, cuda::memory_order_release);
  }
}
"""


@pytest.mark.parametrize("missing", ["", "acquire", "release"])
def test_blocks_take_a_lock_in_turn_with_both_orders(missing):
    source = _LOCK.replace(missing, "relaxed") if missing else _LOCK
    kernel, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(1, np.int32)
    done = launch(kernel, 5, 64, [out])
    assert (bool(done.findings), out[0]) == (bool(missing), 5)


_STAGES = """
#include <cuda_pipeline.h>
#include <cuda/pipeline>
__global__ void k(const float* a, float* out) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    COPY
    WAIT
    __syncthreads();
    out[i * 64 + t] = s[i % 2][READ];
    __syncthreads();
  }
}
"""
_PRIMITIVES = (
    "__pipeline_memcpy_async(&s[i % 2][t], &a[i * 64 + t], 4); __pipeline_commit();",
    "__pipeline_wait_prior({});",
)
_PIPELINE = (
    (
        "auto p = cuda::make_pipeline(); p.producer_acquire();"
        " cuda::memcpy_async(&s[i % 2][t], &a[i * 64 + t], 4, p); p.producer_commit();"
    ),
    "cuda::pipeline_consumer_wait_prior<{}>(p);",
)


@pytest.mark.parametrize(("copy", "wait"), [_PRIMITIVES, _PIPELINE])
@pytest.mark.parametrize(("read", "code"), [("t", "own-copy"), ("63 - t", "other-copy")])
def test_a_lax_wait_is_named_beside_the_copy_that_it_leaves(copy, wait, read, code):
    text = _STAGES.replace("COPY", copy).replace("READ", read)
    a = np.arange(192, dtype=np.float32)
    for most in (0, 1):
        kernel, _ = lower_kernel(read_cuda(text.replace("WAIT", wait.format(most))), "k")
        done = launch(kernel, 1, 64, [a, np.zeros_like(a)])
        found = [each for each in done.findings if each.what.code == "finding.lax-wait"]
        assert bool(done.findings) == bool(most)
        assert {(each.line, each.other_line) for each in found} == ({(11, 8)} if most else set())
        for each in found:
            assert each.what.fields["wait"] == 9
            assert each.what.fields["found"].code == f"finding.{code}"
