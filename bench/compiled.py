"""Kernels as Triton compiled them, with all counts and checks: processor time of a launch, warm.

The PTX is that of the deck's solutions, kept for `bench.gpu.ptx.counted`; no compiler is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.figures import Figure, processor_time
from bench.gpu.ptx.counted import texts
from grader.simt import launch
from grader.simt.host.files.ptx_kernels import PtxKernel
from grader.simt.ptx.reading import read_ptx

_EDGE, _TILE = 512, 32
_ROWS, _COLUMNS = 4096, 1024
_ELEMENTS, _BLOCK = 1 << 20, 1024


class _Case(NamedTuple):
    """A launch: the last of its arrays must become `right`."""

    what: str
    recorded: str
    grid: Sequence[int]
    given: Sequence[Any]
    right: Any
    limit_ms: float


def _cases() -> list[_Case]:
    random = np.random.default_rng(0)
    a, b = (random.normal(size=(_EDGE, _EDGE)).astype(np.float16) for _ in range(2))
    x = random.normal(size=(_ROWS, _COLUMNS)).astype(np.float32)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    one, other = random.random((2, _ELEMENTS), dtype=np.float32)
    tiles = _EDGE // _TILE
    product = np.zeros((_EDGE, _EDGE), np.float32)
    return [
        _Case(
            "Triton's matmul in f16, 512^3", "triton-matmul--solution m=64 n=96 k=128",
            (tiles, tiles), (a, b, product, _EDGE, _EDGE, _EDGE),
            a.astype(np.float32) @ b.astype(np.float32), 2000,
        ),
        _Case(
            "Triton's softmax, 4096x1024", "triton-softmax--solution rows=6 columns=1024",
            (_ROWS,), (x, np.zeros_like(x), _COLUMNS),
            powers / powers.sum(axis=1, keepdims=True), 1000,
        ),
        _Case(
            "Triton's vector add, 2^20",
            "triton-add--solution n=4096", (_ELEMENTS // _BLOCK,),
            (one, other, np.zeros_like(one), _ELEMENTS), one + other, 500,
        ),
    ]  # fmt: skip


def measure(_data: object = None, repeat: int = 5) -> list[Figure]:
    """Medians of cases whose results are right."""
    find = texts.load()
    return [
        processor_time("compiled", case.what, case.limit_ms, _run(case, find), repeat)
        for case in _cases()
    ]


def _run(case: _Case, find: Callable[[str], texts.Compiled]) -> Callable[[], None]:
    compiled = find(case.recorded)
    module = read_ptx(compiled.text)
    kernel = PtxKernel(module, module.functions[compiled.entry], (), replicated=True)
    more = [None] * (len(kernel.arguments) - len(case.given))  # for a profiler of Triton's own
    values = kernel.fit([*case.given, *more])
    block = 128

    def run() -> None:
        done = launch(kernel.compiled, case.grid, block, values, shared_bytes=compiled.shared)
        assert not done.findings

    run()
    found = [each for each in case.given if isinstance(each, np.ndarray)][-1]
    assert np.allclose(found, case.right, rtol=1e-2, atol=1e-2)
    return run
