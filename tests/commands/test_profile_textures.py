"""Textures and surfaces of a program against what an H200 printed of the same program."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT

DATA = Path(__file__).parents[1] / "data"
pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)
NEARLY = {"half": (2, 2e-4), "char": (12, 3.1e-5)}
"""How many values of a filter may differ, and by how much: a weight, or a rounding, of them."""


def test_textures_and_surfaces_read_as_on_an_h200(quiz):
    shutil.copy(DATA / "cuda_textures.cu", quiz.folder / "textures.cu")
    ended = quiz("profile", "textures.cu", "--source")
    assert ended.returncode == OK
    printed, _, report = ended.stdout.partition("no faults in ")
    assert report.split()[0] == "221"
    recorded = (DATA / "cuda_textures_h200.txt").read_text("utf-8").splitlines()
    differ = Counter()
    for line, wanted in zip(printed.splitlines(), recorded, strict=True):
        if line == wanted:
            continue
        (*how, values), (*same, others) = (each.split(" ", 7) for each in (line, wanted))
        assert how == same
        assert how[0] in NEARLY, line
        given, expected = (np.frombuffer(bytes.fromhex(each), "f4") for each in (values, others))
        assert np.allclose(given, expected, rtol=0, atol=NEARLY[how[0]][1]), line
        differ[how[0]] += np.count_nonzero(given != expected)
    assert all(differ[kind] <= most for kind, (most, _) in NEARLY.items()), differ


FAULTS = """\
#include <cstdio>
__global__ void read(cudaTextureObject_t t, TYPE *out) { out[0] = READ; }
__global__ void put(cudaSurfaceObject_t s) { surf2Dwrite(1.f, s, (threadIdx.x) * 4, 1); }
int main() {
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    cudaMallocArray(&a, &d, 8, 2, cudaArraySurfaceLoadStore);
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = a;
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    cudaCreateTextureObject(&t, &from, &how, nullptr);
    cudaCreateSurfaceObject(&s, &from);
    TYPE *out;
    cudaMalloc(&out, 16);
    read<<<1, 1>>>(t, out);
    put<<<1, 9>>>(s);
    cudaDestroyTextureObject(t);
    read<<<1, 1>>>(t, out);
    puts(cudaGetErrorName(cudaMemcpy2DToArray(a, 4, 0, out, 32, 32, 2, cudaMemcpyDeviceToDevice)));
    how.filterMode = cudaFilterModeLinear;
    d = cudaCreateChannelDesc<int>();
    cudaArray_t b;
    cudaMallocArray(&b, &d, 8, 2);
    from.res.array.array = b;
    puts(cudaGetErrorName(cudaCreateTextureObject(&t, &from, &how, nullptr)));
}
"""


@pytest.mark.parametrize(
    ("read", "kind", "status", "said"),
    [
        ("tex2D<float>(t, 0, 0)", "float", FINDINGS,
         ["line 3: `surf2Dwrite` accesses a place beyond the surface; its x is in bytes",
          "`tex2D` gets the object 1, which is not a texture or surface",
          "cudaErrorInvalidValue\ncudaErrorInvalidFilterSetting\n"]),
        ("tex2D<int>(t, 0, 0)", "int", SCRIPT,
         ["program.cu:2:66: `tex2D` reads int32 from a texture that gives float32"]),
        ("tex1D<float>(t, 0)", "float", SCRIPT,
         ["program.cu:2:", "`tex1D` does not read a texture or surface of this kind"]),
        ("tex2D<double>(t, 0, 0)", "double", SCRIPT,
         ["program.cu:2:", "an element of a texture cannot be `double`"]),
        ("tex2Dgather<float4>(t, 0, 0).x", "float", SCRIPT,
         ["program.cu:2:", "this part of the texture API is not emulated"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_texture_is_said_at_its_place(quiz, read, kind, status, said):
    (quiz.folder / "program.cu").write_text(FAULTS.replace("READ", read).replace("TYPE", kind))
    ended = quiz("profile", "program.cu", "--source", "--width", "200")
    assert ended.returncode == status
    for part in said:
        assert part in ended.stdout + ended.stderr


def test_references_of_before_cuda_12_are_refused_with_what_to_write(quiz):
    text = "texture<float, 2> image;\n__global__ void k(float *a) { a[0] = tex2D(image, 0, 0); }\n"
    (quiz.folder / "program.cu").write_text(text + "int main() { k<<<1, 1>>>(nullptr); }\n")
    ended = quiz("profile", "program.cu", "--source")
    assert ended.returncode == SCRIPT
    assert "program.cu:1:1: CUDA 12 removed texture and surface references" in ended.stderr
    assert "cudaCreateTextureObject" in ended.stderr
