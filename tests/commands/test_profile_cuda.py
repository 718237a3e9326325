"""`quiz profile` of CUDA C++ sources: what is found where, and every way to ask for it wrongly."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from grader.simt import SimtError
from grader.simt.host.files.sources import run_source
from grader.simt.host.session import ScriptSession
from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, SCRIPT, USAGE
from quizapp.report.words import Words

TRANSPOSE = """\
#include <cuda_runtime.h>
#define TILE 32

template <int N, typename T>
__global__ void transpose(const T *in, T *out, int n) {
    __shared__ T tile[N][N + PAD];
    int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
    for (int i = 0; i < N; i += blockDim.y)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * N + threadIdx.x;
    y = blockIdx.x * N + threadIdx.y;
    for (int i = 0; i < N; i += blockDim.y)
        out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
"""
KERNELS = """\
__global__ void add(const float *a, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + 1.0f;
}
__global__ void wide(float4 *a, double x, unsigned char c, bool on) { a[threadIdx.x].x = x; }
__global__ void strange(float **rows) { rows[0] = nullptr; }
"""
LAUNCH = ("--grid", "1", "--block", "64")
FAULTS = {
    "race": (
        "__shared__ float s[64];",
        "s[threadIdx.x] = a[threadIdx.x];",
        "out[threadIdx.x] = s[63 - threadIdx.x]; // here",
    ),
    "uninitialised-read": (
        "__shared__ float s[64];",
        "if (threadIdx.x < 32) s[threadIdx.x] = a[threadIdx.x];",
        "__syncthreads();",
        "out[threadIdx.x] = s[threadIdx.x]; // here",
    ),
    "out-of-bounds": ("out[threadIdx.x] = a[threadIdx.x + 1]; // here",),
    "misaligned": (
        "const float2 *p = reinterpret_cast<const float2 *>(a + 1);",
        "float2 v = p[threadIdx.x / 4]; // here",
        "out[threadIdx.x] = v.x;",
    ),
    "barrier-divergence": (
        "if (threadIdx.x < 40)",
        "    __syncthreads(); // here",
        "out[threadIdx.x] = 0;",
    ),
    "never-written": ("if (threadIdx.x < 40) out[threadIdx.x] = a[threadIdx.x];",),
    "global-race": ("out[threadIdx.x] = 0;", "out[0] = threadIdx.x; // here"),
}


@pytest.fixture
def source(tmp_path):
    def write(text: str, name: str = "kernel.cu"):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def check(done, status):
    assert done.returncode == status, done.stderr
    return done


def test_a_failing_assert_is_told_as_cuda_prints_it(quiz, source):
    text = (
        '__global__ void kernel(float *a) {\n  assert(threadIdx.x < 40);\n  printf("here\\n");\n}\n'
    )
    done = quiz("profile", source(text), *LAUNCH, "--args", "a=f32[64]:random")
    assert "kernel.cu:2: kernel: block: [0,0,0], thread: [40,0,0] Assertion" in done.stderr
    assert "Traceback" not in done.stderr
    assert "here" not in done.stdout


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_found_at_its_line(quiz, source, kind):
    body = "\n".join(FAULTS[kind])
    text = f"__global__ void kernel(const float *a, float *out) {{\n{body}\n}}\n"
    arguments = ("--args", "a=f32[64]:random, out=f32[64]", "--json")
    done = check(quiz("profile", source(text), *LAUNCH, *arguments), FINDINGS)
    [launch] = json.loads(done.stdout)["launches"]
    found = {finding["kind"]: finding["line"] for finding in launch["findings"]}
    lines = text.splitlines()
    [line] = [at for at, shown in enumerate(lines, 1) if "// here" in shown] or [1]
    assert found.get(kind) == line
    assert launch["file"].endswith("kernel.cu")


SPOKEN = {
    "s[threadIdx.y][threadIdx.x] = 1; out[threadIdx.x] = s[3 - threadIdx.y][threadIdx.x];": (
        "the read of s[3][0] by thread (0, 0, 0)",
    ),
    "s[threadIdx.y][threadIdx.x] = 1;\n  out[threadIdx.x] = s[3 - threadIdx.y][threadIdx.x];": (
        "__syncthreads() before line 4; this removes all",
    ),
    "s[threadIdx.y][threadIdx.x] = 1;\n  out[0] = s[threadIdx.y][15 - threadIdx.x];": (
        "__syncthreads() before line 4; this removes all",
    ),
    "out[threadIdx.x + 16 * threadIdx.y] = 1 / (int)threadIdx.x;": (
        "an integer is divided by zero; the result is undefined",
    ),
    "out[blockIdx.x * blockDim.x * 4 + threadIdx.x] = n;": (
        "index 64 is out of bounds: the size of out is 64",
    ),
    "int i = blockIdx.x * blockDim.x + threadIdx.x; out[i + n - n] = n;": (
        "more threads than elements on the x axis get here: there are 64 elements",
        "line 3 only where i + n - n < n; this removes all",
    ),
    "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= n) out[i] = n;": (
        "the condition admits index 64, one past the end",
        "< instead of <= in line 3",
    ),
    "extern __shared__ float d[]; d[threadIdx.x] = 0;": (
        "the launch gives 0 bytes of dynamic shared memory, and 64 are needed here",
        "the launch sets it: <<<blocks, threads, bytes>>>, here 64 or more",
    ),
}


@pytest.mark.parametrize("body", SPOKEN)
def test_a_finding_speaks_of_cuda(quiz, source, body):
    head = "__global__ void kernel(float *out, int n) {\n  __shared__ float s[4][16];\n"
    text = f"{head}  {body}\n}}\n"
    launch = ("--grid", "9", "--block", "16,4", "--args", "f32[64]:zeros, 64", "--width", "400")
    done = check(quiz("profile", source(text), *launch), FINDINGS)
    for said in SPOKEN[body]:
        assert said in done.stdout
    for other in ("Numba", "cuda.", ".shape", "):\n"):
        assert other not in done.stdout


def test_bank_conflicts_are_counted_at_their_line(quiz, source):
    path = source(TRANSPOSE.replace("PAD", "0"))
    options = (
        "--kernel", "transpose<TILE,float>", "--grid", "2,2", "--block", "32,8",
        "--args", "in=f32[64,64]:arange, out=f32[64,64], n=64",
    )  # fmt: skip
    done = check(quiz("profile", path, *options, COLUMNS="80"), OK)
    lines = done.stdout.splitlines()
    assert " ".join(lines[:2]) == (
        "no faults in 1 launch; transpose<32, float> line 14 costs 97% of shared wavefronts: "
        "32-way, pad to 33"
    )
    [row] = [row for row in lines if row.startswith(" ! ")]
    assert row.split()[1] == "14"
    # 4 blocks, 8 warps, 4 iterations: 128 requests, each with its 32 words in one bank
    assert row.split()[-5:] == ["128", "4096", "128", "512", "32-way"]
    # and with every row one element longer
    old, new = path, source(TRANSPOSE.replace("PAD", "1"), "new.cu")
    compared = check(quiz("profile", new, "--against", old, *options), OK).stdout
    assert "  better  line 14  wavefronts 4,096 → 128  " in compared
    report = json.loads(check(quiz("profile", old, *options, "--json"), OK).stdout)
    [launch] = report["launches"]
    assert (launch["kernel"], launch["line"]) == ("transpose<32, float>", 5)
    assert "line" not in launch["caller"]


def test_a_report_is_written_in_every_form(quiz, source, tmp_path):
    path = source(KERNELS)
    options = ("--kernel", "add", *LAUNCH, "--args", "f32[64]:ones, f32[64], 64", "--line", "4")
    files = ("--html", "page.html", "--sarif", "found.sarif", "--show-program")
    done = check(quiz("profile", path, *options, *files), OK)
    assert "out[i] = a[i] + 1.0f;" in done.stdout
    assert "@add" in done.stdout or "add(" in done.stdout
    assert "out[i]" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "found.sarif").read_text())["version"] == "2.1.0"
    endless = source("__global__ void f(int *a) { while (a[0] == 0) a[1] = 1; }\n")
    budget = ("--budget", "100000", "--args", "a=i32[2]:zeros")
    check(quiz("profile", endless, *LAUNCH, *budget), FINDINGS)


def test_what_a_kernel_prints_is_printed(quiz, source):
    text = '__global__ void f(int n) { printf("%d %d\\n", threadIdx.x, n); }\n'
    done = check(quiz("profile", source(text), "--grid", "1", "--block", "2", "--args", "7"), OK)
    assert done.stdout.splitlines()[:2] == ["0 7", "1 7"]


def test_a_mistake_in_the_source_is_shown_at_its_place(quiz, source):
    text = "__global__ void f(int *a) {\n    a[0] = b;\n}\n"
    done = check(quiz("profile", source(text), *LAUNCH, "--args", "i32[1]"), SCRIPT)
    line, *shown = done.stderr.splitlines()
    assert line.startswith("kernel.cu:2:12: the name `b` is not declared here")
    assert shown == ["    a[0] = b;", "           ^"]
    done = check(quiz("profile", source('#include "far.cuh"\n' + text), *LAUNCH), SCRIPT)
    assert '"far.cuh" was not found; ' in done.stderr
    assert "name its folder: --include FOLDER" in done.stderr
    wide = "__global__ void f() { }\n".encode("utf-16")
    done = check(quiz("profile", source(wide), *LAUNCH), SCRIPT)
    [line] = done.stderr.splitlines()
    assert line.startswith("kernel.cu:1:")


def test_byte_order_marks_carriage_returns_and_other_encodings_are_read(quiz, source):
    text = "// caf\xe9\r\n__global__ void f(int *a) {\r\n    a[threadIdx.x + 1] = 1;\r\n}\r\n"
    for data in (text.encode("utf-8-sig"), text.encode("latin-1")):
        done = check(quiz("profile", source(data), *LAUNCH, "--args", "i32[64]"), FINDINGS)
        assert "out of bounds · line 3: index 64 is out of bounds" in done.stdout


REFUSED = {
    # which kernel
    ("", None): "the source has several kernels",
    ("ad", "1"): "there is no kernel `ad`; the source has add, wide, strange",
    ("add<3>", "f32[1], f32[1], 1"): "`add(const float *a, float *out, int n)` is not a template",
    ("add<", "f32[1], f32[1], 1"): "is not a template",
    ("add", None): "cannot be launched without --args",
    # how many, by which names
    ("add", ""): "missing in the arguments of `add(const float *a, float *out, int n)`: a, out, n",
    ("add", "f32[1], f32[1]"): "`: n; write f32",
    ("add", "f32[1], f32[1], 1, 2"): "takes 3 arguments and gets 4",
    ("add", "a=f32[1], ou=f32[1], n=1"): "has no parameter ou",
    ("add", "a=f32[1], a=f32[1], n=1"): "a is given twice",
    ("add", "f32[1], a=f32[1], n=1"): "a is given twice",
    ("add", "a=f32[1], f32[1], n=1"): "`f32[1]` has no name, but arguments before it have one",
    # of which type
    ("add", "f64[1], f32[1], 1"): "a has the type `const float*`, but the elements",
    ("add", "i32[1], f32[1], 1"): "a has the type `const float*`, but the elements",
    ("add", "1, f32[1], 1"): "a has the type `const float*` and takes an array, not int",
    ("add", "f32[1], f32[1], f32[1]"): "n has the type `int` and takes a number",
    ("add", "f32[1], f32[1], nullptr"): "n has the type `int` and takes a number",
    ("add", "f32[1], f32[1], 1.5"): "n has the type `int`: 1.5 is not an integer",
    ("add", "f32[1], f32[1], inf"): "n has the type `int`: inf is not an integer",
    ("add", "f32[1], f32[1], 1e10"): "n has the type `int`, which cannot hold 10000000000.0",
    ("add", "f32[1], f32[1], 0x80000000"): "n has the type `int`, which cannot hold 2147483648",
    ("wide", "float4[1], 1, 256, true"): "c has the type `unsigned char`, which cannot hold 256",
    ("wide", "float4[1], 1, -1, true"): "c has the type `unsigned char`, which cannot hold -1",
    ("wide", "float4[1], 1, 1, 2"): "on has the type `bool`, which cannot hold 2",
    (
        "wide",
        "int4[1], 1, 1, 1",
    ): "a has the type `float4*`, but the elements of its array are int32",
    ("strange", "f32[1]"): "rows has the type `float**`: a launch from outside has no pointers",
    ("strange", "{f32[1], f32[1]}"): "and run the program",
    # how it is written
    ("add", "f32[1], f32[1], n"): "n: `n` is neither an array nor a number",
    ("add", "f32[1], f32[1], "): "n: `` is neither an array nor a number",
    ("add", "f32[1], f32[1], n="): "n: `` is neither an array nor a number",
    ("add", "f32[1], f32[1, 1"): "out: `f32[1, 1` is neither an array nor a number",
    ("add", "f33[1], f32[1], 1"): "a: `f33` is not a type of elements",
    ("add", "f32[], f32[1], 1"): "a: the size `` in `f32[]` is not an integer from 1",
    ("add", "f32[m], f32[1], 1"): "a: the size `m` in `f32[m]` is not an integer from 1",
    ("add", "f32[0], f32[1], 1"): "a: the size `0` in `f32[0]` is not an integer from 1",
    ("add", "f32[-4], f32[1], 1"): "a: the size `-4` in `f32[-4]` is not an integer from 1",
    ("add", "f32[4,], f32[1], 1"): "a: the size `` in `f32[4,]` is not an integer from 1",
    ("add", "f32[99999999999], f32[1], 1"): "all arrays have more than 1,073,741,824 bytes",
    ("add", "f32[999999999999999999], 1, 1"): "all arrays have more than",
    ("add", "f32[200000000], f32[200000000], 1"): "out: with `f32[200000000]` all arrays",
    ("add", "f32[1]:randm, f32[1], 1"): "a: an array cannot be filled with `randm`",
    ("add", "f32[1]:, f32[1], 1"): "a: an array cannot be filled with ``",
    ("add", "f32[1]:no.npy, f32[1], 1"): "a: no.npy cannot be loaded: No such file",
    ("add", "f32[1]:bad.npy, f32[1], 1"): "a: bad.npy cannot be loaded: ",
    ("add", "f32[1]:pickled.npy, f32[1], 1"): "a: pickled.npy cannot be loaded: ",
    ("add", "f32[1]:four.npy, f32[1], 1"): "a: four.npy holds float32[4]",
    ("add", "f64[4]:four.npy, f32[1], 1"): "a: four.npy holds float32[4]",
}


@pytest.mark.parametrize(("kernel", "arguments"), REFUSED)
def test_a_launch_that_cannot_be_says_why_in_a_line(
    source, tmp_path, monkeypatch, kernel, arguments
):
    monkeypatch.chdir(tmp_path)
    np.save("four.npy", np.zeros(4, np.float32))
    np.save("pickled.npy", np.array([None]), allow_pickle=True)
    (tmp_path / "bad.npy").write_bytes(b"no array")
    asked = {"kernel": kernel, "grid": (1,), "block": (1,), "shared": 0, "arguments": arguments}
    asked |= {"more": (), "folders": (), "defines": (), "check": None, "cluster": None}
    with pytest.raises(SimtError) as raised:
        run_source(source(KERNELS), (), ScriptSession(), asked)
    for language in ("en", "zh"):
        said = Words(language).in_line(raised.value.what, raised.value.instead)
        assert "\n" not in said
        assert language == "zh" or REFUSED[kernel, arguments] in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--grid", "0", "--block", "1"), "--grid: '0' is not one to three integers from 1"),
        (("--grid", "8,", "--block", "1"), "--grid: '8,' is not one to three integers from 1"),
        (("--grid", "1,2,3,4", "--block", "1"), "--grid: '1,2,3,4' is not one to three"),
        (("--grid", "1", "--block", "x"), "--block: 'x' is not one to three integers from 1"),
        (("--grid", "1", "--block", "2048"), "a block of 2048 threads; the limit is 1024"),
        (("--grid", "1,70000", "--block", "1"), "the grid has 70000 blocks along y"),
        (("--grid", "1", "--block", "1,1,65"), "the block has 65 threads along z"),
        ((*LAUNCH, "--shared", "-1"), "--shared: -1 is less than 0"),
        ((*LAUNCH, "--shared", "x"), "--shared: 'x' is not an integer"),
        ((*LAUNCH, "--shared", "300000"), "300,000 bytes of shared memory per block"),
        (("--block", "1"), "cannot be launched without --grid"),
        (("--grid", "1"), "cannot be launched without --block"),
        ((*LAUNCH, "--", "--size", "3"), "takes no arguments behind --: --size 3"),
    ],
)
def test_an_option_that_cannot_be_says_why(quiz, source, options, said):
    arguments = ("--kernel", "add", "--args", "f32[1], f32[1], 1")
    done = check(quiz("profile", source(KERNELS), *arguments, *options), USAGE)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_launch_without_the_programs_main_says_what_it_needs(quiz, source):
    text = KERNELS.partition("__global__ void wide")[0]
    text += "int main() { float *a; cudaMalloc(&a, 4); add<<<1, 1>>>(a, a, 1); }\n"
    done = check(quiz("profile", source(text), "--grid", "8"), USAGE)
    assert "to launch `add(const float *a, float *out, int n)` without the program's" in done.stderr
    example = "--block 256 --args 'a=f32[n]:normal, out=f32[n], n=256'"
    assert example in done.stderr
    options = example.replace("'", "").split(" ", 3)
    check(quiz("profile", "kernel.cu", "--grid", "8", *options), OK)


def test_options_of_a_source_are_refused_for_a_script(quiz, tmp_path):
    (tmp_path / "script.py").write_text("pass\n")
    done = check(quiz("profile", "script.py", "--grid", "1"), USAGE)
    assert "--grid is for CUDA C++ sources" in done.stderr


def test_a_kernel_takes_a_struct_by_value(quiz, source):
    text = (
        "struct Inner { short a[2]; double b; };\nstruct P { int n; Inner in; };\n"
        "__global__ void k(P p, float *out) { p.n += 1; out[0] = p.n + p.in.b; }\n"
    )
    asked = (
        "--grid",
        "1",
        "--block",
        "1",
        "--json",
        "--args",
        "p={3, {b=0.5, a={1, 2}}}, out=f32[1]",
    )
    done = check(quiz("profile", source(text), *asked), OK)
    [launch] = json.loads(done.stdout)["launches"]
    given = {each["name"]: each.get("value") for each in launch["arguments"]}
    assert given == {
        "p.n": "3", "p.in.a[0]": "1", "p.in.a[1]": "2", "p.in.b": "0.5", "out": None,
    }  # fmt: skip


def test_an_index_that_comes_round_is_that_of_a_device_and_one_far_outside_is_told(quiz, source):
    text = (
        "__global__ void k(float *a, char *c) {\n"
        "    a[(1ull << 62) + threadIdx.x] = 1;\n"
        "    c[(1ull << 60) + threadIdx.x] = 1;\n"
        "}\n"
    )
    asked = (*LAUNCH, "--args", "a=f32[64], c=i8[64]:zeros", "--json")
    done = check(quiz("profile", source(text), *asked), FINDINGS)
    [launch] = json.loads(done.stdout)["launches"]
    [found] = launch["findings"]
    assert (found["kind"], found["line"], found["count"]) == ("out-of-bounds", 3, 64)
    assert found["what"]["fields"]["index"] == str(1 << 60)


_PTX = Path(__file__).parents[1] / "data" / "ptx" / "examples.ptx"
_TRANSPOSE = ("--kernel", "transpose", "--grid", "2,2", "--block", "32,8", "--args")
_OF_TRANSPOSE = (*_TRANSPOSE, "f32[2304]:random, f32[2304], 48")


def test_ptx_is_profiled_by_its_own_lines(quiz):
    done = check(quiz("profile", _PTX, *_OF_TRANSPOSE), OK)
    assert "counts are those of the PTX, by its own lines" in done.stdout
    (launch,) = json.loads(check(quiz("profile", _PTX, *_OF_TRANSPOSE, "--json"), OK).stdout)[
        "launches"
    ]
    assert (launch["compiler"], launch["totals"]["barriers"]) == ("PTX", 32)


_REDUCE = _PTX.parent / "clusters" / "reduce.ptx"


@pytest.mark.parametrize(
    ("cluster", "status", "said"),
    [
        ("4", OK, "no faults in 1 launch"),
        ("3", USAGE, "cannot be cut into clusters of (3, 1, 1)"),
        ("0", USAGE, "--cluster: '0' is not one to three integers from 1"),
    ],
)
def test_a_launch_chooses_its_cluster(quiz, cluster, status, said):
    given = "param_0=f32[8000]:arange, param_1=f32[8], param_2=1000"
    launch = ("--grid", "8", "--block", "256", "--cluster", cluster, "--args", given)
    done = check(quiz("profile", _REDUCE, *launch), status)
    assert said in done.stdout + done.stderr


_TENSORS = _PTX.parent / "tensors" / "copies.ptx"
_TENSOR = "tensor(f16[40, 96]:random, box=[16, 64], swizzle=128)"


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        (_TENSOR, ""),
        (_TENSOR.replace("64]", "63]"), "these numbers do not describe a valid tensor map"),
        (_TENSOR.replace("[16, 64]", "[16]"), "is a tensor map, not"),
        (_TENSOR.replace("128", "wide"), "is a tensor map, not"),
        ("tensor()", "is a tensor map, not"),
        ("7", "is a tensor map, not"),
    ],
)
def test_a_kernel_of_ptx_gets_the_map_of_a_tensor(quiz, tensor, said):
    numbers = "param_1+24=0, param_1+20=2048, param_1+4=4, param_1+0=8, param_2=i32[8192]"
    given = f"param_0={tensor}, {numbers}"
    options = ("--kernel", "load2", "--grid", "1", "--block", "128", "--args", given)
    done = check(quiz("profile", _TENSORS, *options), USAGE if said else OK)
    assert said in done.stderr
    assert said or "param_0@0: float16[40, 96]" in done.stdout


@pytest.mark.parametrize(
    ("data", "options", "answer"),
    [
        (b"\x7fELF\x02\x01", LAUNCH, (SCRIPT, "k.ptx:1:1: this is machine code, not PTX")),
        (b"P\xedU\xba\1\0", LAUNCH, (SCRIPT, "k.ptx:1:1: this is machine code, not PTX")),
        (b"__global__ void k() {}", LAUNCH, (SCRIPT, "k.ptx:1:1: PTX begins with `.version`")),
        (_PTX.read_bytes()[:3000], LAUNCH, (SCRIPT, "the PTX ends in the middle of a statement")),
        (_PTX.read_bytes(), LAUNCH, (USAGE, "the source has several kernels")),
        (_PTX.read_bytes(), ("--kernel", "transpos", *LAUNCH), (USAGE, "mean 'transpose'?")),
        (_PTX.read_bytes(), ("--kernel", "trapping", *LAUNCH, "--args", "f32[4]"),
         (USAGE, "param_0")),
        (_PTX.read_bytes(), (*_TRANSPOSE, "f32[4], f32[4], 1.5"), (USAGE, "1.5 is not an integer")),
        (_PTX.read_bytes(), (*_TRANSPOSE, "f32[4], f32[4], 1e12"),
         (USAGE, "param_2 has the type `uint32`, which cannot hold 1000000000000.0")),
        (_PTX.read_bytes(), (*_TRANSPOSE, "f32[4], f32[4], 5000000000"),
         (USAGE, "param_2 has the type `uint32`, which cannot hold 5000000000")),
        (_PTX.read_bytes().replace(b"ld.param.u32", b"tcgen05.ld"), _OF_TRANSPOSE,
         (SCRIPT, "(line 46 of the PTX); compile the kernel for sm_90")),
    ],
)  # fmt: skip
def test_bad_ptx_says_why(quiz, tmp_path, data, options, answer):
    status, said = answer
    (tmp_path / "k.ptx").write_bytes(data)
    done = check(quiz("profile", "k.ptx", *options), status)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cubin_is_no_script(quiz, tmp_path):
    (tmp_path / "k.cubin").write_bytes(b"\x7fELF\x02\x01")
    done = check(quiz("profile", "k.cubin"), SCRIPT)
    assert "k.cubin:1:1: this is machine code, not PTX" in done.stderr


BRANCH = '__global__ void k(unsigned *out) { asm("{ bra L; L: mov.u32 %0, 1; }" : "=r"(*out)); }\n'


def test_a_kernel_that_only_a_compiler_reads_says_what_to_install(quiz, source):
    done = quiz("profile", source(BRANCH), *LAUNCH, "--args", "u32[1]")
    if find_spec("cuda") is None:
        check(done, SCRIPT)
        assert "[compile]'" in done.stderr
    else:
        check(done, OK)
        assert "compiled by NVRTC" in done.stdout


MERGED = """\
struct Params { const float *a; float scale; int n; };
__global__ void blur(Params p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n - 1) {
        float both = p.a[i] + p.a[i + 1];
        out[i] = both * p.scale + p.a[i];
    }
}
"""
SOLVE = """\
namespace counted { static __device__ int calls; }
template <bool TWICE, typename T> __global__ void scale(const T *a, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { out[i] = TWICE ? a[i] * 2 : a[i]; atomicAdd(&counted::calls, 1); }
}
extern "C" void solve(const float *a, float *out, int n) {
    scale<false><<<2, 64>>>(a, out, n);
    scale<true><<<2, 64>>>(a, out, n);
    int calls;
    cudaMemcpyFromSymbol(&calls, counted::calls, sizeof calls);
    if (calls != 2 * n) cudaMemset(out, 0, n);
}
"""
nvrtc = pytest.mark.skipif(find_spec("cuda") is None, reason="needs the extra `compile`")


@nvrtc
def test_a_program_gives_as_compiled_what_its_source_gives(quiz, source):
    (file := source(SOLVE, "solve.cu")).with_name("r.py").write_text("def f(a): return a * 2\n")
    asked = ("--args", "a=f32[100]:random, out=f32[100], n=100", "--check", file.with_name("r.py"))
    found = [
        json.loads(check(quiz("profile", file, *asked, *more, "--json"), OK).stdout)["launches"]
        for more in (["--source"], ["--ptx"])
    ]
    for written, compiled in zip(*found, strict=True):
        assert "compiler" not in written
        assert compiled["compiler"].startswith("NVRTC ")
        assert (written["kernel"], written["qualname"]) == (
            compiled["kernel"], compiled["qualname"],
        )  # fmt: skip
        alike = ("global_load_sectors", "global_store_sectors", "global_atomic_lanes", "branches")
        assert [written["totals"].get(each) for each in alike] == [
            compiled["totals"].get(each) for each in alike
        ]


@nvrtc
def test_a_file_beside_itself_shows_what_the_compiler_merged(quiz, source):
    file = source(MERGED)
    given = "p={f32[64]:random, 0.5, 64}, out=f32[64]:ones"
    asked = ("--grid", "1", "--block", "64", "--args", given)
    said = check(quiz("profile", file, *asked, "--ptx", "--against", file), OK).stdout
    assert "before: as written; now: compiled by NVRTC" in said
    assert "better  line 6  sectors 16 → 8  out[i]" in said
    assert "statements " not in said.replace("statements and", "")
    shown = check(quiz("profile", file, *asked, "--ptx"), OK).stdout
    assert "p.n: int32 = 64, p.scale: float32 = 0.5" in shown


def test_what_is_refused_stays_refused_as_a_source(quiz, source, tmp_path):
    done = check(quiz("profile", source(BRANCH), *LAUNCH, "--args", "u32[1]", "--source"), SCRIPT)
    assert "without --source, or with --ptx, it is run as compiled" in done.stderr
    script = tmp_path / "s.py"
    script.write_text(
        "import numpy\nfrom grader.simt import load\nout = numpy.zeros(1, numpy.uint32)\n"
        "load('kernel.cu').k[1, 1](out)\nprint('got', out[0])\n"
    )
    done = check(quiz("profile", script, "--source"), SCRIPT)
    assert "without --source, or with --ptx, it is run as compiled" in done.stderr
    if find_spec("cuda") is not None:
        assert "got 1" in check(quiz("profile", script), OK).stdout


def test_ptx_and_source_exclude_each_other_and_need_no_ptx(inside, source, monkeypatch):
    said = inside("profile", source(KERNELS), "--ptx", "--source")
    assert (said.status, said.out) == (USAGE, "")
    assert "--ptx runs a kernel as compiled, and --source as it is written" in said.err
    said = inside("profile", _PTX, "--source")
    assert said.status == USAGE
    assert "examples.ptx is PTX: it is run as it is\n  leave out --source" in said.err
    monkeypatch.setattr("grader.compiled.has_nvrtc", lambda: False)
    said = inside("profile", source(KERNELS), "--ptx")
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert "NVRTC is not installed\n" in said.err
    assert "[compile]'" in said.err


@pytest.mark.skipif(find_spec("triton") is None, reason="needs the extra `triton`")
def test_a_triton_script_runs_unmodified(quiz):
    done = check(quiz("profile", _PTX.parent / "triton_kernels.py"), OK)
    assert "softmax True\nmatmul True\n" in done.stdout
    assert "compiled by Triton" in done.stdout


@pytest.mark.skipif(find_spec("triton") is None, reason="needs the extra `triton`")
def test_what_triton_does_not_compile_is_told_in_its_words_and_without_its_frames(quiz, tmp_path):
    text = (_PTX.parent / "triton_kernels.py").read_text("utf-8")
    assert "tl.program_id(0)" in text
    (tmp_path / "t.py").write_text(text.replace("tl.program_id(0)", "tl.program_id(missing)"))
    said = check(quiz("profile", "t.py"), SCRIPT).stderr
    assert "missing is not defined" in said
    assert said.count('File "') == said.count('t.py", line ') > 0
    assert "Warning" not in said
