"""Fourteen small puzzles, solved: maps, guards, blocks, shared memory, scans, products."""

import numba
import numpy as np
from frame import Puzzle, Size

SIZE = 8


def add_ten(cuda):
    def kernel(out, a) -> None:
        out[cuda.threadIdx.x] = a[cuda.threadIdx.x] + 10

    return kernel


def add(cuda):
    def kernel(out, a, b) -> None:
        t = cuda.threadIdx.x
        out[t] = a[t] + b[t]

    return kernel


def guarded(cuda):
    def kernel(out, a, size) -> None:
        t = cuda.threadIdx.x
        if t < size:
            out[t] = a[t] + 10

    return kernel


def square(cuda):
    def kernel(out, a, size) -> None:
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        if x < size and y < size:
            out[x, y] = a[x, y] + 10

    return kernel


def broadcast(cuda):
    def kernel(out, a, b, size) -> None:
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        if x < size and y < size:
            out[x, y] = a[x, 0] + b[0, y]

    return kernel


def blocks(cuda):
    def kernel(out, a, size) -> None:
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        if i < size:
            out[i] = a[i] + 10

    return kernel


def blocks_of_squares(cuda):
    def kernel(out, a, size) -> None:
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        j = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
        if i < size and j < size:
            out[i, j] = a[i, j] + 10

    return kernel


SHARED = 4


def shared(cuda):
    def kernel(out, a, size) -> None:
        own = cuda.shared.array(SHARED, numba.float32)
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        t = cuda.threadIdx.x
        if i < size:
            own[t] = a[i]
            cuda.syncthreads()
            out[i] = own[t] + 10

    return kernel


def pooled(cuda):
    def kernel(out, a, size) -> None:
        own = cuda.shared.array(SIZE, numba.float32)
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        t = cuda.threadIdx.x
        if i < size:
            own[t] = a[i]
            cuda.syncthreads()
            if i == 0:
                out[i] = own[t]
            elif i == 1:
                out[i] = own[t] + own[t - 1]
            else:
                out[i] = own[t] + own[t - 1] + own[t - 2]

    return kernel


def dot(cuda):
    def kernel(out, a, b, size) -> None:
        own = cuda.shared.array(SIZE, numba.float32)
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        t = cuda.threadIdx.x
        if i < size:
            own[t] = a[i] * b[i]
            cuda.syncthreads()
            if t == 0:
                total = 0.0
                for k in range(size):
                    total += own[k]
                out[0] = total

    return kernel


WIDTH, TAPS = 8, 4
REACH = WIDTH + TAPS


def convolved(cuda):
    def kernel(out, a, b, a_size, b_size) -> None:
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        t = cuda.threadIdx.x
        taps = cuda.shared.array(TAPS, numba.float32)
        own = cuda.shared.array(REACH, numba.float32)
        if t < b_size:
            taps[t] = b[t]
        if i < a_size:
            own[t] = a[i]
        if t < b_size and i + WIDTH < a_size:
            own[t + WIDTH] = a[i + WIDTH]
        cuda.syncthreads()
        if i < a_size:
            total = 0.0
            for k in range(b_size):
                if i + k < a_size:
                    total += own[t + k] * taps[k]
            out[i] = total

    return kernel


def summed(cuda):
    def kernel(out, a, size) -> None:
        own = cuda.shared.array(SIZE, numba.float32)
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        t = cuda.threadIdx.x
        own[t] = a[i] if i < size else 0
        cuda.syncthreads()
        for k in range(3):
            step = 2**k
            if t % (2 * step) == 0:
                own[t] = own[t] + own[t + step]
            cuda.syncthreads()
        if t == 0:
            out[cuda.blockIdx.x] = own[0]

    return kernel


def summed_rows(cuda):
    def kernel(out, a, size) -> None:
        own = cuda.shared.array(SIZE, numba.float32)
        t = cuda.threadIdx.x
        row = cuda.blockIdx.y
        own[t] = a[row, t] if t < size else 0
        cuda.syncthreads()
        step = 1
        while step < SIZE:
            if t % (2 * step) == 0:
                own[t] += own[t + step]
            cuda.syncthreads()
            step *= 2
        if t == 0:
            out[row, 0] = own[0]

    return kernel


TILE = 3


def product(cuda):
    def kernel(out, a, b, size) -> None:
        mine = cuda.shared.array((TILE, TILE), numba.float32)
        other = cuda.shared.array((TILE, TILE), numba.float32)
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        j = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        total = 0.0
        for k in range(0, size, TILE):
            mine[x, y] = a[i, k + y] if i < size and k + y < size else 0
            other[x, y] = b[k + x, j] if k + x < size and j < size else 0
            cuda.syncthreads()
            for m in range(min(TILE, size - k)):
                total += mine[x, m] * other[m, y]
            cuda.syncthreads()
        if i < size and j < size:
            out[i, j] = total

    return kernel


def zeros(*shape):
    return np.zeros(shape)


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float64).reshape(shape)


def pool(a):
    return np.array([a[max(0, i - 2) : i + 1].sum() for i in range(len(a))])


def convolve(a, b):
    longer = np.append(a, np.zeros(len(b)))
    return np.array([longer[i : i + len(b)] @ b for i in range(len(a))])


def sums(a):
    return np.array([part.sum() for part in np.split(np.append(a, zeros(-len(a) % SIZE)), 2)])


PUZZLES = [
    Puzzle("map", add_ten, [numbers(4)], zeros(4), lambda a: a + 10, threads=Size(4)),
    Puzzle("zip", add, [numbers(4)] * 2, zeros(4), np.add, threads=Size(4)),
    Puzzle("guard", guarded, [numbers(4)], zeros(4), lambda a: a + 10, (4,), threads=Size(8)),
    Puzzle("2D", square, [numbers(2, 2)], zeros(2, 2), lambda a: a + 10, (2,), threads=Size(3, 3)),
    Puzzle(
        "broadcast",
        broadcast,
        [numbers(2, 1), numbers(1, 2)],
        zeros(2, 2),
        np.add,
        (2,),
        threads=Size(3, 3),
    ),
    Puzzle("blocks", blocks, [numbers(9)], zeros(9), lambda a: a + 10, (9,), Size(3), Size(4)),
    Puzzle(
        "blocks of squares",
        blocks_of_squares,
        [np.ones((5, 5))],
        zeros(5, 5),
        lambda a: a + 10,
        (5,),
        Size(2, 2),
        Size(3, 3),
    ),
    Puzzle("shared", shared, [np.ones(8)], zeros(8), lambda a: a + 10, (8,), Size(2), Size(4)),
    Puzzle("pooling", pooled, [numbers(8)], zeros(8), pool, (8,), threads=Size(8)),
    Puzzle("dot", dot, [numbers(8)] * 2, zeros(1), np.dot, (8,), threads=Size(8)),
    Puzzle("convolution", convolved, [numbers(6), numbers(3)], zeros(6), convolve, (6, 3),
           threads=Size(8)),
    Puzzle("longer convolution", convolved, [numbers(15), numbers(4)], zeros(15), convolve,
           (15, 4), Size(2), Size(8)),
    Puzzle("sums", summed, [numbers(15)], zeros(2), sums, (15,), Size(2), Size(8)),
    Puzzle("rows", summed_rows, [numbers(4, 6)], zeros(4, 1),
           lambda a: a.sum(axis=1, keepdims=True), (6,), Size(1, 4), Size(8)),
    Puzzle("product", product, [numbers(2, 2), numbers(2, 2).T], zeros(2, 2), np.matmul, (2,),
           threads=Size(3, 3)),
    Puzzle("larger product", product, [numbers(8, 8), numbers(8, 8).T], zeros(8, 8), np.matmul,
           (8,), Size(3, 3), Size(3, 3)),
]  # fmt: skip

for puzzle in PUZZLES:
    puzzle.check()
