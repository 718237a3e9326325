"""Textures and surfaces of a program against a model of its own, one texel at a time.

The model follows "Texture Fetching" of the CUDA C++ Programming Guide. What it does not say, and no
GPU was asked about: a weight is rounded to the nearest 256th, a filter's sum is exact, and a float
that `tex1Dfetch` reads beyond its memory is 0.
"""

from __future__ import annotations

import math
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT

DATA = Path(__file__).parents[1] / "data"
pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)
SIZES = (7, 5, 4)
POINTS = 48
TYPES = {
    "float": "f4", "half": "f2", "uchar": "u1", "char": "i1", "short": "i2", "ushort": "u2",
    "uchar-element": "u1", "short-element": "i2", "uint-element": "u4", "int-element": "i4",
}  # fmt: skip
INTEGERS = ("uchar", "char", "short", "ushort")
WRAP, CLAMP, MIRROR, BORDER = range(4)


def _fill(dtype, count):
    """Return what the program fills memory with."""
    mixed = (np.arange(count, dtype=np.uint64) * 2654435761 % 2**32 >> 8).astype(np.uint32)
    if dtype == np.float32:
        return (mixed % 2001).astype(np.float32) / np.float32(16) - np.float32(60)
    if dtype == np.float16:
        bits = 0x3000 + mixed % 0x1800 + np.where(mixed & 1, 0x8000, 0)
        return bits.astype(np.uint16).view(np.float16)
    return mixed.astype(np.dtype(f"u{dtype.itemsize}")).view(dtype)


def _place(i, axis, normalized):
    """Return a coordinate of the program."""
    exact = (i * 37 + axis * 11) % 1200 - 200 if i % 2 else (i * 29 + axis * 7) % 700 - 90
    place = np.float32(exact) / np.float32(100 if i % 2 else 64)
    return float(np.float32(place / np.float32(SIZES[axis]))) if normalized else float(place)


def _texel(index, size, mode):
    """Return the element that an index stands for along an axis; None for the border."""
    if 0 <= index < size:
        return index
    if mode == WRAP:
        return index % size
    if mode == MIRROR:
        return index % size if (index // size) % 2 == 0 else size - 1 - index % size
    return None if mode == BORDER else min(max(index, 0), size - 1)


def _read(texels, axes, layer, how, at):
    """Return one channel at a place, by the formulas."""
    mode, filters, normalized = how
    if not normalized and mode in (WRAP, MIRROR):
        mode = CLAMP
    choices = []
    for axis in range(axes):
        x = at[axis] * SIZES[axis] if normalized else at[axis]
        if filters:
            fixed = math.floor((x - 0.5) * 256 + 0.5)
            i, alpha = fixed // 256, fixed % 256 / 256
            choices.append([(i, 1 - alpha), (i + 1, alpha)])
        else:
            choices.append([(math.floor(x), 1)])
    total = 0
    for taps in product(*choices):
        places = [_texel(i, SIZES[axis], mode) for axis, (i, _) in enumerate(taps)]
        weight = math.prod(weight for _, weight in taps)
        if None in places:
            continue
        x, y, z = (*places, 0, 0)[:3]
        total += weight * texels[layer if axes < 3 else z][y][x]
    return total


def _expected(kind, axes, layered, channels, how):
    own = np.dtype(TYPES[kind])
    rows, slices = (SIZES[1] if axes > 1 else 1), (SIZES[2] if axes > 2 or layered else 1)
    texels = _fill(own, slices * rows * SIZES[0] * channels)
    values = texels.astype(np.float64) if own.kind == "f" else texels
    if kind in INTEGERS:
        values = np.maximum(texels / np.iinfo(own).max, -1)
    values = values.reshape(slices, rows, SIZES[0], channels)
    found = []
    for i, channel in product(range(POINTS), range(channels)):
        layer = min(max(i % (SIZES[2] + 1) - (axes > 1), 0), SIZES[2] - 1) if layered else 0
        at = [_place(i, axis, how[2]) for axis in range(axes)]
        found.append(_read(values[..., channel].tolist(), axes, layer, how, at))
    return np.array(found)


def _expected_linear(kind):
    values = _fill(np.dtype(TYPES[kind]), 20)
    values = values / np.iinfo(values.dtype).max if kind in INTEGERS else values
    return np.array([values[i - 3] if 0 <= i - 3 < 20 else 0 for i in range(32)])


def _expected_surface(dtype, axes):
    slices = SIZES[2] if axes > 2 else 1
    count = slices * SIZES[1] * SIZES[0]
    texels = _fill(dtype, count * (4 if dtype == np.uint8 else 1))
    texels = texels.reshape(slices, SIZES[1], SIZES[0], -1)
    found = np.zeros_like(texels)
    for z, y, x in np.ndindex(slices, SIZES[1], SIZES[0]):
        if axes == 2:
            found[z, y, x] = texels[z, y + 1, SIZES[0] - 1 - x] if y + 1 < SIZES[1] else 0
        else:
            found[z, y, x] = texels[max(z - 1, 0), y, min(x + 2, SIZES[0] - 1)]
    return found.reshape(-1)


def test_textures_and_surfaces_read_as_the_guide_says(quiz):
    shutil.copy(DATA / "cuda_textures.cu", quiz.folder / "textures.cu")
    ended = quiz("profile", "textures.cu", "--source")
    assert ended.returncode == OK
    printed, _, report = ended.stdout.partition("no faults in ")
    *lines, last = printed.splitlines()
    assert (last, report.split()[0]) == ("no error", "221")
    for line in lines:
        kind, *numbers, values = line.split(" ", 7)
        axes, layered, channels, mode, filters, normalized = map(int, numbers)
        data = bytes.fromhex(values)
        if kind.startswith("surface-"):
            dtype = np.dtype(TYPES[kind.removeprefix("surface-")])
            assert np.array_equal(np.frombuffer(data, dtype), _expected_surface(dtype, axes)), line
            continue
        returned = np.dtype(TYPES[kind] if kind.endswith("element") else "f4")
        expected = (
            _expected(kind, axes, layered, channels, (mode, filters, normalized))
            if axes
            else _expected_linear(kind)
        )
        given = np.frombuffer(data, returned)
        if returned.kind == "f":
            assert np.allclose(given, expected, rtol=1e-6, atol=1e-6), line
        else:
            assert np.array_equal(given, expected), line


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
         ["line 3: `surf2Dwrite` gets a place beyond the surface; its x is in bytes",
          "`tex2D` gets the object 1, which is no texture or surface",
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
