"""Loads and stores with a cache hint are those of brackets; other names of numba-cuda-mlir."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import NotTyped, Refused, launch
from tests.sentences import expect_error

LOADS = ("ldca", "ldcg", "ldcs", "ldlu", "ldcv")
STORES = ("stcg", "stcs", "stwb", "stwt")


def run(body, *arguments, threads=32, package="numba"):
    head = f"from {package}.cuda import literal_unroll\n"
    text = (
        head
        + "def kernel(a, out):\n    i = cuda.grid(1)\n"
        + "".join(f"    {line}\n" for line in body.splitlines())
    )
    return launch(text, 2, threads, list(arguments))


@pytest.mark.parametrize("name", LOADS)
def test_a_load_counts_as_brackets_do(name):
    a, out = np.arange(64, dtype=np.float32), np.zeros(64, dtype=np.float32)
    hinted = run(f"out[i] = cuda.{name}(a, i) * 2", a, out)
    assert (out == a * 2).all()
    assert hinted.totals == run("out[i] = a[i] * 2", a, out).totals


@pytest.mark.parametrize("name", STORES)
def test_a_store_counts_as_brackets_do(name):
    a, out = np.arange(64, dtype=np.int16), np.zeros((2, 32), dtype=np.int16)
    hinted = run(f"cuda.{name}(out, (i // 32, i % 32), a[i] + 70000)", a, out)
    assert (out.ravel() == (np.arange(64) + 70000).astype(np.int16)).all()
    assert hinted.totals == run("out[i // 32, i % 32] = a[i] + 70000", a, out).totals


def test_races_and_bounds_are_found_as_in_brackets():
    a, out = np.zeros(64), np.zeros(64)
    found = run("cuda.stcg(out, 0, i)\nout[i] += cuda.ldcg(a, i + 1)", a, out).findings
    assert {finding.kind for finding in found} == {"global-race", "out-of-bounds"}


def test_only_numbers_in_global_memory_have_hints():
    a, out = np.zeros(64), np.zeros(64)
    with expect_error(Refused, r"cuda\.ldca works on global memory only; index the array"):
        run("s = cuda.shared.array(32, cuda.float32)\nout[i] = cuda.ldca(s, 0)", a, out)
    with pytest.raises(NotTyped, match="no-overload"):
        run("out[i] = cuda.ldca(a, i)", a.astype(bool), out)
    with pytest.raises(NotTyped, match="not-an-array"):
        run("out[i] = cuda.ldca(1, i)", a, out)


@pytest.mark.parametrize("space", ["shared", "local"])
def test_array_by_its_other_name_and_alignment(space):
    out = np.zeros(64, dtype=np.float32)
    body = "s = cuda.{}(32, cuda.float32, alignas=16)\ns[i % 32] = i\nout[i] = s[i % 32]"
    one = run(body.format(f"{space}_array"), out, out, package="numba_cuda_mlir")
    other = run(body.replace("alignas", "alignment").format(f"{space}.array"), out, out)
    assert (out == np.arange(64)).all()
    assert one.totals == other.totals
    with expect_error(Refused, f"cuda.{space}_array does not exist; did you mean 'cuda.{space}.a"):
        run(body.format(f"{space}_array"), out, out)
    with expect_error(Refused, "has no parameter alignas; did you mean 'alignment'"):
        run(body.format(f"{space}.array"), out, out)


@pytest.mark.parametrize(
    ("imports", "name", "held"),
    [
        ("from numba_cuda_mlir import cuda, types", "types.i8", 44),
        ("import numba_cuda_mlir", "numba_cuda_mlir.types.i8", 44),
        ("from numba_cuda_mlir.types import i8", "i8", 44),
        ("from numba import cuda, types", "types.i8", 300),
    ],
)
def test_numbers_of_types_count_bits_in_numba_cuda_mlir_and_bytes_in_numba(imports, name, held):
    out = np.zeros(1)
    launch(f"{imports}\ndef kernel(a):\n    a[0] = {name}(300)\n", 1, 1, [out])
    assert out[0] == held


class TestLiteralUnroll:
    def test_each_item_has_its_own_type(self):
        a, out = np.arange(64, dtype=np.int32), np.full(64, 0.5)
        run("s = 0\nfor x in literal_unroll((a, out)):\n    s += x[i]\nout[i] = s", a, out)
        assert (out == np.arange(64) + 0.5).all()
        with pytest.raises(NotTyped, match="variable-types"):
            run("for x in literal_unroll((a, 2)):\n    pass\nout[i] = x", a, out)

    def test_continue_and_break_are_per_thread(self):
        a, out = np.zeros(64), np.zeros(64)
        body = (
            "s = 0\nfor x in literal_unroll((1, 2.5, np.int8(4))):\n"
            "    if i == 1 and x == 2.5:\n        continue\n"
            "    if i == 2 and x == 4:\n        break\n    s += x\nelse:\n    s += 100\nout[i] = s"
        )
        run(body, a, out)
        assert out[:3].tolist() == [107.5, 105, 3.5]

    def test_only_of_a_tuple(self):
        with expect_error(NotTyped, "literal_unroll takes a tuple"):
            run("for x in literal_unroll(a):\n    out[i] = x", np.zeros(64), np.zeros(64))
