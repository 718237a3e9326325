"""`quiz profile program.cu`: whole programs in CUDA C++, whose host part is compiled."""

from __future__ import annotations

import json
import shutil

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT, USAGE

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)
RIGHT = """\
#include "scale.cuh"
#include <cuda_fp16.h>
#include <cstdio>
#include <vector>
#define LAUNCH(kernel, ...) kernel<<<2, 32>>>(__VA_ARGS__)

__constant__ float weights[2] = {1, 2};
__device__ int calls;
struct Pair { float *values; int n; short more[2]; };
namespace own {
template <typename T, int N>
__global__ void add(const T *a, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * weights[1] + N;
    if (i == 0) {
        atomicAdd(&calls, 1);
        printf("in the kernel\\n");
    }
}
}
template <typename T> __global__ void put(T *out, Pair p) { out[0] = p.n; }
template <> __global__ void put<int>(int *out, Pair p) { out[0] = -p.n; }
__global__ void put(float *out, Pair p, float4 v) { out[0] = p.values[p.n] + v.z + p.more[1]; }
__global__ void gather(float **rows, float *out) { out[threadIdx.x] = rows[threadIdx.x][0]; }

int main(int argc, char **argv) {
    std::vector<float> a(64, 3.0f);
    float *d, *out, *rows[2], **table;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    cudaMemcpy(d, a.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    float given[] = {0, 10};
    cudaMemcpyToSymbol(weights, given, sizeof given);
    printf("before\\n");
    own::add<float, 7><<<dim3(2), 32>>>(d, out, 64);
    cudaDeviceSynchronize();
    printf("after %g %g\\n", out[0], out[63]);
    LAUNCH(scale, d, twice(2.0f));
    int count;
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    rows[0] = d + 1, rows[1] = d + 2;
    cudaMalloc(&table, sizeof rows);
    cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
    gather<<<1, 2>>>(table, out);
    float two[2];
    cudaMemcpy(two, out, sizeof two, cudaMemcpyDefault);
    printf("%s %d %g %g\\n", argv[argc - 1], count, two[0], two[1]);
    printf("%s\\n", cudaGetErrorString(cudaMemcpy(two, d, 1000, cudaMemcpyDeviceToHost)));
    printf("%g\\n", __half2float(__float2half(0.1f)));
    int one, *ints = (int *)d;
    put<<<1, 1>>>(ints, {d, 5});
    cudaMemcpy(&one, d, sizeof one, cudaMemcpyDeviceToHost);
    put<<<1, 1>>>(out, {d, 6});
    float before = *out;
    put<<<1, 1>>>(out, {d, 9, {0, 1}}, make_float4(0, 0, 100, 0));
    printf("%d %g %g\\n", one, before, *out);
}
"""
INCLUDED = """\
#pragma once
__host__ __device__ inline float twice(float x) { return 2 * x; }
__global__ void scale(float *a, float by) { a[blockIdx.x * 32 + threadIdx.x] *= twice(by); }
"""


@pytest.fixture
def source(tmp_path):
    def write(text: str, name: str = "program.cu"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@needs_compiler
def test_a_program_computes_what_it_does_on_a_device(quiz, source):
    source(INCLUDED, "scale.cuh")
    done = quiz("profile", source(RIGHT), "--", "--size", "4")
    assert done.returncode == OK, done.stderr
    printed = done.stdout.splitlines()[:7]
    assert printed == [
        "before", "in the kernel", "after 37 37", "4 1 24 24", "invalid argument", "0.0999756",
        "-5 6 125",
    ]  # fmt: skip
    assert "own::add" not in done.stderr
    lines = RIGHT.splitlines()
    for launch in ("own::add<float, 7><<<", "LAUNCH(scale", "gather<<<"):
        [at] = [at for at, line in enumerate(lines, 1) if line.strip().startswith(launch)]
        assert f"launched from line {at}" in done.stdout
    assert "scale.cuh" in done.stdout


FAULTY = """\
#include <cstdio>
__global__ void over(float *out, int n) {
    if (threadIdx.x < n)
        out[threadIdx.x] = 1; // here
}
__global__ void reverse(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    float host[64], *d;
    cudaMalloc(&d, 64 * sizeof(float));
    over<<<1, 64>>>(d + 1, 64);
    over<<<1, 64>>>(host, 64);
    reverse<<<1, 64>>>(d);
    over<<<1, 2048>>>(d, 64);
    printf("%s\\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(d);
    over<<<1, 64>>>(d, 64);
    return (int)d[0];
}
"""


@needs_compiler
def test_faults_are_found_and_a_crash_keeps_the_report(quiz, source):
    done = quiz("profile", source(FAULTY), "--json")
    assert done.returncode == SCRIPT
    launches = json.loads(done.stdout)["launches"]
    kinds = [[finding["kind"] for finding in launch["findings"]] for launch in launches]
    assert kinds == [
        ["out-of-bounds"],
        ["out-of-bounds"],
        ["uninitialised-read", "race"],
        ["resources"],
        ["out-of-bounds"],
    ]
    assert [launches[0]["findings"][0]["line"], launches[0]["caller"]["line"]] == [4, 14]
    codes = [launch["findings"][0]["what"]["code"] for launch in launches]
    assert codes[1] == "finding.host-pointer"
    assert codes[4] == "finding.wild-pointer"
    assert "cudaErrorInvalidConfiguration" in done.stderr
    assert "ended by signal" in done.stderr
    assert "through a pointer to device memory" in done.stderr


UNWRITTEN = {
    # what the host does with int *d, *e of 64 elements : the launch, and its first unwritten index
    "": ("add", 0),
    "cudaMemset(d, 0, 64);": ("add", 16),
    "cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);": ("scale", 32),
    "cudaMemset(d, 0, 256); cudaFree(d); cudaMalloc(&d, 256);": ("scale", 0),
    "cudaMemset(e, 0, 4); cudaMemcpy(d, e, 256, cudaMemcpyDeviceToDevice);": ("scale", 1),
    "cudaMemset2D(d, 128, 0, 64, 2);": ("scale", 16),
    "fill<<<1, 30>>>(d, d);": ("scale", 30),
    "cudaMemset(d, 0, 256);": ("add", None),
    "fill<<<1, 64>>>(d, d);": ("scale", None),
    "cudaMemset(e, 0, 256); cudaMemcpy(d, e, 256, cudaMemcpyDeviceToDevice);": ("scale", None),
    "cudaMemcpy2D(d, 128, h, 128, 128, 2, cudaMemcpyHostToDevice);": ("add", None),
    "cudaMallocManaged(&d, 256); for (int i = 0; i < 64; i++) d[i] = i;": ("scale", None),
    "cudaGetSymbolAddress((void **)&d, symbol);": ("add", None),
    "cudaMemcpy(e, h, 256, cudaMemcpyHostToDevice);": ("through", None),
}
KERNELS = """\
__device__ int symbol[64];
__global__ void fill(int *a, int *) { a[threadIdx.x] = 1; }
__global__ void add(int *a, int *) {
    atomicAdd(&a[threadIdx.x], 1);
}
__global__ void scale(int *a, int *) {
    a[threadIdx.x] *= 2;
}
__global__ void through(int *a, int *b) {
    a[threadIdx.x] = b[threadIdx.x];
    b[threadIdx.x] = a[threadIdx.x];
}
"""


@needs_compiler
def test_device_memory_that_nothing_has_written_is_found_where_it_is_read(quiz, source):
    calls = [
        f"{{ int *d, *e; cudaMalloc(&d, 256); cudaMalloc(&e, 256); {given} "
        f"{kernel}<<<1, 64>>>(d, e); }}"
        for given, (kernel, _) in UNWRITTEN.items()
    ]
    program = KERNELS + "int main() { int h[64] = {};\n" + "\n".join(calls) + "\n}\n"
    done = quiz("profile", source(program), "--json")
    launches = [each for each in json.loads(done.stdout)["launches"] if each["kernel"] != "fill"]
    lines = {"add": 4, "scale": 7}
    for (given, (kernel, first)), launch in zip(UNWRITTEN.items(), launches, strict=True):
        found = [(each["line"], each["index"]) for each in launch["findings"]]
        assert found == ([] if first is None else [(lines[kernel], [first])]), given


BROKEN = {
    "int main() { return x; }": ("program.cu:1:21: ", "was not declared"),
    "#include <cublas_v2.h>\nint main() {}": ("program.cu:1:10: ", "cublas_v2.h is of cuBLAS"),
    "#include <nowhere.h>\nint main() {}": ("program.cu:1:1: ", "nowhere.h"),
    "void f();\nint main() { f(); }": ("program.cu:", "`f()` is used and not defined"),
    (
        "__global__ void k(int *a) { auto f = [] {}; f(); }\n"
        "int main() { int *a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); }"
    ): ("program.cu:1:", "lambda"),
}


@needs_compiler
@pytest.mark.parametrize("text", BROKEN)
def test_what_does_not_run_is_shown_at_its_place(quiz, source, text):
    done = quiz("profile", source(text))
    assert done.returncode == SCRIPT
    assert "Traceback" not in done.stderr
    line, *shown = done.stderr.strip().splitlines()
    for part in BROKEN[text]:
        assert part in line
    assert len(shown) == (2 if line.startswith("program.cu:1") else 0)


@needs_compiler
def test_a_program_that_times_itself_is_told_once_whose_times_these_are(quiz, source):
    text = TIMED.format("    cudaEventElapsedTime(&ms, a, b);\n" * 2)
    done = quiz("profile", source(text), "--json")
    assert done.returncode == OK
    [line] = [line for line in done.stderr.splitlines() if "nothing about a GPU" in line]
    assert line.startswith("program.cu: the times between events are the emulator's")
    assert "nothing about" not in quiz("profile", source(TIMED.format(""))).stderr


TIMED = """\
__global__ void k(int *a) {{ a[threadIdx.x] = 1; }}
int main() {{
    int *d;
    float ms;
    cudaEvent_t a, b;
    cudaMalloc(&d, 128);
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    k<<<1, 32>>>(d);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
{}    return cudaDeviceSynchronize();
}}
"""


def test_without_a_compiler_a_line_says_what_to_do(quiz, source, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    done = quiz("profile", source("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }"))
    assert done.returncode == USAGE
    assert "no C++ compiler is found" in done.stderr
    assert "--kernel, --grid, --block, and --args" in done.stderr


@needs_compiler
def test_a_program_of_several_files_with_headers_elsewhere(quiz, source, tmp_path):
    (tmp_path / "headers").mkdir()
    source("#define SIZE 4\nvoid launch(int *a);\n", "headers/size.h")
    more = source(
        '#include "size.h"\n__global__ void k(int *a) { a[SIZE] = 1; }\n'
        "void launch(int *a) { k<<<1, 1>>>(a); }\n",
        "more.cu",
    )
    main = source(
        '#include "size.h"\nint main() { int *a; cudaMalloc(&a, SIZE * sizeof(int)); launch(a); }\n'
    )
    done = quiz("profile", main, "--with", more, "--include", tmp_path / "headers", "--json")
    assert done.returncode == FINDINGS, done.stderr
    [launch] = json.loads(done.stdout)["launches"]
    assert (launch["file"], launch["findings"][0]["line"]) == (str(more), 2)
    assert launch["caller"] == {"file": str(more), "line": 3}


@needs_compiler
def test_a_kernel_is_chosen_and_the_exit_status_passed_on(quiz, source):
    text = (
        "__global__ void one(int *a) { a[0] = 1; }\n__global__ void two(int *a) { a[9] = 1; }\n"
        "int main() { int *a; cudaMalloc(&a, 4); one<<<1, 1>>>(a); two<<<1, 1>>>(a);"
        " return STATUS; }\n"
    )
    done = quiz("profile", source(text.replace("STATUS", "0")), "--kernel", "one")
    assert done.returncode == OK, done.stderr
    assert "two" not in done.stdout
    done = quiz("profile", source(text.replace("STATUS", "0")))
    assert done.returncode == FINDINGS
