"""A Walsh–Hadamard transform: the butterflies of an FFT without its factors, in shared memory."""
import numpy as np
from numba import cuda, int64

N = 64


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(N, int64)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * N
    s[t] = a[base + t]  # @low
    s[t + N // 2] = a[base + t + N // 2]  # @high
    cuda.syncthreads()  # @sync
    half = 1
    while half < N:  # @loop
        i = t // half * 2 * half + t % half  # @place
        u, v = s[i], s[i + half]  # @get
        s[i] = u + v  # @plus
        s[i + half] = u - v  # @minus
        cuda.syncthreads()  # @step
        half *= 2  # @twice
    out[base + t] = s[t]  # @store
    out[base + t + N // 2] = s[t + N // 2]  # @last


def case(random):
    a = random.integers(-9, 9, 3 * N)
    rows = a.reshape(3, N).copy()
    half = 1
    while half < N:
        pairs = rows.reshape(3, -1, 2, half)
        rows = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2).reshape(3, N)
        half *= 2
    return {
        "grid": 3, "block": N // 2,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": rows.reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "low high get"),
    (("drop", "step"), "race", "get plus minus store last"),
    (("edit", "place", "t // half * 2 * half + t % half", "t"), "race out-of-bounds", "get plus minus"),
    (("drop", "high"), "uninitialised-read", "get high"),
    (("drop", "last"), "never-written", "def"),
    (("edit", "loop", "half < N", "half <= N"), "out-of-bounds", "get minus loop"),
    (("drop", "twice"), "budget", "loop twice get plus minus step"),
    (("edit", "get", "s[i + half]", "s[i + half + 1]"), "out-of-bounds race", "get minus plus"),
    (("edit", "step", "cuda.syncthreads()", "cuda.syncwarp()"), "equivalent", "a block is one warp"),
]
