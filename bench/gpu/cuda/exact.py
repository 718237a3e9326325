"""What is launched of `exact.cu`: the cases of `bench.gpu.cases` once more, and others.

Needs no GPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu import cases
from grader.simt import Launch, launch
from grader.simt.cuda.lowering.kernel import CudaSource, lower_kernel, read_cuda

SOURCE = Path(__file__).with_name("exact.cu")
_BLOCKS, _BLOCK = 16, 64
_SHARED_STRIDES = (1, 2, 3, 4, 8, 16, 32, 33)
_SHARED_SIZE = 4096
"""Elements of the shared array, of the kinds that are one number each."""
_GLOBAL_STEPS = ((1, 0), (1, 1), (2, 0), (3, 1), (9, 0))
"""Strides and shifts, in elements."""
_PICKED = 256
_KINDS: dict[str, tuple[Any, int]] = {
    "bytes": (np.uint8, 1), "shorts": (np.int16, 1), "floats": (np.float32, 1),
    "doubles": (np.float64, 1), "float2": (np.float32, 2), "float4": (np.float32, 4),
    "dynamic": (np.float32, 1),
}  # fmt: skip
"""By what a kernel accesses: its type, and how many of them at once."""


@dataclass(frozen=True, eq=False)
class CudaCase(cases.Case):
    """A launch of a kernel in CUDA C++.

    Attributes:
        shared: bytes of dynamic shared memory.
    """

    shared: int = 0

    def emulated(self) -> tuple[Launch, NDArray[Any]]:
        """The launch in the emulator, and the array it leaves."""
        given = [one.copy() if isinstance(one, np.ndarray) else one for one in self.arguments]
        kernel, _types = lower_kernel(_source(), self.kernel)
        done = launch(kernel, self.grid, self.block, given, shared_bytes=self.shared)
        return done, given[self.written]


@cache
def _source() -> CudaSource:
    return read_cuda(SOURCE.read_text("utf-8"))


@cache
def exact_cases() -> tuple[CudaCase, ...]:
    """Return all of them, in the order in which they are launched; the same numbers each time."""
    random = np.random.default_rng(1)
    return (
        *_twins(),
        *_through_shared(random),
        *_picked(random),
        *_atomics(random),
        *_global(random),
    )


def _twins() -> Iterator[CudaCase]:
    for case in cases.cases():
        arguments = (*case.arguments, *(np.int32(size) for size in _sizes(case)))
        yield CudaCase(
            case.name, case.kernel, case.grid, case.block, arguments, case.right, case.tolerance
        )


def _sizes(case: cases.Case) -> tuple[int, ...]:
    """Return what Numba's kernel reads from the shapes of its arrays."""
    arrays = [one for one in case.arguments if isinstance(one, np.ndarray)]
    match case.kernel:
        case "copy_misaligned" | "broadcast":
            return (arrays[0].size,)
        case "saxpy" | "matrix_vector":
            return (arrays[1].size,)
        case "convolution":
            return (arrays[0].shape[1], *arrays[1].shape)
        case "gemm" | "gemm_padded" | "stencil_plane" | "softmax_rows":
            return (arrays[0].shape[1],)
    is_tile = case.kernel.startswith(("transpose", "half"))
    return (arrays[0].shape[1],) if is_tile else ()


def _draw(random: np.random.Generator, dtype: Any, size: int) -> NDArray[Any]:
    """Draw numbers that every type holds exactly."""
    return random.integers(1, 100, size).astype(dtype)


def _through_shared(random: np.random.Generator) -> Iterator[CudaCase]:
    for kind, (dtype, width) in _KINDS.items():
        fitting = [one for one in _SHARED_STRIDES if (_BLOCK - 1) * one < _SHARED_SIZE // width]
        for stride in fitting:
            a = _draw(random, dtype, _BLOCKS * _BLOCK * width)
            right = a.reshape(_BLOCKS, _BLOCK, width)[:, ::-1].reshape(-1)
            yield CudaCase(
                f"shared_{kind}_stride_{stride}", f"shared_{kind}", (_BLOCKS,), (_BLOCK,),
                (a, np.zeros_like(a), np.int32(stride)), right,
                shared=4 * _BLOCK * stride if kind == "dynamic" else 0,
            )  # fmt: skip


def _picked(random: np.random.Generator) -> Iterator[CudaCase]:
    """Yield accesses at random: the addresses of a warp are anything."""
    threads = _BLOCKS * _PICKED
    index = random.integers(0, _PICKED, threads, dtype=np.int32)
    for name, width in (("shared_gather", 1), ("shared_gather2", 2), ("shared_gather4", 4)):
        a = _draw(random, np.float32, threads * width)
        blocks = a.reshape(_BLOCKS, _PICKED, width)
        right = np.take_along_axis(blocks, index.reshape(_BLOCKS, _PICKED, 1), axis=1).reshape(-1)
        launched = (a, index, np.zeros_like(a))
        yield CudaCase(name, name, (_BLOCKS,), (_PICKED,), launched, right)
    order = np.concatenate([random.permutation(_PICKED) for _ in range(_BLOCKS)]).astype(np.int32)
    a = _draw(random, np.float32, threads)
    right = np.zeros_like(a).reshape(_BLOCKS, _PICKED)
    np.put_along_axis(right, order.reshape(right.shape), a.reshape(right.shape), axis=1)
    launched = (a, order, np.zeros_like(a))
    name = "shared_scatter"
    yield CudaCase(name, name, (_BLOCKS,), (_PICKED,), launched, right.reshape(-1))


def _atomics(random: np.random.Generator) -> Iterator[CudaCase]:
    threads = _BLOCKS * _PICKED
    blocks = np.repeat(np.arange(_BLOCKS), _PICKED)
    out = np.zeros(threads, np.int32)
    values = random.integers(1, 1000, threads, dtype=np.int32)
    drawn = {
        "anywhere": random.integers(0, _PICKED, threads, dtype=np.int32),
        "few": random.integers(0, 5, threads, dtype=np.int32) * 32,
    }
    for how, keys in drawn.items():
        most, marked = np.zeros((2, _BLOCKS, _PICKED), np.int32)
        np.maximum.at(most, (blocks, keys), values)
        marked[blocks, keys] = 3 * keys + 1
        launched = (_BLOCKS,), (_PICKED,)
        maximum = (keys, values, out)
        yield CudaCase(f"shared_maximum_{how}", "shared_maximum", *launched, maximum, most.ravel())
        for name in ("shared_exchange", "shared_compare"):
            yield CudaCase(f"{name}_{how}", name, *launched, (keys, out), marked.ravel())


def _global(random: np.random.Generator) -> Iterator[CudaCase]:
    threads = _BLOCKS * _BLOCK
    launched = (_BLOCKS,), (_BLOCK,)
    for kind in ("bytes", "doubles", "float2", "float4"):
        dtype, width = _KINDS[kind]
        for stride, shift in _GLOBAL_STEPS:
            a = _draw(random, dtype, (threads * stride + shift) * width)
            copied = a.reshape(-1, width).copy()
            copied[np.arange(len(copied)) % stride != shift % stride] = 0
            copied[:shift] = 0
            given = (a, np.zeros_like(a), np.int32(stride), np.int32(shift))
            name = f"global_{kind}_{stride}_{shift}"
            yield CudaCase(name, f"global_{kind}", *launched, given, copied.reshape(-1))
    a = _draw(random, np.float32, 3 * threads)
    yield CudaCase("global_triples", "global_triples", *launched, (a, np.zeros_like(a)), a)
    index = random.integers(0, a.size, threads, dtype=np.int32)
    out = np.zeros(threads, np.float32)
    yield CudaCase("global_cached", "global_cached", *launched, (a, index, out), a[index])
    odd = np.where(np.arange(threads) % 2 == 1, a[:threads], np.float32(0))
    yield CudaCase("global_odd_lanes", "global_odd_lanes", *launched, (a, out), odd)
