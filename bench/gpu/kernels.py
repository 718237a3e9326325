"""The kernels that are counted on a GPU: ordinary Numba, as people write it; `cases` launches them.

The GPU runs what a compiler made of them, the emulator what stands here. So that both are the same
accesses, trip counts and distances come as arguments where a compiler that knew them would merge
or hoist. The emulator reads this file as a text: at the top stand imports and functions alone.
"""

from __future__ import annotations

import math

import numpy as np
from numba import cuda, float32, float64, int32


def transpose_naive(a, out):
    x, y = cuda.grid(2)
    out[x, y] = a[y, x]


def transpose_tiled(a, out):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx] = a[y + ty, x + tx]
    cuda.syncthreads()
    out[x + ty, y + tx] = tile[tx, ty]


def transpose_padded(a, out):
    tile = cuda.shared.array((32, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx] = a[y + ty, x + tx]
    cuda.syncthreads()
    out[x + ty, y + tx] = tile[tx, ty]


def transpose_swizzled(a, out):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx ^ ty] = a[y + ty, x + tx]
    cuda.syncthreads()
    out[x + ty, y + tx] = tile[tx, ty ^ tx]


def transpose_double(a, out):
    tile = cuda.shared.array((32, 32), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx] = a[y + ty, x + tx]
    cuda.syncthreads()
    out[x + ty, y + tx] = tile[tx, ty]


def transpose_double_padded(a, out):
    tile = cuda.shared.array((32, 33), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tile[ty, tx] = a[y + ty, x + tx]
    cuda.syncthreads()
    out[x + ty, y + tx] = tile[tx, ty]


def half_columns(a, out):
    tile = cuda.shared.array((32, 32), np.float16)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[ty, tx]
    cuda.syncthreads()
    out[ty, tx] = tile[tx, ty]


def half_columns_padded(a, out):
    tile = cuda.shared.array((32, 33), np.float16)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[ty, tx]
    cuda.syncthreads()
    out[ty, tx] = tile[tx, ty]


def copy(a, out):
    i = cuda.grid(1)
    out[i] = a[i]


def copy_strided(a, out, stride):
    i = cuda.grid(1) * stride
    out[i] = a[i]


def copy_misaligned(a, out, shift):
    i = cuda.grid(1)
    if i + shift < a.size:
        out[i] = a[i + shift]


def saxpy(factor, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = factor * x[i] + y[i]


def reduce_interleaved(a, out):
    part = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    part[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    distance = 1
    while distance < cuda.blockDim.x:
        i = 2 * distance * t
        if i < cuda.blockDim.x:
            part[i] += part[i + distance]
        cuda.syncthreads()
        distance *= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


def reduce_modulo(a, out):
    part = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    part[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    distance = 1
    while distance < cuda.blockDim.x:
        if t % (2 * distance) == 0:
            part[t] += part[t + distance]
        cuda.syncthreads()
        distance *= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


def reduce_sequential(a, out):
    part = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    part[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    distance = cuda.blockDim.x // 2
    while distance > 0:
        if t < distance:
            part[t] += part[t + distance]
        cuda.syncthreads()
        distance //= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]


def reduce_shuffle(a, out):
    part = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    lane, warp = t % 32, t // 32
    total = a[cuda.grid(1)]
    for distance in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
    if lane == 0:
        part[warp] = total
    cuda.syncthreads()
    if warp == 0:
        total = part[lane] if lane < cuda.blockDim.x // 32 else float32(0)
        for distance in (16, 8, 4, 2, 1):
            total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
        if lane == 0:
            out[cuda.blockIdx.x] = total


def scan_block(a, out):
    sums = cuda.shared.array(256, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    sums[t] = a[i]
    cuda.syncthreads()
    distance = 1
    while distance < cuda.blockDim.x:
        before = float32(0)
        if t >= distance:
            before = sums[t - distance]
        cuda.syncthreads()
        sums[t] += before
        cuda.syncthreads()
        distance *= 2
    out[i] = sums[t]


def histogram(keys, out):
    bins = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        bins[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(bins, keys[cuda.grid(1)], 1)
    cuda.syncthreads()
    if t < 64:
        out[cuda.blockIdx.x, t] = bins[t]


def histogram_weighted(keys, weights, out):
    bins = cuda.shared.array(64, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < 64:
        bins[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(bins, keys[i], weights[i])
    cuda.syncthreads()
    if t < 64:
        out[cuda.blockIdx.x, t] = bins[t]


def histogram_float(keys, weights, out):
    bins = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < 64:
        bins[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(bins, keys[i], weights[i])
    cuda.syncthreads()
    if t < 64:
        out[cuda.blockIdx.x, t] = bins[t]


def tickets(keys, out):
    taken = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        taken[t] = 0
    cuda.syncthreads()
    key = keys[cuda.grid(1)]
    ticket = cuda.atomic.add(taken, key, 1)
    out[cuda.blockIdx.x, key, ticket, 0] = 1


def gemm(a, b, c):
    left = cuda.shared.array((16, 16), float32)
    right = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], 16):
        left[ty, tx] = a[y, first + tx]
        right[ty, tx] = b[first + ty, x]
        cuda.syncthreads()
        for k in range(16):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[y, x] = total


def gemm_padded(a, b, c):
    left = cuda.shared.array((16, 17), float32)
    right = cuda.shared.array((16, 17), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], 16):
        left[ty, tx] = a[y, first + tx]
        right[ty, tx] = b[first + ty, x]
        cuda.syncthreads()
        for k in range(16):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[y, x] = total


def stencil_line(a, out, radius):
    near = cuda.shared.array(256 + 16, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    near[t + radius] = a[i + radius]
    if t < radius:
        near[t] = a[i]
    elif t >= cuda.blockDim.x - radius:
        near[t + 2 * radius] = a[i + 2 * radius]
    cuda.syncthreads()
    total = float32(0)
    for k in range(2 * radius + 1):
        total += near[t + k]
    out[i] = total


def stencil_plane(a, out, centre):
    near = cuda.shared.array((18, 34), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x + 1, cuda.threadIdx.y + 1
    near[ty, tx] = a[y + 1, x + 1]
    if tx == 1:
        near[ty, 0] = a[y + 1, x]
    if tx == 32:
        near[ty, 33] = a[y + 1, x + 2]
    if ty == 1:
        near[0, tx] = a[y, x + 1]
    if ty == 16:
        near[17, tx] = a[y + 2, x + 1]
    cuda.syncthreads()
    across = near[ty, tx - 1] + near[ty, tx + 1]
    down = near[ty - 1, tx] + near[ty + 1, tx]
    out[y, x] = across + down - centre * near[ty, tx]


def convolution(a, weights, out):
    x, y = cuda.grid(2)
    total = float32(0)
    for row in range(weights.shape[0]):
        for column in range(weights.shape[1]):
            total += weights[row, column] * a[y + row, x + column]
    out[y, x] = total


def softmax_rows(a, out):
    part = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    most = float32(-math.inf)
    for i in range(t, a.shape[1], cuda.blockDim.x):
        most = max(most, a[row, i])
    part[t] = most
    cuda.syncthreads()
    distance = cuda.blockDim.x // 2
    while distance > 0:
        if t < distance:
            part[t] = max(part[t], part[t + distance])
        cuda.syncthreads()
        distance //= 2
    most = part[0]
    cuda.syncthreads()
    total = float32(0)
    for i in range(t, a.shape[1], cuda.blockDim.x):
        total += math.exp(a[row, i] - most)
    part[t] = total
    cuda.syncthreads()
    distance = cuda.blockDim.x // 2
    while distance > 0:
        if t < distance:
            part[t] += part[t + distance]
        cuda.syncthreads()
        distance //= 2
    total = part[0]
    for i in range(t, a.shape[1], cuda.blockDim.x):
        out[row, i] = math.exp(a[row, i] - most) / total


def matrix_vector(a, x, out):
    part = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.grid(1)
    total = float32(0)
    for first in range(0, x.size, cuda.blockDim.x):
        part[t] = x[first + t]
        cuda.syncthreads()
        for k in range(cuda.blockDim.x):
            total += a[row, first + k] * part[k]
        cuda.syncthreads()
    out[row] = total


def bitonic_sort(a, out):
    keys = cuda.shared.array(256, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    keys[t] = a[i]
    cuda.syncthreads()
    size = 2
    while size <= cuda.blockDim.x:
        distance = size // 2
        while distance > 0:
            other = t ^ distance
            if other > t:
                here, there = keys[t], keys[other]
                if (here > there) == (t & size == 0):
                    keys[t] = there
                    keys[other] = here
            cuda.syncthreads()
            distance //= 2
        size *= 2
    out[i] = keys[t]


def broadcast(a, out):
    shared = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < a.size:
        shared[t] = a[t]
    cuda.syncthreads()
    total = float32(0)
    for k in range(t // 32, a.size):
        total = total * float32(0.5) + shared[k]
    out[i] = total


def members(a, out, member):
    points = cuda.shared.array((128, 4), float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    points[t, member] = a[i, member]
    cuda.syncthreads()
    out[i] = points[cuda.blockDim.x - 1 - t, member]


def divergent(a, b, out):
    i = cuda.grid(1)
    if i % 3 == 0:
        total = float32(0)
        for k in range(i % 5):
            total += b[k]
        out[i] = total
    else:
        out[i] = a[i]


def gather(a, index, out):
    i = cuda.grid(1)
    out[i] = a[index[i]]


def scatter(a, index, out):
    i = cuda.grid(1)
    out[index[i]] = a[i]
