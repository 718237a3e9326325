"""Kernels that NVRTC compiled (tests/data/ptx/examples.cu): what they give, count and do wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_DATA = Path(__file__).parents[3] / "data" / "ptx"
_FILE = "examples.cu"
_LINES = tuple((_DATA / _FILE).read_text().split("\n"))
_MODULE = read_ptx((_DATA / "examples.ptx").read_text())
_TRITON = (_DATA / "triton_kernels.py").read_text().split("\n")
_RANDOM = np.random.default_rng(3)


def _run(
    name: str, grid: Any, block: Any, *arguments: Any, printed: list[str] | None = None
) -> Launch:
    kernel = find_kernel(_MODULE, name)
    ready = lower_ptx(_MODULE, kernel, list_fields(kernel), sources={_FILE: _LINES})
    out = printed.append if printed is not None else None
    return launch(ready, grid, block, arguments, budget=50_000_000, printed=out)


def _line(text: str) -> int:
    """Return the line of the source that has a text."""
    return next(number for number, line in enumerate(_LINES, 1) if text in line)


def _found(done: Launch) -> list[tuple[str, str]]:
    return [(each.kind, _LINES[each.line - 1].strip()) for each in done.findings]


def test_a_transpose_counts_by_the_lines_of_its_source() -> None:
    n = 48
    image, out = _RANDOM.random((n, n), np.float32), np.zeros((n, n), np.float32)
    done = _run("transpose", (2, 2), (32, 8), image.reshape(-1), out.reshape(-1), np.int32(n))
    assert np.array_equal(out, image.T)
    assert not done.findings
    load = done.line(_line("= tile[threadIdx.x][y]"), _FILE)
    # Blocks of 32 × 32, 32 × 16, 16 × 32 and 16 × 16: each row of a column is in one bank.
    assert load["shared_load_requests"] == 32 + 16 + 32 + 16
    assert load["shared_load_wavefronts"] == 32 * 32 + 16 * 32 + 32 * 16 + 16 * 16


def test_a_call_shuffles_constants_and_printf() -> None:
    n = 7
    values, out = np.linspace(-9, 50, n).astype(np.float32), np.zeros(1, np.float32)
    said: list[str] = []
    done = _run("sums", 1, 64, values, out, np.int32(n), printed=said)
    weighed = [np.sin(x) if i % 4 > 2 else x * (i % 4) for i, x in enumerate(values)]
    wanted = sum(x * (2.0 if i & 1 else 0.5) for i, x in enumerate(weighed))
    assert out[0] == pytest.approx(wanted, rel=1e-5)
    assert said == [f"7 of {out[0]:5.2f}"]
    assert not done.findings


@pytest.mark.parametrize("name", ["fragments", "products"])
def test_tensor_cores_multiply_matrices(name: str) -> None:
    left, right = (_RANDOM.integers(-8, 8, 256).astype(np.float16) for _ in range(2))
    columns = 16 if name == "fragments" else 8
    out = np.zeros(16 * columns, np.float32)
    done = _run(name, 1, 32, left, right, out)
    wanted = left.reshape(16, 16).astype(float) @ right.reshape(16, 16)[:columns].T.astype(float)
    assert np.array_equal(out.reshape(16, columns), wanted)
    assert not done.findings
    if name == "products":  # rows 32 bytes apart: two of the eight of a matrix in each bank
        assert (
            done.line(_line("ldmatrix.sync.aligned.m8n8.x4"), _FILE)["shared_load_wavefronts"] == 8
        )


@pytest.mark.parametrize("name", ["pipeline", "lax_pipeline"])
def test_a_wait_that_is_one_group_too_lax(name: str) -> None:
    n = 5
    given, out = _RANDOM.random(n * 128, np.float32), np.zeros(n * 128, np.float32)
    done = _run(name, 1, 32, given, out, np.int32(n))
    right = np.array_equal(out.reshape(n, 32, 4), given.reshape(n, 32, 4)[:, ::-1])
    if name == "pipeline":
        assert right
        assert not done.findings
    else:
        assert not right
        assert ("uninitialised-read", "out[(i - 1) * 32 + t] = tiles[(i - 1) % 2][31 - t];") in (
            _found(done)
        )


_WRONG: tuple[tuple[str, Any, str, str], ...] = (
    ("unguarded", (np.zeros(40, np.float32), np.zeros(40, np.float32), np.int32(1)),
     "out-of-bounds", "out[i] = in[i] + n;"),
    ("racing", (np.zeros(64, np.float32),), "race", "out[threadIdx.x] = values[63 - threadIdx.x];"),
    ("apart", (np.zeros(64, np.float32),), "barrier-divergence",
     "if (threadIdx.x < 16) __syncthreads();"),
    ("spinning", (np.zeros(1, np.int32),), "no-progress", "while (atomicAdd(flag, 0) == 0) {}"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "kind", "line"), _WRONG)
def test_what_is_wrong_is_found_at_its_line(
    name: str, arguments: tuple[Any, ...], kind: str, line: str
) -> None:
    assert (kind, line) in _found(_run(name, 1, 64, *arguments))


def test_a_loop_lets_the_threads_go_on_that_it_waits_for() -> None:
    flag, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    done = _run("handshake", 1, 32, flag, out)
    assert done.finished
    assert (int(flag[0]), int(out[0])) == (1, 5)


@pytest.mark.parametrize("register", ["%clock64", "%globaltimer"])
def test_a_loop_that_waits_for_a_time_ends(register: str) -> None:
    module = read_ptx(
        f"""
        .version 8.0 .target sm_80 .address_size 64
        .visible .entry wait(.param .u64 ticks) {{
            .reg .pred %p; .reg .b64 %t<4>;
            ld.param.u64 %t0, [ticks];
            mov.u64 %t1, {register};
        again:
            mov.u64 %t2, {register};
            sub.s64 %t3, %t2, %t1;
            setp.lt.s64 %p, %t3, %t0;
            @%p bra again;
            ret;
        }}"""
    )
    kernel = find_kernel(module, "wait")
    ready = lower_ptx(module, kernel, list_fields(kernel))
    assert launch(ready, 1, 64, [np.int64(2_000_000)], budget=50_000_000).finished


@pytest.mark.parametrize("n", [3, 4])
def test_a_trap_ends_the_launch(n: int) -> None:
    done = _run("trapping", 1, 32, np.int32(n))
    assert (done.ended is None) == (n == 3)
    if done.ended is not None:
        assert done.ended.line == _line("__trap()")


_CHOSEN = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p;
.reg .b32 %i, %leader, %v, %same;
.reg .b64 %out, %at;
ld.param.u64 %out, [out];
mov.u32 %i, %tid.x;
mov.u32 %v, 0;
setp.lt.u32 %p, %i, 5;
@%p bra END;
elect.sync %leader|%p, 0xffffffe0;
@%p mov.u32 %v, 1;
match.all.sync.b32 %same|%p, %leader, 0xffffffe0;
@%p mad.lo.u32 %v, %leader, 10, %v;
END:
mad.wide.u32 %at, %i, 4, %out;
st.global.u32 [%at], %v;
ret;
}
"""


def test_a_warp_learns_which_of_its_threads_is_chosen() -> None:
    module = read_ptx(_CHOSEN)
    kernel, out = find_kernel(module, "k"), np.full(32, 9, np.int32)
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), 1, 32, [out])
    assert out.tolist() == [0] * 5 + [51] + [50] * 26
    assert not done.findings


_INDEXED = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .align 4 .b8 many[128])
{
.reg .b32 %i, %v;
.reg .b64 %out, %at, %from;
ld.param.u64 %out, [out];
mov.b64 %from, many;
mov.u32 %i, %tid.x;
mul.wide.u32 %at, %i, 4;
add.s64 %from, %from, %at;
add.s64 %at, %out, %at;
ld.param.u32 %v, [%from];
st.global.u32 [%at], %v;
ret;
}
"""


def test_a_parameter_is_read_at_an_address_that_each_thread_computes() -> None:
    module = read_ptx(_INDEXED)
    kernel, out = find_kernel(module, "k"), np.zeros(32, np.int32)
    fields, many = list_fields(kernel), _RANDOM.integers(0, 99, 16)
    assert [each.offset for each in fields] == [0, *range(0, 128, 8)]
    done = launch(lower_ptx(module, kernel, fields), 1, 32, [out, *many])
    assert out.tolist() == many.view(np.int32).tolist()
    assert not done.findings


def _run_triton(name: str, grid: Any, shared: int, *arguments: Any) -> Launch:
    """Run what Triton made of a kernel of triton_kernels.py, for 4 warps."""
    module = read_ptx((_DATA / f"{name}.ptx").read_text())
    kernel = find_kernel(module, name)
    fields = list_fields(kernel, [f"given_{at}" for at in range(len(arguments))])
    lines = tuple((_DATA / "triton_kernels.py").read_text().split("\n"))
    ready = lower_ptx(module, kernel, fields, path="triton_kernels.py", sources={"": lines})
    return launch(ready, grid, 128, arguments, shared_bytes=shared)


def test_what_triton_compiles_is_right_and_counted_by_its_lines() -> None:
    x = _RANDOM.normal(size=(8, 100)).astype(np.float32)
    out = np.zeros_like(x)
    done = _run_triton("softmax", 8, 16, x, out, np.int32(100), np.int32(100))
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    assert np.allclose(out, powers / powers.sum(axis=1, keepdims=True), atol=1e-6)
    assert not done.findings
    load = next(at for at, line in enumerate(_TRITON, 1) if "values = tl.load" in line)
    # Three warps read 128 bytes each, the fourth 16; every second row begins within a sector.
    assert done.line(load)["global_load_sectors"] == 4 * (3 * 4 + 1) + 4 * (3 * 5 + 1)

    a, b = (_RANDOM.integers(-4, 5, (64, 64)).astype(np.float16) for _ in range(2))
    c = np.zeros((64, 64), np.float32)
    done = _run_triton("matmul", (2, 2), 8192, a, b, c, np.int32(64))
    assert np.array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
    assert not done.findings
