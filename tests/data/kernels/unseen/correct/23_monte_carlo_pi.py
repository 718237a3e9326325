"""Estimate of pi with one linear congruential generator per thread and one atomic per thread."""
import numpy as np
from numba import cuda, float32, uint32

SAMPLES = 32


@cuda.jit(device=True)
def lcg(state):
    return uint32(state * uint32(1664525) + uint32(1013904223))


@cuda.jit
def count_hits(seed, hits):
    tid = cuda.grid(1)
    state = uint32(seed ^ (uint32(tid) * uint32(747796405)))
    for _ in range(4):
        state = lcg(state)
    inside = 0
    scale = float32(1.0 / 16777216.0)
    for _ in range(SAMPLES):
        state = lcg(state)
        x = float32(state >> uint32(8)) * scale
        state = lcg(state)
        y = float32(state >> uint32(8)) * scale
        if x * x + y * y <= float32(1.0):
            inside += 1
    cuda.atomic.add(hits, 0, inside)


blocks, threads = 8, 64
d_hits = cuda.to_device(np.zeros(1, dtype=np.int64))
count_hits[blocks, threads](np.uint32(12345), d_hits)
hits = int(d_hits.copy_to_host()[0])
pi = 4.0 * hits / (blocks * threads * SAMPLES)
assert abs(pi - np.pi) < 0.08, pi
print(pi)
