"""Additions of pairs and of vectors in one atomic; `nvcc` compiled tests/data/ptx/atomics."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_FILE = Path(__file__).parents[3] / "data" / "ptx" / "atomics" / "packed.ptx"
_BLOCKS, _THREADS = 3, 64


def _bfloats(values: np.ndarray) -> np.ndarray:
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def test_pairs_and_vectors_are_added() -> None:
    random, count = np.random.default_rng(8), _BLOCKS * _THREADS
    pairs = random.integers(-3, 4, (2, count, 2))  # sums of these are exact
    halves, bfloats = pairs[0].astype(np.float16).view(np.uint32), _bfloats(pairs[1])
    floats = random.integers(-9, 9, (count, 4)).astype(np.float32)
    out, sums = np.zeros(4 + _BLOCKS, np.uint32), np.zeros(4, np.float32)
    module = read_ptx(_FILE.read_text())
    kernel = find_kernel(module, "packed")
    arguments = [halves.ravel(), bfloats.view(np.uint32).ravel(), floats.ravel(), out, sums]
    done = launch(lower_ptx(module, kernel, list_fields(kernel)), _BLOCKS, _THREADS, arguments)
    assert not done.findings
    assert out[:1].view(np.float16).tolist() == pairs[0].sum(axis=0).tolist()
    assert out[1:2].view(np.uint16).tolist() == _bfloats(pairs[1].sum(axis=0)).tolist()
    assert out[2:3].view(np.uint16)[0] == _bfloats(pairs[1][:, 0].sum(keepdims=True))[0]
    by_block = pairs[0].reshape(_BLOCKS, _THREADS, 2).sum(axis=1)
    assert out[4:].view(np.float16).reshape(-1, 2).tolist() == by_block.tolist()
    assert sums.tolist() == floats.sum(axis=0).tolist()
