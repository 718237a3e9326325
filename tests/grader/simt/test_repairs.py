"""Advice is proven: each change removes its fault when the launch runs again, or is not given."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from grader.changes import apply_changes
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.launches.api import compile_for
from grader.simt.launches.launching import launch
from grader.simt.repairs.editing import source_of
from grader.simt.repairs.relaunching import advise_in_place


def advise(source, arguments, *, grid=1, block=64):
    """Launch a kernel; return what is advised, and the kernel's source."""
    if "__global__" in source:
        parsed = read_cuda(source)
        ready, _ = lower_kernel(parsed, parsed.kernels[0])
    else:
        ready = compile_for(source, arguments)
    run = partial(launch, grid=grid, block=block, arguments=arguments, tell_harmless=True)
    kept = [each.copy() for each in arguments if isinstance(each, np.ndarray)]
    done = run(ready)
    after = [each.copy() for each in arguments if isinstance(each, np.ndarray)]
    advised = advise_in_place(
        ready, done.findings, done, arguments, lambda kernel, budget: run(kernel, budget=budget)
    )
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    assert all(np.array_equal(*pair) for pair in zip(arrays, after, strict=True))
    for array, before in zip(arrays, kept, strict=True):
        array[...] = before
    assert advised.trials.proven == len(advised.cheaper) + sum(
        each.advice is not None for each in advised.findings
    )
    return advised, source_of(ready)


def added(findings):
    """Return for each advice the lines that it adds and removes."""
    return [
        [f"{at.line}{at.sign}{at.text.strip()}" for at in each.advice.diff if at.sign != " "]
        for each in findings
        if each.advice
    ]


def floats(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


PYTHON = "from numba import cuda, float32\nimport numpy as np\n@cuda.jit\ndef k({}):\n    {}\n"
CUDA = "__global__ void k({}) {{\n    {}\n}}\n"


def python(parameters, *lines):
    return PYTHON.format(parameters, "\n    ".join(lines))


def cuda(parameters, *lines):
    return CUDA.format(parameters, "\n    ".join(lines))


TURNS = """__shared__ float s[64];
__device__ float turn(float v) {
    s[threadIdx.x] = v;
    __syncthreads();
    return s[63 - threadIdx.x];
}
__global__ void k(float *a) { a[threadIdx.x] = turn(turn(a[threadIdx.x])); }
"""
CASES = {
    "barrier before the read": (
        python(
            "a",
            "s = cuda.shared.array(64, float32)",
            "t = cuda.threadIdx.x",
            "s[t] = a[t]",
            "a[t] = s[63 - t]",
        ),
        [floats(64)],
        ["8+cuda.syncthreads()"],
    ),
    "a warp's barrier where it is enough": (
        cuda(
            "float *a",
            "__shared__ float s[64];",
            "int t = threadIdx.x;",
            "s[t] = a[t];",
            "a[t] = s[t - t % 32 + (t + 1) % 32];",
        ),
        [floats(64)],
        ["5+__syncwarp();"],
    ),
    "before a loop, not in it": (
        cuda(
            "const float *a, float *out, int n",
            "__shared__ float total;",
            "if (threadIdx.x == 0) total = 0;",
            "for (int i = threadIdx.x; i < n; i += 64)",
            "    atomicAdd(&total, a[i]);",
            "__syncthreads();",
            "out[threadIdx.x] = total;",
        ),
        [floats(200), floats(64), np.int32(200)],
        ["4+__syncthreads();"],
    ),
    "at the end of a body without braces": (
        cuda(
            "float *a",
            "__shared__ float s[64];",
            "int t = threadIdx.x;",
            "s[t] = a[t];",
            "__syncthreads();",
            "for (int h = 32; h > 0; h /= 2)",
            "    if (t < h) s[t] += s[t + h];",
            "if (t == 0) a[0] = s[0];",
        ),
        [floats(64)],
        ["7-if (t < h) s[t] += s[t + h];", "8+{ if (t < h) s[t] += s[t + h]; __syncthreads(); }"],
    ),
    "an atomic where threads update one element": (
        python("a, bins", "bins[int(a[cuda.grid(1)]) % 4] += 1"),
        [floats(64), np.zeros(4, np.int64)],
        [
            "5-bins[int(a[cuda.grid(1)]) % 4] += 1",
            "6+cuda.atomic.add(bins, int(a[cuda.grid(1)]) % 4, 1)",
        ],
    ),
    "an atomic whose old value is used": (
        cuda("float *a, int *count", "a[(*count)++] = threadIdx.x;"),
        [floats(64), np.zeros(1, np.int32)],
        ["2-a[(*count)++] = threadIdx.x;", "3+a[atomicAdd(count, 1)] = threadIdx.x;"],
    ),
    "before the pragma of a loop": (
        cuda(
            "float *a",
            "__shared__ float s[64];",
            "int t = threadIdx.x; float sum = 0;",
            "s[t] = a[t];",
            "#pragma unroll",
            "for (int i = 0; i < 4; i++) sum += s[63 - t - i & 63];",
            "a[t] = sum;",
        ),
        [floats(64)],
        ["5+__syncthreads();"],
    ),
    "between the calls of a function": (
        TURNS,
        [floats(64)],
        ["3+__syncthreads();"],
    ),
    "a barrier out of a branch": (
        python(
            "a",
            "s = cuda.shared.array(64, float32)",
            "t = cuda.threadIdx.x",
            "s[t] = 0",
            "if t < 40:",
            "    s[t] = a[t]",
            "    cuda.syncthreads()",
            "a[t] = s[t] + s[t]",
        ),
        [floats(64)],
        ["10-cuda.syncthreads()", "11+cuda.syncthreads()"],
    ),
    "a guard in the names of the line and the parameter": (
        python("a, rows", "r = cuda.grid(1)", "a[r] = 1"),
        [floats(50), 50],
        ["6-a[r] = 1", "7+if r < rows:", "7+a[r] = 1"],
    ),
    "a guard for a row of a flat array": (
        cuda(
            "float *a, int rows, int columns",
            "int r = threadIdx.x;",
            "for (int c = 0; c < columns; c++) a[r * columns + c] = r;",
        ),
        [floats(50 * 3), np.int32(50), np.int32(3)],
        [
            "3-for (int c = 0; c < columns; c++) a[r * columns + c] = r;",
            "4+for (int c = 0; c < columns; c++) { if (r < rows) a[r * columns + c] = r; }",
        ],
    ),
    "of two arguments of the size, the one that is not the length of a row": (
        cuda(
            "const float *a, float *out, int columns, int rows",
            "int r = threadIdx.x;",
            "if (r < rows) for (int c = 0; c < columns; c++) out[r] += a[r * columns + c];",
            "out[r] += 1;",
        ),
        [floats(50 * 50), floats(50), np.int32(50), np.int32(50)],
        ["4-out[r] += 1;", "5+if (r < rows) out[r] += 1;"],
    ),
    "of two arguments of the size, the one that the line compares with": (
        cuda(
            "float *a, int m, int n",
            "for (int i = threadIdx.x; i < n + 4; i += 64)",
            "    a[i] = 1;",
        ),
        [floats(50), np.int32(50), np.int32(50)],
        ["3-a[i] = 1;", "4+{ if (i < n) a[i] = 1; }"],
    ),
    "the size that is declared, not an argument of its value": (
        python(
            "a, n",
            "s = cuda.shared.array(50, float32)",
            "t = cuda.threadIdx.x",
            "s[t] = n",
        ),
        [floats(64), 50],
        ["7-s[t] = n", "8+if t < 50:", "8+s[t] = n"],
    ),
    "a comparison that is one off": (
        cuda("float *a, int n", "int i = threadIdx.x;", "if (i > n) return;", "a[i] = i;"),
        [floats(50), np.int32(50)],
        ["3-if (i > n) return;", "4+if (i >= n) return;"],
    ),
    "a constant that is no float": (
        cuda("float *a", "int t = threadIdx.x;", "a[t] = 2 * a[t] * 0.1 + 0.5f;"),
        [floats(64)],
        ["3-a[t] = 2 * a[t] * 0.1 + 0.5f;", "4+a[t] = 2 * a[t] * 0.1f + 0.5f;"],
    ),
    "two constants of a line": (
        cuda("float *a", "int t = threadIdx.x;", "a[t] = a[t] * 0.1 + max(a[t], .3);"),
        [floats(64)],
        ["3-a[t] = a[t] * 0.1 + max(a[t], .3);", "4+a[t] = a[t] * 0.1f + max(a[t], .3f);"],
    ),
    "a sum that starts as float64": (
        python("a", "t = cuda.grid(1)", "s = 0.0", "s += a[t]", "a[t] = s"),
        [floats(64)],
        ["6-s = 0.0", "7+s = float32(0.0)"],
    ),
    "an argument that is float64": (
        python("a, f", "t = cuda.grid(1)", "a[t] = a[t] * f"),
        [floats(64), 0.1],
        ["6-a[t] = a[t] * f", "7+a[t] = a[t] * float32(f)"],
    ),
    "an index that its type is too narrow for": (
        cuda("float *a, int n", "int t = threadIdx.x;", "a[(t * n + t * n) / n / 2] = 1;"),
        [floats(64), np.int32(1 << 25)],
        [
            "3-a[(t * n + t * n) / n / 2] = 1;",
            "4+a[((long long)t * n + t * n) / n / 2] = 1;",
        ],
    ),
    "an unsigned index, with the variable that holds it": (
        cuda(
            "float *a, unsigned n",
            "unsigned t = threadIdx.x;",
            "unsigned i = t * n;",
            "if (i < 64u) a[i] = 1;",
        ),
        [floats(64), np.uint32(1 << 30)],
        ["3-unsigned i = t * n;", "4+size_t i = (size_t)t * n;"],
    ),
    "a mask that names all lanes": (
        cuda(
            "int *a",
            "int t = threadIdx.x;",
            "a[t] = t + __shfl_xor_sync(0xffff, t, 16);",
        ),
        [np.zeros(64, np.int32)],
        [
            "3-a[t] = t + __shfl_xor_sync(0xffff, t, 16);",
            "4+a[t] = t + __shfl_xor_sync(0xffffffff, t, 16);",
        ],
    ),
    "a mask that names the lanes that are there": (
        python(
            "a",
            "t = cuda.grid(1)",
            "if t % 32 < 16:",
            "    a[t] = cuda.shfl_xor_sync(-1, t, 8)",
        ),
        [np.zeros(64, np.int64)],
        [
            "7-a[t] = cuda.shfl_xor_sync(-1, t, 8)",
            "8+a[t] = cuda.shfl_xor_sync(0xffff, t, 8)",
        ],
    ),
    "a choice, where a return would pass a barrier": (
        cuda(
            "const float *a, float *out, int n",
            "__shared__ float s[64];",
            "float v = a[threadIdx.x];",
            "s[threadIdx.x] = v;",
            "__syncthreads();",
            "if (threadIdx.x < n) out[threadIdx.x] = s[63 - threadIdx.x];",
        ),
        [floats(50), floats(50), np.int32(50)],
        ["3-float v = a[threadIdx.x];", "4+float v = (threadIdx.x < n ? a[threadIdx.x] : 0);"],
    ),
}


@pytest.mark.parametrize(("source", "arguments", "change"), CASES.values(), ids=CASES)
def test_an_advice_removes_its_fault_and_the_changed_source_has_none(source, arguments, change):
    advised, text = advise(source, arguments)
    findings = advised.findings
    assert added(findings) == [change]
    advice = next(each.advice for each in findings if each.advice)
    assert advice.effects[0].after == 0
    again, _ = advise(apply_changes(text, advice.changes), arguments)
    assert not any(each.kind != "warning" for each in again.findings)


def test_one_change_for_two_races_is_said_once():
    source = cuda(
        "const float *a, float *out",
        "__shared__ float x[64], y[64];",
        "int t = threadIdx.x;",
        "float s = 0;",
        "for (int i = 0; i < 4; i++) {",
        "    x[t] = a[t] * i;",
        "    y[t] = a[t] + i;",
        "    __syncthreads();",
        "    s += x[63 - t] + y[63 - t];",
        "}",
        "out[t] = s;",
    )
    advised, _ = advise(source, [floats(64), floats(64)])
    findings = advised.findings
    assert [each.array for each in findings] == ["x", "y"]
    assert added(findings) == [["10+__syncthreads();"]]
    assert [each.array for each in findings[0].advice.effects] == ["x", "y"]
    assert findings[0].advice.what.code == "repair.barrier-loop"
    assert findings[0].advice.what.fields["loop"] == 5


NOTHING = {
    "a barrier would diverge": (
        cuda(
            "float *a",
            "__shared__ float s[64];",
            "int t = threadIdx.x;",
            "if (t < 40) {",
            "    s[t] = a[t];",
            "    a[t] = s[39 - t];",
            "}",
        ),
        [floats(64)],
        {"race": ""},
    ),
    "two threads, one element": (
        cuda("float *a", "__shared__ float s[64];", "s[threadIdx.x / 2] = a[threadIdx.x];"),
        [floats(64)],
        {"race": ""},
    ),
    "several arguments of the size": (
        cuda("float *a, int m, int n", "a[threadIdx.x] = m + n;"),
        [floats(50), np.int32(50), np.int32(50)],
        {"out-of-bounds": "advice.both"},
    ),
    "an array that holds one row": (
        cuda(
            "float *a, int rows, int columns",
            "for (int c = 0; c < columns; c++) a[threadIdx.x * columns + c] = rows;",
        ),
        [floats(64), np.int32(64), np.int32(64)],
        {"out-of-bounds": "advice.several-sizes"},
    ),
}


@pytest.mark.parametrize(("source", "arguments", "hints"), NOTHING.values(), ids=NOTHING)
def test_no_change_is_given_where_none_helps_or_no_name_is_determined(source, arguments, hints):
    advised, _ = advise(source, arguments)
    assert {each.kind: each.hint.code if each.hint else "" for each in advised.findings} == hints
    assert added(advised.findings) == []


SUM = (
    "__shared__ float total;",
    "if (threadIdx.x == 0) total = 0;",
    "__syncthreads();",
    "{}",
    "__syncthreads();",
    "if (threadIdx.x == 0) out[0] = total;",
)
LOOP = "for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&total, a[i]);"
CHEAPER = {
    "a pitch": (
        python(
            "a, out",
            "s = cuda.shared.array((32, 32), float32)",
            "x = cuda.threadIdx.x",
            "y = cuda.threadIdx.y",
            "s[y, x] = a[y, x]",
            "cuda.syncthreads()",
            "out[y, x] = s[x, y]",
        ),
        [floats(32, 32), floats(32, 32)],
        (32, 32),
        {"shared_wavefronts": (1056, 64)},
    ),
    "a pitch of a flat array": (
        cuda(
            "const float *a, float *out",
            "__shared__ float s[32 * 32];",
            "int x = threadIdx.x, y = threadIdx.y;",
            "s[y * 32 + x] = a[y * 32 + x];",
            "__syncthreads();",
            "out[y * 32 + x] = s[x * 32 + y];",
        ),
        [floats(1024), floats(1024)],
        (32, 32),
        {"shared_wavefronts": (1056, 64)},
    ),
    "a sum in a register": (
        cuda(
            "const float *a, float *out, int n",
            *(line.format(LOOP) for line in SUM),
        ),
        [floats(650), floats(1), np.int32(650)],
        64,
        {"atomic_lanes": (650, 64)},
    ),
    "a sum of a warp, of the lanes that have an element": (
        python("a, out, n", "i = cuda.grid(1)", "if i < n:", "    cuda.atomic.add(out, 0, a[i])"),
        [floats(50), floats(1), 50],
        64,
        {"atomic_lanes": (50, 2)},
    ),
    "a sum of a warp": (
        cuda(
            "const float *a, float *out",
            *(line.format("atomicAdd(&total, a[threadIdx.x]);") for line in SUM),
        ),
        [floats(64), floats(1)],
        64,
        {"atomic_lanes": (64, 2)},
    ),
}


@pytest.mark.parametrize(("source", "arguments", "block", "effect"), CHEAPER.values(), ids=CHEAPER)
def test_a_launch_without_faults_is_made_cheaper(source, arguments, block, effect):
    advised, _ = advise(source, arguments, block=block)
    assert {
        each.subject: (each.before, each.after)
        for found in advised.cheaper
        for each in found.effects
    } == effect
