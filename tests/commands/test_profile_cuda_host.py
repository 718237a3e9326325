"""`quiz profile` of scripts that load a CUDA C++ source: what is launched, where faults are."""

from __future__ import annotations

import json

import pytest

from grader.simt import load
from grader.simt.host.files import modules
from grader.simt.host.numba_names.names import NotEmulated
from quizapp.domain.errors import FINDINGS, OK, SCRIPT

SOURCE = """\
#include "tile.h"
template <int N, typename T>
__global__ void transpose(const T *in, T *out, int n) {
    __shared__ T tile[N][N];
    int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * N + threadIdx.y) * n + blockIdx.y * N + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}
namespace ours {
template <typename T> __global__ void fill(T *a, T value) { a[threadIdx.x] = value; }
}
template <typename T> __global__ void scale(T *a, T factor) { a[threadIdx.x] *= factor; }
__global__ void shift(const float4 *from, float *to) {
    to[threadIdx.x] = pick(from[threadIdx.x]);
}
__global__ void race(int *a) {
    a[0] = threadIdx.x;
}
"""
HEADER = "\n#define TILE 16\n__device__ float pick(float4 v) { return v.y; }\n"
SCRIPT_TEXT = """\
import numpy as np
from grader.simt import load
from numba import cuda
module = load("source.cu")
"""


@pytest.fixture
def script(tmp_path):
    (tmp_path / "source.cu").write_text(SOURCE)
    (tmp_path / "tile.h").write_text(HEADER)

    def write(text: str):
        path = tmp_path / "script.py"
        path.write_text(SCRIPT_TEXT + text)
        return path

    return write


def test_kernels_of_a_source_are_launched_with_arrays_of_host_and_device(quiz, script):
    text = """
a = np.arange(32 * 32, dtype=np.float32).reshape(32, 32)
out = cuda.device_array_like(a)
module["transpose<TILE, float>"][(2, 2), (16, 16)](cuda.to_device(a), out, 32)
assert (out.copy_to_host() == a.T).all()
module.scale[1, 32](a, 3)
assert (a[0] == 3 * np.arange(32)).all()
module["fill<float>"][1, 32](a[1], 7)
assert (a[1] == 7).all()
to = np.zeros(32, np.float32)
module.shift[1, 32](a, to)
assert (to == a.ravel()[1:128:4]).all()
"""
    done = quiz("profile", script(text), "--json")
    assert (done.returncode, done.stderr) == (OK, "")
    report = json.loads(done.stdout)
    first, second, _, third = report["launches"]
    assert (first["kernel"], first["qualname"], first["line"]) == (
        "transpose<16, float>", "transpose", 3,
    )  # fmt: skip
    assert first["file"].endswith("source.cu")
    assert first["caller"]["line"] == 8
    counts = {line["line"]: line for line in first["lines"]}
    # 32 warps; their lanes are on banks 0, 1, 16 and 17: eight words in each
    assert counts[9]["shared_load_wavefronts"] == 32 * 8
    assert counts[9]["source"].strip() == "tile[threadIdx.x][threadIdx.y];"
    assert second["kernel"] == "scale<float>"
    assert [argument["name"] for argument in second["arguments"]] == ["a", "factor"]
    [other] = [line for line in third["lines"] if "file" in line]
    assert other["file"].endswith("tile.h")
    assert other["line"] == 3


def test_a_fault_is_at_its_line_of_the_source_and_may_be_allowed_there(quiz, script, tmp_path):
    done = quiz("profile", script("module.race[1, 64](np.zeros(1, np.int32))\n"))
    assert done.returncode == FINDINGS
    assert "race in global memory (a, line 19" in done.stdout
    allowed = SOURCE.replace("a[0] = threadIdx.x;", "a[0] = threadIdx.x; // quiz: allow race")
    (tmp_path / "source.cu").write_text(allowed)
    assert quiz("profile", "script.py").returncode == OK


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        ("module.scal", "there is no kernel `scal`"),
        ("module['scale<32>'][1, 1](f, 1)", "the template parameter T of"),
        ("module['transpose<TILE>'][1, 1](f, 1)", "takes 3 arguments and gets 2"),
        ("module['transpose<float, TILE>'][1, 1](f, f, 1)", "the template parameter N"),
        ("module['transpose<TILE, float, 1>'][1, 1](f, f, 1)", "takes 2 template arguments"),
        ("module['scale<float'][1, 1](f, 1)", "`scale<float` does not name a kernel"),
        ("module.transpose[1, 1](f, f, 1)", "do not follow from those of the launch"),
        (
            "module.race[1, 1](f)",
            "a has the type `int*`, but the elements of its array are float32",
        ),
        ("module.race[1, 1](3)", "a has the type `int*` and takes an array, not int"),
        ("module['scale<float>'][1, 1](f, f)", "factor has the type `float` and takes a number"),
        (
            "module['transpose<4, float>'][1, 1](f, f, 1.5)",
            "n has the type `int`: 1.5 is not an integer",
        ),
        (
            "module['transpose<4, float>'][1, 1](f, f, 2**31)",
            "n has the type `int`, which cannot hold",
        ),
        ("load('none.cu')", "No such file"),
    ],
)
def test_a_launch_that_cannot_be_says_why(quiz, script, launch, said):
    done = quiz("profile", script(f"f = np.zeros(64, np.float32)\n{launch}\n"))
    assert done.returncode == SCRIPT
    assert said in done.stderr


def test_a_source_is_loaded_only_in_scripts_that_are_profiled(monkeypatch):
    monkeypatch.setattr(modules, "RUNNING", [])
    with pytest.raises(NotEmulated, match=r"cpp\.not-profiled \(run=quiz profile .*\.py\)"):
        load("source.cu")
